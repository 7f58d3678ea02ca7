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

  init(_ members: [JSONValue.Member]) throws(LineDamage) {
    self.members = members
    transaction = try members.needed("transactionId")
    original = members.text("originalTransactionId") ?? transaction
    product = try members.needed("productId")
  }

  private var isSubscription: Bool { members.text("type") == "Auto-Renewable Subscription" }
  private var isRenewal: Bool {
    isSubscription && transaction != original
      && (members.text("transactionReason") ?? "RENEWAL") == "RENEWAL"
  }

  /// What the store did when it made the transaction; none for what somebody of the family has paid.
  func made() throws(LineDamage) -> [String] {
    if members.text("inAppOwnershipType") == "FAMILY_SHARED" { return [] }
    let at = try members.neededMoment("purchaseDate")
    let isRestore = !isSubscription && transaction != original
    var lines = [
      try line(isRenewal ? .renewed : isRestore ? .restored : .charged, at: at)
    ]
    if members.text("appAccountToken") != nil { lines.append(try line(.traceable, at: at)) }
    return lines
  }

  /// Money that was given back, as the transaction itself says; none where none was.
  func revoked() throws(LineDamage) -> [String] {
    guard members["revocationDate"] != nil else { return [] }
    return [
      try line(
        .refunded, at: try members.neededMoment("revocationDate"), amount: revokedThousandths)
    ]
  }

  /// `revocationPercentage` is in thousandths of a hundredth.
  var revokedThousandths: Int64 {
    min(1000, max(0, (members.number("revocationPercentage") ?? 100_000) / 100))
  }

  func line(_ kind: Fact.Kind, at millis: Int64, amount: Int64? = nil) throws(LineDamage) -> String
  {
    var line = FactText(at: millis)
    line.add("fact", "\(kind)")
    line.add("transaction", transaction)
    let hasOriginal = kind == .renewed || kind == .restored || isSubscription
    if hasOriginal, original != transaction { line.add("original", original) }
    if let account = members.text("appAccountToken") { line.add("account", account) }
    line.add("product", product)
    if kind == .charged || kind == .renewed {
      let quantity = members.number("quantity") ?? 1
      guard 1...4_294_967_294 ~= quantity else {
        throw LineDamage(found: "quantity \(quantity)", expected: "at least 1")
      }
      line.add("quantity", quantity)
    }
    if let amount { line.add("amount", amount) }
    if members.text("environment") == "Sandbox" { line.add("environment", "sandbox") }
    return line.text
  }
}

/// Histories of transactions, a transaction a line or a page of them.
struct TransactionConversion: Conversion {
  mutating func read(_ line: String, _ output: (String) -> Void) throws(LineDamage) {
    if line.allSatisfy({ $0 == " " }) { return }
    var values = [try SignedPayload.value(line)]
    // What the Get Transaction History endpoint answers.
    if case .object(let members) = values[0], case .list(let list) = members["signedTransactions"] {
      values = list
    } else if case .list(let list) = values[0] {
      values = list
    }
    var first: LineDamage?
    for value in values {
      do throws(LineDamage) {
        let transaction = try StoreTransaction(SignedPayload.object(value))
        for line in try transaction.made() + transaction.revoked() { output(line) }
      } catch { first = first ?? error }
    }
    if let first { throw first }
  }
}
