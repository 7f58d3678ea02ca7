import ChaosHost
import ChaosStore
import Foundation
import Invariants

/// The simulated phone under one hosted app process: what the façade and the device ask of it.
final class HostedPhone: StorePort, @unchecked Sendable {
  let run: HostedRun
  let phone: any PhonePort
  let process: HostProcess
  private(set) var session: StoreSession!
  /// The app itself; let go of in the process, whose tasks its end may cancel.
  var app: AnyObject?
  /// What the app keeps; let go of at the end, for it holds on to this.
  private var madeStorage: SimulatedStorage?
  /// What the app registered with `UserDefaults`.
  var registeredDefaults: [String: StoredValue] = [:]
  private var isStopped = false

  /// The last tap for each product, by position; a payment is made for a tap.
  private var taps: [Tap?] = []
  private var lastTap: Tap?
  private var waiting = Waiting()
  private var nextTag: UInt32 = 1
  private var armed: Int64 = .max

  /// Who waits for the phone, each in the order in which they began to.
  private struct Waiting {
    var loading: [(tap: Tap, done: ([StoreProduct]?) -> Void)] = []
    var purchasing: [(tap: Tap, done: (StoreTransaction?) -> Void)] = []
    var replies: [(tag: UInt32, done: (Reply?) -> Void)] = []
    var refreshes: [(Bool) -> Void] = []
    var restores: [(Bool) -> Void] = []
    var alarms: [(due: Int64, body: () -> Void)] = []

    /// Tells those who wait for an answer that there is none.
    func end() {
      for request in replies { request.done(nil) }
      for purchase in purchasing { purchase.done(nil) }
      for answer in refreshes { answer(false) }
      for answer in restores { answer(false) }
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
    session = StoreSession(port: self)
    process.context = session
    process.standIns = self
    taps = Array(repeating: nil, count: phone.identity.products.count)
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

  /// Runs code of the app, and then whatever it made ready.
  func enter(_ body: () -> Void) {
    guard isAlive else { return }
    run.chooser = self
    run.enter(process, now: phone.now, body)
    run.chooser = nil
  }

  /// The same for code that is isolated to the main actor.
  @discardableResult
  func enterMain<Result: Sendable>(_ body: @MainActor () -> Result) -> Result? {
    var result: Result?
    enter { result = MainActor.assumeIsolated(body) }
    return result
  }

  /// The process is over: whoever waits is woken and finds everything inert.
  func stop() {
    guard !isStopped else { return }
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
    process.context = nil
    process.standIns = nil
    // They hold on to this port; what still ran in the process needed them.
    session = nil
    madeStorage = nil
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
    waiting.alarms.append((phone.now + millis, body))
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
    enter { for alarm in due { alarm.body() } }
  }

  // MARK: - The person

  func tapped(_ tap: Tap) {
    taps[tap.product.index] = tap
    lastTap = tap
  }

  func tell(_ message: PurchaseMessage, about productID: String) {
    guard let index = index(of: productID), let tap = taps[index] else { return }
    tell(message, about: tap)
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
    guard isAlive, let index = index(of: productID), let tap = taps[index] else { return nil }
    return SimulatedUUID.of(phone.ask(PhoneCalls.NewOrder(tap: tap)))
  }

  // MARK: - StorePort

  var catalogue: [StoreProduct] { run.catalogue }

  private func index(of productID: String) -> Int? {
    run.catalogue.firstIndex { $0.id == productID }
  }

  func loadProducts(_ done: @escaping ([StoreProduct]?) -> Void) {
    guard isAlive else { return }
    let tap = lastTap ?? .none
    waiting.loading.append((tap, done))
    phone.tell(PhoneCalls.LoadProducts(tap: tap))
  }

  /// The products that were asked for, or nil for an error.
  func answer(_ products: [StoreProduct]?, for tap: Tap) {
    guard let index = waiting.loading.firstIndex(where: { $0.tap == tap }) else { return }
    let done = waiting.loading.remove(at: index).done
    enter { done(products) }
  }

  func purchase(
    _ productID: String, quantity: Int, token: UUID?,
    _ done: @escaping (StoreTransaction?) -> Void
  ) {
    guard isAlive else { return }
    guard let index = index(of: productID), let tap = taps[index] else {
      return alarm(after: 1) { done(nil) }
    }
    waiting.purchasing.append((tap, done))
    phone.tell(PhoneCalls.Purchase(tap: tap, appAccountToken: SimulatedUUID.token(token)))
  }

  /// `purchase()` returns this transaction, or throws.
  func purchaseEnded(_ transaction: PaymentTransaction?, for tap: Tap) {
    guard let index = waiting.purchasing.firstIndex(where: { $0.tap == tap }) else { return }
    let done = waiting.purchasing.remove(at: index).done
    enter { done(transaction.map(self.transaction)) }
  }

  func addPayment(_ productID: String, quantity: Int, username: String?) {
    guard isAlive, let index = index(of: productID), let tap = taps[index] else { return }
    let username = SimulatedUUID.token(username: username, phone.account)
    phone.tell(PhoneCalls.Add(tap: tap, applicationUsername: username))
  }

  func observe() { if isAlive { phone.tell(PhoneCalls.Observe()) } }
  func unobserve() { if isAlive { phone.tell(PhoneCalls.Unobserve()) } }
  func finish(_ transaction: StoreTransaction) {
    if isAlive { phone.tell(PhoneCalls.Finish(transaction: transaction.underlying)) }
  }

  func restore(_ done: @escaping (Bool) -> Void) {
    guard isAlive else { return }
    waiting.restores.append(done)
    phone.tell(PhoneCalls.Restore())
  }

  func restoreEnded() {
    let answered = waiting.restores
    waiting.restores = []
    enter { for done in answered { done(true) } }
  }

  var unfinished: [StoreTransaction] {
    isAlive ? phone.ask(PhoneCalls.Unfinished()).map(transaction) : []
  }
  var history: [StoreTransaction] {
    isAlive ? phone.ask(PhoneCalls.History()).map(transaction) : []
  }
  var entitlements: [StoreTransaction] {
    guard isAlive else { return [] }
    return phone.ask(PhoneCalls.History())
      .filter { $0.revokedMillis == nil && !phone.product($0.product).isConsumable }
      .map(transaction)
  }

  func receiptFile() -> Data? {
    guard isAlive else { return nil }
    let evidence = phone.ask(PhoneCalls.Receipt())
    return evidence.isNone ? nil : run.payloads.receipt(evidence)
  }

  func refreshReceipt(_ done: @escaping (Bool) -> Void) {
    guard isAlive else { return }
    waiting.refreshes.append(done)
    phone.tell(PhoneCalls.RefreshReceipt())
  }

  func receiptRefreshed(_ succeeded: Bool) {
    let answered = waiting.refreshes
    waiting.refreshes = []
    enter { for done in answered { done(succeeded) } }
  }

  func updated(_ transaction: PaymentTransaction) {
    enter { session.deliver(self.transaction(transaction)) }
  }

  func jws(of transaction: StoreTransaction) -> String { SimulatedJWS.text(transaction.id) }

  private func transaction(_ transaction: PaymentTransaction) -> StoreTransaction {
    let state: StoreTransaction.State =
      switch transaction.state {
      case .purchased: .purchased
      case .failed: .failed
      case .restored: .restored
      }
    return StoreTransaction(
      id: SimulatedJWS.number(transaction.id),
      originalID: SimulatedJWS.number(transaction.original),
      productID: phone.product(transaction.product).name, quantity: Int(transaction.quantity),
      state: state, accountToken: SimulatedUUID.of(transaction.token),
      plainUsername: SimulatedUUID.plainUsername(transaction.token),
      purchaseMillis: transaction.chargedMillis,
      isProduction: isProduction, underlying: transaction)
  }

  // MARK: - Backend

  /// Sends a report; calls back with the answer, or with nothing when the process ends.
  func send(_ report: Report, about transaction: TransactionID, _ done: @escaping (Reply?) -> Void)
    -> UInt32
  {
    let tag = nextTag
    guard isAlive else { return 0 }
    nextTag += 1
    waiting.replies.append((tag, done))
    phone.tell(PhoneCalls.Send(report: report, transaction: transaction, tag: tag))
    return tag
  }

  /// Nobody waits for this answer any more.
  func forget(_ tag: UInt32) -> ((Reply?) -> Void)? {
    waiting.replies.firstIndex { $0.tag == tag }.map { waiting.replies.remove(at: $0).done }
  }

  func replied(_ reply: Reply) {
    guard let done = forget(reply.tag) else { return }
    enter { done(reply) }
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
