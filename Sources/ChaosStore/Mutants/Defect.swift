/// A planted defect: one small change of `ExactlyOnce` that breaks a known invariant.
///
/// A further one is a case here, an entry in the catalogue, and a switch in `MutantShop`. The cases are
/// in the order of the catalogue's files.
package enum Defect: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  // What the app does.
  case finishBeforeCredit, finishWithJournal, finishOnRetry, status200IsFinal
  case finishAfterThreeAnswers, finishWhenPatienceEnds, neverRetries, retriesOnce
  case expiredSessionEndsReport, retriesAfterRefusal, refusedStaysInQueue, successOnAnyAnswer
  case failureOnError, waitsForEver, paysForEveryTap, observesAtFirstTap, stopsObserving
  case ignoresUpdates, ignoresUnfinished, noReceiptProbe, refreshesOnce, asksAtEachLaunch
  case firstProbeAnswerCounts, probesWithoutRefresh, settledBeforeAnswer, inFlightIsSkipped
  case backupIsResent
  case answerForLatest, userOfLaunch, noAccountToken, plainUserName, logoutDropsReports
  case replayIsRestore, looksAtLaunchesOnly
  // The order in which messages arrive.
  case anyCallbackEndsPayment, anyUpdateEndsPayment, lateErrorIsFailure, secondCallbackFinishes
  case replyFinishesAll, loginNamesOwner, guardBelowZero, paysAgainAfterError
  // What is read again after a wait, and has changed meanwhile.
  case tokenAfterProducts, otherSessionIsFailure
  // An app that stays open, and does not go on.
  case oneRetryTimer, replyStopsRetries, errorKeepsGuard, errorIsSilent, retryIsSilent
  case updatesAreSilent, finishesAgainOnce, tryAgainWaitsForLaunch, backOffGrows,
    scansFirstLaunchOnly
  case failedEndsObserving, guardOutlivesApp, refusalIsSilent
  // Who is told what about which purchase.
  case answersLatestTap, answersFirstTap, returnedIsOwn, successToAllWaiting, errorFailsOthers
  case successToSession
  // Several open purchases of one product.
  case settledByProduct, openByProduct, finishesByProduct, reportsLatestOfProduct
  // Records on the phone.
  case journalNotFlushed, erasedBeforeSend, oneRecordSlot, erasedOnAnyAnswer
  // What the backend does.
  case noKey, keyPerReport, checkThenCredit, creditThenRecord, recordThenCredit, dedupeByOrder
  case dedupeByProduct, dedupeInMemory, keyExpires, receiptOnce, firstResultRepeated
  case outageIsSuccess, repeatIsRefused, repeatByOtherIsRefused, creditsSession
  case receiptOwnerIsSession, retryNamesOwner, secondRetryWithoutKey, fallbackWithoutKey
  case otherAppAccepted, sandboxAccepted, outageAsksSandbox, creditBeforeVerify, outageTrustsApp
  case reportNamesProduct, receiptQuantityIsOne, sessionIsWrittenDown, status4040002IsFinal
  case third4290000IsFinal, second5000001IsFinal, probeRefusedOn21100, receiptEntrySkipped
  case unknownIsRefused, homeStorefrontOnly
  // Requests that a backend handles at the same time, in one process and in two.
  case ownerInAField, outcomeInAField, lockPerReplica, lockIsKept, recordedBeforeVerify
  case inProgressIsDone, parkedForNextReport
  // What was bought outside the app, and whose it is.
  case ownerlessEndsTap, copiedEvidenceCounts, claimedBeforeVerify, ownerlessToLastBuyer
  // What Apple tells the backend of refunds.
  case refundsUnheard, refundsStayIn, eachRefundCounts, refundOncePerNumber, refundOnceInMemory
  case refundMarkedFirst, refundMarkedLast, wholeRefund, partsStayIn, reversalsUnheard
  case eachReversalCounts, firstNewsOfEach, kindDecides, signatureUnread
  // When Apple tells, and how it is answered.
  case newsIsAllThereIs, productionHistoryOnly, historyOfOneHour, answersBeforeLookUp
  case errorsAreDone, busyIsDone, ledgerDownIsDone
  // Who may use a subscription, and until when.
  case graceIsIgnored, retryIsAccess, renewalIsCertain, weekFromNow, revokedStays, revokedForEver
  case shorterIsOld, lastNewsCounts, entitlesSession, expiredByClock
  case sharedIsRefused, leaverStays, consentIsCertain

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
    /// How many decisions must come together: faults, and messages that overtake others, of a
    /// smallest plan that breaks it.
    package var coinciding: Int
    /// A smallest plan, in words.
    package var plan: String
    /// Public reports of the like; empty where it follows from how such code is written, and we know
    /// of none that says so.
    package var evidence: [String]
  }

  package var name: String { entry.name }

  /// The defect with this name; nil if there is none.
  package init?(named name: String) {
    guard let defect = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = defect
  }
}
