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

  /// A transaction that the app was given, and whether something was handed out for it since.
  private struct Given {
    var id: TransactionID
    var productID: String
    var quantity: Int
    var isDone = false
  }

  private var meanings: [String: Meaning] = [:]
  /// How the numbers in files are read; a product is owned where it is not 0.
  private var readers: [String: (Data) -> Int] = [:]
  /// Those of which the screen shows what stands there.
  private var shown: Set<String> = []
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

  /// The app was given this transaction, once more or for the first time.
  mutating func give(_ transaction: StoreTransaction) {
    guard !meanings.isEmpty, transaction.state != .failed, !transaction.underlying.id.isNone else {
      return
    }
    var entry = Given(
      id: transaction.underlying.id, productID: transaction.productID,
      quantity: transaction.quantity)
    if let known = given.firstIndex(where: { $0.id == entry.id }) {
      entry = given.remove(at: known)
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
      return take { $0.productID == productID }.map { [$0] }
    }
  }

  /// One transaction of that amount, or all for which nothing was handed out yet.
  private mutating func take(_ added: Int, _ amounts: [String: Int]) -> [TransactionID]? {
    func amount(_ entry: Given) -> Int { (amounts[entry.productID] ?? 0) * entry.quantity }
    if let one = take({ amount($0) == added }) { return [one] }
    let open = given.indices.filter { !given[$0].isDone && amount(given[$0]) > 0 }
    guard !open.isEmpty, open.reduce(0, { $0 + amount(given[$1]) }) == added else { return nil }
    for index in open { given[index].isDone = true }
    return open.map { given[$0].id }
  }

  /// The last one given for which nothing was handed out, or else the last of all, once more.
  private mutating func take(_ fits: (Given) -> Bool) -> TransactionID? {
    let index =
      given.lastIndex { fits($0) && !$0.isDone } ?? given.lastIndex { fits($0) }
    guard let index else { return nil }
    given[index].isDone = true
    return given[index].id
  }

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
