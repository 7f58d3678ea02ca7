/// A planted defect: one small change of `ExactlyOnce` that breaks a known invariant.
///
/// A further one is a case here, an entry in the catalogue, and a switch in `MutantShop`.
package enum Defect: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  // What the app does.
  case finishBeforeCredit, finishWithJournal, finishOnRetry, status200IsFinal
  case finishAfterThreeAnswers, finishWhenPatienceEnds, neverRetries, retriesOnce
  case expiredSessionEndsReport, retriesAfterRefusal, refusedStaysInQueue, successOnAnyAnswer
  case failureOnError, waitsForEver, paysForEveryTap, observesAtFirstTap, stopsObserving
  case ignoresUpdates, ignoresUnfinished, noReceiptProbe, refreshesOnce, firstProbeAnswerCounts
  case probesWithoutRefresh, settledBeforeAnswer, inFlightIsSkipped, backupIsResent
  case answerForLatest, userOfLaunch, noAccountToken, plainUserName, logoutDropsReports
  case replayIsRestore, looksAtLaunchesOnly
  // What the backend does.
  case noKey, keyPerReport, checkThenCredit, creditThenRecord, recordThenCredit, dedupeByOrder
  case dedupeByProduct, dedupeInMemory, keyExpires, receiptOnce, firstResultRepeated
  case outageIsSuccess, repeatIsRefused, repeatByOtherIsRefused, creditsSession
  case receiptOwnerIsSession, retryNamesOwner, secondRetryWithoutKey, fallbackWithoutKey
  case otherAppAccepted, sandboxAccepted, outageAsksSandbox, creditBeforeVerify, outageTrustsApp
  case reportNamesProduct, receiptQuantityIsOne, sessionIsWrittenDown, status21002IsFinal
  case third21002IsFinal, second21100IsFinal, probeRefusedOn21100, receiptEntrySkipped
  case unknownIsRefused

  /// What is known about a defect.
  package struct Entry: Sendable {
    /// The name, which is also the variant of the mutant system, such as `no-key`.
    package var name: String
    /// What is done otherwise, in a sentence.
    package var summary: String
    /// The form of the design that has it.
    package var form: ExactlyOnce.Variant
    /// Where it is looked for.
    package var world: MutantWorld
    /// The invariant that it is known to break, and by which it is best told.
    package var breaks: String
    /// How many faults must come together: those of a smallest plan that breaks it.
    package var coinciding: Int
    /// A smallest plan, in words.
    package var plan: String
    /// Public reports of the like.
    package var evidence: [String]
  }

  package var name: String { entry.name }

  /// The defect with this name; nil if there is none.
  package init?(named name: String) {
    guard let defect = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = defect
  }
}
