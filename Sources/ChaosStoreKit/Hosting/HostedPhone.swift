import ChaosHost
import ChaosStore
import Foundation
import Invariants

/// The simulated phone under one hosted app process: what the façade and the device ask of it.
final class HostedPhone: StorePort, @unchecked Sendable {
  let run: HostedRun
  let phone: any PhonePort
  /// The same where it is in this process of the operating system, so that a call is a call.
  private let here: PhoneService?
  let identity: PhoneIdentity
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
  /// The time and the user when it stopped. The simulation behind it may be gone when they are read.
  @exclusivity(unchecked) private var last: (now: Int64, user: AccountID)?
  /// Keys in which the app keeps what it sells.
  @exclusivity(unchecked) var goods = WatchedGoods()
  /// The last product that the app was given as bought, for whoever wants to know.
  @exclusivity(unchecked) var bought: String?
  /// Whether it has handed anything out.
  @exclusivity(unchecked) var handsOut = false
  /// What it has changed that is not watched.
  @exclusivity(unchecked) var otherNames: Set<String> = []
  /// Whether the app has looked at its current entitlements.
  @exclusivity(unchecked) private var readsEntitlements = false
  @exclusivity(unchecked) private var printed = PrintedLines()

  /// The taps of this process, in their order.
  @exclusivity(unchecked) private var taps: [Tap] = []
  /// What it was to buy and has not answered, for whoever wants to know.
  @exclusivity(unchecked) private var unanswered: [String] = []
  @exclusivity(unchecked) private var waiting = Waiting()
  @exclusivity(unchecked) private var calledBack: [PaymentTransaction] = []
  @exclusivity(unchecked) private var nextTag: UInt32 = 1
  @exclusivity(unchecked) private var armed: Int64 = .max

  private enum Timer {
    static let host: UInt8 = 1
    static let alarm: UInt8 = 2
  }

  init(_ run: HostedRun, _ phone: any PhonePort, _ identity: PhoneIdentity) {
    self.run = run
    self.phone = phone
    here = phone as? PhoneService
    self.identity = identity
    process = run.host.makeProcess()
    process.clockSkewSeconds = identity.clockSkewSeconds
    process.drawRandomNumbers(
      from: HostedRun.seed ^ (UInt64(identity.number) << 32 | UInt64(identity.launches)))
    session = StoreSession(port: self)
    process.attach(session, self)
    guard identity.keepsOutput else { return }
    process.output = { [unowned self] bytes in printed.add(bytes, note(output:)) }
  }

  var isAlive: Bool { !isStopped && (here?.isAlive ?? phone.isAlive) }

  func ask<Call: PhoneCall>(_ call: Call) -> Call.Answer {
    if last != nil { return .nothing }
    if let here { return call.answer(by: here) }
    return phone.ask(call)
  }

  /// Asks for what has no answer.
  func tell(_ command: some PhoneCommand) { _ = ask(command) }

  /// What the app keeps, read from the disk when it is first asked for.
  var storage: SimulatedStorage {
    if let madeStorage { return madeStorage }
    let storage = SimulatedStorage(self)
    madeStorage = storage
    return storage
  }
  var isProduction: Bool { identity.environment == .production }
  var now: Int64 { last?.now ?? here?.now ?? phone.now }
  /// Who is logged in.
  var user: AccountID { last?.user ?? here?.account ?? phone.account }

  /// Runs code of the app, and then whatever it made ready. What that comes to is for this wish, if
  /// it is in the context of one.
  func enter(inContextOf wish: IntentID = .none, _ body: () -> Void) {
    guard isAlive else { return }
    run.enter(process, of: self, cause: Self.cause(of: wish), now: now, body)
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
      tell(PhoneCalls.NoteRemark(text: text))
    }
    remarkOnGoods()
    isStopped = true
    // What holds objects of the app's is let go of in here: in their `deinit` the process is as it was.
    process.onEnd { [self] in
      session?.end()
      let waiting = waiting
      self.waiting = Waiting()
      waiting.end()
      app = nil
      goods = WatchedGoods()
    }
    for complaint in session.complaints {
      note(problem: "StoreKit raises an exception: \(complaint)")
    }
    process.end()
    printed.finish(note(output:))
    process.detach()
    #if os(Linux)
      madeFiles?.end()
      madeFiles = nil
    #endif
    // They hold on to this port; what still ran in the process needed them.
    session = nil
    madeStorage = nil
    last = (now, user)
  }

  private func note(output: String) { tell(PhoneCalls.NoteOutput(text: output)) }

  func remark(_ text: @autoclosure () -> String) {
    guard isAlive, identity.keepsOutput else { return }
    tell(PhoneCalls.NoteRemark(text: text()))
  }

  /// What makes the run unfit for a verdict.
  func note(problem: String) { tell(PhoneCalls.NoteProblem(text: problem)) }

  // MARK: - Time

  /// After a handler: if it is dead it ends, and otherwise whoever sleeps is woken in time.
  func settle() { isAlive ? armTimer() : stop() }

  /// Has the simulator wake the process when its next sleeper is due.
  private func armTimer() {
    guard let due = run.host.nextTimer(of: process) else { return }
    let millis = Int64((due + 999_999) / 1_000_000)
    guard millis < armed else { return }
    armed = millis
    tell(PhoneCalls.StartTimer(millis: millis - now, tag: Timer.host))
  }

  /// Calls back after so many milliseconds, unless the process dies before, or the request that it is for is
  /// answered.
  func alarm(after millis: Int64, for tag: UInt32 = 0, _ body: @escaping () -> Void) {
    guard isAlive else { return }
    waiting.alarms.append((now + millis, tag, (wish, { _ in body() })))
    tell(PhoneCalls.StartTimer(millis: millis, tag: Timer.alarm))
  }

  func timerFired(_ tag: UInt8) {
    let now = self.now
    if tag == Timer.host {
      if armed <= now { armed = .max }
      return enter {}
    }
    // Mostly the answer came long ago.
    if !waiting.alarms.contains(where: { $0.due <= now }),
      run.host.nextTimer(of: process).map({ $0 > UInt64(now) * 1_000_000 }) ?? true
    {
      return
    }
    answer(()) {
      let due = waiting.alarms.filter { $0.due <= now }
      waiting.alarms.removeAll { $0.due <= now }
      return due.map(\.waiter)
    }
  }

  // Who waited is taken off the list in the process: it may be the last to hold an object of the app's, whose
  // `deinit` runs there.

  /// Answers each in the context in which they began to wait; what comes of it runs after the last.
  private func answer<Answer>(_ answer: Answer, _ take: () -> [Waiting.Waiter<Answer>]) {
    enter {
      for waiter in take() {
        run.host.run(in: process, cause: Self.cause(of: waiter.wish)) { waiter.done(answer) }
      }
    }
  }

  private func answer<Answer>(
    _ answer: Answer, to wish: IntentID, _ take: () -> Waiting.Waiter<Answer>?
  ) {
    enter(inContextOf: wish) { take()?.done(answer) }
  }

  // MARK: - The person

  func tapped(_ tap: Tap, _ productID: String) {
    taps.append(tap)
    if identity.keepsOutput { unanswered.append(productID) }
  }

  /// The app's `buy` has returned.
  func answered(_ productID: String, _ message: PurchaseMessage) {
    if let place = unanswered.firstIndex(of: productID) { unanswered.remove(at: place) }
    remark("was to buy '\(productID)', and buy answered .\(message)")
  }

  /// A product that somebody tapped in this process.
  func tapped(_ productID: String) -> ProductID? {
    index(of: productID).map { ProductID(index: $0) }
      .flatMap { product in taps.contains { $0.product == product } ? product : nil }
  }

  /// The tap that a purchase of a product is made for; nil where nobody wants it.
  private func tap(for productID: String, _ offer: String?) -> Tap? {
    guard isAlive, let product = tapped(productID) else { return nil }
    let tap = ask(PhoneCalls.TapFor(product: product, wish: wish))
    if tap.isNone { return nil }
    // What the app asks for counts, and not what the person was to ask it for.
    guard let offer else { return tap.with(offer: 0) }
    let offers = catalogue[product.index].renewal?.offers ?? []
    let place = offers.firstIndex { $0.name == offer }
    if place == nil { remark("asked for the offer '\(offer)', which '\(productID)' has not") }
    return tap.with(offer: place.map { UInt8($0 + 1) } ?? .max)
  }

  var account: SimulatedAccount {
    SimulatedAccount(number: user.index + 1, token: SimulatedUUID.of(user))
  }

  func newOrder(for productID: String) -> UUID? {
    guard let tap = tap(for: productID, nil) else { return nil }
    return SimulatedUUID.of(ask(PhoneCalls.NewOrder(tap: tap)))
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
    tell(PhoneCalls.LoadProducts(tap: tap))
  }

  /// The products that were asked for, or nil for an error.
  func answer(_ products: [StoreProduct]?, for tap: Tap) {
    guard let index = waiting.loading.firstIndex(where: { $0.tap == tap }) else { return }
    answer(products, to: waiting.loading[index].waiter.wish) {
      waiting.loading.remove(at: index).waiter
    }
  }

  func purchase(
    _ productID: String, quantity: Int, token: UUID?, offer: String?,
    _ done: @escaping (StorePurchase) -> Void
  ) {
    guard isAlive else { return }
    guard let tap = tap(for: productID, offer) else {
      remark("asked to pay for '\(productID)', \(RemarkWords.wasNotTapped): it failed")
      return alarm(after: 1) { done(.failed) }
    }
    waiting.purchasing.append((tap, (wish, done)))
    tell(PhoneCalls.Purchase(tap: tap, appAccountToken: SimulatedUUID.token(token)))
  }

  /// `purchase()` returns or throws.
  func purchaseEnded(_ result: PurchaseResult, for tap: Tap) {
    guard let index = waiting.purchasing.firstIndex(where: { $0.tap == tap }) else { return }
    let answered: StorePurchase
    switch result {
    case .success(let bought): answered = .bought(transaction(bought))
    case .failed: answered = .failed
    case .refused(let error): answered = StorePurchase(error)
    case .pending(let pending):
      goods.wait(for: transaction(pending))
      answered = .pending
    }
    answer(answered, to: waiting.purchasing[index].waiter.wish) {
      waiting.purchasing.remove(at: index).waiter
    }
  }

  func addPayment(
    _ productID: String, quantity: Int, username: String?, offer: String?
  ) -> IntentID {
    guard let tap = tap(for: productID, offer) else {
      remark("asked to pay for '\(productID)', \(RemarkWords.wasNotTapped): nothing came of it")
      return .none
    }
    let username = SimulatedUUID.token(username: username, user)
    tell(PhoneCalls.Add(tap: tap, applicationUsername: username))
    return tap.intent
  }

  func observe() { if isAlive { tell(PhoneCalls.Observe()) } }
  func unobserve() { if isAlive { tell(PhoneCalls.Unobserve()) } }
  var losesRequest: Bool { isAlive && ask(PhoneCalls.LosesRequest()) }

  func look(at transaction: StoreTransaction) { goods.look(at: transaction.underlying.id) }

  func finish(_ transaction: StoreTransaction) {
    handOverFiles()
    guard isAlive else { return }
    // An app that looks there finds a non-consumable whether it is finished or not.
    if readsEntitlements { showEntitlement(transaction.underlying) }
    remarkOnGoods()
    tell(PhoneCalls.Finish(transaction: transaction.underlying))
  }

  func restore(_ done: @escaping (Bool) -> Void) {
    guard isAlive else { return }
    waiting.restores.append((wish, done))
    tell(PhoneCalls.Restore())
  }

  func restoreEnded() {
    answer(true) {
      let answered = waiting.restores
      waiting.restores = []
      return answered
    }
  }

  var unfinished: [StoreTransaction] {
    isAlive ? ask(PhoneCalls.Unfinished()).map(transaction) : []
  }
  var history: [StoreTransaction] {
    isAlive ? ask(PhoneCalls.History()).map(transaction) : []
  }
  var entitlements: [StoreTransaction] {
    guard isAlive else { return [] }
    readsEntitlements = true
    let entitled = ask(PhoneCalls.Entitlements())
    for transaction in entitled { showEntitlement(transaction) }
    return entitled.map(transaction)
  }

  var subscriptions: [StoreSubscription] {
    isAlive ? ask(PhoneCalls.Subscriptions()).map(subscription) : []
  }
  func isEligibleForIntroductoryOffer(of productID: String) -> Bool {
    guard isAlive, let index = index(of: productID) else { return false }
    return ask(PhoneCalls.IsEligible(product: ProductID(index: index)))
  }
  func requestRefund(of transactionID: UInt64) -> RefundRequest {
    guard isAlive else { return .unknown }
    let transaction = SimulatedJWS.transaction(transactionID)
    let answer = ask(PhoneCalls.RequestRefund(transaction: transaction))
    return RefundRequest(rawValue: answer) ?? .unknown
  }
  var hasNews: Bool { identity.hasNews }
  func follow(_ kinds: StoreNews.Kinds) { if isAlive { tell(PhoneCalls.Follow(kinds: kinds)) } }

  func receiptFile() -> Data? {
    guard isAlive else { return nil }
    let evidence = ask(PhoneCalls.Receipt())
    return evidence.isNone ? nil : run.payloads.receipt(evidence)
  }

  func refreshReceipt(_ done: @escaping (Bool) -> Void) {
    guard isAlive else { return }
    waiting.refreshes.append((wish, done))
    tell(PhoneCalls.RefreshReceipt())
  }

  func receiptRefreshed(_ succeeded: Bool) {
    answer(succeeded) {
      let answered = waiting.refreshes
      waiting.refreshes = []
      return answered
    }
  }

  /// One of an array was called back, which is handed over with the last.
  func updated(_ transaction: PaymentTransaction, isLast: Bool) {
    calledBack.append(transaction)
    guard isLast else { return }
    let array = calledBack
    calledBack = []
    guard isAlive else { return }
    if session.queue == nil {
      // Only StoreKit 1 has arrays.
      for transaction in array { hand([transaction]) }
    } else {
      hand(array)
    }
  }

  /// In the context of the wish that all of them were bought for, if there is one.
  private func hand(_ array: [PaymentTransaction]) {
    let wish = array[0].intent
    enter(inContextOf: array.allSatisfy { $0.intent == wish } ? wish : .none) {
      session.deliver(array.map(transaction))
    }
  }

  func jws(of transaction: StoreTransaction) -> String { SimulatedJWS.text(transaction.id) }

  /// The App Store says something beside transactions.
  func heard(_ news: StoreNews) {
    guard isAlive else { return }
    switch news {
    case .subscription(let held): enter { session.hear(.subscription(subscription(held))) }
    case .revoked(let product):
      enter { session.hear(.revoked(productID: identity.product(product).name)) }
    case .billingIssue: enter { session.hear(.billingIssue) }
    case .priceIncrease: enter { session.hear(.priceIncrease) }
    case .wish(let tap):
      taps.append(tap)
      enter(inContextOf: tap.intent) {
        session.hear(.wish(productID: identity.product(tap.product).name))
      }
    }
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
    tell(PhoneCalls.Send(report: report, transaction: transaction, tag: tag))
    return tag
  }

  /// Nobody waits for this answer any more.
  func forget(_ tag: UInt32) -> Bool { take(tag) != nil }

  private func take(_ tag: UInt32) -> Waiting.Waiter<Reply?>? {
    guard let place = waiting.replies.firstIndex(where: { $0.tag == tag }) else { return nil }
    waiting.alarms.removeAll { $0.tag == tag }
    return waiting.replies.remove(at: place).waiter
  }

  func replied(_ reply: Reply) {
    guard let place = waiting.replies.firstIndex(where: { $0.tag == reply.tag }) else { return }
    answer(reply, to: waiting.replies[place].waiter.wish) { take(reply.tag) }
  }
}

extension PurchaseMessage {
  var fact: Fact.Message? {
    switch self {
    case .success: .success
    case .pending: .pending
    case .failure: .failure
    case .nothing: nil
    }
  }
}
