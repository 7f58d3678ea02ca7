import ChaosStore
import Foundation

/// A purchase as StoreKit 2 shows it to an app.
///
/// What belongs to families has no world behind it and answers as for a purchase
/// that has none of it. As in StoreKit a transaction comes back until it is
/// finished, and may be signed anew: compare transactions by ``id``.
public struct Transaction: Identifiable, Sendable, Hashable {
  let store: StoreTransaction

  init(_ store: StoreTransaction) { self.store = store }

  /// The same, as the app looks at it.
  private var looked: StoreTransaction {
    StoreSession.running?.port.look(at: store)
    return store
  }

  /// Which transaction it is.
  public var id: UInt64 { looked.id }
  /// The transaction that was paid, or with which a subscription began; another than ``id`` after a restore and
  /// in a renewal.
  public var originalID: UInt64 { looked.originalID }
  /// Of a subscription the number of the payment; nil of anything else.
  public var webOrderLineItemID: String? { store.expiresMillis == nil ? nil : "\(store.id)" }
  /// What was bought.
  public var productID: String { looked.productID }
  /// The group of a subscription, which is the product's own where it is in none; nil of anything else.
  public var subscriptionGroupID: String? { store.expiresMillis == nil ? nil : product?.groupID }
  /// The simulated app's bundle identifier, the same in every run.
  public var appBundleID: String { SimulatedStore.bundleID }
  /// When the store charged, in the run's virtual time.
  public var purchaseDate: Date { SimulatedStore.date(millis: store.purchaseMillis) }
  /// The same as ``purchaseDate``: a restore does not tell the two apart here.
  public var originalPurchaseDate: Date { purchaseDate }
  /// Until when it pays; nil for what is no subscription.
  public var expirationDate: Date? {
    store.expiresMillis.map { SimulatedStore.date(millis: $0) }
  }
  /// How many were bought at once.
  public var purchasedQuantity: Int { store.quantity }
  /// Whether another subscription of its group has taken its place before it was over.
  public var isUpgraded: Bool { store.isUpgraded }
  /// The offer with which it was charged; nil for none.
  public var offer: Offer? {
    product?.offer(store.offer).map { Offer($0) }
  }
  /// The kind of that offer; nil for none.
  public var offerType: OfferType? {
    store.offer.map { OfferType(rawValue: Int($0.kind.rawValue)) }
  }
  /// Which offer that was; nil for none, and for an introductory one.
  public var offerID: String? { offer?.id }
  /// The text of the offer's way to pay, as iOS 15 had it; nil for no offer.
  public var offerPaymentModeStringRepresentation: String? { offer?.paymentMode?.rawValue }
  /// The text of the offer's period, as iOS 15 had it, such as `P1W`; nil for no offer.
  public var offerPeriodStringRepresentation: String? {
    product?.offer(store.offer).map { "\($0.period)" }
  }
  /// When the store took the charge back; nil if it stands. Of a restored copy as well.
  public var revocationDate: Date? {
    store.revokedMillis.map { SimulatedStore.date(millis: $0) }
  }
  /// `other` where it was taken back: nothing here says why.
  public var revocationReason: RevocationReason? { revocationDate == nil ? nil : .other }
  /// What kind of product it is, as the catalogue says.
  public var productType: Product.ProductType {
    store.expiresMillis != nil ? .autoRenewable : product?.type ?? .consumable
  }
  /// The token given to `purchase(options:)`, if the device still shows it.
  public var appAccountToken: UUID? { store.accountToken }
  /// Production or sandbox, as the scenario has it.
  public var environment: AppStore.Environment { store.isProduction ? .production : .sandbox }
  /// The text of ``environment``, as iOS 15 had it.
  public var environmentStringRepresentation: String { environment.rawValue }
  /// Where it was charged.
  public var storefront: Storefront { store.isElsewhere ? .elsewhere : .simulated }
  /// The country of ``storefront``.
  public var storefrontCountryCode: String { storefront.countryCode }
  /// `renewal` where the store renewed a subscription, else `purchase`.
  public var reason: Reason { store.isRenewal ? .renewal : .purchase }
  /// The text of ``reason``, as iOS 15 had it.
  public var reasonStringRepresentation: String { reason.rawValue }
  /// `familyShared` where somebody of the family has paid for it, else `purchased`.
  public var ownershipType: OwnershipType { store.isShared ? .familyShared : .purchased }
  /// The same as ``purchaseDate``; a transaction that is signed again is not told apart here.
  public var signedDate: Date { purchaseDate }
  /// What was charged in all, if the catalogue has the product.
  public var price: Decimal? {
    product.map { $0.price * Decimal(store.quantity) }
  }
  /// That of ``storefront``.
  public var currency: Locale.Currency? { storefront.currency }
  /// That of ``storefront``.
  public var currencyCode: String? { storefront.currencyCode }
  /// The same in every run.
  public var appTransactionID: String { SimulatedStore.appTransactionID }
  /// Follows from ``id``; it proves nothing.
  public var deviceVerification: Data { withUnsafeBytes(of: id.bigEndian) { Data($0) } }
  /// Follows from ``id``; StoreKit's is random.
  public var deviceVerificationNonce: UUID { SimulatedStore.uuid(id) }
  /// The state of the subscription that it belongs to; nil where it belongs to none.
  public var subscriptionStatus: Product.SubscriptionInfo.Status? {
    get async { await Product.SubscriptionInfo.Status.held { $0.originalID == originalID }.first }
  }

  private var product: StoreProduct? {
    StoreSession.current.port.catalogue.first { $0.id == productID }
  }

  /// The transaction as JSON, with the field names of a signed transaction's payload.
  public var jsonRepresentation: Data {
    var fields: [String: Any] = [
      "transactionId": "\(id)", "originalTransactionId": "\(originalID)", "productId": productID,
      "bundleId": appBundleID, "purchaseDate": SimulatedStore.milliseconds(purchaseDate),
      "originalPurchaseDate": SimulatedStore.milliseconds(originalPurchaseDate),
      "signedDate": SimulatedStore.milliseconds(signedDate), "quantity": purchasedQuantity,
      "type": productType.rawValue, "inAppOwnershipType": ownershipType.rawValue,
      "environment": environment.rawValue, "storefront": storefrontCountryCode,
      "storefrontId": storefront.id, "transactionReason": reason.rawValue,
      "currency": storefront.currencyCode, "appTransactionId": appTransactionID,
    ]
    if let expirationDate {
      fields["expiresDate"] = SimulatedStore.milliseconds(expirationDate)
      fields["subscriptionGroupIdentifier"] = subscriptionGroupID
      if isUpgraded { fields["isUpgraded"] = true }
      fields["webOrderLineItemId"] = webOrderLineItemID
    }
    if let offer {
      fields["offerType"] = offer.type.rawValue
      fields["offerIdentifier"] = offer.id
      fields["offerDiscountType"] = offer.paymentMode?.rawValue
      fields["offerPeriod"] = offerPeriodStringRepresentation
    }
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
  /// The transaction as JSON text.
  public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}

// MARK: - What its properties say

extension Transaction {
  /// Why a purchase was taken back.
  public struct RevocationReason: RawRepresentable, Sendable, Hashable {
    /// Apple's number for it.
    public let rawValue: Int
    /// A reason by its number.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Something was wrong with the app.
    public static let developerIssue = Self(rawValue: 1)
    /// Anything else, such as a purchase by mistake.
    public static let other = Self(rawValue: 0)
    /// The reason in words, in English.
    public var localizedDescription: String {
      self == .developerIssue ? "A problem with the app" : "Another reason"
    }
  }

  /// Which kind of offer was used.
  public struct OfferType: RawRepresentable, Sendable, Hashable {
    /// Apple's number for it.
    public let rawValue: Int
    /// A kind by its number.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// For those who subscribe for the first time.
    public static let introductory = Self(rawValue: 1)
    /// Made by the app to those who subscribe or did so once.
    public static let promotional = Self(rawValue: 2)
    /// Redeemed with a code.
    public static let code = Self(rawValue: 3)
    /// For those who left.
    public static let winBack = Self(rawValue: 4)
    /// The kind in words, in English.
    public var localizedDescription: String {
      switch self {
      case .introductory: "Introductory"
      case .promotional: "Promotional"
      case .code: "Code"
      case .winBack: "Win-back"
      default: "\(rawValue)"
      }
    }
  }

  /// The offer that was used.
  public struct Offer: Sendable, Hashable {
    /// How an offer is paid.
    public struct PaymentMode: RawRepresentable, Sendable, Hashable {
      /// The text used in signed transactions.
      public let rawValue: String
      /// A way to pay by that text.
      public init(rawValue: String) { self.rawValue = rawValue }
      /// Nothing is paid.
      public static let freeTrial = Self(rawValue: "FREE_TRIAL")
      /// The lower price is paid in each period of the offer.
      public static let payAsYouGo = Self(rawValue: "PAY_AS_YOU_GO")
      /// All periods of the offer are paid at once.
      public static let payUpFront = Self(rawValue: "PAY_UP_FRONT")
    }

    /// Which offer; as in StoreKit nil for an introductory one.
    public let id: String?
    /// Which kind of offer.
    public let type: OfferType
    /// How it is paid; nil if the store does not say.
    public let paymentMode: PaymentMode?
    /// How long one of its periods is; nil if the store does not say.
    public let period: Product.SubscriptionPeriod?

    init(_ offer: Setup.Product.Offer) {
      id = offer.name
      type = OfferType(rawValue: Int(offer.kind.rawValue))
      paymentMode =
        switch offer.payment {
        case .freeTrial: .freeTrial
        case .payAsYouGo: .payAsYouGo
        case .payUpFront: .payUpFront
        }
      period = Product.SubscriptionPeriod(offer.period)
    }
  }

  /// How the person came by it.
  public struct OwnershipType: RawRepresentable, Sendable, Hashable {
    /// The text used in signed transactions.
    public let rawValue: String
    /// A kind of ownership by that text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Bought by this person.
    public static let purchased = Self(rawValue: "PURCHASED")
    /// Bought by somebody in the family.
    public static let familyShared = Self(rawValue: "FAMILY_SHARED")
    /// The kind in words, in English.
    public var localizedDescription: String {
      self == .familyShared ? "Family Shared" : "Purchased"
    }
  }

  /// A purchase or a renewal.
  public struct Reason: RawRepresentable, Sendable, Hashable {
    /// The text used in signed transactions.
    public let rawValue: String
    /// A reason by that text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The person bought it.
    public static let purchase = Self(rawValue: "PURCHASE")
    /// The store renewed a subscription.
    public static let renewal = Self(rawValue: "RENEWAL")
  }

  /// What the refund sheet says.
  public enum RefundRequestStatus: Sendable, Hashable {
    /// The person closed it.
    case userCancelled
    /// The store has taken the request; whether it refunds is decided later.
    case success
  }

  /// Why the refund sheet failed.
  public enum RefundRequestError: Error, Sendable, Hashable {
    /// A refund was asked for already.
    case duplicateRequest
    /// The request was not taken.
    case failed
  }
}

extension Transaction.RefundRequestError: LocalizedError {
  /// A sentence in English.
  public var errorDescription: String? {
    switch self {
    case .duplicateRequest: "A refund was requested before."
    case .failed: "The refund could not be requested."
    }
  }
}
