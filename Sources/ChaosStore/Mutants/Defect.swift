/// A planted defect: one small change of `ExactlyOnce` that breaks a known invariant.
///
/// A further one is a case here, an entry in the catalogue, and a switch in `MutantShop`.
public enum Defect: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  // What the app does.
  case finishBeforeCredit, finishWithJournal, finishOnRetry, status200IsFinal
  case finishAfterThreeAnswers, finishWhenPatienceEnds, neverRetries, retriesOnce
  case expiredSessionEndsReport, retriesAfterRefusal, refusedStaysInQueue, successOnAnyAnswer
  case failureOnError, waitsForEver, paysForEveryTap, observesAtFirstTap, stopsObserving
  case ignoresUpdates, ignoresUnfinished, noReceiptProbe, refreshesOnce, firstProbeAnswerCounts
  case probesWithoutRefresh, settledBeforeAnswer, inFlightIsSkipped, backupIsResent
  case answerForLatest, userOfLaunch, noAccountToken, plainUserName, logoutDropsReports
  case replayIsRestore
  // What the backend does.
  case noKey, keyPerReport, checkThenCredit, creditThenRecord, recordThenCredit, dedupeByOrder
  case dedupeByProduct, dedupeInMemory, keyExpires, receiptOnce, firstResultRepeated
  case outageIsSuccess, repeatIsRefused, repeatByOtherIsRefused, creditsSession
  case receiptOwnerIsSession, retryNamesOwner, secondRetryWithoutKey, fallbackWithoutKey
  case otherAppAccepted, sandboxAccepted, outageAsksSandbox, creditBeforeVerify, outageTrustsApp
  case reportNamesProduct, receiptQuantityIsOne, sessionIsWrittenDown, status21002IsFinal
  case third21002IsFinal, second21100IsFinal, probeRefusedOn21100, receiptEntrySkipped

  /// What is known about a defect.
  public struct Entry: Sendable {
    /// The name, which is also the variant of the mutant system, such as `no-key`.
    public var name: String
    /// What is done otherwise, in a sentence.
    public var summary: String
    /// The form of the design that has it.
    public var form: MutantShop.Form
    /// Where it is looked for.
    public var world: MutantWorld
    /// The invariant that it is known to break, and by which it is best told.
    public var breaks: String
    /// How many faults must come together: those of a smallest plan that breaks it.
    public var coinciding: Int
    /// A smallest plan, in words.
    public var plan: String
    /// Public reports of the like.
    public var evidence: [String]
  }

  public var name: String { entry.name }

  /// The defect with this name; nil if there is none.
  public init?(named name: String) {
    guard let defect = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = defect
  }
}
