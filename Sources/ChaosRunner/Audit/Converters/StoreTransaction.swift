import ChaosStore
import Invariants

/// A transaction as the App Store tells of it, and the facts that are in it.
///
/// Source: Apple, JWSTransactionDecodedPayload.
struct StoreTransaction {
  private let members: [JSONValue.Member]
  let transaction: String
  let original: String
  private let product: String
  let environment: StoreEnvironment
  private let purchased: Int64
  private let quantity: Int64
  private let expires: Int64?
  /// When the money was given back; nil where it was not.
  let revokedAt: Int64?
  /// When the App Store was asked for it.
  let signed: Int64?
  /// `revocationPercentage` is in thousandths of a hundredth.
  let revokedThousandths: Int64

  /// Reads a transaction; the notification around it may say of which environment it is.
  init(
    _ members: [JSONValue.Member], in environment: JSONValue? = nil
  ) throws(LineDamage) {
    self.members = members
    transaction = try members.needed("transactionId")
    original = try members.identifier("originalTransactionId") ?? transaction
    product = try members.needed("productId")
    self.environment = StoreEnvironment(members["environment"] ?? environment)
    purchased = try members.neededMoment("purchaseDate")
    expires = try members.moment("expiresDate")
    revokedAt = try members.moment("revocationDate")
    signed = try members.moment("signedDate")
    let percentage = try members.number("revocationPercentage") ?? 100_000
    revokedThousandths = min(1000, max(0, percentage / 100))
    quantity = try members.number("quantity") ?? 1
    guard 1...4_294_967_294 ~= quantity else {
      throw LineDamage(found: "quantity \(quantity)", expected: "at least 1")
    }
  }

  private var isSubscription: Bool { members.text("type") == "Auto-Renewable Subscription" }
  private var reason: String { members.text("transactionReason") ?? "RENEWAL" }

  private var isShared: Bool { members.text("inAppOwnershipType") == "FAMILY_SHARED" }

  /// What the store did when it made the transaction.
  ///
  /// What somebody else of the family has paid for is a charge as well: it is to be handed out like one. The store tells
  /// of a renewal before the period that it is for begins, and has charged for it by then. What a notification tells of as new
  /// is no renewal, whatever it continues.
  func made(isNew: Bool = false) -> [String] {
    let at = min(purchased, signed ?? purchased)
    let isRenewal = isSubscription && transaction != original && !isNew && reason == "RENEWAL"
    let isRestore = !isSubscription && transaction != original
    var lines = [line(isRenewal ? .renewed : isRestore ? .restored : .charged, at: at)]
    if members.text("appAccountToken") != nil { lines.append(line(.traceable, at: at)) }
    return lines
  }

  /// Money that was given back, as the transaction itself says; none where none was.
  func revoked() throws(LineDamage) -> [String] {
    guard revokedAt != nil else { return [] }
    let revoked = try members.neededMoment("revocationDate")
    return [
      isShared ? ended(at: revoked) : line(.refunded, at: revoked, amount: revokedThousandths)
    ]
  }

  /// What was shared is the family's no more.
  func ended(at millis: Int64) -> String {
    isSubscription ? line(.expired, at: millis) : line(.refunded, at: millis, amount: 1000)
  }

  /// Until when a subscription was paid for; nil for anything else.
  var paidUntil: Int64? { isSubscription ? expires : nil }
  /// When its period begins.
  var begin: Int64 { purchased }
  /// The latest moment that it tells of.
  var latest: Int64 { max(purchased, revokedAt ?? 0, signed ?? 0) }

  func line(_ kind: Fact.Kind, at millis: Int64, amount: Int64? = nil) -> String {
    var line = FactText(at: millis)
    line.add("fact", "\(kind)")
    line.add("transaction", transaction)
    let hasOriginal = kind == .renewed || kind == .restored || isSubscription
    if hasOriginal, original != transaction { line.add("original", original) }
    if let account = members.text("appAccountToken") { line.add("account", account) }
    line.add("product", product)
    if kind == .charged || kind == .renewed { line.add("quantity", quantity) }
    if let amount { line.add("amount", amount) }
    if environment != .production { line.add("environment", "sandbox") }
    return line.text
  }
}

/// Histories of transactions, a transaction a line or a page of them.
///
/// A subscription has expired where a period of it is over and no other one follows, as far as the history goes: until it was
/// signed.
struct TransactionConversion: Conversion {
  private struct Period {
    var begin: Int64
    var end: Int64
    var transaction: StoreTransaction
  }

  private(set) var otherEnvironments: [String: Int] = [:]
  /// The latest moment that anything tells of.
  private var latest: Int64 = 0
  /// Of each subscription, by its original transaction: its periods, and when it was asked for.
  private var subscriptions: [String: (periods: [Period], signed: Int64?)] = [:]

  mutating func read(_ line: String, _ output: (String) -> Void) throws(LineDamage) {
    if line.allSatisfy({ $0 == " " }) { return }
    var values = [try SignedPayload.value(line)]
    // What the Get Transaction History endpoint answers.
    if case .object(let members) = values[0], case .list(let list) = members["signedTransactions"] {
      values = list
    } else if case .object(let members) = values[0], let one = members["signedTransactionInfo"] {
      // What the Get Transaction Info endpoint answers.
      values = [one]
    } else if case .list(let list) = values[0] {
      values = list
    }
    var first: LineDamage?
    for value in values {
      do throws(LineDamage) {
        let transaction = try StoreTransaction(SignedPayload.object(value))
        for line in try transaction.made() + transaction.revoked() { output(line) }
        transaction.environment.count(in: &otherEnvironments)
        note(transaction)
      } catch { first = first ?? error }
    }
    if let first { throw first }
  }

  private mutating func note(_ transaction: StoreTransaction) {
    latest = max(latest, transaction.latest)
    guard let end = transaction.paidUntil, end <= ISOTime.latest else { return }
    var known = subscriptions[transaction.original] ?? ([], nil)
    known.periods.append(Period(begin: transaction.begin, end: end, transaction: transaction))
    if let signed = transaction.signed { known.signed = max(known.signed ?? 0, signed) }
    subscriptions[transaction.original] = known
  }

  mutating func end(_ output: (String) -> Void) throws(LineDamage) {
    for original in subscriptions.keys.sorted() {
      guard let (unsorted, signed) = subscriptions[original] else { continue }
      let periods = unsorted.sorted { ($0.begin, $0.end) < ($1.begin, $1.end) }
      for (place, period) in periods.enumerated() {
        let next = place + 1 < periods.count ? periods[place + 1].begin : signed ?? latest
        let isOver = place + 1 < periods.count ? next > period.end : next >= period.end
        // What was given back before its end was over by that.
        let isRevoked = period.transaction.revokedAt.map { $0 < period.end } ?? false
        if isOver, !isRevoked { output(period.transaction.line(.expired, at: period.end)) }
      }
    }
  }
}
