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
  private var loading: [(tap: Tap, done: ([StoreProduct]) -> Void)] = []
  private var purchasing: [(tap: Tap, done: (StoreTransaction?) -> Void)] = []
  /// Requests without an answer, in the order in which they were sent.
  private var replies: [(tag: UInt32, done: (Reply?) -> Void)] = []
  private var nextTag: UInt32 = 1
  private var refreshes: [(Bool) -> Void] = []
  private var restores: [(Bool) -> Void] = []
  private var alarms: [(due: Int64, body: () -> Void)] = []
  private var armed: Int64 = .max

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
    taps = Array(repeating: nil, count: phone.products.count)
  }

  var isAlive: Bool { !isStopped && phone.isAlive }

  /// What the app keeps, read from the disk when it is first asked for.
  var storage: SimulatedStorage {
    if let madeStorage { return madeStorage }
    let storage = SimulatedStorage(self)
    madeStorage = storage
    return storage
  }
  var isProduction: Bool { phone.environment == .production }
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
    let waiting = replies
    replies = []
    let results = purchasing
    purchasing = []
    let answers = refreshes + restores
    refreshes = []
    restores = []
    alarms = []
    loading = []
    _ = process.onEnd { [self] in
      session?.end()
      for request in waiting { request.done(nil) }
      for result in results { result.done(nil) }
      for answer in answers { answer(false) }
      app = nil
    }
    for complaint in session.complaints {
      phone.note(problem: "StoreKit raises an exception: \(complaint)")
    }
    process.end()
    process.context = nil
    process.standIns = nil
    // They hold on to this port; what still ran in the process needed them.
    session = nil
    madeStorage = nil
  }

  // MARK: - Time

  /// Has the simulator wake the process when its next sleeper is due.
  func armTimer() {
    guard let due = run.host.nextTimer(of: process) else { return }
    let millis = Int64((due + 999_999) / 1_000_000)
    guard millis < armed else { return }
    armed = millis
    phone.startTimer(after: millis - phone.now, tag: Timer.host)
  }

  /// Calls back after so many milliseconds, unless the process dies before.
  func alarm(after millis: Int64, _ body: @escaping () -> Void) {
    guard isAlive else { return }
    alarms.append((phone.now + millis, body))
    phone.startTimer(after: millis, tag: Timer.alarm)
  }

  func timerFired(_ tag: UInt8) {
    if tag == Timer.host {
      if armed <= phone.now { armed = .max }
      return enter {}
    }
    let due = alarms.filter { $0.due <= phone.now }
    alarms.removeAll { $0.due <= phone.now }
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
    if isAlive, let message = message.fact { phone.tell(message, about: tap) }
  }

  func tell(_ message: PurchaseMessage, about transaction: PaymentTransaction) {
    if isAlive, let message = message.fact { phone.tell(message, about: transaction) }
  }

  func tell(_ message: PurchaseMessage, about transaction: TransactionID) {
    if isAlive, let message = message.fact { phone.tell(message, about: transaction) }
  }

  var account: SimulatedAccount {
    SimulatedAccount(number: phone.account.index + 1, token: SimulatedUUID.of(phone.account))
  }

  func newOrder(for productID: String) -> UUID? {
    guard isAlive, let index = index(of: productID), let tap = taps[index] else { return nil }
    return SimulatedUUID.of(phone.newOrder(for: tap))
  }

  // MARK: - StorePort

  var catalogue: [StoreProduct] { run.catalogue }

  private func index(of productID: String) -> Int? {
    run.catalogue.firstIndex { $0.id == productID }
  }

  func loadProducts(_ done: @escaping ([StoreProduct]) -> Void) {
    guard isAlive else { return }
    // Until somebody taps there is nobody who could be kept waiting.
    guard let lastTap else { return alarm(after: 50) { [catalogue] in done(catalogue) } }
    loading.append((lastTap, done))
    phone.loadProducts(for: lastTap)
  }

  func productsArrived(for tap: Tap) {
    guard let index = loading.firstIndex(where: { $0.tap == tap }) else { return }
    let done = loading.remove(at: index).done
    enter { done(catalogue) }
  }

  func purchase(
    _ productID: String, quantity: Int, token: UUID?,
    _ done: @escaping (StoreTransaction?) -> Void
  ) {
    guard isAlive else { return }
    guard let index = index(of: productID), let tap = taps[index] else {
      return alarm(after: 1) { done(nil) }
    }
    purchasing.append((tap, done))
    phone.purchase(tap, appAccountToken: SimulatedUUID.token(token))
  }

  func purchaseEnded(_ result: PurchaseResult, for tap: Tap) {
    guard let index = purchasing.firstIndex(where: { $0.tap == tap }) else { return }
    let done = purchasing.remove(at: index).done
    enter {
      switch result {
      case .success(let transaction): done(self.transaction(transaction))
      case .failed: done(nil)
      }
    }
  }

  func addPayment(_ productID: String, quantity: Int, username: String?) {
    guard isAlive, let index = index(of: productID), let tap = taps[index] else { return }
    phone.add(tap, applicationUsername: SimulatedUUID.token(username: username, phone.account))
  }

  func observe() { if isAlive { phone.observe() } }
  func unobserve() { if isAlive { phone.unobserve() } }
  func finish(_ transaction: StoreTransaction) {
    if isAlive { phone.finish(transaction.underlying) }
  }

  func restore(_ done: @escaping (Bool) -> Void) {
    guard isAlive else { return }
    restores.append(done)
    phone.restore()
  }

  func restoreEnded() {
    let waiting = restores
    restores = []
    enter { for done in waiting { done(true) } }
  }

  var unfinished: [StoreTransaction] {
    isAlive ? phone.unfinishedTransactions.map(transaction) : []
  }
  var history: [StoreTransaction] { isAlive ? phone.history.map(transaction) : [] }
  var entitlements: [StoreTransaction] {
    guard isAlive else { return [] }
    return phone.history.filter { !phone.product($0.product).isConsumable }.map(transaction)
  }

  func receiptFile() -> Data? {
    guard isAlive else { return nil }
    let evidence = phone.receipt()
    return evidence.isNone ? nil : run.receipt(evidence)
  }

  func refreshReceipt(_ done: @escaping (Bool) -> Void) {
    guard isAlive else { return }
    refreshes.append(done)
    phone.refreshReceipt()
  }

  func receiptRefreshed(_ succeeded: Bool) {
    let waiting = refreshes
    refreshes = []
    enter { for done in waiting { done(succeeded) } }
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
    replies.append((tag, done))
    phone.send(report, about: transaction, tag: tag)
    return tag
  }

  /// Nobody waits for this answer any more.
  func forget(_ tag: UInt32) -> ((Reply?) -> Void)? {
    replies.firstIndex { $0.tag == tag }.map { replies.remove(at: $0).done }
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
