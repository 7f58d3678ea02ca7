import Invariants

/// An App Store Server Notification, version 2, as far as this world has a cause for it.
public struct StoreNotification: Equatable, Sendable, BitwiseCopyable {
  /// Apple's notificationType.
  public enum Kind: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    /// SUBSCRIBED: a subscription begins, or begins again.
    case subscribed
    /// DID_RENEW: another period was paid for.
    case renewed
    /// DID_CHANGE_RENEWAL_STATUS: it will not be renewed, or it will all the same.
    case renewalStatusChanged
    /// DID_CHANGE_RENEWAL_PREF: another product of the group is subscribed to, now or from the next period on.
    case renewalPreferenceChanged
    /// DID_FAIL_TO_RENEW: a payment has failed.
    case renewalFailed
    /// EXPIRED: it is over.
    case expired
    /// GRACE_PERIOD_EXPIRED: the payment has not succeeded in time.
    case graceEnded
    /// REFUND: money of a charge was given back.
    case refunded
    /// REFUND_REVERSED: it was taken again.
    case refundReversed
    /// ONE_TIME_CHARGE: something was bought that is no subscription.
    case oneTimeCharge
    /// RENEWAL_EXTENDED: whoever sells it has put the end of the period off.
    case renewalExtended
    /// OFFER_REDEEMED: somebody who is subscribed has redeemed an offer, for another product or for the next periods.
    case offerRedeemed
    /// TEST: this backend has asked for it, and it is about no purchase.
    case test
    /// CONSUMPTION_REQUEST: somebody asks for their money back, and Apple asks what became of what was bought. Nothing
    /// was given back yet.
    case consumptionRequest
    /// REFUND_DECLINED: they do not get it.
    case refundDeclined
    /// REVOKE: who has it from their family has it no more.
    case revoked
    /// PRICE_INCREASE: a subscription is to cost more, and whoever pays must agree, or has.
    case priceIncrease

    /// What Apple calls it.
    public var name: String {
      switch self {
      case .subscribed: "SUBSCRIBED"
      case .renewed: "DID_RENEW"
      case .renewalStatusChanged: "DID_CHANGE_RENEWAL_STATUS"
      case .renewalPreferenceChanged: "DID_CHANGE_RENEWAL_PREF"
      case .renewalFailed: "DID_FAIL_TO_RENEW"
      case .expired: "EXPIRED"
      case .graceEnded: "GRACE_PERIOD_EXPIRED"
      case .refunded: "REFUND"
      case .refundReversed: "REFUND_REVERSED"
      case .oneTimeCharge: "ONE_TIME_CHARGE"
      case .renewalExtended: "RENEWAL_EXTENDED"
      case .offerRedeemed: "OFFER_REDEEMED"
      case .test: "TEST"
      case .consumptionRequest: "CONSUMPTION_REQUEST"
      case .refundDeclined: "REFUND_DECLINED"
      case .revoked: "REVOKE"
      case .priceIncrease: "PRICE_INCREASE"
      }
    }
  }

  /// Apple's subtype: what there is to say beside the type.
  public enum Subtype: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    /// INITIAL_BUY: somebody subscribes for the first time in this group.
    case initialBuy
    /// RESUBSCRIBE: it had been over.
    case resubscribe
    /// UPGRADE: to another product of the group, at once.
    case upgrade
    /// DOWNGRADE: to another product of the group, from the next period on.
    case downgrade
    /// AUTO_RENEW_ENABLED: it will be renewed again.
    case autoRenewEnabled
    /// AUTO_RENEW_DISABLED: it will not be renewed.
    case autoRenewDisabled
    /// VOLUNTARY: it is over as somebody wanted it to be.
    case voluntary
    /// BILLING_RETRY: it is over as a payment failed.
    case billingRetry
    /// GRACE_PERIOD: a payment failed, and it can be used for a while.
    case gracePeriod
    /// BILLING_RECOVERY: a payment that had failed has succeeded.
    case billingRecovery
    /// PRICE_INCREASE: it is over as somebody has not agreed to a higher price.
    case priceIncrease
    /// PENDING: whoever pays has not agreed yet.
    case pending
    /// ACCEPTED: they have.
    case accepted

    /// What Apple calls it.
    public var name: String {
      switch self {
      case .initialBuy: "INITIAL_BUY"
      case .resubscribe: "RESUBSCRIBE"
      case .upgrade: "UPGRADE"
      case .downgrade: "DOWNGRADE"
      case .autoRenewEnabled: "AUTO_RENEW_ENABLED"
      case .autoRenewDisabled: "AUTO_RENEW_DISABLED"
      case .voluntary: "VOLUNTARY"
      case .billingRetry: "BILLING_RETRY"
      case .gracePeriod: "GRACE_PERIOD"
      case .billingRecovery: "BILLING_RECOVERY"
      case .priceIncrease: "PRICE_INCREASE"
      case .pending: "PENDING"
      case .accepted: "ACCEPTED"
      }
    }
  }

  /// What happened.
  public internal(set) var kind: Kind
  /// What there is to say beside that; nil for nothing.
  public internal(set) var subtype: Subtype?
  /// notificationUUID: the same in each attempt to deliver it.
  public internal(set) var number: UInt32
  /// signedDate, in milliseconds since the history began: of two about one transaction the later one counts.
  public internal(set) var signedMillis: Int64
  /// signedTransactionInfo: the purchase, as it stood when this was signed.
  public internal(set) var purchase: VerifiedPurchase
  /// status and signedRenewalInfo: the subscription, as it stood when this was signed; nil where it is about none.
  public internal(set) var status: SubscriptionStatus?
  /// Whether its signature is Apple's. What is not was posted by somebody who knows the address.
  public internal(set) var isSigned = true

  /// The transaction that it is about; none of a TEST.
  public var transaction: TransactionID { purchase.transaction }
  /// Whether it comes from where no money is paid.
  public var environment: Environment { purchase.environment }
  /// Whether it is about a subscription.
  public var isSubscription: Bool { purchase.isSubscription }
}
