import Invariants

/// A person's intent to buy, as the app is told of it.
public struct Tap: Equatable, Sendable, BitwiseCopyable {
  /// Which intent it is. StoreKit has no such thing; the judge needs it to tell two taps apart.
  public let intent: IntentID
  /// What is wanted.
  public let product: ProductID
  /// How many of it.
  public let quantity: UInt32
  /// Who is logged in.
  public let account: AccountID
  /// Which of the product's offers is wanted, by its place from 1; 0 for none.
  public internal(set) var offer: UInt8 = 0

  /// The same intent, answered with another product.
  public func of(_ product: ProductID) -> Tap {
    Tap(intent: intent, product: product, quantity: quantity, account: account)
  }

  /// The same intent, with the offer that the app makes: by its place in the product's list from 1; 0 for none.
  public func with(offer position: UInt8) -> Tap {
    var tap = self
    tap.offer = position
    return tap
  }

  /// No intent at all; ports do nothing with it.
  public static let none = Tap(intent: .none, product: .none, quantity: 0, account: .none)
  /// Whether it is no intent at all.
  public var isNone: Bool { intent.isNone }
}

/// A transaction as the payment queue or `Transaction.updates` hands it to the app.
public struct PaymentTransaction: Equatable, Sendable, BitwiseCopyable {
  /// StoreKit's states that this world produces.
  public enum State: UInt8, Sendable, BitwiseCopyable {
    /// Paid; deliver it, then finish it.
    case purchased
    /// The payment failed, or the store says so.
    case failed
    /// Paid before, and handed over again under an identifier of its own.
    case restored
    /// Somebody else must agree first, so it can still become either. Only where the app
    /// ``PurchaseApp/takesAnyOutcome``.
    case deferred
  }

  /// None in a failed transaction (Apple: transactionIdentifier is valid in purchased and restored).
  public let id: TransactionID
  /// The payment behind it, which a failed one has too.
  let row: TransactionID
  /// The same, for what stands in for a phone.
  package var payment: TransactionID { row }
  /// The wish that it was asked for. StoreKit has no such thing; what stands in for it on a simulated
  /// phone needs it to tell two payments for one product apart.
  package let intent: IntentID
  /// The transaction that was paid.
  public let original: TransactionID
  /// What was bought.
  public let product: ProductID
  /// How many of it.
  public let quantity: UInt32
  /// Whether it was paid, failed or restored.
  public let state: State
  /// appAccountToken or applicationUsername, if the device shows it.
  public let token: Token
  /// Handed over although it was finished.
  public let isFinished: Bool
  /// When it was charged, in milliseconds since the history began.
  public let chargedMillis: Int64
  /// When the store took the charge back, in milliseconds since the history began; nil if it stands.
  ///
  /// StoreKit 2's revocationDate, of a restored copy as well; StoreKit 1 has none.
  public internal(set) var revokedMillis: Int64? = nil
  /// How many thousandths of the money were given back (Apple: revocationPercentage); 1000 for all of it.
  public internal(set) var refunded: Int = 0
  /// Until when it pays, in milliseconds since the history began; nil for what is no subscription.
  public internal(set) var expiresMillis: Int64? = nil
  /// The transaction with which the subscription began that it renews; none where it renews nothing.
  public internal(set) var renewalOf: TransactionID = .none
  /// Whether another subscription of its group has taken its place before it was over.
  public internal(set) var isUpgraded = false
  /// The offer with which it was charged; nil for none.
  public internal(set) var offer: RedeemedOffer? = nil
  /// Whether it renews a subscription. StoreKit 2: `reason`.
  public internal(set) var isRenewal = false
  /// Whether somebody of the person's family has paid for it. StoreKit 2: `ownershipType`.
  public internal(set) var isShared = false
  /// Whether it was charged in another storefront than the one whose price was shown.
  public internal(set) var isElsewhere = false
  /// Why it failed; nil where StoreKit has no name for that, and where it did not fail.
  public internal(set) var error: PaymentError? = nil
  /// Which of StoreKit 2's verification errors stands beside it, from 1; 0 where the device has verified it.
  package internal(set) var doubt: UInt8 = 0
}

/// How StoreKit 2's `purchase()` ended.
public enum PurchaseResult: Sendable {
  /// Bought; the transaction can also be an older one of the product, for free.
  case success(PaymentTransaction)
  /// Thrown: a network or system error, after which the charge may still happen.
  case failed
  /// Thrown, or the person cancelled: refused, and nothing is charged. Only where the app
  /// ``PurchaseApp/takesAnyOutcome``.
  case refused(PaymentError)
  /// Somebody else must agree first: the transaction comes later, or never. Only where the app
  /// ``PurchaseApp/takesAnyOutcome``.
  case pending(PaymentTransaction)
}

/// What an app keeps for a later retry.
public struct StoredRecord: Equatable, Sendable, BitwiseCopyable {
  /// What it is about; none for the app's own affairs, at which no invariant looks.
  public var transaction: TransactionID
  /// Who was logged in.
  public var account: AccountID
  /// What was bought.
  public var product: ProductID
  /// The owner or the order.
  public var token: Token
  /// What proves the purchase.
  public var evidence: Evidence
  /// A number of the app's own, such as where it keeps what it stored.
  public var payload: UInt32

  /// A record about a transaction, with as much of the rest as the app wants to keep.
  public init(
    transaction: TransactionID, account: AccountID = .none, product: ProductID = .none,
    token: Token = .none, evidence: Evidence = Evidence(), payload: UInt32 = 0
  ) {
    self.transaction = transaction
    self.account = account
    self.product = product
    self.token = token
    self.evidence = evidence
    self.payload = payload
  }
}

/// What an app sends its backend.
public struct Report: Sendable, BitwiseCopyable {
  /// What the app wants with it.
  public enum Purpose: UInt8, Sendable, BitwiseCopyable {
    /// Deliver what this proves.
    case deliver
    /// Note what this proves; nobody asked for delivery.
    case probe
  }

  /// Who is logged in on the device that sent it.
  public var session: AccountID
  /// The transaction that the app named; none if it only posted a receipt.
  public var transaction: TransactionID
  /// The owner or order that the app named.
  public var token: Token
  /// The product that the app named.
  public var product: ProductID
  /// A number that app and backend agree on; the simulator passes it on.
  public var payload: UInt32
  /// What proves the purchase.
  public var evidence: Evidence
  /// Whether delivery is asked for.
  public var purpose: Purpose

  /// A report by whoever is logged in, with what the app chooses to send.
  public init(
    session: AccountID, transaction: TransactionID = .none, token: Token = .none,
    product: ProductID = .none, purpose: Purpose = .deliver, evidence: Evidence,
    payload: UInt32 = 0
  ) {
    self.session = session
    self.transaction = transaction
    self.token = token
    self.product = product
    self.purpose = purpose
    self.evidence = evidence
    self.payload = payload
  }
}

/// What the backend answered.
public struct Reply: Sendable, BitwiseCopyable {
  /// What the backend says, as far as an app can act on it.
  public enum Outcome: UInt8, Sendable, BitwiseCopyable {
    /// Delivered now.
    case delivered
    /// Delivered before; nothing more to do.
    case alreadyDelivered
    /// Refused for good.
    case refused
    /// Not decided; try again.
    case retry
    /// HTTP 200 with an error code inside, for no lasting reason.
    case businessError
    /// HTTP 401.
    case unauthorized
    /// HTTP 5xx.
    case serverError

    /// The HTTP status that goes with it.
    public var status: Int32 {
      switch self {
      case .serverError: 500
      case .unauthorized: 401
      case .delivered, .alreadyDelivered, .refused, .retry, .businessError: 200
      }
    }

    var verdict: Fact.Verdict {
      switch self {
      case .delivered, .alreadyDelivered: .accepted
      case .refused: .refused
      case .retry, .businessError, .unauthorized, .serverError: .inconclusive
      }
    }
  }

  /// What the backend says.
  public let outcome: Outcome
  /// The HTTP status.
  public let status: Int32
  /// The transaction that the report was about, as the app remembers it.
  public let transaction: TransactionID
  /// The purpose of the report.
  public let purpose: Report.Purpose
  /// A number of the app's own, given when it sent the report.
  public let tag: UInt32
  /// A number of the backend's own, given when it answered; 0 where it did not come to that.
  public let payload: UInt32

  /// Whether the goods are there, by this answer or by an earlier one.
  public var isDelivered: Bool { outcome == .delivered || outcome == .alreadyDelivered }
}

/// What Apple answered.
public struct VerifierAnswer: Sendable, BitwiseCopyable {
  /// What an answer means for the evidence.
  public enum Class: Sendable {
    /// The evidence is genuine as a whole; what it proves is another question.
    case valid
    /// Never will be.
    case permanent
    /// Says nothing; ask again.
    case retry
    /// Ask at the other address (21007, 21008).
    case otherEnvironment
    /// No transaction of this app has this identifier at this address (4040010).
    ///
    /// It may be one of the other environment, or so young that Apple's servers do not have it yet,
    /// and Apple says that it can come for what was found before. So it is no refusal by itself: ask at
    /// the other address, ask again for some time, and refuse only what neither knows by then.
    case notFound
  }

  /// The status in the body of the answer, an HTTP status, or ``timedOut``.
  public internal(set) var status: Int32
  var evidence: Evidence
  package let question: VerifierQuestion

  /// The status where Apple never answered.
  public static let timedOut: Int32 = -1
  /// The status where Apple answered with a signed transaction, and whether its certificates still
  /// hold cannot be found out now.
  public static let signatureUnchecked: Int32 = -2

  /// Source: Apple, App Store receipt status codes; App Store Server API error codes.
  ///
  /// 401 says nothing about a transaction. The production address gives it as well for apps that have no
  /// production release, where it ought to say 4040010.
  public var `class`: Class {
    @inline(__always) get { status == 0 ? .valid : classOfProblem }
  }

  private var classOfProblem: Class {
    switch status {
    case 21007, 21008: .otherEnvironment
    case 404, 21000, 21003, 21006, 21010, 4_030_004, 4_030_005, 4_040_001, 4_040_007:
      .permanent
    // What is wrong with the request is wrong with it for good.
    case 4_000_000...4_009_999:
      .permanent
    case 4_040_010: .notFound
    default: .retry
    }
  }
}

/// One purchase that Apple vouches for.
public struct VerifiedPurchase: Equatable, Sendable, BitwiseCopyable {
  /// None if it is no purchase in this app.
  public internal(set) var transaction: TransactionID
  /// What was bought.
  public var product: ProductID
  /// How many of it.
  public var quantity: UInt32
  /// Where it was bought; in the sandbox nothing is paid.
  public var environment: Environment
  /// appAccountToken; a server look-up has it, a receipt has not.
  public var token: Token
  /// The offer with which it was charged; nil for none. Apple: offerType, offerIdentifier, offerDiscountType.
  public internal(set) var offer: RedeemedOffer? = nil
  private var marks: Marks = .deviceVerified
  /// How many thousandths of the money were given back. Apple: revocationDate, revocationType,
  /// revocationPercentage.
  public internal(set) var refunded = 0
  /// Whether all of it was.
  public var isRefunded: Bool { refunded == 1000 }
  /// What no table holds; nobody's purchase.
  public static let none = VerifiedPurchase(
    transaction: .none, product: .none, quantity: 0, environment: .production, token: .none,
    isConsumable: true, isOurs: false)

  @inline(__always)
  init(
    transaction: TransactionID, product: ProductID, quantity: UInt32, environment: Environment,
    token: Token, isConsumable: Bool, isOurs: Bool
  ) {
    self.transaction = transaction
    self.product = product
    self.quantity = quantity
    self.environment = environment
    self.token = token
    self.isConsumable = isConsumable
    self.isOurs = isOurs
  }
}

extension VerifiedPurchase {
  fileprivate struct Marks: OptionSet, BitwiseCopyable, Sendable {
    let rawValue: UInt8
    static let consumable = Marks(rawValue: 1)
    static let subscription = Marks(rawValue: 2)
    static let renewal = Marks(rawValue: 4)
    static let shared = Marks(rawValue: 8)
    static let elsewhere = Marks(rawValue: 16)
    static let deviceVerified = Marks(rawValue: 32)
    static let ours = Marks(rawValue: 64)
  }

  /// Whether it can be bought again, each time for itself: it is used up, or a subscription that is not renewed.
  public var isConsumable: Bool {
    get { marks.contains(.consumable) }
    set { marks.set(.consumable, newValue) }
  }
  /// Whether it is paid for again after each period; whether somebody may use it says its status, for which
  /// ``VerifierQuestion/subscriptions`` asks.
  public internal(set) var isSubscription: Bool {
    get { marks.contains(.subscription) }
    set { marks.set(.subscription, newValue) }
  }
  /// Whether it renews a subscription that had begun before. Apple: transactionReason.
  public internal(set) var isRenewal: Bool {
    get { marks.contains(.renewal) }
    set { marks.set(.renewal, newValue) }
  }
  /// Whether somebody of the person's family has paid for it. Apple: inAppOwnershipType.
  public internal(set) var isShared: Bool {
    get { marks.contains(.shared) }
    set { marks.set(.shared, newValue) }
  }
  /// Whether it was charged in another storefront than the one whose price was shown. Apple: storefront.
  public internal(set) var isElsewhere: Bool {
    get { marks.contains(.elsewhere) }
    set { marks.set(.elsewhere, newValue) }
  }
  /// Whether the evidence was shown by the device for which the store made it. Apple: the
  /// deviceVerification of a signed transaction, and the hash in a receipt.
  public var isDeviceVerified: Bool {
    get { marks.contains(.deviceVerified) }
    set { marks.set(.deviceVerified, newValue) }
  }
  /// Whether it is of this app: the bundle identifier in the answer is ours.
  public var isOurs: Bool {
    get { marks.contains(.ours) }
    set { marks.set(.ours, newValue) }
  }
}
