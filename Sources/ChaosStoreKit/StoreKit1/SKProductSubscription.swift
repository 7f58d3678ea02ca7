import Foundation

/// The length of a subscription or of an offer. No simulated product has one.
open class SKProductSubscriptionPeriod: NSObject, @unchecked Sendable {
  /// How many units.
  open var numberOfUnits: Int { 0 }
  /// Which unit.
  open var unit: SKProduct.PeriodUnit { .day }
}

extension SKProduct {
  /// A unit of a calendar.
  public enum PeriodUnit: UInt, Sendable { case day, week, month, year }
}

/// A price for a while. No simulated product has one.
open class SKProductDiscount: NSObject, @unchecked Sendable {
  /// How it is paid.
  public enum PaymentMode: UInt, Sendable { case payAsYouGo, payUpFront, freeTrial }
  /// Whom it is for.
  public enum `Type`: UInt, Sendable { case introductory, subscription }

  open var price: NSDecimalNumber { 0 }
  open var priceLocale: Locale { SimulatedStore.locale }
  open var identifier: String? { nil }
  open var subscriptionPeriod: SKProductSubscriptionPeriod { SKProductSubscriptionPeriod() }
  open var numberOfPeriods: Int { 0 }
  open var paymentMode: PaymentMode { .payAsYouGo }
  open var type: Type { .introductory }
}

/// A signed offer to go with a payment. It is accepted and means nothing: there are no offers.
open class SKPaymentDiscount: NSObject, @unchecked Sendable {
  public let identifier: String
  public let keyIdentifier: String
  public let nonce: UUID
  public let signature: String
  public let timestamp: NSNumber

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
