import Invariants

/// What one run came to.
public struct Outcome: Equatable, Sendable {
  /// One bit for each broken invariant, by position in the rules of the run.
  public var broken: UInt64
  /// How many events were handled.
  public var events: Int
  /// When the last event was handled.
  public var endMillis: Int64
  /// Rolls over all events and facts: equal histories have equal hashes.
  public var trace: UInt64
  /// The run was cut off, so nothing can be said about it.
  public var isCutOff: Bool
  /// The run is unfit for a verdict: something left the simulation, or would have been an exception.
  public var hasProblems: Bool
  /// One bit for each invariant that the run gave nothing to judge, by position in its rules.
  public var idle: UInt64 = 0
  /// Somebody ended it, and no event limit; it is cut off as well.
  public var isInterrupted = false
  /// A real process did what nothing can be said of, and it ended there; it is cut off as well.
  public var isAbandoned = false
}

/// What code of many launches shares, where it knows if that code reads a clock.
package protocol ClockWatching: AnyObject {
  /// True once it has read one, or may have done so unseen.
  var hasReadClock: Bool { get }
}

/// Runs histories of one scenario with one system; not to be shared between threads.
///
/// The event loop: takes events, lets the world act, and calls the code under test.
///
/// It is specialised for each system, so handlers are direct calls and nothing is allocated.
final class Engine<System: PurchaseSystem>: WorldUser {
  let handle: WorldHandle
  private let apps: UnsafeMutablePointer<System.App>
  private let servers: UnsafeMutablePointer<System.Backend>
  private let deviceCount: Int
  private let launch: Launch
  private let clocks: (any ClockWatching)?
  /// For each device what was called back in this millisecond and is not handed over yet.
  private var arrays: [[PaymentTransaction]]

  init(setup: Setup, rules: [any Invariant]) {
    handle = WorldHandle(
      World(
        setup: setup, rules: rules, hasShopPage: System.App.hasShopPage,
        takesAnyOutcome: System.App.takesAnyOutcome, hasBackend: System.Backend.isThere))
    launch = Launch(
      System.self, variant: setup.variant, backend: setup.backend, shared: System.makeShared())
    clocks = launch.shared as? any ClockWatching
    deviceCount = setup.devices.count
    arrays = [[PaymentTransaction]](repeating: [], count: System.App.takesArrays ? deviceCount : 0)
    apps = .allocate(capacity: deviceCount)
    servers = .allocate(capacity: 2)
    for device in 0..<deviceCount { (apps + device).initialize(to: System.App(launch)) }
    for replica in 0..<2 { (servers + replica).initialize(to: System.Backend(launch)) }
  }

  /// True if the code under test has read a clock in any run so far, or may have done so unseen.
  var readsClock: Bool {
    world.readsClock || System.Backend.isCostly || clocks?.hasReadClock ?? false
  }

  /// What its backend remembers; to be asked before the first run.
  var backendMemory: BackendMemory {
    BackendMemory(
      of: servers, count: 2,
      isShared: launch.shared != nil || launch.sharedByBackend != nil)
  }

  deinit {
    handle.destroy()
    apps.deinitialize(count: deviceCount)
    apps.deallocate()
    servers.deinitialize(count: 2)
    servers.deallocate()
  }

  func run(seed: UInt64, script: Script?, observer: (any WorldObserver)?) -> Outcome {
    world.begin(seed: seed, script: script, observer: observer)
    // A run that was cut off may have left some.
    for device in arrays.indices { arrays[device] = [] }
    observer?.begin(handle)
    replace(server: ReplicaID(0))
    replace(server: ReplicaID(1))
    for device in 0..<deviceCount { start(DeviceID(index: device), isFirst: true) }
    started(ReplicaID(0))
    if System.Backend.isReplicated {
      started(ReplicaID(1))
    } else {
      world.servers[ReplicaID(1)].isRunning = false
    }
    let isCutOff = !handleEvents() || world.isAbandoned
    let end = world.now
    for device in 0..<deviceCount { apps[device].stopped() }
    for replica in 0..<2 {
      world.servers[ReplicaID(index: replica)].isRunning = false
      servers[replica].stopped()
    }
    // Of what was cut off nobody knows how it would have ended.
    if !isCutOff { world.close() }
    return Outcome(
      broken: world.judge.broken, events: world.events, endMillis: end,
      trace: world.trace, isCutOff: isCutOff, hasProblems: !world.problems.isEmpty,
      idle: world.judge.idle, isInterrupted: world.isInterrupted,
      isAbandoned: world.isAbandoned)
  }

  /// Handles one event after the other; false if there were too many, or somebody ended it.
  ///
  /// The loop holds the switch, so that an event that comes often costs no call of its own.
  private func handleEvents() -> Bool {
    // Each event of a real process can take seconds, and can be the last that anything can be said of.
    let between = System.Backend.isCostly ? 0 : Cancellation.eventsBetween
    // Until then nobody is asked whether to go on.
    var pause = min(world.setup.eventLimit, between)
    while let event = world.next() {
      if _slowPath(world.events > pause) {
        guard world.goesOn(pastPause: &pause, pausingEvery: between) else { return false }
      }
      if _slowPath(world.now < world.lastForegroundAt), world.waitsInBackground(event) { continue }
      switch event.kind {
      case .callback:
        if System.App.takesArrays {
          callBack(event)
          continue
        }
        guard let transaction = world.callbackArrives(event) else { continue }
        let phone = phone(event.phone)
        let who = world.who(purchase: transaction.row)
        guard phone.enter(.crashOnCallback, who) else { continue }
        apps[phone.device.index].updated(transaction, phone)
        if _slowPath(world.devices[phone.device].extraHandlers > 0) {
          handleAgain(transaction, phone)
        }
        leave(phone, .crashInCallback, who)
      case .request:
        guard let report = world.requestArrives(event.exchange) else { continue }
        let server = server(event.exchange)
        servers[replica(event.exchange)].received(report, server)
        world.leaveWork(event.exchange)
      case .verifierAnswer:
        guard world.endsWait(event.exchange) else { continue }
        let (question, fate) = event.verifier
        let answer = world.verifierAnswers(event.exchange, question, fate)
        let report = world.report(event.exchange)
        servers[replica(event.exchange)].verified(answer, for: report, server(event.exchange))
        world.leaveWork(event.exchange)
      case .resume:
        guard world.endsWait(event.exchange) else { continue }
        let report = world.report(event.exchange)
        servers[replica(event.exchange)].resumed(
          at: event.tag, about: event.resumedAbout,
          for: report, server(event.exchange))
        world.leaveWork(event.exchange)
      case .reply:
        let device = world.exchanges.at(event.exchange).pointee.route.device
        guard let reply = world.replyArrives(event.exchange) else { continue }
        let phone = phone(device)
        let who = phone.who(reply.transaction)
        guard phone.enter(.crashOnReply, who) else { continue }
        apps[device.index].replied(reply, phone)
        leave(phone, .crashInReply, who)
      case .timer:
        let device = event.phone
        guard isCurrent(device, event.life) else { continue }
        let phone = phone(device)
        let transaction = event.transaction
        apps[device.index].timerFired(event.tag, about: transaction, phone)
        leave(phone, .crashInTimer, phone.who(transaction))
      case .charge: world.charge(event.transaction)
      case .launch:
        // A launch that was called off meanwhile is none.
        guard world.devices[event.device].launchAt == world.now else { continue }
        start(event.device, isFirst: false)
      default: handleRare(event)
      }
    }
    return true
  }

  /// The listener was attached twice: the second handler gets what the first has had (F04).
  @inline(never)
  private func handleAgain(_ transaction: PaymentTransaction, _ phone: Phone) {
    guard phone.isAlive else { return }
    apps[phone.device.index].updated(transaction, phone)
  }

  /// The same for an app that gets arrays: it is called when the last of an array has come.
  @inline(never)
  private func callBack(_ event: Event) {
    let device = event.phone
    // No array has a transaction twice.
    if arrays[device.index].contains(where: { $0.row == event.transaction }) {
      handOver(to: device)
    }
    if let transaction = world.callbackArrives(event) {
      let who = world.who(purchase: transaction.row)
      guard phone(device).enter(.crashOnCallback, who) else {
        return arrays[device.index].removeAll()
      }
      arrays[device.index].append(transaction)
    }
    if !world.isCalledBackNext(device) { handOver(to: device) }
  }

  /// Calls an app back with what has come.
  private func handOver(to device: DeviceID) {
    let array = arrays[device.index]
    guard !array.isEmpty else { return }
    arrays[device.index] = []
    let phone = phone(device)
    if array.count == 1 {
      apps[device.index].updated(array[0], phone)
    } else {
      apps[device.index].updated(array, phone)
    }
    for transaction in array {
      leave(phone, .crashInCallback, world.who(purchase: transaction.row))
    }
  }

  @inline(never)
  private func handleRare(_ event: Event) {
    switch event.kind {
    case .callback, .request, .verifierAnswer, .resume, .reply, .timer, .charge, .launch: break
    case .arrival: world.arrive()
    case .step: step(event)
    case .furtherTap:
      if let call = world.tap(intent: event.intent, isRetry: event.isRetry) { tap(call) }
    case .purchaseResult: purchaseResult(event)
    case .productList:
      let device = event.phone
      guard isCurrent(device, event.life) else { return }
      let phone = phone(device)
      let tap = event.intent == .none ? Tap.none : world.tapValue(event.intent)
      if event.hasFailed {
        apps[device.index].productsFailed(for: tap, phone)
      } else {
        apps[device.index].productsArrived(for: tap, phone)
      }
      leave(phone, .crashInProducts, tap.isNone ? phone.me : world.who(intent: event.intent))
    case .finishArrives:
      world.finishArrives(event.transaction, event.phone)
    case .reopen: world.reopen(event.device)
    case .quit:
      guard isCurrent(event.device, event.life) else { return }
      if event.isToBackground {
        world.goToBackground(event.device)
      } else if event.isForLong {
        world.leave(event.device)
      } else {
        world.quit(event.device)
      }
    case .visit:
      guard isCurrent(event.device, event.life) else { return }
      let phone = phone(event.device)
      apps[event.device.index].visitedShop(phone)
      leave(phone, .crashInVisit, phone.me)
    case .flush:
      guard isCurrent(event.device, event.life) else { return }
      world.flush(event.device)
    case .receiptRefresh:
      // The system asks for the password and writes the file, and not the app, which may be gone by now.
      let succeeded = !event.hasFailed && !world.devices[event.device].isOffline
      if succeeded { world.writeReceipt(event.device) }
      guard isCurrent(event.device, event.life) else { return }
      let phone = phone(event.device)
      apps[event.device.index].receiptRefreshed(succeeded, phone)
      leave(phone, .crashInRefresh, phone.me)
    case .restoreSent:
      guard isCurrent(event.device, event.life) else { return }
      world.restore(event.device, for: event.restoresFor)
    case .restoreEnd:
      guard isCurrent(event.device, event.life) else { return }
      let phone = phone(event.device)
      apps[event.device.index].restoreEnded(phone)
      leave(phone, .crashInRestore, phone.me)
    case .serverStart:
      world.servers[event.replica].isRunning = true
      replace(server: event.replica)
      started(event.replica)
    case .networkHeals: world.goOnline(event.device)
    case .subscription: world.subscriptionEvent(event)
    case .notification: notify(event)
    case .job:
      guard let exchange = world.jobArrives(event) else { return }
      servers[replica(exchange)].resumed(
        at: event.tag, about: event.transaction, for: world.report(exchange), server(exchange))
      world.leaveWork(exchange)
    case .news:
      guard isCurrent(event.phone, event.life), let news = world.news(event) else { return }
      let phone = phone(event.phone)
      apps[event.phone.index].heard(news, phone)
      leave(phone, .crashInNews, phone.me)
    case .switchAway, .switchBack:
      if world.switchAccount(event.device, away: event.kind == .switchAway) {
        tellSession(phone(event.device))
      }
    }
  }

  private func notify(_ event: Event) {
    if event.isAttempt { return world.sendAttempt(event.notification) }
    guard let (message, exchange) = world.notificationArrives(event.notification) else { return }
    servers[replica(exchange)].notified(message, server(exchange))
    world.leaveWork(exchange)
  }

  private func step(_ event: Event) {
    let step = world.setup.steps[event.step.index]
    let device = DeviceID(index: step.device)
    switch step.action {
    case .buy:
      if let call = world.tap(step: event.step, hurried: event.isHurried) {
        tap(call)
        world.tapAgain(call.tap.intent)
      }
    case .buyOutside(let product, let quantity, let account):
      world.buyOutside(
        origin: world.origin(ofStep: event.step), device: device, account: account,
        product: product, quantity: quantity, offer: step.offerPosition)
    case .buyPromoted:
      guard let call = world.promote(step: event.step), call.changesSession else { return }
      tellSession(phone(device))
    case .logIn(let account):
      world.logIn(AccountID(index: account), device)
      world.devices[device].home = AccountID(index: account)
      guard world.devices[device].isRunning else { return }
      world.lookAtBalance(device)
      tellSession(phone(device))
    case .restore:
      guard world.devices[device].isRunning else { return }
      phone(device).restore(for: world.devices[device].account)
    case .reinstall:
      world.endApp(device, relaunchAfter: 5000)
      world.reinstall(device)
    case .restoreBackup:
      world.endApp(device, relaunchAfter: 5000)
      world.restoreBackup(device)
    case .quit:
      world.flush(device)
      world.endApp(device, relaunchAfter: nil)
      world.devices[device].launchAt = -1
    case .open: start(device, isFirst: false)
    }
  }

  private func tap(_ call: World.TapCall) {
    let phone = phone(call.device)
    if call.changesSession { tellSession(phone) }
    guard phone.isAlive else { return }
    apps[call.device.index].tapped(call.tap, phone)
    world.mayUse(call.tap.intent, call.device, wasTold: false)
    leave(phone, .crashInTap, world.who(intent: call.tap.intent))
  }

  private func tellSession(_ phone: Phone) {
    apps[phone.device.index].sessionChanged(phone)
    leave(phone, .crashInSession, phone.me)
  }

  private func purchaseResult(_ event: Event) {
    let device = event.phone
    let intent = event.resultOf
    if world.waits(event, for: device) { return }
    guard isCurrent(device, event.life) else {
      // Nobody waits for the result any more; what was charged comes through the updates.
      if event.callback == .charged, world.purchases[event.transaction].flags.contains(.charged) {
        world.callBack(event.transaction, device, .charged)
      }
      return
    }
    let phone = phone(device)
    let who = world.who(purchase: event.transaction)
    guard phone.enter(.crashOnCallback, who) else { return }
    let tap = world.tapValue(intent)
    if let outcome = world.outcome(event) {
      apps[device.index].purchaseEnded(outcome, for: tap, phone)
    } else {
      world.purchases[event.transaction].deliveredTo = world.session(of: device)
      world.markDelivered(event.transaction, device)
      if world.takesAnyOutcome { world.mayDoubt(event.transaction, device) }
      let transaction = world.transaction(event.transaction, .purchased)
      apps[device.index].purchaseEnded(.success(transaction), for: tap, phone)
    }
    leave(phone, .crashInPurchaseResult, who)
  }

  private func start(_ device: DeviceID, isFirst: Bool) {
    guard world.launch(device, isFirst: isFirst) else { return }
    apps[device.index].stopped()
    // Made in its place: that copies nothing.
    (apps + device.index).deinitialize(count: 1)
    (apps + device.index).initialize(to: System.App(launch))
    let phone = phone(device)
    apps[device.index].launched(phone)
    leave(phone, .crashInLaunch, phone.me)
  }

  private func replace(server replica: ReplicaID) {
    servers[replica.index].stopped()
    servers[replica.index] = System.Backend(launch)
  }

  @inline(__always)
  private func leave(_ phone: Phone, _ question: Question, _ who: Who) {
    guard phone.isAlive else { return }
    phone.leave(question, who)
  }

  @inline(__always)
  private func phone(_ device: DeviceID) -> Phone {
    Phone(handle: handle, device: device, life: world.devices[device].life)
  }

  @inline(__always)
  private func isCurrent(_ device: DeviceID, _ life: UInt16) -> Bool {
    world.devices[device].isRunning && world.devices[device].life == life
  }

  @inline(__always)
  private func server(_ exchange: ExchangeID) -> Server {
    let row = world.exchanges.at(exchange)
    return Server(
      handle: handle, exchange: exchange, generation: row.pointee.generation,
      replica: row.pointee.replica, life: row.pointee.serverLife,
      who: world.who(row.pointee.route))
  }

  /// Tells a process of the backend that it runs.
  private func started(_ replica: ReplicaID) {
    servers[replica.index].started(
      Server(
        handle: handle, exchange: .none, generation: 0, replica: replica,
        life: world.servers[replica].life, who: world.who(server: replica)))
  }

  @inline(__always)
  private func replica(_ exchange: ExchangeID) -> Int {
    world.exchanges.at(exchange).pointee.replica.index
  }
}
