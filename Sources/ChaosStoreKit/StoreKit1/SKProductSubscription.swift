import ChaosStore
import Foundation

/// How long each payment for a subscription lasts.
open class SKProductSubscriptionPeriod: NSObject, @unchecked Sendable {
  private let period: Period?

  /// No length at all; for subclasses in tests of your own.
  public override init() {
    period = nil
    super.init()
  }

  init(_ period: Period) {
    self.period = period
    super.init()
  }

  /// How many units.
  open var numberOfUnits: Int { period?.count ?? 0 }
  /// Which unit.
  open var unit: SKProduct.PeriodUnit {
    switch period?.unit {
    case .day, nil: .day
    case .week: .week
    case .month: .month
    case .year: .year
    }
  }
}

extension SKProduct {
  /// A unit of a calendar.
  public enum PeriodUnit: UInt, Sendable {
    /// A day.
    case day
    /// Seven days.
    case week
    /// A month of the calendar.
    case month
    /// A year of the calendar.
    case year
  }
}

/// A price for a while: half of the usual one in this catalogue, or none.
open class SKProductDiscount: NSObject, @unchecked Sendable {
  /// How it is paid.
  public enum PaymentMode: UInt, Sendable {
    /// The lower price is paid in each period of the offer.
    case payAsYouGo
    /// All periods of the offer are paid at once.
    case payUpFront
    /// Nothing is paid.
    case freeTrial
  }

  /// Whom it is for.
  public enum `Type`: UInt, Sendable {
    /// For those who subscribe for the first time.
    case introductory
    /// For those who subscribe or did so once.
    case subscription
  }

  private let offer: Setup.Product.Offer?
  private let cost: Decimal

  /// No offer at all; for subclasses in tests of your own.
  public override init() {
    offer = nil
    cost = 0
    super.init()
  }

  init(_ offer: Setup.Product.Offer, of product: StoreProduct) {
    self.offer = offer
    cost = product.price(of: offer)
    super.init()
  }

  /// What one period of it costs.
  open var price: NSDecimalNumber { NSDecimalNumber(decimal: cost) }
  /// The United States.
  open var priceLocale: Locale { SimulatedStore.locale }
  /// Which offer; nil for an introductory one.
  open var identifier: String? { offer?.name }
  /// How long one of its periods is.
  open var subscriptionPeriod: SKProductSubscriptionPeriod {
    offer.map { SKProductSubscriptionPeriod($0.period) } ?? SKProductSubscriptionPeriod()
  }
  /// How many periods it lasts.
  open var numberOfPeriods: Int { offer?.periods ?? 0 }
  /// How it is paid.
  open var paymentMode: PaymentMode {
    switch offer?.payment {
    case .payAsYouGo, nil: .payAsYouGo
    case .payUpFront: .payUpFront
    case .freeTrial: .freeTrial
    }
  }
  /// Whom it is for.
  open var type: Type { offer?.kind == .promotional ? .subscription : .introductory }
}

/// A signed offer to go with a payment.
open class SKPaymentDiscount: NSObject, @unchecked Sendable {
  /// Which offer.
  public let identifier: String
  /// Which key it was signed with.
  public let keyIdentifier: String
  /// The number used once that was signed with it.
  public let nonce: UUID
  /// The signature; nobody looks at it here.
  public let signature: String
  /// When it was signed, in milliseconds since 1970.
  public let timestamp: NSNumber

  /// An offer as the app's backend signed it. Nothing of it is checked here.
  public init(
    identifier: String, keyIdentifier: String, nonce: UUID, signature: String, timestamp: NSNumber
  ) {
    self.identifier = identifier
    self.keyIdentifier = keyIdentifier
    self.nonce = nonce
    self.signature = signature
    self.timestamp = timestamp
  }
}
