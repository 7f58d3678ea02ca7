import ChaosStore
import Foundation

extension Product {
  /// What is known of a product's subscription.
  ///
  /// There are no offers and no groups of several products; the state of a subscription is not shown yet, and
  /// answers as for an app that sells none: see ``Transaction/currentEntitlements``.
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

    init(_ product: StoreProduct, _ renewal: Setup.Product.Renewal) {
      introductoryOffer = nil
      promotionalOffers = []
      winBackOffers = []
      subscriptionGroupID = product.id
      groupDisplayName = product.displayName
      groupLevel = 1
      subscriptionPeriod = SubscriptionPeriod(renewal.period)
    }

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
    /// A unit of a calendar.
    public enum Unit: Sendable, Hashable {
      /// A day.
      case day
      /// Seven days.
      case week
      /// A month of the calendar.
      case month
      /// A year of the calendar.
      case year
    }

    /// Which unit.
    public let unit: Unit
    /// How many of it.
    public let value: Int

    /// A period of that many units.
    public init(value: Int, unit: Unit) {
      self.value = value
      self.unit = unit
    }

    init(_ period: Period) {
      value = period.count
      unit =
        switch period.unit {
        case .day: .day
        case .week: .week
        case .month: .month
        case .year: .year
        }
    }

    /// One week.
    public static let weekly = Self(value: 1, unit: .week)
    /// One month.
    public static let monthly = Self(value: 1, unit: .month)
    /// One year.
    public static let yearly = Self(value: 1, unit: .year)
    /// Three days.
    public static let everyThreeDays = Self(value: 3, unit: .day)
    /// Two weeks.
    public static let everyTwoWeeks = Self(value: 2, unit: .week)
    /// Two months.
    public static let everyTwoMonths = Self(value: 2, unit: .month)
    /// Three months.
    public static let everyThreeMonths = Self(value: 3, unit: .month)
    /// Six months.
    public static let everySixMonths = Self(value: 6, unit: .month)
  }

  /// A price for a while. No simulated product has one.
  public struct SubscriptionOffer: Sendable, Hashable {
    /// What kind of offer it is.
    public struct OfferType: RawRepresentable, Sendable, Hashable {
      /// The name of the kind.
      public let rawValue: String
      /// A kind by its name.
      public init(rawValue: String) { self.rawValue = rawValue }
      /// For those who subscribe for the first time.
      public static let introductory = Self(rawValue: "Introductory")
      /// Made by the app to those who subscribe or did so once.
      public static let promotional = Self(rawValue: "Promotional")
      /// For those who left.
      public static let winBack = Self(rawValue: "WinBack")
      /// The raw value; there is one language.
      public var localizedDescription: String { rawValue }
    }

    /// How it is paid.
    public struct PaymentMode: RawRepresentable, Sendable, Hashable {
      /// The name of the way to pay.
      public let rawValue: String
      /// A way to pay by its name.
      public init(rawValue: String) { self.rawValue = rawValue }
      /// The lower price is paid in each period of the offer.
      public static let payAsYouGo = Self(rawValue: "PayAsYouGo")
      /// All periods of the offer are paid at once.
      public static let payUpFront = Self(rawValue: "PayUpFront")
      /// Nothing is paid.
      public static let freeTrial = Self(rawValue: "FreeTrial")
      /// The raw value; there is one language.
      public var localizedDescription: String { rawValue }
    }

    /// Which offer; as in StoreKit nil for an introductory one.
    public let id: String?
    /// For whom it is.
    public let type: OfferType
    /// What one period of it costs.
    public let price: Decimal
    /// That price as text.
    public let displayPrice: String
    /// How long one of its periods is.
    public let period: SubscriptionPeriod
    /// How many periods it lasts.
    public let periodCount: Int
    /// How it is paid.
    public let paymentMode: PaymentMode
  }
}

extension Product.SubscriptionPeriod: CustomDebugStringConvertible {
  /// Number and unit, such as `1 month`.
  public var debugDescription: String { "\(value) \(unit)" }
}

extension Product.SubscriptionPeriod.Unit {
  /// The unit in words, singular.
  public var localizedDescription: String { "\(self)" }
}

extension Product.SubscriptionInfo {
  /// The state of one subscription. There is none in the simulated store.
  public struct Status: Sendable, Hashable {
    /// Where it stands.
    public let state: RenewalState
    /// The latest transaction of it.
    public let transaction: VerificationResult<Transaction>
    /// What will happen next.
    public let renewalInfo: VerificationResult<RenewalInfo>

    /// The states of all subscriptions, a group at a time: none.
    public static var all: AllStatuses { AllStatuses() }

    /// The sequence of ``all``, which ends at once.
    public struct AllStatuses: AsyncSequence, AsyncIteratorProtocol, Sendable {
      /// A group and the states in it.
      public typealias Element = (groupID: String, statuses: [Status])

      /// Itself.
      public func makeAsyncIterator() -> AllStatuses { self }
      /// Nil.
      public mutating func next() async -> Element? { nil }
    }

    /// Changes of subscriptions: an endless sequence in which nothing happens.
    public static var updates: Statuses { Statuses() }

    /// The sequence of ``updates``.
    public struct Statuses: AsyncSequence, Sendable {
      /// The state of one subscription.
      public typealias Element = Status

      /// Waits in the process that is running; the sequence ends when the process does.
      public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: StoreSession.current.silence(Status.self).makeAsyncIterator())
      }

      /// Waits for changes.
      public struct AsyncIterator: AsyncIteratorProtocol {
        var base: AsyncStream<Status>.Iterator
        /// Nil when the process ends or the task is cancelled, and nothing before.
        public mutating func next() async -> Status? { await base.next() }
      }
    }
  }

  /// Where a subscription stands.
  public struct RenewalState: RawRepresentable, Sendable, Hashable {
    /// Apple's number for it, as in its server's answers.
    public let rawValue: Int
    /// A state by its number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// It runs.
    public static let subscribed = Self(rawValue: 1)
    /// It is over.
    public static let expired = Self(rawValue: 2)
    /// A renewal could not be paid for, and the store goes on trying. There is no access.
    public static let inBillingRetryPeriod = Self(rawValue: 3)
    /// A renewal could not be paid for, and there is access for a while.
    public static let inGracePeriod = Self(rawValue: 4)
    /// It was refunded, or is shared with the family no more.
    public static let revoked = Self(rawValue: 5)

    /// The state in words, in English.
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
      /// Apple's number for it.
      public let rawValue: Int
      /// A reason by its number.
      public init(rawValue: Int) { self.rawValue = rawValue }
      /// The person switched renewal off.
      public static let autoRenewDisabled = Self(rawValue: 1)
      /// The renewal could not be paid for.
      public static let billingError = Self(rawValue: 2)
      /// The person did not agree to a higher price.
      public static let didNotConsentToPriceIncrease = Self(rawValue: 3)
      /// The product was not for sale when it was to be renewed.
      public static let productUnavailable = Self(rawValue: 4)
      /// Something else.
      public static let unknown = Self(rawValue: 5)
      /// The reason in words, in English.
      public var localizedDescription: String {
        switch self {
        case .autoRenewDisabled: "The person cancelled"
        case .billingError: "The payment failed"
        case .didNotConsentToPriceIncrease: "The person did not agree to a higher price"
        case .productUnavailable: "The product is not sold any more"
        case .unknown: "Unknown"
        default: "\(rawValue)"
        }
      }
    }

    /// Whether the person agreed to a higher price.
    public enum PriceIncreaseStatus: Sendable, Hashable {
      /// The price stays.
      case noIncreasePending
      /// The person was asked and has not answered.
      case pending
      /// The person agreed, or did not need to.
      case agreed
    }

    /// The transaction that began the subscription.
    public let originalTransactionID: UInt64
    /// What is subscribed to now.
    public let currentProductID: String
    /// Whether it will be renewed.
    public let willAutoRenew: Bool
    /// What it will be renewed as; nil if it will not.
    public let autoRenewPreference: String?
    /// Why it ended; nil while it runs.
    public let expirationReason: ExpirationReason?
    /// Whether the person agreed to a higher price.
    public let priceIncreaseStatus: PriceIncreaseStatus
    /// Whether the store goes on trying to be paid.
    public let isInBillingRetry: Bool
    /// Until when there is access without payment; nil outside a grace period.
    public let gracePeriodExpirationDate: Date?
    /// Which kind of offer holds at the next renewal; nil without one.
    public let offerType: Transaction.OfferType?
    /// Which offer holds at the next renewal; nil without one.
    public let offerID: String?
    /// The offers that would win this person back.
    public let eligibleWinBackOfferIDs: [String]
    /// When it will be renewed; nil if it will not.
    public let renewalDate: Date?
    /// What the renewal will cost; nil if there is none.
    public let renewalPrice: Decimal?
    /// The currency of ``renewalPrice``.
    public let currency: Locale.Currency?
    /// Where it was bought.
    public let environment: AppStore.Environment
    /// When the latest unbroken run of periods began.
    public let recentSubscriptionStartDate: Date
    /// When the store signed this.
    public let signedDate: Date
    /// What ties the signature to one device.
    public let deviceVerification: Data
    /// What was hashed into ``deviceVerification``.
    public let deviceVerificationNonce: UUID
    /// The same as JSON.
    public let jsonRepresentation: Data
  }
}

extension Product.SubscriptionInfo.RenewalInfo: CustomDebugStringConvertible {
  /// The renewal as JSON text.
  public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
