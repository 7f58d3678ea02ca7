/// What can go wrong between a payment and its delivery.
public enum Fault: UInt8, CaseIterable, Sendable {
  case appCrash, lateObserver, failureFirst, finishLost, reinstall, backupRestored, accountSwitch
  case doubleTap, recordLost
  case duplicateCallback, replayFinished, missingRedelivery, delayedDelivery, failedThenPurchased
  case buyWhileUnfinished, tokenHidden
  case receiptMissing, receiptStale, refreshFails, foreignReceipt, receiptRewritten
  case requestLost, responseLost, lateResponse, reordering, slowServer, partition, serverError
  case businessError, sessionExpired
  case serverCrash, concurrentDuplicate, errorAfterCommit, dedupePruned
  case verifierStatus, verifierOutage
  case forgedReceipt, stolenEvidence, foreignAppEvidence, sandboxEvidence
  case localVerificationSpoofed, productSubstituted
  case taskOrder

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
    /// Public reports of it.
    public var evidence: [String]
    /// The chance in a default mix, as one in so many questions.
    public var oneIn: UInt64
  }

  public var code: String { entry.code }
  public var name: String { entry.name }

  /// Whether it needs an app whose own tasks the simulator runs; others it leaves alone.
  public var needsHostedApp: Bool { self == .taskOrder }

  /// The fault with this name or code; nil if there is none.
  public init?(named name: String) {
    guard let fault = Self.byName[name] ?? Self.byName[name.lowercased()] else { return nil }
    self = fault
  }

  /// Every question whose answer can be a strike of this fault.
  public var questions: [Question] {
    Question.allCases.filter { question in
      switch question.shape {
      case .strike(_, let fault, _), .choice(_, let fault, _, _): fault == self
      case .delay(_, _, let delay): delay.lateBy == self || delay.overtakenBy == self
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
