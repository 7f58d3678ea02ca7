/// Everything the simulator ever asks: a verb and a site.
///
/// A decision's value depends on the question's name, never on its position here, so a new
/// question moves no other. ``entry`` is the catalogue: one line a question.
public enum Question: UInt8, CaseIterable, Sendable {
  // The person.
  /// `repeat person.tap`: a second tap follows the first at once.
  case tapAgain
  /// `hurry person.tap`: the purchase of the next step is tapped right after this one.
  case tapEarly
  /// `repeat person.purchase`: the same is bought again before the first is finished.
  case buyAgain
  /// `switch person.account`: another user logs in between the charge and the report.
  case switchAccount
  /// `switch person.payment`: another user logs in once a payment is asked for.
  case switchAtPay
  /// `switch person.report`: another user logs in once a purchase is reported.
  case switchAtReport
  /// `switch person.callback`: another user logs in once the app is called back with a purchase.
  case switchAtCallback
  /// `switch person.reply`: another user logs in once a report is answered.
  case switchAtReply
  /// `reopen app`: a person closes the app, and opens it again.
  case reopenApp
  /// `background app`: a person looks at another app for a while.
  case backgroundApp
  /// `repeat page.visit`: a person opens the shop page once more.
  case visitAgain
  /// `buy person.more`: a person who was told something about a purchase wants the same once more.
  case buyMore
  /// `skip page.visit`: nobody opens the shop page in this launch.
  case skipVisit
  /// `reinstall app`: the app is deleted and installed again before a launch.
  case reinstallApp
  /// `shift phone.clock`: in this launch the phone's clock is so many minutes fast.
  case shiftClock
  /// `repeat app.listener`: the code that attaches the listener runs twice.
  case attachTwice
  /// `restore backup`: the phone comes back from a backup before a launch.
  case restoreBackup
  /// `delay person.tap`: how long after a tap the one that hurries comes.
  case delayTapAgain
  /// `delay person.purchase`: how long after the charge the same is bought again.
  case delayBuyAgain
  /// `delay person.switch`: how long after the charge another user logs in.
  case delaySwitch
  /// `delay person.return`: how long the other user stays.
  case delaySwitchBack
  /// `delay page.visit`: how long after a launch the shop page is opened.
  case delayVisit
  /// `delay person.quit`: how long after a tap, or after being told, a person closes the app.
  case delayQuit
  /// `delay app.foreground`: for how long the app is in the background.
  case delayForeground
  /// `delay person.more`: how long after being told a person wants the same once more.
  case delayBuyMore
  /// `delay app.launch`: how long an app that died stays closed.
  case delayRelaunch

  // The store and its payment queue.
  /// `decline store.payment`: the payment fails, and no money moves.
  case declinePayment
  /// `interrupt store.payment`: failure is called back first, the purchase later.
  case interruptPayment
  /// `fail store.payment`: failure is called back, the purchase at the next launch.
  case failThoughCharged
  /// `move store.storefront`: the storefront has changed; 1 where the product is not sold there, 2 where it is.
  case moveStorefront
  /// `refuse store.payment`: the payment ends with an error of StoreKit's, and no money moves.
  case refusePayment
  /// `confirm person.payment`: who tapped twice confirms the second payment sheet as well.
  case confirmAgain
  /// `defer store.payment`: somebody else must agree first.
  case deferPayment
  /// `decline store.approval`: who was asked to agree does not.
  case declineApproval
  /// `forge store.payment`: nothing is charged, and the person's device hands over an invention.
  case forgePayment
  /// `doubt store.transaction`: the device cannot verify the transaction in this launch.
  case doubtTransaction
  /// `swallow store.callback`: this phone is never called back with the transaction.
  case swallowCallback
  /// `hold store.callback`: the callback waits for the next launch.
  case holdCallback
  /// `duplicate store.callback`: the app is called back twice.
  case duplicateCallback
  /// `replay store.finished`: a finished transaction is called back again.
  case replayFinished
  /// `renumber store.transaction`: what is owned comes once more with another id.
  case renumber
  /// `take store.transaction`: another part of the app finishes it first.
  case takeTransaction
  /// `hide store.token`: the transaction comes without its account token.
  case hideToken
  /// `drop store.finish`: the finish does not reach the store.
  case dropFinish
  /// `fail store.products`: there is no product list, but an error.
  case failProducts
  /// `lose store.request`: a request that the app has not kept is answered to nobody.
  case loseRequest
  /// `delay store.products`: how long the product list takes.
  case delayProducts
  /// `delay store.charge`: how long after the payment was added the charge is made.
  case delayCharge
  /// `delay store.approval`: how long it takes until somebody else has decided.
  case delayApproval
  /// `delay store.callback`: how long a callback is on its way.
  case delayCallback
  /// `delay store.duplicate`: how long after the charge the second callback comes.
  case delayDuplicate
  /// `delay store.interrupted`: how long after the failure the purchase is called back.
  case delayInterrupted
  /// `delay store.result`: how long after the charge `purchase()` returns.
  case delayPurchaseResult
  /// `delay store.finish`: how long a finish is on its way.
  case delayFinish
  /// `delay store.restore`: how long a restore takes.
  case delayRestore

  // Subscriptions, refunds, and what Apple tells the backend.
  /// `cancel person.renewal`: a person turns the renewal of a subscription off.
  case cancelRenewal
  /// `fail store.renewal`: the next period cannot be charged.
  case failRenewal
  /// `abandon store.renewal`: it cannot be charged later either.
  case abandonRenewal
  /// `refund store.charge`: Apple gives the money of a charge back.
  case refundCharge
  /// `drop store.notification`: a notification does not reach the backend in this attempt.
  case dropNotification
  /// `duplicate store.notification`: a notification reaches the backend twice.
  case duplicateNotification
  /// `repeat store.notification`: the same is told in a second notification.
  case repeatNotification
  /// `hasten store.notification`: a notification comes before the app has heard.
  case hastenNotification
  /// `forge store.notification`: somebody posts a notification that Apple never signed.
  case forgeNotification
  /// `reverse store.refund`: Apple takes the money again.
  case reverseRefund
  /// `prorate store.refund`: so many thousandths of the money are given back, and no more.
  case prorateRefund
  /// `swallow store.refund`: apps that run are not told of it.
  case hideRefund
  /// `ask store.refund`: somebody asks for their money back, and Apple asks the backend what became of it.
  case askRefund
  /// `decline store.refund`: Apple does not give it back.
  case declineRefund
  /// `leave person.family`: somebody leaves their family after they got something from it.
  case leaveFamily
  /// `raise store.price`: the next period of a subscription is to cost more.
  case raisePrice
  /// `withhold person.consent`: whoever pays does not agree to that.
  case withholdConsent
  /// `delay store.share`: how long until the others of a family have what was charged.
  case delayShare
  /// `delay person.consent`: how long until whoever pays agrees to another price.
  case delayConsent
  /// `delay store.recovery`: how long until a failed renewal can be charged.
  case delayRecovery
  /// `delay store.refund`: how long after a charge its money is given back.
  case delayRefund
  /// `delay store.reversal`: how long after a refund it is reversed.
  case delayReversal
  /// `delay store.decision`: how long after somebody has asked for a refund Apple decides.
  case delayRefundDecision
  /// `delay store.notification`: how long a notification is on its way.
  case delayNotification

  // The receipt file and local storage.
  /// `lose receipt.file`: at a launch the receipt file is gone.
  case loseReceipt
  /// `skip receipt.write`: a charge is not written into the receipt file.
  case staleReceipt
  /// `swap receipt.file`: at a launch the receipt file is another Apple account's.
  case swapReceipt
  /// `rewrite receipt.file`: a finish takes the consumable out of the receipt file.
  case rewriteReceipt
  /// `fail receipt.refresh`: the receipt cannot be refreshed.
  case failRefresh
  /// `lose storage.write`: what the app stored never reaches the disk.
  case loseWrite
  /// `corrupt storage.record`: a record on the disk is gone when the app ends.
  case corruptRecord
  /// `delay receipt.refresh`: how long a refresh of the receipt takes.
  case delayRefresh
  /// `delay storage.flush`: how long what was stored waits to reach the disk.
  case delayFlush

  // The network.
  /// `drop verify.request`: a report does not reach the backend.
  case dropRequest
  /// `drop verify.reply`: an answer does not reach the app.
  case dropReply
  /// `duplicate verify.request`: a report reaches the backend twice.
  case duplicateRequest
  /// `duplicate verify.reply`: an answer reaches the app twice.
  case duplicateReply
  /// `partition network`: the phone goes offline.
  case partitionPhone
  /// `partition store.payment`: the phone goes offline as a payment is asked for.
  case partitionAtPay
  /// `delay verify.request`: how long a report is on its way.
  case delayRequest
  /// `delay verify.reply`: how long an answer is on its way.
  case delayReply
  /// `delay network.heal`: how long a phone stays offline.
  case delayNetworkHeal

  // The backend.
  /// `fail server.request`: the backend answers HTTP 503 and does nothing.
  case failRequest
  /// `fail server.commit`: the database is down when a credit is entered.
  case failCommit
  /// `fail server.reply`: the backend credits, then answers HTTP 5xx.
  case failAfterCommit
  /// `refuse server.request`: the backend answers HTTP 200 with an error inside.
  case businessError
  /// `expire server.session`: the backend answers HTTP 401.
  case expireSession
  /// `prune server.dedupe`: the cache of handled transactions has forgotten this one.
  case pruneDedupe
  /// `repeat server.job`: the job queue hands out a job a second time.
  case repeatJob
  /// `skip database.replica`: a replica does not have the last commit yet.
  case staleRead
  /// `drop database.commit`: a commit never reaches the database, and nobody can tell.
  case dropCommit
  /// `drop database.answer`: the database has committed, and nobody can tell.
  case dropCommitted
  /// `delay database.answer`: how long a round trip to the database takes.
  case delayDatabase
  /// `delay server.start`: how long a dead process of the backend is missing.
  case delayServerStart

  // The verifier.
  /// `fail verifier.status`: Apple answers with a status that decides nothing.
  case statusVerifier
  /// `void store.charge`: Apple takes the charge back, and says so (21010).
  case voidCharge
  /// `fail verifier.request`: Apple's server answers HTTP 503.
  case failVerifier
  /// `drop verifier.answer`: Apple's server is silent, and the backend gives up.
  case dropVerifier
  /// `limit verifier.request`: Apple's server has no time for a look-up, or is not ready.
  case limitVerifier
  /// `hide verifier.transaction`: a look-up does not find a transaction that is seconds old (4040010).
  case hideTransaction
  /// `refuse verifier.transaction`: the production address answers 401 where 4040010 would be right.
  case refuseLookUp
  /// `fail verifier.signature`: the signature of what was looked up cannot be checked now.
  case failSignature
  /// `hide verifier.history`: a page of the history has no consumables that were finished.
  case hideFinished
  /// `drop verifier.command`: what a backend has Apple do does not reach it.
  case dropCommand
  /// `delay verifier.answer`: how long Apple's answer takes.
  case delayVerifier

  // The adversary.
  /// `forge attacker.evidence`: a report with an invented receipt follows.
  case forgeReceipt
  /// `steal attacker.evidence`: the same evidence is reported by somebody else.
  case stealEvidence
  /// `borrow attacker.evidence`: a report with a receipt of another app follows.
  case foreignReceipt
  /// `sandbox attacker.evidence`: a report with a receipt of the sandbox follows.
  case sandboxEvidence
  /// `substitute attacker.product`: a report names another product than was paid for.
  case substituteProduct
  /// `spoof attacker.verifier`: a check on the phone is answered by somebody else.
  case spoofLocalVerifier
  /// `delay attacker.request`: how long after the honest report the dishonest one comes.
  case delayAttack

  // Where the app can die: around every use of a port, and when a handler is entered or left.
  /// `crash app before observe`: it dies just before the observer is added.
  case crashBeforeObserve
  /// `crash app after observe`: it dies as soon as the observer is added.
  case crashAfterObserve
  /// `crash app before unobserve`: it dies just before the observer is removed.
  case crashBeforeUnobserve
  /// `crash app after unobserve`: it dies as soon as the observer is removed.
  case crashAfterUnobserve
  /// `crash app before products`: it dies just before the products are asked for.
  case crashBeforeProducts
  /// `crash app after products`: it dies as soon as the products are asked for.
  case crashAfterProducts
  /// `crash app before pay`: it dies just before the payment is added.
  case crashBeforePay
  /// `crash app after pay`: it dies as soon as the payment is added.
  case crashAfterPay
  /// `crash app before finish`: it dies just before the transaction is finished.
  case crashBeforeFinish
  /// `crash app after finish`: it dies as soon as the transaction is finished.
  case crashAfterFinish
  /// `crash app before restore`: it dies just before a restore is asked for.
  case crashBeforeRestore
  /// `crash app after restore`: it dies as soon as a restore is asked for.
  case crashAfterRestore
  /// `crash app before receipt`: it dies just before the receipt file is read.
  case crashBeforeReceipt
  /// `crash app after receipt`: it dies as soon as the receipt file is read.
  case crashAfterReceipt
  /// `crash app before refresh`: it dies just before a receipt refresh is asked for.
  case crashBeforeRefresh
  /// `crash app after refresh`: it dies as soon as a receipt refresh is asked for.
  case crashAfterRefresh
  /// `crash app before send`: it dies just before a report is sent.
  case crashBeforeSend
  /// `crash app after send`: it dies as soon as a report is sent.
  case crashAfterSend
  /// `crash app before save`: it dies just before a record is stored.
  case crashBeforeSave
  /// `crash app after save`: it dies as soon as a record is stored.
  case crashAfterSave
  /// `crash app before erase`: it dies just before a record is removed.
  case crashBeforeErase
  /// `crash app after erase`: it dies as soon as a record is removed.
  case crashAfterErase
  /// `crash app before flush`: it dies just before storage is flushed.
  case crashBeforeFlush
  /// `crash app after flush`: it dies as soon as storage is flushed.
  case crashAfterFlush
  /// `crash app before tell`: it dies just before the person is told.
  case crashBeforeTell
  /// `crash app after tell`: it dies as soon as the person is told.
  case crashAfterTell
  /// `crash app before timer`: it dies just before a timer is started.
  case crashBeforeTimer
  /// `crash app after timer`: it dies as soon as a timer is started.
  case crashAfterTimer
  /// `crash app on callback`: it dies before it can handle a callback.
  case crashOnCallback
  /// `crash app on reply`: it dies before it can handle an answer.
  case crashOnReply
  /// `crash app after launch`: it dies once it has handled its launch.
  case crashInLaunch
  /// `crash app after tap`: it dies once it has handled a tap.
  case crashInTap
  /// `crash app after product-list`: it dies once it has handled the product list.
  case crashInProducts
  /// `crash app after callback`: it dies once it has handled a callback.
  case crashInCallback
  /// `crash app after result`: it dies once `purchase()` has returned.
  case crashInPurchaseResult
  /// `crash app after reply`: it dies once it has handled an answer.
  case crashInReply
  /// `crash app after alarm`: it dies once it has handled a timer.
  case crashInTimer
  /// `crash app after visit`: it dies once the shop page is open.
  case crashInVisit
  /// `crash app after refreshed`: it dies once it has handled a receipt refresh.
  case crashInRefresh
  /// `crash app after restored`: it dies once it has handled the end of a restore.
  case crashInRestore
  /// `crash app after news`: it dies once it has heard something from the App Store beside transactions.
  case crashInNews
  /// `crash app after login`: it dies once it has handled a change of user.
  case crashInSession

  // Where a server process can die.
  /// `crash server before verify`: it dies just before Apple is asked.
  case crashServerBeforeVerify
  /// `crash server after verify`: it dies as soon as Apple is asked.
  case crashServerAfterVerify
  /// `crash server before credit`: it dies just before a credit is entered alone.
  case crashServerBeforeCredit
  /// `crash server after credit`: it dies as soon as a credit is entered alone.
  case crashServerAfterCredit
  /// `crash server before record`: it dies just before a row of a table is written alone.
  case crashServerBeforeRecord
  /// `crash server after record`: it dies as soon as a row of a table is written alone.
  case crashServerAfterRecord
  /// `crash server before commit`: it dies just before several things are entered in one commit.
  case crashServerBeforeCommit
  /// `crash server after commit`: it dies as soon as several things are entered in one commit.
  case crashServerAfterCommit
  /// `crash server before reply`: it dies just before the answer is sent.
  case crashServerBeforeReply
  /// `crash server after reply`: it dies as soon as the answer is sent.
  case crashServerAfterReply
  /// `hold server.record`: it dies with words to the database under way, which arrive there so many seconds later. Asked
  /// of a real process alone.
  case holdRecord

  // The order in which an app's tasks run.
  /// `reorder app.task`: which of the ready tasks of a hosted app runs next.
  case reorderTask

  // What a plan can leave out of a scenario.
  /// `omit person.step`: this step is not taken.
  case omitStep
  /// `omit person.phone`: the app never runs on this phone.
  case omitPhone

  /// What is known about a question.
  public struct Entry: Sendable {
    /// The name, such as `drop verify.reply`.
    public var name: String
    /// What kind of thing it is about.
    public var subject: SubjectKind
    /// The part of a purchase that it belongs to.
    public var step: Step
    /// What kind of answer it has.
    public var shape: Shape
  }

  /// What kind of answer a question has.
  public enum Shape: Sendable {
    /// Yes or no, quietly no; a yes belongs to the fault.
    case strike(Fault)
    /// One of several values or none, quietly none; such as a status of Apple's.
    case choice(Fault, values: [Int])
    /// Milliseconds, quietly the least of the usual range.
    case delay(Delay)
    /// Yes only where a plan says so: something the scenario has is not there. It is no fault.
    case omission
  }

  /// What kind of thing a question is about.
  public enum SubjectKind: Sendable {
    /// A purchase, such as `tx1`.
    case purchase
    /// A phone, such as `phone1`.
    case phone
    /// The purchase that a message is about, or the phone it comes from where it is about none; of
    /// what a backend does without a request, its process.
    case either
    /// A step of the scenario, such as `step1`.
    case step
  }

  /// How long something takes, and the three classes a plan can name.
  public struct Delay: Sendable {
    /// The usual range in milliseconds; the quiet answer is the least.
    public var range: ClosedRange<Int64>
    /// Milliseconds, later than what was sent after it; nil where order means nothing.
    public var overtaken: Int64? = nil
    /// The fault that makes it come overtaken.
    public var overtakenBy: Fault? = nil
    /// Milliseconds, past the receiver's patience; nil where nobody waits.
    public var late: Int64? = nil
    /// The fault that makes it late.
    public var lateBy: Fault? = nil
  }

  /// The name, such as `drop verify.reply`.
  public var name: String { entry.name }
  /// The part of a purchase that it belongs to.
  public var step: Step { entry.step }
  /// What kind of answer it has.
  public var shape: Shape { entry.shape }

  /// The question with this name; nil if there is none.
  public init?(name: String) {
    guard let index = Self.entries.firstIndex(where: { $0.name == name }) else { return nil }
    self = Self.allCases[index]
  }

  static let names: [String] = entries.map(\.name)
  static let count = allCases.count

  /// Whether it is about how long something takes.
  var isDelay: Bool { if case .delay = shape { true } else { false } }

  /// Whether it is asked only as an app is opened, so that its fault needs a launch to strike at.
  var strikesAtLaunch: Bool {
    switch self {
    case .reinstallApp, .restoreBackup, .loseReceipt, .swapReceipt, .swallowCallback,
      .replayFinished, .hideToken, .renumber, .shiftClock:
      true
    default: false
    }
  }

  /// Whether it takes something out of the scenario; no seed and no search asks it.
  public var isOmission: Bool { if case .omission = shape { true } else { false } }
}
