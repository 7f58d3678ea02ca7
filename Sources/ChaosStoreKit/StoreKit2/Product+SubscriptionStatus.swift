import ChaosStore
import Foundation

extension Product.SubscriptionInfo {
  /// The state of one subscription, as the simulated store has it when it is asked.
  public struct Status: Sendable, Hashable {
    /// Where it stands.
    public let state: RenewalState
    /// The latest transaction of it.
    public let transaction: VerificationResult<Transaction>
    /// What will happen next.
    public let renewalInfo: VerificationResult<RenewalInfo>

    /// Those that satisfy this. Suspends before it asks, as a question to another process does.
    static func held(where isMeant: (StoreSubscription) -> Bool) async -> [Status] {
      await Task.yield()
      let session = StoreSession.current
      let found = session.isAlive ? session.port.subscriptions : []
      if session.mustStop { await session.stop() }
      guard session.isAlive else { return [] }
      return found.filter(isMeant).map { Status($0, session.port) }
    }

    static func held(in groupID: String) async -> [Status] {
      let members = StoreSession.current.port.catalogue.filter { $0.groupID == groupID }.map(\.id)
      return await held { members.contains($0.transaction.productID) }
    }

    /// The states of all subscriptions that this person has or had, a group at a time.
    public static var all: AllStatuses { AllStatuses() }

    /// The sequence of ``all``, taken when its first element is asked for.
    public struct AllStatuses: AsyncSequence, AsyncIteratorProtocol, Sendable {
      /// A group and the states in it.
      public typealias Element = (groupID: String, statuses: [Status])

      private var rest: ArraySlice<Status>?

      /// Itself.
      public func makeAsyncIterator() -> AllStatuses { self }
      /// The next group; nil after the last.
      public mutating func next() async -> Element? {
        if rest == nil { rest = await Status.held { _ in true }[...] }
        guard let status = rest?.popFirst() else { return nil }
        return (status.transaction.unsafePayloadValue.subscriptionGroupID ?? "", [status])
      }
    }

    /// Changes of this person's subscriptions, an endless sequence: one that begins, is renewed, changes its plan, cannot
    /// be paid for, ends or is refunded while the app runs.
    public static var updates: Statuses { Statuses() }

    /// The sequence of ``updates``.
    public struct Statuses: AsyncSequence, Sendable {
      /// The state of one subscription.
      public typealias Element = Status

      /// Waits in the process that is running; the sequence ends when the process does.
      public func makeAsyncIterator() -> AsyncIterator {
        let session = StoreSession.current
        let stream = session.news(.subscriptions) { message -> Status? in
          guard case .subscription(let held) = message else { return nil }
          return Status(held, session.port)
        }
        return AsyncIterator(base: stream.makeAsyncIterator())
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

  /// What will happen at the next renewal.
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
    /// Why it ended; nil while it runs, and where its money was given back.
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
    /// The same as JSON, with the field names of Apple's signed renewal info.
    public let jsonRepresentation: Data
  }
}

extension Product.SubscriptionInfo.RenewalInfo: CustomDebugStringConvertible {
  /// The renewal as JSON text.
  public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}

extension Product.SubscriptionInfo.Status {
  init(_ held: StoreSubscription, _ port: any StorePort) {
    state = Product.SubscriptionInfo.RenewalState(rawValue: Int(held.status.state.rawValue))
    transaction = VerificationResult(held.transaction)
    renewalInfo = .verified(Product.SubscriptionInfo.RenewalInfo(held, port))
  }
}

extension Product.SubscriptionInfo.RenewalInfo {
  init(_ held: StoreSubscription, _ port: any StorePort) {
    let status = held.status
    func date(_ millis: Int64?) -> Date? { millis.map { SimulatedStore.date(millis: $0) } }
    originalTransactionID = held.originalID
    currentProductID = held.transaction.productID
    willAutoRenew = status.renews
    autoRenewPreference = status.renews ? held.renewalProductID : nil
    expirationReason =
      switch status.state {
      case .active, .gracePeriod, .revoked: nil
      case .expired where status.priceConsent == .pending: .didNotConsentToPriceIncrease
      case .expired: .autoRenewDisabled
      case .billingRetry: .billingError
      }
    priceIncreaseStatus =
      switch status.priceConsent {
      case .none: .noIncreasePending
      case .pending: .pending
      case .agreed: .agreed
      }
    isInBillingRetry = status.isUnpaid && status.state != .expired
    gracePeriodExpirationDate = date(status.state == .gracePeriod ? status.untilMillis : nil)
    let next = port.catalogue.first { $0.id == held.renewalProductID }
    let offer = next?.offer(status.renewalOffer)
    offerType = offer.map { Transaction.OfferType(rawValue: Int($0.kind.rawValue)) }
    offerID = offer?.name
    eligibleWinBackOfferIDs =
      status.isEntitled
      ? [] : (next?.renewal?.offers ?? []).filter { $0.kind == .winBack }.compactMap(\.name)
    let isToCome = status.renews && status.isEntitled
    renewalDate = date(isToCome ? held.transaction.expiresMillis : nil)
    renewalPrice =
      isToCome ? offer.flatMap { next?.price(of: $0) } ?? next?.price : nil
    currency = isToCome ? Locale.Currency(SimulatedStore.currencyCode) : nil
    environment = held.transaction.isProduction ? .production : .sandbox
    recentSubscriptionStartDate = SimulatedStore.date(millis: status.recentStartMillis)
    signedDate = SimulatedStore.date(millis: port.now)
    deviceVerification = withUnsafeBytes(of: held.originalID.bigEndian) { Data($0) }
    deviceVerificationNonce = SimulatedStore.uuid(held.originalID)
    var fields: [String: Any] = [
      "originalTransactionId": "\(originalTransactionID)", "productId": currentProductID,
      "autoRenewProductId": held.renewalProductID, "autoRenewStatus": willAutoRenew ? 1 : 0,
      "isInBillingRetryPeriod": isInBillingRetry, "environment": environment.rawValue,
      "recentSubscriptionStartDate": SimulatedStore.milliseconds(recentSubscriptionStartDate),
      "signedDate": SimulatedStore.milliseconds(signedDate),
    ]
    if let expirationReason { fields["expirationIntent"] = expirationReason.rawValue }
    if let end = gracePeriodExpirationDate {
      fields["gracePeriodExpiresDate"] = SimulatedStore.milliseconds(end)
    }
    if status.priceConsent != .none {
      fields["priceIncreaseStatus"] = status.priceConsent == .agreed ? 1 : 0
    }
    if let renewalDate { fields["renewalDate"] = SimulatedStore.milliseconds(renewalDate) }
    jsonRepresentation = SimulatedStore.json(fields)
  }
}
