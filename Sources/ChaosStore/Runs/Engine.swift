import Invariants

/// What one run came to.
public struct Outcome: Equatable, Sendable {
  /// One bit for each broken invariant, by position in the rules of the run.
  public var broken: UInt64
  public var events: Int
  /// When the last event was handled.
  public var endMillis: Int64
  /// Rolls over all events and facts: equal histories have equal hashes.
  public var trace: UInt64
  /// The run was cut off, so nothing can be said about it.
  public var isCutOff: Bool
  /// The run is unfit for a verdict: something left the simulation, or would have been an exception.
  public var hasProblems: Bool
}

/// Runs histories of one scenario with one system; not to be shared between threads.
///
/// The event loop: takes events, lets the world act, and calls the code under test.
///
/// It is specialised for each system, so handlers are direct calls and nothing is allocated.
final class Engine<System: PurchaseSystem> {
  let world: UnsafeMutablePointer<World>
  private let apps: UnsafeMutablePointer<System.App>
  private let servers: UnsafeMutablePointer<System.Backend>
  private let deviceCount: Int
  private let launch: Launch

  init(setup: Setup, rules: [any Invariant]) {
    world = .allocate(capacity: 1)
    world.initialize(
      to: World(setup: setup, rules: rules, hasShopPage: System.App.hasShopPage))
    launch = Launch(
      variant: setup.variant, backend: setup.backend, shared: System.makeShared())
    deviceCount = setup.devices.count
    apps = .allocate(capacity: deviceCount)
    servers = .allocate(capacity: 2)
    for device in 0..<deviceCount { (apps + device).initialize(to: System.App(launch)) }
    for replica in 0..<2 { (servers + replica).initialize(to: System.Backend(launch)) }
  }

  deinit {
    world.pointee.deallocate()
    world.deinitialize(count: 1)
    world.deallocate()
    apps.deinitialize(count: deviceCount)
    apps.deallocate()
    servers.deinitialize(count: 2)
    servers.deallocate()
  }

  func run(seed: UInt64, script: Script?, observer: (any WorldObserver)?) -> Outcome {
    let world = world
    world.pointee.begin(seed: seed, script: script, observer: observer)
    observer?.begin(world)
    for replica in 0..<2 { replace(server: replica) }
    for device in 0..<deviceCount { start(UInt32(device), isFirst: true) }
    let isCutOff = !handleEvents(script)
    let end = world.pointee.now
    for device in 0..<deviceCount { apps[device].stopped() }
    for replica in 0..<2 { servers[replica].stopped() }
    world.pointee.judge.close(at: Instant(millis: world.pointee.setup.horizonMillis))
    return Outcome(
      broken: world.pointee.judge.broken, events: world.pointee.events, endMillis: end,
      trace: world.pointee.trace, isCutOff: isCutOff,
      hasProblems: !world.pointee.problems.isEmpty)
  }

  /// Handles one event after the other; false if there were too many.
  ///
  /// The loop holds the switch, so that an event that comes often costs no call of its own.
  private func handleEvents(_ script: Script?) -> Bool {
    let world = world
    let limit = world.pointee.setup.eventLimit
    while let event = world.pointee.next() {
      if _slowPath(world.pointee.events > limit || world.pointee.queue.isExhausted) {
        return false
      }
      if _slowPath(script != nil) {
        script?.now = Instant(millis: world.pointee.now)
        script?.event = world.pointee.events
      }
      switch event.kind {
      case .callback:
        guard let transaction = world.pointee.callbackArrives(event) else { continue }
        let phone = phone(UInt32(truncatingIfNeeded: event.detail))
        let who = world.pointee.who(purchase: transaction.row)
        guard phone.enter(.crashOnCallback, who) else { continue }
        apps[Int(phone.device)].updated(transaction, phone)
        leave(phone, .crashInCallback, who)
      case .request:
        guard let report = world.pointee.requestArrives(event.subject) else { continue }
        let server = server(event.subject)
        servers[replica(event.subject)].received(report, server)
      case .verifierAnswer:
        guard isServed(event) else { continue }
        let answer = world.pointee.verifierAnswers(event)
        let report = world.pointee.report(event.subject)
        servers[replica(event.subject)].verified(answer, for: report, server(event.subject))
      case .resume:
        guard isServed(event) else { continue }
        let report = world.pointee.report(event.subject)
        servers[replica(event.subject)].resumed(
          at: event.tag, about: TransactionID(UInt32(truncatingIfNeeded: event.detail)),
          for: report, server(event.subject))
      case .reply:
        let device = world.pointee.exchanges.at(event.subject).pointee.route.device
        guard let reply = world.pointee.replyArrives(event.subject) else { continue }
        let phone = phone(device)
        let who = phone.who(reply.transaction)
        guard phone.enter(.crashOnReply, who) else { continue }
        apps[Int(device)].replied(reply, phone)
        leave(phone, .crashInReply, who)
      case .timer:
        let device = UInt32(truncatingIfNeeded: event.detail)
        guard isCurrent(device, event.life) else { continue }
        let phone = phone(device)
        let transaction = TransactionID(event.subject)
        apps[Int(device)].timerFired(event.tag, about: transaction, phone)
        leave(phone, .crashInTimer, phone.who(transaction))
      case .charge: world.pointee.charge(event.subject)
      case .launch:
        // A launch that was called off meanwhile is none.
        guard world.pointee.devices[event.subject].launchAt == world.pointee.now else { continue }
        start(event.subject, isFirst: false)
      default: handleRare(event)
      }
    }
    return true
  }

  @inline(never)
  private func handleRare(_ event: Event) {
    switch event.kind {
    case .callback, .request, .verifierAnswer, .resume, .reply, .timer, .charge, .launch: break
    case .arrival: world.pointee.arrive()
    case .step: step(event)
    case .purchaseResult: purchaseResult(event)
    case .productList:
      let device = world.pointee.intents[event.subject].device
      guard isCurrent(device, event.life) else { return }
      let phone = phone(device)
      apps[Int(device)].productsArrived(for: world.pointee.tapValue(event.subject), phone)
      leave(phone, .crashInProducts, world.pointee.who(intent: event.subject))
    case .finishArrives:
      world.pointee.finishArrives(event.subject, UInt32(truncatingIfNeeded: event.detail))
    case .reopen: world.pointee.reopen(event.subject)
    case .visit:
      guard isCurrent(event.subject, event.life) else { return }
      let phone = phone(event.subject)
      apps[Int(event.subject)].visitedShop(phone)
      leave(phone, .crashInVisit, phone.me)
    case .flush:
      guard isCurrent(event.subject, event.life) else { return }
      world.pointee.flush(event.subject)
    case .receiptRefresh:
      guard isCurrent(event.subject, event.life) else { return }
      let phone = phone(event.subject)
      let succeeded =
        !world.pointee.devices[event.subject].isOffline
        && !world.pointee.decisions.strikes(.failRefresh, phone.me)
      if succeeded { world.pointee.writeReceipt(event.subject) }
      apps[Int(event.subject)].receiptRefreshed(succeeded, phone)
      leave(phone, .crashInRefresh, phone.me)
    case .restoreEnd:
      guard isCurrent(event.subject, event.life) else { return }
      let phone = phone(event.subject)
      apps[Int(event.subject)].restoreEnded(phone)
      leave(phone, .crashInRestore, phone.me)
    case .serverStart:
      world.pointee.servers[event.subject].isRunning = true
      replace(server: Int(event.subject))
    case .networkHeals: world.pointee.devices[event.subject].isOffline = false
    case .switchBack:
      if world.pointee.switchAccount(event.subject, away: event.tag == 1) {
        tellSession(phone(event.subject))
      }
    }
  }

  private func step(_ event: Event) {
    if event.tag == 2 {
      if let call = world.pointee.tap(intent: event.subject) { tap(call) }
      return
    }
    let step = world.pointee.setup.steps[Int(event.subject)]
    let device = UInt32(step.device)
    switch step.action {
    case .buy:
      if let call = world.pointee.tap(step: event.subject, hurried: event.tag == 1) {
        tap(call)
        world.pointee.tapAgain(call.tap.intent.raw)
      }
    case .buyOutside(let product, let quantity, let account):
      world.pointee.buyOutside(
        origin: world.pointee.origin(ofStep: event.subject), device: device, account: account,
        product: product, quantity: quantity)
    case .logIn(let account):
      world.pointee.devices[device].account = UInt32(account)
      world.pointee.devices[device].home = UInt32(account)
      if world.pointee.devices[device].isRunning { tellSession(phone(device)) }
    case .restore:
      guard world.pointee.devices[device].isRunning else { return }
      phone(device).restore()
    case .reinstall:
      world.pointee.endApp(device, relaunchAfter: 5000)
      world.pointee.reinstall(device)
    case .restoreBackup:
      world.pointee.endApp(device, relaunchAfter: 5000)
      world.pointee.restoreBackup(device)
    case .quit:
      world.pointee.flush(device)
      world.pointee.endApp(device, relaunchAfter: nil)
      world.pointee.devices[device].launchAt = -1
    case .open: start(device, isFirst: false)
    }
  }

  private func tap(_ call: World.TapCall) {
    let phone = phone(call.device)
    if call.changesSession { tellSession(phone) }
    guard phone.isAlive else { return }
    apps[Int(call.device)].tapped(call.tap, phone)
    leave(phone, .crashInTap, world.pointee.who(intent: call.tap.intent.raw))
  }

  private func tellSession(_ phone: Phone) {
    apps[Int(phone.device)].sessionChanged(phone)
    leave(phone, .crashInSession, phone.me)
  }

  private func purchaseResult(_ event: Event) {
    let device = UInt32(truncatingIfNeeded: event.detail)
    let intent = UInt32(truncatingIfNeeded: event.detail >> 32)
    guard isCurrent(device, event.life) else {
      // Nobody waits for the result any more; what was charged comes through the updates.
      if event.tag != World.CallbackTag.failed {
        world.pointee.callBack(event.subject, device, World.CallbackTag.plain)
      }
      return
    }
    let phone = phone(device)
    let who = world.pointee.who(purchase: event.subject)
    guard phone.enter(.crashOnCallback, who) else { return }
    let tap = world.pointee.tapValue(intent)
    if event.tag == World.CallbackTag.failed {
      apps[Int(device)].purchaseEnded(.failed, for: tap, phone)
    } else {
      world.pointee.purchases[event.subject].deliveredTo = world.pointee.session(of: device)
      world.pointee.markDelivered(event.subject, device)
      let transaction = world.pointee.transaction(event.subject, .purchased)
      apps[Int(device)].purchaseEnded(.success(transaction), for: tap, phone)
    }
    leave(phone, .crashInPurchaseResult, who)
  }

  private func start(_ device: UInt32, isFirst: Bool) {
    guard world.pointee.launch(device, isFirst: isFirst) else { return }
    apps[Int(device)].stopped()
    apps[Int(device)] = System.App(launch)
    let phone = phone(device)
    apps[Int(device)].launched(phone)
    leave(phone, .crashInLaunch, phone.me)
  }

  private func replace(server replica: Int) {
    servers[replica].stopped()
    servers[replica] = System.Backend(launch)
  }

  @inline(__always)
  private func leave(_ phone: Phone, _ question: Question, _ who: Who) {
    guard phone.isAlive else { return }
    phone.leave(question, who)
  }

  @inline(__always)
  private func phone(_ device: UInt32) -> Phone {
    Phone(world: world, device: device, life: world.pointee.devices[device].life)
  }

  @inline(__always)
  private func isCurrent(_ device: UInt32, _ life: UInt16) -> Bool {
    world.pointee.devices[device].isRunning && world.pointee.devices[device].life == life
  }

  @inline(__always)
  private func server(_ exchange: UInt32) -> Server {
    Server(
      world: world, exchange: exchange,
      generation: world.pointee.exchanges.at(exchange).pointee.generation,
      who: world.pointee.who(world.pointee.exchanges.at(exchange).pointee.route))
  }

  /// Whether the process that waits still runs; if not the exchange ends here.
  @inline(__always)
  private func isServed(_ event: Event) -> Bool {
    let exchange = event.subject
    guard world.pointee.isOpen(exchange, event.life) else { return false }
    if world.pointee.isServed(exchange) { return true }
    world.pointee.free(exchange)
    return false
  }

  @inline(__always)
  private func replica(_ exchange: UInt32) -> Int {
    Int(world.pointee.exchanges.at(exchange).pointee.replica)
  }
}
