import Foundation

/// A purchase as StoreKit 2 shows it to an app.
///
/// What belongs to subscriptions, refunds, offers and families has no world behind it yet and answers
/// as for a purchase that has none of it. As in StoreKit a transaction comes back until it is
/// finished, and may be signed anew: compare transactions by ``id``.
public struct Transaction: Identifiable, Sendable, Hashable {
  let store: StoreTransaction

  init(_ store: StoreTransaction) { self.store = store }

  /// Which transaction it is.
  public var id: UInt64 { store.id }
  /// The transaction that was paid; another than ``id`` after a restore.
  public var originalID: UInt64 { store.originalID }
  /// Nil: there are no subscriptions.
  public var webOrderLineItemID: String? { nil }
  /// What was bought.
  public var productID: String { store.productID }
  /// Nil: there are no subscriptions.
  public var subscriptionGroupID: String? { nil }
  /// The simulated app's bundle identifier, the same in every run.
  public var appBundleID: String { SimulatedStore.bundleID }
  /// When the store charged, in the run's virtual time.
  public var purchaseDate: Date { SimulatedStore.date(millis: store.purchaseMillis) }
  /// The same as ``purchaseDate``: a restore does not tell the two apart here.
  public var originalPurchaseDate: Date { purchaseDate }
  /// Nil: nothing expires.
  public var expirationDate: Date? { nil }
  /// How many were bought at once.
  public var purchasedQuantity: Int { store.quantity }
  /// False: there are no subscriptions.
  public var isUpgraded: Bool { false }
  /// Nil: there are no offers.
  public var offer: Offer? { nil }
  /// Nil: there are no offers.
  public var offerType: OfferType? { nil }
  /// Nil: there are no offers.
  public var offerID: String? { nil }
  /// Nil: nothing is refunded to a device yet.
  public var revocationDate: Date? { nil }
  /// Nil: nothing is refunded to a device yet.
  public var revocationReason: RevocationReason? { nil }
  /// Consumable or non-consumable, as the catalogue says.
  public var productType: Product.ProductType {
    isConsumable ? .consumable : .nonConsumable
  }
  /// The token given to `purchase(options:)`, if the device still shows it.
  public var appAccountToken: UUID? { store.accountToken }
  /// Production or sandbox, as the scenario has it.
  public var environment: AppStore.Environment { store.isProduction ? .production : .sandbox }
  /// The only storefront there is.
  public var storefront: Storefront { .simulated }
  /// The country of ``storefront``.
  public var storefrontCountryCode: String { SimulatedStore.countryCode }
  /// Always `purchase`.
  public var reason: Reason { .purchase }
  /// Always `purchased`: families are not simulated.
  public var ownershipType: OwnershipType { .purchased }
  /// The same as ``purchaseDate``; a transaction that is signed again is not told apart here.
  public var signedDate: Date { purchaseDate }
  /// What was charged in all, if the catalogue has the product.
  public var price: Decimal? {
    product.map { $0.price * Decimal(store.quantity) }
  }
  /// US dollars.
  public var currency: Locale.Currency? { Locale.Currency(SimulatedStore.currencyCode) }
  /// US dollars.
  public var currencyCode: String? { SimulatedStore.currencyCode }
  /// The same in every run.
  public var appTransactionID: String { SimulatedStore.appTransactionID }
  /// Follows from ``id``; it proves nothing.
  public var deviceVerification: Data { withUnsafeBytes(of: id.bigEndian) { Data($0) } }
  /// Follows from ``id``; StoreKit's is random.
  public var deviceVerificationNonce: UUID { SimulatedStore.uuid(id) }
  /// Nil: there are no subscriptions.
  public var subscriptionStatus: Product.SubscriptionInfo.Status? { get async { nil } }

  private var product: StoreProduct? {
    StoreSession.current.port.catalogue.first { $0.id == productID }
  }

  private var isConsumable: Bool { product?.isConsumable ?? true }

  /// The transaction as JSON, with the field names of a signed transaction's payload.
  public var jsonRepresentation: Data {
    var fields: [String: Any] = [
      "transactionId": "\(id)", "originalTransactionId": "\(originalID)", "productId": productID,
      "bundleId": appBundleID, "purchaseDate": SimulatedStore.milliseconds(purchaseDate),
      "originalPurchaseDate": SimulatedStore.milliseconds(originalPurchaseDate),
      "signedDate": SimulatedStore.milliseconds(signedDate), "quantity": purchasedQuantity,
      "type": productType.rawValue, "inAppOwnershipType": ownershipType.rawValue,
      "environment": environment.rawValue, "storefront": storefrontCountryCode,
      "storefrontId": SimulatedStore.storefrontID, "transactionReason": reason.rawValue,
      "currency": SimulatedStore.currencyCode, "appTransactionId": appTransactionID,
    ]
    if let token = appAccountToken { fields["appAccountToken"] = token.uuidString.lowercased() }
    if let price { fields["price"] = NSDecimalNumber(decimal: price * 1000).int64Value }
    return SimulatedStore.json(fields)
  }

  /// Tells the store that this purchase was delivered, so that it comes back no more.
  ///
  /// As in StoreKit 2 nothing says whether the message arrived; a fault can lose it, and then the
  /// transaction returns.
  public func finish() async {
    let session = StoreSession.current
    if session.isAlive { session.port.finish(store) }
    if session.mustStop { await session.stop() }
  }
}

extension Transaction: CustomDebugStringConvertible {
  public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}

// MARK: - What its properties say

extension Transaction {
  /// Why a purchase was taken back.
  public struct RevocationReason: RawRepresentable, Sendable, Hashable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let developerIssue = Self(rawValue: 1)
    public static let other = Self(rawValue: 0)
    public var localizedDescription: String {
      self == .developerIssue ? "A problem with the app" : "Another reason"
    }
  }

  /// Which kind of offer was used.
  public struct OfferType: RawRepresentable, Sendable, Hashable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let introductory = Self(rawValue: 1)
    public static let promotional = Self(rawValue: 2)
    public static let code = Self(rawValue: 3)
    public static let winBack = Self(rawValue: 4)
  }

  /// The offer that was used.
  public struct Offer: Sendable, Hashable {
    /// How an offer is paid.
    public struct PaymentMode: RawRepresentable, Sendable, Hashable {
      public let rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }
      public static let freeTrial = Self(rawValue: "FREE_TRIAL")
      public static let payAsYouGo = Self(rawValue: "PAY_AS_YOU_GO")
      public static let payUpFront = Self(rawValue: "PAY_UP_FRONT")
    }

    public let id: String?
    public let type: OfferType
    public let paymentMode: PaymentMode?
  }

  /// How the person came by it.
  public struct OwnershipType: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let purchased = Self(rawValue: "PURCHASED")
    public static let familyShared = Self(rawValue: "FAMILY_SHARED")
    public var localizedDescription: String {
      self == .familyShared ? "Family Shared" : "Purchased"
    }
  }

  /// A purchase or a renewal.
  public struct Reason: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let purchase = Self(rawValue: "PURCHASE")
    public static let renewal = Self(rawValue: "RENEWAL")
  }

  /// What the refund sheet says.
  public enum RefundRequestStatus: Sendable, Hashable { case userCancelled, success }

  /// Why the refund sheet failed.
  public enum RefundRequestError: Error, Sendable, Hashable { case duplicateRequest, failed }
}
