import ChaosHost
import ChaosStore
import Foundation
import Invariants

/// The simulated phone under one hosted app process: what the façade and the device ask of it.
final class HostedPhone: StorePort, @unchecked Sendable {
  let run: HostedRun
  let phone: any PhonePort
  let process: HostProcess
  @exclusivity(unchecked) private(set) var session: StoreSession!
  /// The app itself; let go of in the process, whose tasks its end may cancel.
  @exclusivity(unchecked) var app: AnyObject?
  /// What the app keeps; let go of at the end, for it holds on to this.
  @exclusivity(unchecked) private var madeStorage: SimulatedStorage?
  #if os(Linux)
    /// The app's files, from when it first looks at any.
    var madeFiles: HostFiles?
  #endif
  /// What the app registered with `UserDefaults`.
  @exclusivity(unchecked) var registeredDefaults: [String: StoredValue] = [:]
  @exclusivity(unchecked) private var isStopped = false
  /// Keys in which the app keeps what it sells.
  @exclusivity(unchecked) var goods = WatchedGoods()
  /// Whether the app has looked at its current entitlements.
  @exclusivity(unchecked) private var readsEntitlements = false
  @exclusivity(unchecked) private var printed = PrintedLines()

  /// The taps of this process, in their order.
  @exclusivity(unchecked) private var taps: [Tap] = []
  /// What it was to buy and has not answered, for whoever wants to know.
  @exclusivity(unchecked) private var unanswered: [String] = []
  @exclusivity(unchecked) private var waiting = Waiting()
  @exclusivity(unchecked) private var nextTag: UInt32 = 1
  @exclusivity(unchecked) private var armed: Int64 = .max

  /// Who waits for the phone, each in the order in which they began to.
  private struct Waiting {
    /// Who waits, and the wish in whose context they began to.
    typealias Waiter<Answer> = (wish: IntentID, done: (Answer) -> Void)

    var loading: [(tap: Tap, waiter: Waiter<[StoreProduct]?>)] = []
    var purchasing: [(tap: Tap, waiter: Waiter<StorePurchase>)] = []
    var replies: [(tag: UInt32, waiter: Waiter<Reply?>)] = []
    var refreshes: [Waiter<Bool>] = []
    var restores: [Waiter<Bool>] = []
    var alarms: [(due: Int64, waiter: Waiter<Void>)] = []

    /// Tells those who wait for an answer that there is none.
    func end() {
      for request in replies { request.waiter.done(nil) }
      for purchase in purchasing { purchase.waiter.done(.failed) }
      for waiter in refreshes { waiter.done(false) }
      for waiter in restores { waiter.done(false) }
    }
  }

  private enum Timer {
    static let host: UInt8 = 1
    static let alarm: UInt8 = 2
  }

  init(_ run: HostedRun, _ phone: any PhonePort) {
    self.run = run
    self.phone = phone
    process = run.host.makeProcess()
    let identity = phone.identity
    process.drawRandomNumbers(
      from: HostedRun.seed ^ (UInt64(identity.number) << 32 | UInt64(identity.launches)))
    session = StoreSession(port: self)
    process.context = session
    process.standIns = self
    guard phone.identity.keepsOutput else { return }
    process.output = { [unowned self] bytes in printed.add(bytes, note(output:)) }
  }

  var isAlive: Bool { !isStopped && phone.isAlive }

  /// What the app keeps, read from the disk when it is first asked for.
  var storage: SimulatedStorage {
    if let madeStorage { return madeStorage }
    let storage = SimulatedStorage(self)
    madeStorage = storage
    return storage
  }
  var isProduction: Bool { phone.identity.environment == .production }
  var now: Int64 { phone.now }

  /// Runs code of the app, and then whatever it made ready. What that comes to is for this wish, if
  /// it is in the context of one.
  func enter(inContextOf wish: IntentID = .none, _ body: () -> Void) {
    guard isAlive else { return }
    run.chooser = self
    run.enter(process, cause: Self.cause(of: wish), now: phone.now, body)
    run.chooser = nil
  }

  /// The same for code that is isolated to the main actor.
  @discardableResult
  func enterMain<Result: Sendable>(
    inContextOf wish: IntentID = .none, _ body: @MainActor () -> Result
  ) -> Result? {
    var result: Result?
    enter(inContextOf: wish) { result = MainActor.assumeIsolated(body) }
    return result
  }

  /// What the host hands on from task to task, and 0 means nothing to it.
  private static func cause(of wish: IntentID) -> UInt64 { wish.isNone ? 0 : UInt64(wish.raw) + 1 }

  /// The wish in whose context the code of the app runs; none if it cannot be told.
  var wish: IntentID {
    let cause = run.host.cause
    return cause == 0 ? .none : IntentID(UInt32(truncatingIfNeeded: cause - 1))
  }

  /// The process is over: whoever waits is woken and finds everything inert.
  func stop() {
    guard !isStopped else { return }
    for productID in unanswered {
      let text = "was to buy '\(productID)', and buy had not answered when the app ended"
      phone.tell(PhoneCalls.NoteRemark(text: text))
    }
    isStopped = true
    let waiting = waiting
    self.waiting = Waiting()
    _ = process.onEnd { [self] in
      session?.end()
      waiting.end()
      app = nil
    }
    for complaint in session.complaints {
      note(problem: "StoreKit raises an exception: \(complaint)")
    }
    process.end()
    printed.finish(note(output:))
    process.output = nil
    process.context = nil
    process.standIns = nil
    #if os(Linux)
      madeFiles?.end()
      madeFiles = nil
    #endif
    // They hold on to this port; what still ran in the process needed them.
    session = nil
    madeStorage = nil
  }

  private func note(output: String) { phone.tell(PhoneCalls.NoteOutput(text: output)) }

  func remark(_ text: @autoclosure () -> String) {
    guard isAlive, phone.identity.keepsOutput else { return }
    phone.tell(PhoneCalls.NoteRemark(text: text()))
  }

  /// What makes the run unfit for a verdict.
  func note(problem: String) { phone.tell(PhoneCalls.NoteProblem(text: problem)) }

  // MARK: - Time

  /// Has the simulator wake the process when its next sleeper is due.
  func armTimer() {
    guard let due = run.host.nextTimer(of: process) else { return }
    let millis = Int64((due + 999_999) / 1_000_000)
    guard millis < armed else { return }
    armed = millis
    phone.tell(PhoneCalls.StartTimer(millis: millis - phone.now, tag: Timer.host))
  }

  /// Calls back after so many milliseconds, unless the process dies before.
  func alarm(after millis: Int64, _ body: @escaping () -> Void) {
    guard isAlive else { return }
    waiting.alarms.append((phone.now + millis, (wish, { _ in body() })))
    phone.tell(PhoneCalls.StartTimer(millis: millis, tag: Timer.alarm))
  }

  func timerFired(_ tag: UInt8) {
    if tag == Timer.host {
      if armed <= phone.now { armed = .max }
      return enter {}
    }
    let now = phone.now
    let due = waiting.alarms.filter { $0.due <= now }
    waiting.alarms.removeAll { $0.due <= now }
    answer(due.map(\.waiter), ())
  }

  /// Answers each in the context in which they began to wait; what comes of it runs after the last.
  private func answer<Answer>(_ waiters: [Waiting.Waiter<Answer>], _ answer: Answer) {
    enter {
      for waiter in waiters {
        run.host.run(in: process, cause: Self.cause(of: waiter.wish)) { waiter.done(answer) }
      }
    }
  }

  // MARK: - The person

  func tapped(_ tap: Tap, _ productID: String) {
    taps.append(tap)
    if phone.identity.keepsOutput { unanswered.append(productID) }
  }

  /// The app's `buy` has returned.
  func answered(_ productID: String, _ message: PurchaseMessage) {
    if let place = unanswered.firstIndex(of: productID) { unanswered.remove(at: place) }
    remark("was to buy '\(productID)', and buy answered .\(message)")
  }

  /// A product that somebody tapped in this process.
  private func tapped(_ productID: String) -> ProductID? {
    index(of: productID).map { ProductID(index: $0) }
      .flatMap { product in taps.contains { $0.product == product } ? product : nil }
  }

  /// The tap that a purchase of a product is made for; nil where nobody wants it.
  private func tap(for productID: String) -> Tap? {
    guard isAlive, let product = tapped(productID) else { return nil }
    let tap = phone.ask(PhoneCalls.TapFor(product: product, wish: wish))
    return tap.isNone ? nil : tap
  }

  func tell(_ message: PurchaseMessage, about productID: String, for wish: IntentID? = nil) {
    guard isAlive, let message = message.fact, let product = tapped(productID) else { return }
    phone.tell(
      PhoneCalls.TellAboutProduct(message: message, product: product, wish: wish ?? self.wish))
  }

  func tell(_ message: PurchaseMessage, about tap: Tap) {
    guard isAlive, let message = message.fact else { return }
    phone.tell(PhoneCalls.TellAboutTap(message: message, tap: tap))
  }

  func tell(_ message: PurchaseMessage, about transaction: PaymentTransaction) {
    guard isAlive, let message = message.fact else { return }
    phone.tell(PhoneCalls.TellAboutPayment(message: message, transaction: transaction))
  }

  func tell(_ message: PurchaseMessage, about transaction: TransactionID) {
    guard isAlive, let message = message.fact else { return }
    phone.tell(PhoneCalls.TellAboutTransaction(message: message, transaction: transaction))
  }

  var account: SimulatedAccount {
    SimulatedAccount(number: phone.account.index + 1, token: SimulatedUUID.of(phone.account))
  }

  func newOrder(for productID: String) -> UUID? {
    guard let tap = tap(for: productID) else { return nil }
    return SimulatedUUID.of(phone.ask(PhoneCalls.NewOrder(tap: tap)))
  }

  // MARK: - StorePort

  var catalogue: [StoreProduct] { run.catalogue }

  private func index(of productID: String) -> Int? {
    run.catalogue.firstIndex { $0.id == productID }
  }

  func loadProducts(_ done: @escaping ([StoreProduct]?) -> Void) {
    guard isAlive else { return }
    let wish = wish
    let tap = taps.last { $0.intent == wish } ?? taps.last ?? .none
    waiting.loading.append((tap, (wish, done)))
    phone.tell(PhoneCalls.LoadProducts(tap: tap))
  }

  /// The products that were asked for, or nil for an error.
  func answer(_ products: [StoreProduct]?, for tap: Tap) {
    guard let index = waiting.loading.firstIndex(where: { $0.tap == tap }) else { return }
    answer([waiting.loading.remove(at: index).waiter], products)
  }

  func purchase(
    _ productID: String, quantity: Int, token: UUID?,
    _ done: @escaping (StorePurchase) -> Void
  ) {
    guard isAlive else { return }
    guard let tap = tap(for: productID) else {
      remark("asked to pay for '\(productID)', which nobody had tapped: it failed")
      return alarm(after: 1) { done(.failed) }
    }
    waiting.purchasing.append((tap, (wish, done)))
    phone.tell(PhoneCalls.Purchase(tap: tap, appAccountToken: SimulatedUUID.token(token)))
  }

  /// `purchase()` returns or throws.
  func purchaseEnded(_ result: PurchaseResult, for tap: Tap) {
    guard let index = waiting.purchasing.firstIndex(where: { $0.tap == tap }) else { return }
    let waiter = waiting.purchasing.remove(at: index).waiter
    switch result {
    case .success(let bought): answer([waiter], .bought(transaction(bought)))
    case .failed: answer([waiter], .failed)
    case .refused(let error): answer([waiter], StorePurchase(error))
    case .pending(let pending):
      goods.wait(for: transaction(pending))
      answer([waiter], .pending)
    }
  }

  func addPayment(_ productID: String, quantity: Int, username: String?) -> IntentID {
    guard let tap = tap(for: productID) else {
      remark("asked to pay for '\(productID)', which nobody had tapped: nothing came of it")
      return .none
    }
    let username = SimulatedUUID.token(username: username, phone.account)
    phone.tell(PhoneCalls.Add(tap: tap, applicationUsername: username))
    return tap.intent
  }

  func observe() { if isAlive { phone.tell(PhoneCalls.Observe()) } }
  func unobserve() { if isAlive { phone.tell(PhoneCalls.Unobserve()) } }
  var losesRequest: Bool { isAlive && phone.ask(PhoneCalls.LosesRequest()) }

  func look(at transaction: StoreTransaction) { goods.look(at: transaction.underlying.id) }

  func finish(_ transaction: StoreTransaction) {
    handOverFiles()
    guard isAlive else { return }
    // An app that looks there finds a non-consumable whether it is finished or not.
    if readsEntitlements { showEntitlement(transaction.underlying) }
    phone.tell(PhoneCalls.Finish(transaction: transaction.underlying))
  }

  /// Without a backend a non-consumable is where StoreKit shows it to the app.
  private func showEntitlement(_ transaction: PaymentTransaction) {
    guard !phone.identity.hasBackend, transaction.revokedMillis == nil, !transaction.id.isNone,
      !phone.product(transaction.product).isConsumable
    else { return }
    phone.tell(PhoneCalls.Deliver(transaction: transaction.id, isShownByStore: true))
    if goods.showsEntitlement(transaction.id) { tell(.success, about: transaction.id) }
  }

  /// Something that the app keeps has changed, which may be goods.
  func noteGoods(_ name: String, from old: Data?, to new: Data?) {
    guard let handedOut = goods.handedOut(name, from: old, to: new) else {
      return remark("changed '\(name)' in a way that is no purchase's: it was not counted as goods")
    }
    for transaction in handedOut {
      delivered(transaction)
      if goods.isShown(name) { tell(.success, about: transaction) }
    }
  }

  /// The app was given a transaction; who owns the product by what the screen shows sees that it is there.
  private func give(_ transaction: StoreTransaction) {
    if transaction.state == .deferred { return goods.wait(for: transaction) }
    goods.give(transaction)
    if transaction.state != .failed, goods.hasShown(transaction.underlying.original) {
      tell(.success, about: transaction.underlying.id)
    }
    if transaction.state != .failed, let name = goods.shownName(of: transaction.productID),
      goods.isThere(name, storage.value(name))
    {
      tell(.success, about: transaction.underlying.id)
    }
  }

  /// The goods of a transaction are on the phone.
  func delivered(_ transaction: TransactionID) {
    guard isAlive else { return }
    guard !phone.identity.hasBackend else {
      return note(
        problem: "the app says that goods are on the device, but its system has a backend, whose "
          + "ledger says what was delivered: leave out one of them (typealias Backend = NoBackend)")
    }
    phone.tell(PhoneCalls.Deliver(transaction: transaction, isShownByStore: false))
  }

  func restore(_ done: @escaping (Bool) -> Void) {
    guard isAlive else { return }
    waiting.restores.append((wish, done))
    phone.tell(PhoneCalls.Restore())
  }

  func restoreEnded() {
    let answered = waiting.restores
    waiting.restores = []
    answer(answered, true)
  }

  var unfinished: [StoreTransaction] {
    isAlive ? phone.ask(PhoneCalls.Unfinished()).map(transaction) : []
  }
  var history: [StoreTransaction] {
    isAlive ? phone.ask(PhoneCalls.History()).map(transaction) : []
  }
  var entitlements: [StoreTransaction] {
    guard isAlive else { return [] }
    readsEntitlements = true
    let entitled = phone.ask(PhoneCalls.History())
      .filter { $0.revokedMillis == nil && !phone.product($0.product).isConsumable }
    for transaction in entitled { showEntitlement(transaction) }
    return entitled.map(transaction)
  }

  func receiptFile() -> Data? {
    guard isAlive else { return nil }
    let evidence = phone.ask(PhoneCalls.Receipt())
    return evidence.isNone ? nil : run.payloads.receipt(evidence)
  }

  func refreshReceipt(_ done: @escaping (Bool) -> Void) {
    guard isAlive else { return }
    waiting.refreshes.append((wish, done))
    phone.tell(PhoneCalls.RefreshReceipt())
  }

  func receiptRefreshed(_ succeeded: Bool) {
    let answered = waiting.refreshes
    waiting.refreshes = []
    answer(answered, succeeded)
  }

  func updated(_ transaction: PaymentTransaction) {
    enter(inContextOf: transaction.intent) { session.deliver(self.transaction(transaction)) }
  }

  func jws(of transaction: StoreTransaction) -> String { SimulatedJWS.text(transaction.id) }

  private func transaction(_ transaction: PaymentTransaction) -> StoreTransaction {
    let state: StoreTransaction.State =
      switch transaction.state {
      case .purchased: .purchased
      case .failed: .failed
      case .restored: .restored
      case .deferred: .deferred
      }
    let given = StoreTransaction(
      id: SimulatedJWS.number(transaction.id),
      originalID: SimulatedJWS.number(transaction.original),
      productID: phone.product(transaction.product).name, quantity: Int(transaction.quantity),
      state: state, accountToken: SimulatedUUID.of(transaction.token),
      plainUsername: SimulatedUUID.plainUsername(transaction.token),
      purchaseMillis: transaction.chargedMillis,
      isProduction: isProduction, underlying: transaction)
    give(given)
    return given
  }

  // MARK: - Backend

  /// Sends a report; calls back with the answer, or with nothing when the process ends.
  func send(_ report: Report, about transaction: TransactionID, _ done: @escaping (Reply?) -> Void)
    -> UInt32
  {
    let tag = nextTag
    guard isAlive else { return 0 }
    nextTag += 1
    waiting.replies.append((tag, (wish, done)))
    phone.tell(PhoneCalls.Send(report: report, transaction: transaction, tag: tag))
    return tag
  }

  /// Nobody waits for this answer any more.
  func forget(_ tag: UInt32) -> Bool { take(tag) != nil }

  private func take(_ tag: UInt32) -> Waiting.Waiter<Reply?>? {
    waiting.replies.firstIndex { $0.tag == tag }.map { waiting.replies.remove(at: $0).waiter }
  }

  func replied(_ reply: Reply) {
    if let waiter = take(reply.tag) { answer([waiter], reply) }
  }
}

extension PurchaseMessage {
  fileprivate var fact: Fact.Message? {
    switch self {
    case .success: .success
    case .pending: .pending
    case .failure: .failure
    case .nothing: nil
    }
  }
}
