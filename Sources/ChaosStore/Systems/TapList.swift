import Invariants

/// A few taps, each with when it was made; three of them need no memory of their own.
package struct TapList: Sequence, Sendable {
  package struct Entry: Equatable, BitwiseCopyable {
    package fileprivate(set) var tap: Tap
    /// What was bought with it; none while that is not known.
    fileprivate var transaction: TransactionID
    /// When it was made.
    package fileprivate(set) var millis: Int64

    fileprivate static let none = Entry(tap: .none, transaction: .none, millis: 0)
  }

  private var first = Entry.none
  private var second = Entry.none
  private var third = Entry.none
  private var others: [Entry] = []

  package init() {}

  package mutating func append(
    _ tap: Tap, at millis: Int64, bought transaction: TransactionID = .none
  ) {
    let entry = Entry(tap: tap, transaction: transaction, millis: millis)
    if first.tap.isNone {
      first = entry
    } else if second.tap.isNone {
      second = entry
    } else if third.tap.isNone {
      third = entry
    } else {
      others.append(entry)
    }
  }

  package func contains(product: ProductID) -> Bool {
    if product.isNone { return false }
    return first.tap.product == product || second.tap.product == product
      || third.tap.product == product || others.contains { $0.tap.product == product }
  }

  /// Takes out the tap for this product, if there is one that was made at this time or before.
  @discardableResult
  package mutating func remove(product: ProductID, until millis: Int64 = .max) -> Entry? {
    if product.isNone { return nil }
    if first.isFor(product, until: millis) { return take(&first) }
    if second.isFor(product, until: millis) { return take(&second) }
    if third.isFor(product, until: millis) { return take(&third) }
    guard let place = others.firstIndex(where: { $0.isFor(product, until: millis) }) else {
      return nil
    }
    return others.remove(at: place)
  }

  /// Takes out the tap for this product by whoever a token names, if it was made at this time or before.
  package mutating func remove(product: ProductID, by token: Token, until millis: Int64) -> Tap? {
    for tap in self where tap.product == product && tap.account.raw == token.accountNumber {
      return remove(product: product, until: millis)?.tap
    }
    return nil
  }

  package var isEmpty: Bool {
    first.tap.isNone && second.tap.isNone && third.tap.isNone && others.isEmpty
  }

  /// How many taps of this person for this product there are.
  package func count(_ product: ProductID, by account: AccountID) -> Int {
    reduce(0) { $1.product == product && $1.account == account ? $0 + 1 : $0 }
  }

  /// Takes out the tap with which this was bought; none where it was another's.
  package mutating func remove(bought transaction: TransactionID) -> Tap {
    if first.transaction == transaction { return take(&first).tap }
    if second.transaction == transaction { return take(&second).tap }
    if third.transaction == transaction { return take(&third).tap }
    guard let place = others.firstIndex(where: { $0.transaction == transaction }) else {
      return .none
    }
    return others.remove(at: place).tap
  }

  /// Takes out what was tapped at this time or before; whether there was any.
  package mutating func removeAll(until millis: Int64) -> Bool {
    let count = others.count
    others.removeAll { $0.millis <= millis }
    var isAny = others.count < count
    if first.isSet(until: millis) { isAny = !take(&first).tap.isNone }
    if second.isSet(until: millis) { isAny = !take(&second).tap.isNone }
    if third.isSet(until: millis) { isAny = !take(&third).tap.isNone }
    return isAny
  }

  private func take(_ entry: inout Entry) -> Entry {
    defer { entry = .none }
    return entry
  }

  package func makeIterator() -> Iterator { Iterator(list: self) }

  package struct Iterator: IteratorProtocol {
    let list: TapList
    var position = 0

    init(list: TapList) { self.list = list }

    package mutating func next() -> Tap? {
      while position < 3 + list.others.count {
        let entry =
          switch position {
          case 0: list.first
          case 1: list.second
          case 2: list.third
          default: list.others[position - 3]
          }
        position += 1
        if !entry.tap.isNone { return entry.tap }
      }
      return nil
    }
  }
}

extension TapList.Entry {
  fileprivate func isSet(until last: Int64) -> Bool { !tap.isNone && millis <= last }

  fileprivate func isFor(_ product: ProductID, until last: Int64) -> Bool {
    tap.product == product && millis <= last
  }
}
