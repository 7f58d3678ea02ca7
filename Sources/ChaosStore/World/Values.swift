import Invariants

/// A person's wish to buy, as the app is told of it.
public struct Tap: Equatable, Sendable, BitwiseCopyable {
  /// Which wish it is. StoreKit has no such thing; the judge needs it to tell two taps apart.
  public let intent: IntentID
  public let product: ProductID
  public let quantity: UInt32
  /// Who is logged in.
  public let account: AccountID

  /// The same wish, answered with another product.
  public func of(_ product: ProductID) -> Tap {
    Tap(intent: intent, product: product, quantity: quantity, account: account)
  }

  public static let none = Tap(intent: .none, product: .none, quantity: 0, account: .none)
  public var isNone: Bool { intent.isNone }
}

/// A transaction as the payment queue or `Transaction.updates` hands it to the app.
public struct PaymentTransaction: Equatable, Sendable, BitwiseCopyable {
  /// StoreKit's states that this world produces.
  public enum State: UInt8, Sendable, BitwiseCopyable { case purchased, failed, restored }

  /// None in a failed transaction (Apple: transactionIdentifier is valid in purchased and restored).
  public let id: TransactionID
  /// The payment behind it, which a failed one has too.
  let row: TransactionID
  /// The transaction that was paid.
  public let original: TransactionID
  public let product: ProductID
  public let quantity: UInt32
  public let state: State
  /// appAccountToken or applicationUsername, if the device shows it.
  public let token: Token
  /// Handed over although it was finished.
  public let isFinished: Bool
  /// When it was charged, in milliseconds since the history began.
  public let chargedMillis: Int64
}

/// How StoreKit 2's `purchase()` ended.
public enum PurchaseResult: Sendable {
  case success(PaymentTransaction)
  /// Thrown: a network or system error, after which the charge may still happen.
  case failed
}

/// What an app keeps for a later retry.
public struct StoredRecord: Equatable, Sendable, BitwiseCopyable {
  public var transaction: TransactionID
  public var account: AccountID
  public var product: ProductID
  public var token: Token
  public var evidence: Evidence
  /// A number of the app's own, such as where it keeps what it stored.
  public var payload: UInt32

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
  public var evidence: Evidence
  public var purpose: Purpose

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

  public let outcome: Outcome
  /// The HTTP status.
  public let status: Int32
  /// The transaction that the report was about, as the app remembers it.
  public let transaction: TransactionID
  public let purpose: Report.Purpose
  /// A number of the app's own, given when it sent the report.
  public let tag: UInt32
  /// A number of the backend's own, given when it answered; 0 where it did not come to that.
  public let payload: UInt32

  public var isDelivered: Bool { outcome == .delivered || outcome == .alreadyDelivered }
}

/// What is asked of Apple.
public enum VerifierQuestion: UInt8, Sendable, BitwiseCopyable {
  /// verifyReceipt at the production address.
  case productionReceipt
  /// verifyReceipt at the sandbox address.
  case sandboxReceipt
  /// App Store Server API, Get Transaction Info.
  case transaction

  /// What becomes of a question on its way to Apple.
  enum Fate: UInt8, BitwiseCopyable {
    case answered = 0
    /// No answer comes in time.
    case unanswered = 64
    /// The service answers with an HTTP error.
    case failed = 128
  }
}

/// What Apple answered.
public struct VerifierAnswer: Sendable, BitwiseCopyable {
  public enum Class: Sendable {
    /// The evidence is genuine as a whole; what it proves is another question.
    case valid
    /// Never will be.
    case permanent
    /// Says nothing; ask again.
    case retry
    /// Ask at the other address (21007, 21008).
    case otherEnvironment
  }

  /// The status in the body of the answer, an HTTP status, or ``timedOut``.
  public internal(set) var status: Int32
  let evidence: Evidence
  let question: VerifierQuestion

  public static let timedOut: Int32 = -1

  /// Source: Apple, App Store receipt status codes; App Store Server API error codes.
  public var `class`: Class {
    switch status {
    case 0: .valid
    case 21007, 21008: .otherEnvironment
    case 21000, 21003, 21006, 21010, 4_040_010: .permanent
    default: .retry
    }
  }
}

/// One purchase that Apple vouches for.
public struct VerifiedPurchase: Sendable, BitwiseCopyable {
  /// None if it is no purchase in this app.
  public internal(set) var transaction: TransactionID
  public var product: ProductID
  public var quantity: UInt32
  public var environment: Environment
  /// appAccountToken; a server look-up has it, a receipt has not.
  public var token: Token
  public var isConsumable: Bool
  /// What no table holds; nobody's purchase.
  public static let none = VerifiedPurchase(
    transaction: .none, product: .none, quantity: 0, environment: .production, token: .none,
    isConsumable: true, isOurs: false)

  /// Whether it is of this app: the bundle identifier in the answer is ours.
  public var isOurs: Bool
}
