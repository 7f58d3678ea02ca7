import ChaosStore
import Foundation
import Invariants
import StoreSignatures

/// StoreKit 1's receipts, and verifyReceipt, which verifies them.
///
/// Source: Apple, verifyReceipt, responseBody; Receipt fields.
extension StoreDesk {
  /// What an app would send: the receipt file of its phone in base 64.
  public func receipt(_ evidence: Evidence, in environment: Environment) throws -> String {
    let purchases = books.purchases(shownBy: evidence).map { purchase in
      let charge = books.charge(purchase.transaction)
      return AppReceipt.Purchase(
        product: product(purchase.product).name,
        transaction: Names.transaction(purchase.transaction, environment),
        original: Names.transaction(charge?.original ?? purchase.transaction, environment),
        quantity: Int(clamping: purchase.quantity), date: time(charge?.chargedMillis ?? 0),
        expires: charge?.expiresMillis.map(time))
    }
    let text = try AppReceipt(
      bundle: app.bundle,
      environment: environment == .production ? "Production" : "ProductionSandbox",
      version: app.version, created: time(books.now), purchases: purchases
    ).base64()
    receipts.known[text] = evidence
    return text
  }

  private func time(_ millis: Int64) -> Date {
    Date(timeIntervalSince1970: Double(date(millis) / 1000))
  }

  private struct Request: Codable {
    var receipt: String
    var password: String?
    var excludesOld: Bool?

    enum CodingKeys: String, CodingKey {
      case receipt = "receipt-data"
      case password
      case excludesOld = "exclude-old-transactions"
    }
  }

  /// verifyReceipt. Its HTTP status is 200 whatever it says; what it says is in `status`.
  func verifyReceipt(_ body: [UInt8], _ environment: Environment) -> Reaction {
    // Source: Apple, status codes: 21002, the data was malformed.
    guard let request = try? JSON.decode(Request.self, from: body),
      Data(base64Encoded: request.receipt) != nil
    else { return .answer(.json(["status": 21002])) }
    // 21004: the shared secret does not match the one on file.
    if let secret = app.sharedSecret, request.password != secret {
      return .answer(.json(["status": 21004]))
    }
    // What this store has not handed out is not authentic.
    guard let evidence = receipts.known[request.receipt] else {
      return .answer(.json(["status": 21003]))
    }
    return .verifies(evidence, environment) { answered in
      switch answered.answer.status {
      case 0: .json(contents(answered, of: evidence, request, environment))
      case VerifierAnswer.timedOut: .withheld
      case 503: .problem(503)
      case let status: .json(["status": Int(clamping: status)])
      }
    }
  }

  private func contents(
    _ answered: LiveStore.Answered, of evidence: Evidence, _ request: Request,
    _ environment: Environment
  ) -> ReceiptBody {
    let purchases = books.purchases(shownBy: evidence)
    var latest = answered.server.latestReceiptInfo(in: answered.answer)
    if request.excludesOld ?? false {
      var seen = Set<UInt32>()
      latest = latest.filter { seen.insert($0.original.raw).inserted }
    }
    let pending = answered.server.pendingRenewals(in: answered.answer)
    var dates = ReceiptBody.Item()
    dates.add("request_date", now)
    dates.add("receipt_creation_date", now)
    dates.add("original_purchase_date", date(0))
    return ReceiptBody(
      environment: environment.name,
      receipt: ReceiptBody.Receipt(
        type: environment == .production ? "Production" : "ProductionSandbox",
        app: environment == .production ? app.id : 0, bundle: app.bundle,
        version: app.version, dates: dates,
        purchases: purchases.compactMap { entry($0, environment) }),
      latestReceipt: latest.isEmpty ? nil : request.receipt,
      latestReceiptInfo: latest.isEmpty
        ? nil : latest.compactMap { entry($0.purchase, environment, isLatest: true) },
      pendingRenewalInfo: pending.isEmpty ? nil : pending.map { renewal($0, environment) })
  }

  private func entry(
    _ purchase: VerifiedPurchase, _ environment: Environment, isLatest: Bool = false
  ) -> ReceiptBody.Item? {
    guard let charge = books.charge(purchase.transaction) else { return nil }
    let product = product(purchase.product)
    var item = ReceiptBody.Item()
    item["quantity"] = "\(purchase.quantity)"
    item["product_id"] = product.name
    item["transaction_id"] = Names.transaction(purchase.transaction, environment)
    item["original_transaction_id"] = Names.transaction(charge.original, environment)
    item["in_app_ownership_type"] = purchase.isShared ? "FAMILY_SHARED" : "PURCHASED"
    item.add("purchase_date", date(charge.chargedMillis))
    item.add("original_purchase_date", date(charge.originalMillis))
    if let expires = charge.expiresMillis { item.add("expires_date", date(expires)) }
    if product.renewal != nil {
      let isTrial = purchase.offer?.payment == .freeTrial
      item["web_order_line_item_id"] = Names.lineItem(purchase.transaction)
      item["is_trial_period"] = "\(isTrial)"
      item["is_in_intro_offer_period"] = "\(purchase.offer?.kind == .introductory && !isTrial)"
      if isLatest { item["subscription_group_identifier"] = group(of: purchase.product) }
    }
    if isLatest, charge.isUpgraded { item["is_upgraded"] = "true" }
    if charge.purchase.isRefunded, let revoked = charge.revokedMillis {
      item.add("cancellation_date", date(revoked))
      item["cancellation_reason"] = "0"
    }
    return item
  }

  private func renewal(
    _ renewal: PendingRenewal, _ environment: Environment
  ) -> ReceiptBody.Item {
    var item = ReceiptBody.Item()
    item["original_transaction_id"] = Names.transaction(renewal.original, environment)
    item["product_id"] = product(renewal.product).name
    item["auto_renew_product_id"] = product(renewal.renewalProduct).name
    item["auto_renew_status"] = renewal.renews ? "1" : "0"
    if let intent = renewal.expirationIntent { item["expiration_intent"] = "\(intent.rawValue)" }
    if renewal.expirationIntent != nil || renewal.isInBillingRetry {
      item["is_in_billing_retry_period"] = renewal.isInBillingRetry ? "1" : "0"
    }
    if let grace = renewal.graceExpiresMillis {
      item.add("grace_period_expires_date", date(grace))
    }
    return item
  }
}

/// What verifyReceipt answers where the receipt is valid.
struct ReceiptBody: Encodable {
  /// An entry: all of it is text.
  typealias Item = [String: String]

  struct Receipt: Encodable {
    var type: String
    var app: Int64
    var bundle: String
    var version: String
    var dates: Item
    var purchases: [Item]

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(type, forKey: Key("receipt_type"))
      try container.encode(app, forKey: Key("app_item_id"))
      try container.encode(app, forKey: Key("adam_id"))
      try container.encode(bundle, forKey: Key("bundle_id"))
      try container.encode(version, forKey: Key("application_version"))
      try container.encode(version, forKey: Key("original_application_version"))
      for (key, date) in dates { try container.encode(date, forKey: Key(key)) }
      try container.encode(purchases, forKey: Key("in_app"))
    }
  }

  struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ text: String) { stringValue = text }
    init(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  enum CodingKeys: String, CodingKey {
    case status, environment, receipt
    case latestReceipt = "latest_receipt"
    case latestReceiptInfo = "latest_receipt_info"
    case pendingRenewalInfo = "pending_renewal_info"
  }

  var status = 0
  var environment: String
  var receipt: Receipt
  var latestReceipt: String?
  var latestReceiptInfo: [Item]?
  var pendingRenewalInfo: [Item]?
}

extension ReceiptBody.Item {
  /// A date as Apple writes it: in words of Greenwich and of California, and in milliseconds since 1970.
  mutating func add(_ key: String, _ millis: Int64) {
    let date = Date(timeIntervalSince1970: Double(millis) / 1000)
    self[key] = Self.words(date, "Etc/GMT")
    self[key + "_ms"] = "\(millis)"
    self[key + "_pst"] = Self.words(date, "America/Los_Angeles")
  }

  private static func words(_ date: Date, _ zone: String) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: zone) ?? .gmt
    let parts = calendar.dateComponents(
      [.year, .month, .day, .hour, .minute, .second], from: date)
    func two(_ number: Int?) -> String {
      let text = "\(number ?? 0)"
      return text.count < 2 ? "0" + text : text
    }
    return "\(parts.year ?? 0)-\(two(parts.month))-\(two(parts.day)) "
      + "\(two(parts.hour)):\(two(parts.minute)):\(two(parts.second)) \(zone)"
  }
}
