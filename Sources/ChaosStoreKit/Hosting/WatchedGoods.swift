import ChaosStore
import Foundation
import Invariants

/// Keys of `UserDefaults`, and files, in which an app without a backend keeps what it sells: what is added there was handed
/// out, for a transaction that the app had been given.
struct WatchedGoods {
  /// What a key holds.
  enum Meaning {
    /// A number, to which a product adds so much each time it is bought.
    case balance([String: Int])
    /// A product that is owned while it is true, or there at all.
    case owned(String)
  }

  /// A transaction that the app was given, or a payment of which it was told that it is pending.
  private struct Given {
    var id: TransactionID
    var productID: String
    var quantity: Int
    /// Whether it is paid as far as the app can know: neither pending nor unverified.
    var isPaid: Bool
    /// Whether something was handed out for it since.
    var isDone = false
  }

  private var meanings: [String: Meaning] = [:]
  /// How the numbers in files are read; a product is owned where it is not 0.
  private var readers: [String: (Data) -> Int] = [:]
  /// Those of which the screen shows what stands there.
  private var shown: Set<String> = []
  /// In the order in which the app last heard of them or looked at them.
  private var given: [Given] = []
  /// What the screen shows of `Transaction.currentEntitlements`, by transaction; nil where it shows nothing of it.
  private var entitlements: Set<TransactionID>?

  mutating func watch(
    _ name: String, _ meaning: Meaning, isShown: Bool, reader: ((Data) -> Int)? = nil
  ) {
    meanings[name] = meaning
    readers[name] = reader
    if isShown { shown.insert(name) }
  }

  /// What is watched.
  var watched: Dictionary<String, Meaning>.Keys { meanings.keys }

  func isWatched(_ name: String) -> Bool { meanings[name] != nil }

  /// Whether nothing is watched, so that it does not matter what the app is given.
  var isEmpty: Bool { meanings.isEmpty && entitlements == nil }

  /// From now on the screen shows what is owned.
  mutating func showEntitlements() { entitlements = entitlements ?? [] }

  /// The app has looked and found this transaction: whether the screen shows it now and did not before.
  mutating func showsEntitlement(_ transaction: TransactionID) -> Bool {
    entitlements?.insert(transaction).inserted ?? false
  }

  /// Whether the screen shows that this was bought.
  func hasShown(_ transaction: TransactionID) -> Bool {
    entitlements?.contains(transaction) ?? false
  }

  /// Whether the screen shows what stands under this name.
  func isShown(_ name: String) -> Bool { shown.contains(name) }

  /// The name whose value says on the screen that this product is owned.
  func shownName(of productID: String) -> String? {
    shown.sorted().first { name in
      if case .owned(productID) = meanings[name] { true } else { false }
    }
  }

  /// The app was told that this payment is pending.
  mutating func wait(for transaction: StoreTransaction) {
    hear(of: transaction, transaction.underlying.payment, isPaid: false)
  }

  /// The app was given this transaction, once more or for the first time.
  mutating func give(_ transaction: StoreTransaction) {
    guard transaction.state != .failed, !transaction.underlying.id.isNone else { return }
    hear(of: transaction, transaction.underlying.id, isPaid: transaction.doubt == nil)
  }

  /// The app reads what this transaction is about: if it hands something out now, it is for this one.
  mutating func look(at transaction: TransactionID) {
    guard given.count > 1, given.last?.id != transaction,
      let known = given.lastIndex(where: { $0.id == transaction })
    else { return }
    given.append(given.remove(at: known))
  }

  private mutating func hear(
    of transaction: StoreTransaction, _ id: TransactionID, isPaid: Bool
  ) {
    guard !meanings.isEmpty else { return }
    var entry = Given(
      id: id, productID: transaction.productID, quantity: transaction.quantity, isPaid: isPaid)
    if let known = given.firstIndex(where: { $0.id == id }) {
      entry.isDone = given.remove(at: known).isDone
    }
    given.append(entry)
  }

  /// The transactions for which a change of this name hands something out; nil if it adds what no purchase does.
  mutating func handedOut(_ name: String, from old: Data?, to new: Data?) -> [TransactionID]? {
    guard let meaning = meanings[name] else { return [] }
    switch meaning {
    case .balance(let amounts):
      let added = number(name, new) - number(name, old)
      return added > 0 ? take(added, amounts) : []
    case .owned(let productID):
      guard isThere(name, new), !isThere(name, old) else { return [] }
      func isMeant(_ entry: Given) -> Bool { entry.productID == productID }
      return (take(isMeant) ?? last(isMeant)).map { [$0] }
    }
  }

  /// One transaction of that amount, or all for which nothing was handed out yet.
  private mutating func take(_ added: Int, _ amounts: [String: Int]) -> [TransactionID]? {
    func amount(_ entry: Given) -> Int { (amounts[entry.productID] ?? 0) * entry.quantity }
    if let one = take({ amount($0) == added }) { return [one] }
    if let last = last({ amount($0) == added }) { return [last] }
    let open = given.indices.filter {
      given[$0].isPaid && !given[$0].isDone && amount(given[$0]) > 0
    }
    guard !open.isEmpty, open.reduce(0, { $0 + amount(given[$1]) }) == added else { return nil }
    for index in open { given[index].isDone = true }
    return open.map { given[$0].id }
  }

  /// The last one that is paid and for which nothing was handed out.
  private mutating func take(_ fits: (Given) -> Bool) -> TransactionID? {
    guard let index = given.lastIndex(where: { fits($0) && $0.isPaid && !$0.isDone }) else {
      return nil
    }
    given[index].isDone = true
    return given[index].id
  }

  /// Or else the last one of which the app heard: what is not paid, or was handed out before.
  private func last(_ fits: (Given) -> Bool) -> TransactionID? { given.last(where: fits)?.id }

  private func number(_ name: String, _ data: Data?) -> Int {
    if let reader = readers[name] { return data.map(reader) ?? 0 }
    return switch data.map({ StoredValue(encoded: $0) }) {
    case .integer(let number): number
    case .number(let number): Int(exactly: number.rounded()) ?? 0
    case .string(let text): Int(text) ?? 0
    default: 0
    }
  }

  /// Whether a value says that something is owned.
  func isThere(_ name: String, _ data: Data?) -> Bool {
    if readers[name] != nil { return number(name, data) != 0 }
    return switch data.map({ StoredValue(encoded: $0) }) {
    case nil, .bool(false), .integer(0): false
    default: true
    }
  }
}
