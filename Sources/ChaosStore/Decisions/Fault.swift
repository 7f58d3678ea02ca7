/// What can go wrong between a payment and its delivery.
public enum Fault: UInt8, CaseIterable, Sendable {
  /// F01: the app's process ends, and what it had not stored is gone.
  case appCrash
  /// F02: the page that listens for transactions is opened late, or not at all.
  case lateObserver
  /// F03: a payment is declined before another is done.
  case failureFirst
  /// F04: the code that attaches the listener runs twice, and each transaction is handled twice.
  case handlerTwice
  /// F05: a finish reaches the store half a minute later, or never.
  case finishLost
  /// F06: local data and the receipt file are gone, unfinished transactions are not.
  case reinstall
  /// F06b: records that were already dealt with are back.
  case backupRestored
  /// F07: another of the app's users logs in, in the middle of a purchase.
  case accountSwitch
  /// F08: a second tap follows at once, for the same product or for the next.
  case doubleTap
  /// F09: what the app stored is lost or cannot be read.
  case recordLost
  /// F10: one transaction is called back twice.
  case duplicateCallback
  /// F11: a finished transaction is called back again.
  case replayFinished
  /// F12: an unfinished transaction is not called back at a launch.
  case missingRedelivery
  /// F13: a callback comes late, or in the next launch only.
  case delayedDelivery
  /// F14: the app is told of a failure, and the customer is charged.
  case failedThenPurchased
  /// F15: somebody else must agree to a payment first.
  case askToBuy
  /// F16: the same product is bought again before the first is finished.
  case buyWhileUnfinished
  /// F17: what somebody owns comes once more, with an id of its own.
  case identityDrift
  /// F18: another part of the app finishes a transaction before the app is called back.
  case finishedElsewhere
  /// F19: a transaction of StoreKit 1 comes without its account token.
  case tokenHidden
  /// F22: the device cannot verify a transaction, or it was never the store's.
  case unverified
  /// F23: there is no product list, or it comes late.
  case productsFail
  /// F24: the person cancels, or StoreKit refuses the payment with one of its errors.
  case paymentRefused
  /// F25: the storefront changes between the price and the payment.
  case storefrontChanged
  /// F26: the phone's clock is hours or weeks wrong.
  case clockWrong
  /// F30: there is no receipt file.
  case receiptMissing
  /// F31: the receipt file does not have the newest charge.
  case receiptStale
  /// F32: the receipt cannot be refreshed.
  case refreshFails
  /// F33: the receipt file is of another Apple account.
  case foreignReceipt
  /// F34: a finished consumable is gone from the receipt file.
  case receiptRewritten
  /// F40: a report does not reach the backend.
  case requestLost
  /// F41: the backend's answer does not reach the app.
  case responseLost
  /// F42: the answer comes after the app's time-out.
  case lateResponse
  /// F43: a message is overtaken by one that was sent after it.
  case reordering
  /// F44: a report is handled after the app's time-out.
  case slowServer
  /// F45: the phone is offline for a while.
  case partition
  /// F46: the backend answers HTTP 5xx, having done nothing.
  case serverError
  /// F47: the backend answers HTTP 200 with an error inside.
  case businessError
  /// F48: the backend answers HTTP 401.
  case sessionExpired
  /// F50: a process of the backend ends between two of its steps.
  case serverCrash
  /// F51: the same report is handled twice at once.
  case concurrentDuplicate
  /// F52: the backend credits, then answers HTTP 5xx.
  case errorAfterCommit
  /// F53: a cache of handled requests forgets one.
  case dedupePruned
  /// F54: what the backend has handed to a job queue is run a second time.
  case jobRepeated
  /// F55: a replica of the database does not have the last commit yet.
  case staleRead
  /// F56: whether a commit of the backend went through cannot be told.
  case commitUnknown
  /// F60: Apple's answer decides nothing, or the charge was taken back.
  case verifierStatus
  /// F61: Apple's server fails, or is silent.
  case verifierOutage
  /// F62: Apple does not know a transaction yet, or answers 401 where it ought to say so.
  case transactionUnknown
  /// F63: Apple's server has no time, or is not ready: 4290000, 5000001 and the like.
  case verifierBusy
  /// F64: Apple's history leaves out consumables that were finished.
  case historyShortened
  /// F65: whether a signature's certificates hold cannot be found out now.
  case signatureUnchecked
  /// F66: what a backend has Apple do does not reach Apple.
  case commandLost
  /// F70: a notification of Apple's does not reach the backend.
  case notificationLost
  /// F71: a notification reaches the backend twice.
  case notificationTwice
  /// F72: the same is told in two notifications.
  case notificationRepeated
  /// F73: a notification is overtaken by one that was sent after it.
  case notificationOvertaken
  /// F74: a notification comes an hour late.
  case notificationDelayed
  /// F75: a notification comes before the app has heard of what it is about.
  case notificationEarly
  /// F76: somebody sends a notification that Apple never signed.
  case notificationForged
  /// F80: Apple gives the money of a charge back.
  case refund
  /// F81: Apple takes money again that it had given back.
  case refundReversed
  /// F82: somebody leaves their family, and has no more what the others have bought.
  case familyLeft
  /// F83: Apple gives a part of the money of a consumable back.
  case refundProrated
  /// F84: an app that runs is not told of a refund.
  case refundUnannounced
  /// F85: the next period of a subscription cannot be charged.
  case billingProblem
  /// F86: a person turns the renewal of a subscription off.
  case renewalOff
  /// F87: somebody asks for their money back, and Apple asks the backend first.
  case refundAsked
  /// F88: a subscription is to cost more, and whoever pays must agree.
  case priceRaised
  /// F90: somebody sends an invented receipt.
  case forgedReceipt
  /// F91: somebody sends what proves another user's purchase.
  case stolenEvidence
  /// F92: somebody sends a genuine receipt of another app.
  case foreignAppEvidence
  /// F93: somebody sends a receipt of the sandbox, where nothing is paid.
  case sandboxEvidence
  /// F94: a check on the device is answered by somebody else.
  case localVerificationSpoofed
  /// F95: a receipt of a cheap product is sent for a dear one.
  case productSubstituted
  /// F96: another of a hosted app's ready tasks runs first.
  case taskOrder
  /// U01: a person closes the app and opens it again. A use, and no fault; see ``isUse``.
  case reopen
  /// U02: a person opens the shop page once more. A use, and no fault.
  case visitAgain
  /// U03: a person wants the same product once more. A use, and no fault.
  case buyMore
  /// U04: a person looks at another app for a while. A use, and no fault.
  case background

  /// What is known about a fault.
  public struct Entry: Sendable {
    /// The number in the catalogue, such as `F41`.
    public var code: String
    /// The name used in scenarios, such as `response-lost`.
    public var name: String
    /// A few words for a table or a timeline.
    public var short: String
    /// What happens, to whom, and when it can.
    public var about: String
    /// Public reports of it, such as `SwiftyStoreKit#411`.
    public var evidence: [String]
    /// The chance in a default mix, as one in so many questions.
    public var oneIn: UInt64
  }

  /// The number in the catalogue, such as `F41`.
  public var code: String { entry.code }
  /// The name used in scenarios, such as `response-lost`.
  public var name: String { entry.name }

  /// Whether it needs a hosted app: one whose own tasks the simulator runs, or that is told of every
  /// outcome that StoreKit has for a payment (``PurchaseApp/takesAnyOutcome``). Others it leaves alone.
  public var needsHostedApp: Bool { self == .taskOrder || isOutcome }

  /// Whether it needs a world in which a subscription is sold.
  public var needsSubscription: Bool {
    self == .billingProblem || self == .renewalOff || self == .priceRaised
  }

  /// Whether it is of what becomes of a purchase after it was made: renewals, refunds, and Apple's notifications.
  ///
  /// `"mix": "all"` has these where a subscription is sold, and `"mix": "whole-store"` everywhere. Elsewhere they
  /// strike only where ``Setup/isWholeStore`` says so, as it does in a scenario file that names one of them.
  public var needsWholeStore: Bool {
    switch self {
    case .notificationLost, .notificationTwice, .notificationRepeated, .notificationOvertaken,
      .notificationDelayed, .notificationEarly, .notificationForged, .refund, .refundReversed,
      .refundProrated, .refundUnannounced, .billingProblem, .renewalOff, .commandLost,
      .refundAsked, .finishedElsewhere, .familyLeft, .priceRaised:
      true
    default: false
    }
  }

  /// Whether it strikes only where a scenario names it, and is in no mix as a whole.
  ///
  /// These came after seeds and plans of the mixes were kept, which go on meaning what they meant.
  public var isNamedAlone: Bool {
    switch self {
    case .handlerTwice, .identityDrift, .finishedElsewhere, .storefrontChanged, .clockWrong,
      .jobRepeated, .staleRead, .historyShortened, .refundAsked, .familyLeft, .priceRaised:
      true
    default: false
    }
  }

  /// All but those that strike only where they are named.
  public static let common = allCases.filter { !$0.isNamedAlone }

  /// The faults after which a purchase waits for the app's next launch.
  package static let waitingForLaunch: [Fault] = [
    .delayedDelivery, .failedThenPurchased, .finishLost, .unverified,
  ]

  /// What strikes in a check that names no faults: the common ones, but for F12.
  ///
  /// A StoreKit 1 app that is never called back has no way to its purchase but the receipt, and an observer that
  /// does all that Apple asks of it would be blamed. Name F12 to see if an app reads the receipt then.
  public static let byDefault = common.filter { $0 != .missingRedelivery }

  /// Whether it is an outcome of which only an app hears that ``PurchaseApp/takesAnyOutcome``.
  package var isOutcome: Bool {
    switch self {
    case .askToBuy, .unverified, .paymentRefused: true
    default: false
    }
  }

  /// Whether it is ordinary use: nothing goes wrong, and what a person does is theirs to do.
  ///
  /// A search counts uses apart from faults, and asks no mix whether they are allowed.
  public var isUse: Bool {
    switch self {
    case .reopen, .visitAgain, .buyMore, .background: true
    default: false
    }
  }

  /// The fault with this name or code; nil if there is none.
  public init?(named name: String) {
    guard let fault = Self.byName[name] ?? Self.byName[name.lowercased()] else { return nil }
    self = fault
  }

  /// Every question whose answer can be a strike of this fault.
  public var questions: [Question] {
    Question.allCases.filter { question in
      switch question.shape {
      case .strike(let fault), .choice(let fault, _): fault == self
      case .delay(let delay): delay.lateBy == self || delay.overtakenBy == self
      case .omission: false
      }
    }
  }

  private static let byName: [String: Fault] = {
    var names: [String: Fault] = [:]
    for fault in allCases {
      names[fault.name] = fault
      names[fault.code.lowercased()] = fault
    }
    return names
  }()
}
