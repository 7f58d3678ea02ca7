import ChaosStore
import Foundation

extension Product {
  /// What is known of a product's subscription.
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
      func offers(_ kind: Setup.Product.Offer.Kind) -> [SubscriptionOffer] {
        renewal.offers.filter { $0.kind == kind }.map { SubscriptionOffer($0, of: product) }
      }
      introductoryOffer = offers(.introductory).first
      promotionalOffers = offers(.promotional)
      winBackOffers = offers(.winBack)
      subscriptionGroupID = renewal.group ?? product.id
      groupDisplayName = renewal.group ?? product.displayName
      groupLevel = renewal.level
      subscriptionPeriod = SubscriptionPeriod(renewal.period)
    }

    /// Whether the introductory offer is open to this person: they are not subscribed in the group, and have had none
    /// there.
    public var isEligibleForIntroOffer: Bool {
      get async { await Self.isEligibleForIntroOffer(for: subscriptionGroupID) }
    }
    /// Whether an introductory offer is open to this person in a group; false where nothing of the group is sold.
    public static func isEligibleForIntroOffer(for groupID: String) async -> Bool {
      await Task.yield()
      let session = StoreSession.current
      guard session.isAlive else { return false }
      let member = session.port.catalogue.first { $0.groupID == groupID }
      let isEligible = member.map { session.port.isEligibleForIntroductoryOffer(of: $0.id) }
      if session.mustStop { await session.stop() }
      return isEligible ?? false
    }
    /// The states of this person's subscriptions in this group: of the one that they have or had, if any.
    public var status: [Status] {
      get async throws { try await Self.status(for: subscriptionGroupID) }
    }
    /// The states of this person's subscriptions in a group: of the one that they have or had, if any.
    public static func status(for groupID: String) async throws -> [Status] {
      await Status.held(in: groupID)
    }
    /// The state of the subscription that a transaction belongs to; nil where it belongs to none.
    public static func status(transactionID: UInt64) async throws -> Status? {
      let first = StoreSession.current.port.history.first { $0.id == transactionID }?.originalID
      return await Status.held { $0.originalID == first ?? transactionID }.first
    }
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

  /// A price for a while: half of the usual one in this catalogue, or none.
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

    init(_ offer: Setup.Product.Offer, of product: StoreProduct) {
      id = offer.name
      type =
        switch offer.kind {
        case .introductory: .introductory
        case .promotional: .promotional
        case .code: OfferType(rawValue: "Code")
        case .winBack: .winBack
        }
      price = product.price(of: offer)
      displayPrice = price.formatted(Product.usualFormat)
      period = SubscriptionPeriod(offer.period)
      periodCount = offer.periods
      paymentMode =
        switch offer.payment {
        case .freeTrial: .freeTrial
        case .payAsYouGo: .payAsYouGo
        case .payUpFront: .payUpFront
        }
    }
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
