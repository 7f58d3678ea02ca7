import ChaosStore
import Invariants

/// App Store Server Notifications, version 2: a payload a line, decoded or signed.
///
/// Source: Apple, responseBodyV2DecodedPayload and notificationType. One that came twice counts once.
struct NotificationConversion: Conversion {
  private(set) var otherEnvironments: [String: Int] = [:]
  private var seen = Set<String>()

  mutating func read(_ line: String, _ output: (String) -> Void) throws(LineDamage) {
    if line.allSatisfy({ $0 == " " }) { return }
    let payload = try SignedPayload.object(SignedPayload.value(line))
    // What the Get Notification History endpoint answers.
    guard case .list(let history) = payload["notificationHistory"] else {
      return try read(payload, output)
    }
    var first: LineDamage?
    for item in history {
      do throws(LineDamage) { try read(SignedPayload.object(item), output) } catch {
        first = first ?? error
      }
    }
    if let first { throw first }
  }

  private mutating func read(
    _ payload: [JSONValue.Member], _ output: (String) -> Void
  ) throws(LineDamage) {
    var payload = payload
    if let signed = payload["signedPayload"] { payload = try SignedPayload.object(signed) }
    let type = try payload.needed("notificationType")
    guard case .object(let data) = payload["data"], let info = data["signedTransactionInfo"] else {
      // A test, a summary, or something else that is about no transaction.
      if Self.needsTransaction.contains(type) {
        throw LineDamage(
          found: "\(type.clipped) without 'data.signedTransactionInfo'", expected: "its transaction"
        )
      }
      return
    }
    let transaction = try StoreTransaction(SignedPayload.object(info), in: data["environment"])
    let lines = try lines(type, payload, transaction)
    if let id = payload.text("notificationUUID"), !seen.insert(id).inserted { return }
    if !lines.isEmpty { transaction.environment.count(in: &otherEnvironments) }
    for line in lines { output(line) }
  }

  private static let needsTransaction: Set = [
    "ONE_TIME_CHARGE", "SUBSCRIBED", "DID_RENEW", "OFFER_REDEEMED", "REFUND", "REFUND_REVERSED",
    "REVOKE", "EXPIRED", "GRACE_PERIOD_EXPIRED",
  ]

  private func lines(
    _ type: String, _ payload: [JSONValue.Member], _ transaction: StoreTransaction
  ) throws(LineDamage) -> [String] {
    switch type {
    // A downgrade is charged when the next period begins, and until then the transaction is the one that there was.
    case "OFFER_REDEEMED" where payload.text("subtype") == "DOWNGRADE": []
    case "ONE_TIME_CHARGE", "DID_RENEW", "OFFER_REDEEMED": transaction.made()
    // Who subscribes once more pays anew, whatever the transaction continues.
    case "SUBSCRIBED": transaction.made(isNew: true)
    // An upgrade is charged at once; other changes are told when the next period begins.
    case "DID_CHANGE_RENEWAL_PREF" where payload.text("subtype") == "UPGRADE":
      transaction.made(isNew: true)
    case "REFUND":
      try transaction.revoked().isEmpty
        ? [
          transaction.line(
            .refunded, at: payload.neededMoment("signedDate"),
            amount: transaction.revokedThousandths)
        ] : transaction.revoked()
    case "REFUND_REVERSED":
      [transaction.line(.refunded, at: try payload.neededMoment("signedDate"), amount: 0)]
    case "EXPIRED", "GRACE_PERIOD_EXPIRED":
      [transaction.line(.expired, at: try end(payload, transaction))]
    // Nobody of the family pays for it any more.
    case "REVOKE": [transaction.ended(at: try payload.neededMoment("signedDate"))]
    default: []
    }
  }

  /// When what was paid for was over: the store tells of it later, by up to 60 days where it went on asking for the money. With
  /// a grace period it lasts until that ends.
  private func end(
    _ payload: [JSONValue.Member], _ transaction: StoreTransaction
  ) throws(LineDamage) -> Int64 {
    let signed = try payload.neededMoment("signedDate")
    var moments = [transaction.paidUntil]
    if case .object(let data) = payload["data"], let info = data["signedRenewalInfo"] {
      moments.append(try SignedPayload.object(info).moment("gracePeriodExpiresDate"))
    }
    guard let end = moments.compactMap({ $0 }).max() else { return signed }
    return min(end, signed)
  }
}
