import Invariants

/// What is asked of Apple, at one of its two addresses: the production address, and that of the sandbox.
///
/// Source: verifyReceipt; App Store Server API 1.21.
public enum VerifierQuestion: UInt8, Sendable, BitwiseCopyable {
  /// verifyReceipt at the production address.
  case productionReceipt
  /// verifyReceipt at the sandbox address.
  case sandboxReceipt
  /// Get Transaction Info at the production address.
  case transaction
  /// Get Transaction Info at the sandbox address.
  case sandboxTransaction
  /// Get All Subscription Statuses at the production address.
  case subscriptions
  /// Get All Subscription Statuses at the sandbox address.
  case sandboxSubscriptions
  /// Get Notification History (`onlyFailures`) at the production address.
  case notificationHistory
  /// Get Notification History (`onlyFailures`) at the sandbox address.
  case sandboxNotificationHistory
  /// Get Transaction History at the production address; see ``Server/history(of:after:in:)``.
  case history
  /// Get Transaction History at the sandbox address.
  case sandboxHistory
  /// Get Refund History at the production address.
  case refundHistory
  /// Get Refund History at the sandbox address.
  case sandboxRefundHistory
  /// Finish Transaction at the production address; see ``Server/call(_:about:in:)``.
  case finish
  /// Finish Transaction at the sandbox address.
  case sandboxFinish
  /// Set App Account Token at the production address.
  case setAppAccountToken
  /// Set App Account Token at the sandbox address.
  case sandboxSetAppAccountToken
  /// Extend a Subscription Renewal Date at the production address.
  case extendRenewalDate
  /// Extend a Subscription Renewal Date at the sandbox address.
  case sandboxExtendRenewalDate
  /// Look Up Order ID at the production address; see ``Server/lookUp(_:in:)``.
  case orderLookUp
  /// Look Up Order ID at the sandbox address, where it is not available.
  case sandboxOrderLookUp
  /// Request a Test Notification at the production address; see ``Server/requestTestNotification(in:)``.
  case testNotification
  /// Request a Test Notification at the sandbox address.
  case sandboxTestNotification
  /// Get Test Notification Status at the production address.
  case testNotificationStatus
  /// Get Test Notification Status at the sandbox address.
  case sandboxTestNotificationStatus
  /// Send Consumption Information at the production address; see ``Server/call(_:about:in:)``.
  case consumption
  /// Send Consumption Information at the sandbox address.
  case sandboxConsumption

  /// What stands in the lower six bits of an event's tag, which has them from a question.
  @inline(__always)
  init(of tag: UInt8) {
    assert(VerifierQuestion(rawValue: tag & 63) != nil, "bug: a verifier event without a question")
    self = unsafeBitCast(tag & 63, to: VerifierQuestion.self)
  }

  /// What is asked, at whichever address.
  enum Kind: UInt8 {
    case receipt, transaction, subscriptions, notificationHistory, history, refundHistory
    case finish, setAppAccountToken, extendRenewalDate
    case orderLookUp, testNotification, testNotificationStatus, consumption

    /// Whether Apple is to do something, and not to tell.
    @inline(__always) var isCommand: Bool {
      // Most are not, and that is found out at once.
      if _fastPath(rawValue < Kind.finish.rawValue) { return false }
      return self != .orderLookUp && self != .testNotificationStatus
    }

    /// Whether what is asked names no transaction.
    var namesNoTransaction: Bool {
      switch self {
      case .notificationHistory, .orderLookUp, .testNotification, .testNotificationStatus: true
      case .receipt, .transaction, .subscriptions, .history, .refundHistory, .finish,
        .setAppAccountToken, .extendRenewalDate, .consumption:
        false
      }
    }
  }

  /// The production address has the even numbers.
  @inline(__always) var kind: Kind {
    assert(Kind(rawValue: rawValue >> 1) != nil, "bug: \(self) asks nothing")
    // A look at each of the raw values costs 2 % of a year.
    return unsafeBitCast(rawValue >> 1, to: Kind.self)
  }

  /// The same question at the address of an environment.
  package func at(_ environment: Environment) -> VerifierQuestion {
    let number = kind.rawValue << 1 | (environment == .production ? 0 : 1)
    return VerifierQuestion(rawValue: number) ?? self
  }

  /// The address at which it is asked.
  @inline(__always) var environment: Environment { rawValue & 1 == 0 ? .production : .sandbox }

  /// Whether the App Store Server API is asked, and no receipt is verified.
  @inline(__always) var isLookUp: Bool { rawValue >= VerifierQuestion.transaction.rawValue }

  /// What becomes of a question on its way to Apple.
  enum Fate: UInt8, BitwiseCopyable {
    case answered = 0
    /// No answer comes in time.
    case unanswered = 64
    /// The service answers with an HTTP error.
    case failed = 128
    /// It does not reach Apple.
    case lost = 192

    /// What stands in the upper two bits of an event's tag, which have a fate for each of their values.
    @inline(__always)
    init(of tag: UInt8) {
      self = tag < 128 ? (tag < 64 ? .answered : .unanswered) : tag < 192 ? .failed : .lost
    }
  }
}

/// What a backend can have Apple do.
///
/// Where no answer comes in time, it was done or it was not; asking again is safe but for ``extendRenewalDate(days:)``.
public enum AppStoreCommand: Sendable {
  /// Finish Transaction (API 1.20): as if the app had finished it.
  case finish
  /// Set App Account Token: what was bought belongs to that account or order from now on. Only of the transaction with
  /// which a purchase or subscription began (else 4000187).
  case setAppAccountToken(Token)
  /// Extend a Subscription Renewal Date, by 1 to 90 days, of a subscription that is paid for (else 4030004), at most
  /// twice (else 4030005).
  case extendRenewalDate(days: Int)
  /// Send Consumption Information, after a CONSUMPTION_REQUEST and within twelve hours of it: what became of what was
  /// bought, for Apple to decide about a refund. Whether it is given back only the next notification tells.
  case sendConsumption(ConsumptionInformation)

  /// The question that it is asked with, at the address of an environment.
  package func question(_ environment: Environment) -> VerifierQuestion {
    let question: VerifierQuestion =
      switch self {
      case .finish: .finish
      case .setAppAccountToken: .setAppAccountToken
      case .extendRenewalDate: .extendRenewalDate
      case .sendConsumption: .consumption
      }
    return question.at(environment)
  }
}
