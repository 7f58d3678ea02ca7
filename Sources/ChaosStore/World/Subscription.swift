import Invariants

/// A subscription: what is paid for again after each period.
struct SubscriptionID: Identifier, BitwiseCopyable {
  let raw: UInt32
  init(_ raw: UInt32) { self.raw = raw }
}

/// What a store account has of one subscription.
struct SubscriptionRow: BitwiseCopyable {
  /// The charge it began with, the one with which it began again where it was over, and the last one that was
  /// made for it.
  var first: TransactionID
  var began: TransactionID
  var latest: TransactionID
  /// What the next period is paid for.
  var next: ProductID
  /// Whose subscription it is a share of, in a family, and the next share of that; none for one that is paid for.
  var sharedFrom = SubscriptionID.none
  var nextShare = SubscriptionID.none
  /// The first share of it; none where nobody has one.
  var firstShare = SubscriptionID.none
  /// From when its periods are counted, and how many were paid for since.
  var anchorMillis: Int64
  var periods: UInt32 = 0
  /// How many charges it has had after the first.
  var renewals: UInt16 = 0
  /// When it began, or began again after more than 60 days.
  var recentMillis: Int64 = 0
  /// Until when it is paid for.
  var expiresMillis: Int64 = 0
  /// When the next period is charged for.
  var chargesMillis: Int64 = 0
  var state = SubscriptionStatus.State.active
  /// Whether the next period is to be paid for.
  var renews = true
  /// A payment for the next period has failed.
  var isUnpaid = false
  /// With which offer of the next product the next period is paid for, from 1; 0 for none, or for more of the one
  /// that the last one was paid with.
  var nextOffer: UInt8 = 0
  /// How many more periods that one is for.
  var offerPeriods: UInt8 = 0
  /// Whether whoever pays has agreed that the next period costs more.
  var consent = SubscriptionStatus.PriceConsent.none
  /// How often its end was put off by whoever sells it.
  var extensions: UInt8 = 0
  /// Whether it began more than once: again after it was over, or as another product of the group.
  var beganAgain = false
  /// Counts what becomes of it, so that what was planned before comes to nothing.
  var version: UInt16 = 0
}

/// What the App Store says of a subscription. Source: App Store Server API, Get All Subscription Statuses.
public struct SubscriptionStatus: Equatable, Sendable, BitwiseCopyable {
  /// Apple's five states.
  public enum State: UInt8, Sendable, BitwiseCopyable {
    /// Paid for.
    case active = 1
    /// Over.
    case expired
    /// Over, unless a payment that failed succeeds yet.
    case billingRetry
    /// A payment has failed, and what was bought stays until the grace period ends.
    case gracePeriod
    /// The money was given back.
    case revoked

    /// Whether whoever pays may use it.
    var isUsable: Bool { self == .active || self == .gracePeriod }
  }

  /// What whoever pays has said to a higher price of the next period. Apple: priceIncreaseStatus.
  public enum PriceConsent: UInt8, Sendable, BitwiseCopyable {
    /// It costs what it did.
    case none
    /// Nothing yet; without a word it ends with the period that is paid for.
    case pending
    /// Yes.
    case agreed
  }

  /// In which of the states it is.
  public internal(set) var state: State
  /// The transaction that it began with.
  public internal(set) var original: TransactionID
  /// The last one that was made for it.
  public internal(set) var latest: TransactionID
  /// What is subscribed to.
  public internal(set) var product: ProductID
  /// Until when whoever pays may use it, grace included, in milliseconds since the history began; in the
  /// past where they may not.
  public internal(set) var untilMillis: Int64
  /// Whether another period is to be paid for.
  public internal(set) var renews: Bool
  /// What that will be of. Apple: autoRenewProductId.
  public internal(set) var renewalProduct: ProductID
  /// Whether a payment has failed, and Apple goes on trying.
  public internal(set) var isUnpaid: Bool
  /// When it began, or began again after it had been over for 60 days, in milliseconds since the history began.
  /// Apple: recentSubscriptionStartDate.
  public internal(set) var recentStartMillis: Int64
  /// Whether the next period costs more, and whoever pays has agreed to that.
  public internal(set) var priceConsent = PriceConsent.none
  /// The offer with which the next period will be paid for; nil for none. Apple: the renewal info's offerType.
  public internal(set) var renewalOffer: RedeemedOffer? = nil

  /// Whether whoever pays may use it now.
  public var isEntitled: Bool { state.isUsable }
}

/// What is planned for a subscription.
enum SubscriptionEvent: UInt8 {
  /// The next period is to be paid for.
  case charge
  /// What was paid for is over, and so is any grace.
  case end
  /// A payment that had failed succeeds.
  case recovery
  /// Money of a charge is given back.
  case refund
  /// It is taken again.
  case refundReversal
  /// Somebody asks for it.
  case refundRequest
  /// Apple decides about that.
  case refundDecision
  /// Others of the family get what was charged for.
  case share
  /// Somebody who has it from their family leaves the family.
  case familyLeft
  /// Whoever pays is told that it is to cost more.
  case priceRise
  /// They agree to that.
  case consent

  /// Whether it is planned for a charge, and not for the subscription itself.
  var isOfCharge: Bool {
    switch self {
    case .charge, .end, .recovery, .priceRise, .consent: false
    case .refund, .refundReversal, .refundRequest, .refundDecision, .share, .familyLeft: true
    }
  }
}
