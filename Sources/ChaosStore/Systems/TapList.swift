import Invariants

/// A few taps; three of them need no memory of their own.
package struct TapList: Sequence, Sendable {
  private var first = Tap.none
  private var second = Tap.none
  private var third = Tap.none
  private var others: [Tap] = []

  package init() {}

  package mutating func append(_ tap: Tap) {
    if first.isNone {
      first = tap
    } else if second.isNone {
      second = tap
    } else if third.isNone {
      third = tap
    } else {
      others.append(tap)
    }
  }

  package func contains(product: ProductID) -> Bool {
    if product.isNone { return false }
    return first.product == product || second.product == product || third.product == product
      || others.contains { $0.product == product }
  }

  /// Takes out the tap for this product, if there is one.
  @discardableResult
  package mutating func remove(product: ProductID) -> Tap? {
    if product.isNone { return nil }
    if first.product == product { return take(&first) }
    if second.product == product { return take(&second) }
    if third.product == product { return take(&third) }
    guard let other = others.first(where: { $0.product == product }) else { return nil }
    others.removeAll { $0 == other }
    return other
  }

  private func take(_ tap: inout Tap) -> Tap {
    defer { tap = .none }
    return tap
  }

  package func makeIterator() -> Iterator { Iterator(list: self) }

  package struct Iterator: IteratorProtocol {
    let list: TapList
    var position = 0

    init(list: TapList) { self.list = list }

    package mutating func next() -> Tap? {
      while position < 3 + list.others.count {
        let tap =
          switch position {
          case 0: list.first
          case 1: list.second
          case 2: list.third
          default: list.others[position - 3]
          }
        position += 1
        if !tap.isNone { return tap }
      }
      return nil
    }
  }
}
