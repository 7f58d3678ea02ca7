/// The part of a purchase that a question belongs to, in the order in which a purchase passes them.
public enum Step: UInt8, CaseIterable, Sendable {
  /// The app starts, ends, is installed; it begins to listen.
  case launch
  /// A person asks for something.
  case tap
  /// The store takes the money.
  case pay
  /// The store hands the transaction to the app.
  case callback
  /// The receipt file.
  case receipt
  /// The phone's own storage.
  case storage
  /// The app's message to its backend.
  case request
  /// The backend asks Apple.
  case verify
  /// The ledger and the backend's own tables.
  case credit
  /// The backend's answer to the app.
  case reply
  /// The app takes the transaction from the queue.
  case finish
  /// What the person is told.
  case tell
  /// Timers that the app sets.
  case timer
  /// Which of the app's ready tasks runs first.
  case task
  /// A person restores what was bought.
  case restore

  /// The name in a table.
  public var name: String { "\(self)" }
}

extension Question {
  /// The part of a purchase that this belongs to.
  public var step: Step {
    switch self {
    case .skipVisit, .reinstallApp, .restoreBackup, .delayVisit, .delayRelaunch,
      .crashBeforeObserve, .crashAfterObserve, .crashBeforeUnobserve, .crashAfterUnobserve,
      .crashInLaunch, .crashInVisit, .crashInSession, .omitPhone:
      .launch
    case .tapAgain, .tapEarly, .buyAgain, .switchAccount, .delayTapAgain, .delayBuyAgain,
      .delaySwitch, .delaySwitchBack, .delayProducts, .crashBeforeProducts, .crashAfterProducts,
      .crashInTap, .crashInProducts, .omitStep:
      .tap
    case .declinePayment, .interruptPayment, .failThoughCharged, .delayCharge,
      .delayInterrupted, .voidCharge, .crashBeforePay, .crashAfterPay:
      .pay
    case .swallowCallback, .holdCallback, .duplicateCallback, .replayFinished, .hideToken,
      .delayCallback, .delayDuplicate, .delayPurchaseResult, .crashOnCallback, .crashInCallback,
      .crashInPurchaseResult:
      .callback
    case .loseReceipt, .staleReceipt, .swapReceipt, .rewriteReceipt, .failRefresh, .delayRefresh,
      .crashBeforeReceipt, .crashAfterReceipt, .crashBeforeRefresh, .crashAfterRefresh,
      .crashInRefresh:
      .receipt
    case .loseWrite, .corruptRecord, .delayFlush, .crashBeforeSave, .crashAfterSave,
      .crashBeforeErase, .crashAfterErase, .crashBeforeFlush, .crashAfterFlush:
      .storage
    case .dropRequest, .duplicateRequest, .partitionPhone, .delayRequest, .delayNetworkHeal,
      .failRequest, .businessError, .expireSession, .forgeReceipt, .stealEvidence,
      .foreignReceipt, .sandboxEvidence, .substituteProduct, .delayAttack, .crashBeforeSend,
      .crashAfterSend, .delayServerStart:
      .request
    case .statusVerifier, .failVerifier, .dropVerifier, .delayVerifier, .spoofLocalVerifier,
      .crashServerBeforeVerify, .crashServerAfterVerify:
      .verify
    case .failCommit, .pruneDedupe, .delayDatabase, .crashServerBeforeCredit,
      .crashServerAfterCredit, .crashServerBeforeRecord, .crashServerAfterRecord,
      .crashServerBeforeCommit, .crashServerAfterCommit:
      .credit
    case .dropReply, .duplicateReply, .delayReply, .failAfterCommit, .crashOnReply,
      .crashInReply, .crashServerBeforeReply, .crashServerAfterReply:
      .reply
    case .reorderTask: .task
    case .dropFinish, .delayFinish, .crashBeforeFinish, .crashAfterFinish: .finish
    case .crashBeforeTell, .crashAfterTell: .tell
    case .crashBeforeTimer, .crashAfterTimer, .crashInTimer: .timer
    case .delayRestore, .crashBeforeRestore, .crashAfterRestore, .crashInRestore: .restore
    }
  }
}
