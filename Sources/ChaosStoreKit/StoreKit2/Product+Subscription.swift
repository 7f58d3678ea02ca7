import Foundation

extension Product {
  /// What is known of a product's subscription.
  ///
  /// The simulated store sells no subscriptions yet: no product has one, and what is asked of the
  /// type answers as for an app that sells none.
  public struct SubscriptionInfo: Sendable, Hashable {
    /// The first offer to a new subscriber.
    public let introductoryOffer: SubscriptionOffer?
    /// Offers that the app makes.
    public let promotionalOffers: [SubscriptionOffer]
    /// Offers to those who left.
    public let winBackOffers: [SubscriptionOffer]
    /// The group in which a person has one subscription at a time.
    public let subscriptionGroupID: String
    /// The group's name.
    public let groupDisplayName: String
    /// The place in the group, 1 being the highest.
    public let groupLevel: Int
    /// The time between two renewals.
    public let subscriptionPeriod: SubscriptionPeriod

    /// Whether the introductory offer is open to this person: always false.
    public var isEligibleForIntroOffer: Bool { get async { false } }
    /// Whether it is open to this person in a group: always false.
    public static func isEligibleForIntroOffer(for groupID: String) async -> Bool { false }
    /// The states of the subscriptions of this group: always none.
    public var status: [Status] { get async throws { [] } }
    /// The states of the subscriptions of a group: always none.
    public static func status(for groupID: String) async throws -> [Status] { [] }
    /// The state of the subscription that a transaction began: always none.
    public static func status(transactionID: UInt64) async throws -> Status? { nil }
  }

  /// A length of time in a calendar.
  public struct SubscriptionPeriod: Sendable, Hashable {
    public enum Unit: Sendable, Hashable { case day, week, month, year }

    public let unit: Unit
    public let value: Int

    public init(value: Int, unit: Unit) {
      self.value = value
      self.unit = unit
    }

    public static let weekly = Self(value: 1, unit: .week)
    public static let monthly = Self(value: 1, unit: .month)
    public static let yearly = Self(value: 1, unit: .year)
    public static let everyThreeDays = Self(value: 3, unit: .day)
    public static let everyTwoWeeks = Self(value: 2, unit: .week)
    public static let everyTwoMonths = Self(value: 2, unit: .month)
    public static let everyThreeMonths = Self(value: 3, unit: .month)
    public static let everySixMonths = Self(value: 6, unit: .month)
  }

  /// A price for a while. No simulated product has one.
  public struct SubscriptionOffer: Sendable, Hashable {
    /// What kind of offer it is.
    public struct OfferType: RawRepresentable, Sendable, Hashable {
      public let rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }
      public static let introductory = Self(rawValue: "Introductory")
      public static let promotional = Self(rawValue: "Promotional")
      public static let winBack = Self(rawValue: "WinBack")
    }

    /// How it is paid.
    public struct PaymentMode: RawRepresentable, Sendable, Hashable {
      public let rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }
      public static let payAsYouGo = Self(rawValue: "PayAsYouGo")
      public static let payUpFront = Self(rawValue: "PayUpFront")
      public static let freeTrial = Self(rawValue: "FreeTrial")
      public var localizedDescription: String { rawValue }
    }

    public let id: String?
    public let type: OfferType
    public let price: Decimal
    public let displayPrice: String
    public let period: SubscriptionPeriod
    public let periodCount: Int
    public let paymentMode: PaymentMode
  }
}

extension Product.SubscriptionPeriod: CustomDebugStringConvertible {
  public var debugDescription: String { "\(value) \(unit)" }
}

extension Product.SubscriptionPeriod.Unit {
  /// The unit in words, singular.
  public var localizedDescription: String { "\(self)" }
}

extension Product.SubscriptionInfo {
  /// The state of one subscription. There is none in the simulated store.
  public struct Status: Sendable, Hashable {
    public let state: RenewalState
    public let transaction: VerificationResult<Transaction>
    public let renewalInfo: VerificationResult<RenewalInfo>

    /// Changes of subscriptions: an endless sequence in which nothing happens.
    public static var updates: Statuses { Statuses() }

    /// The sequence of ``updates``.
    public struct Statuses: AsyncSequence, Sendable {
      public typealias Element = Status

      public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: StoreSession.current.silence(Status.self).makeAsyncIterator())
      }

      public struct AsyncIterator: AsyncIteratorProtocol {
        var base: AsyncStream<Status>.Iterator
        public mutating func next() async -> Status? { await base.next() }
      }
    }
  }

  /// Where a subscription stands.
  public struct RenewalState: RawRepresentable, Sendable, Hashable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let subscribed = Self(rawValue: 1)
    public static let expired = Self(rawValue: 2)
    public static let inBillingRetryPeriod = Self(rawValue: 3)
    public static let inGracePeriod = Self(rawValue: 4)
    public static let revoked = Self(rawValue: 5)

    public var localizedDescription: String {
      switch self {
      case .subscribed: "Subscribed"
      case .expired: "Expired"
      case .inBillingRetryPeriod: "In billing retry"
      case .inGracePeriod: "In grace period"
      case .revoked: "Revoked"
      default: "\(rawValue)"
      }
    }
  }

  /// What will happen at the next renewal. There is none in the simulated store.
  public struct RenewalInfo: Sendable, Hashable {
    /// Why a subscription ended.
    public struct ExpirationReason: RawRepresentable, Sendable, Hashable {
      public let rawValue: Int
      public init(rawValue: Int) { self.rawValue = rawValue }
      public static let autoRenewDisabled = Self(rawValue: 1)
      public static let billingError = Self(rawValue: 2)
      public static let didNotConsentToPriceIncrease = Self(rawValue: 3)
      public static let productUnavailable = Self(rawValue: 4)
      public static let unknown = Self(rawValue: 5)
    }

    /// Whether the person agreed to a higher price.
    public enum PriceIncreaseStatus: Sendable, Hashable {
      case noIncreasePending, pending, agreed
    }

    public let originalTransactionID: UInt64
    public let currentProductID: String
    public let willAutoRenew: Bool
    public let autoRenewPreference: String?
    public let expirationReason: ExpirationReason?
    public let priceIncreaseStatus: PriceIncreaseStatus
    public let isInBillingRetry: Bool
    public let gracePeriodExpirationDate: Date?
    public let renewalDate: Date?
    public let environment: AppStore.Environment
    public let recentSubscriptionStartDate: Date
    public let signedDate: Date
  }
}
