import Invariants

/// Everything that is simulated, apart from the code under test.
///
/// A plain struct reached through a pointer: ports and engine share it without reference counting.
struct World: ~Copyable {
  /// Nothing, but of a size that is not known: so that a world is looked at where it lies. Whoever borrows one
  /// is handed a copy otherwise, and that is a kilobyte a call.
  private let staysInPlace: any Sendable = ()
  let setup: Setup
  /// The present, in milliseconds since the history began: it is where everything is chosen.
  var now: Int64 {
    get { decisions.now }
    set { decisions.now = newValue }
  }
  var events = 0
  var trace: UInt64 = 0
  /// What makes this run unfit for a verdict.
  var problems: [Problem] = []
  var queue = EventQueue()
  var decisions: Decisions
  var judge: Judge
  /// Is told of everything; nil on the fast path.
  var observer: (any WorldObserver)?
  /// Whether a script or an observer is told of each event.
  private var isFollowed = false

  var devices: Rows<DeviceRow, DeviceID>
  var storeAccounts: Rows<StoreAccountRow, StoreAccountID>
  var intents: Rows<IntentRow, IntentID>
  var purchases: Rows<PurchaseRow, TransactionID>
  var subscriptions = Rows<SubscriptionRow, SubscriptionID>()
  var notifications = Rows<NotificationRow, NotificationID>()
  var exchanges = Rows<ExchangeRow, ExchangeID>()
  var freeExchange: ExchangeID = .none
  var servers = Rows<ServerRow, ReplicaID>()
  /// What the backend keeps beside the ledger.
  var tables = DurableTables()
  /// What was entered last into the table of credited transactions, and when: what a replica may not have yet.
  var lastRecorded = TransactionID.none
  var lastRecordedMillis: Int64 = 0
  /// What the handler at work has used so far, and what was used in one step in this run.
  var step = StepOfBackend()
  var stepsAsOne: TableUses = []
  /// The number of the request whose work was ended last; `.max` for none.
  var dropped: UInt64 = .max
  var records = Rows<RecordRow, RecordID>()
  /// What an app without a backend has handed out.
  var goods: [Goods] = []
  /// Receipts that a backend recognises by their bytes.
  var seenReceipts: [UInt64] = []
  /// What transaction histories were asked for, where it was not all of them.
  var historyFilters: [HistoryFilter] = []
  /// Counts the store's changes; what receipts are dated by.
  var storeClock: UInt32 = 0
  /// How many purchases the attacker has made in the sandbox.
  var attackersPurchases: UInt64 = 0
  /// How many purchases an app asked for of which nobody can tell for which tap.
  var unattributed = 0
  /// How many purchases of `arrivals` have arrived.
  var arrived = 0
  /// Which scripted steps were brought forward.
  var doneSteps: UInt64 = 0
  /// The first millisecond that is not like those before: that of the heal, then the one after the horizon.
  private var nextBoundary: Int64 = 0
  /// When the last app is back that was in the background.
  var lastForegroundAt: Int64 = 0
  /// Whether anything that is sold is paid for again and again.
  let sellsSubscriptions: Bool
  /// Whether any subscription has other terms for first periods.
  let makesOffers: Bool
  /// Whether anything that somebody buys others of their family have as well.
  let sharesPurchases: Bool
  /// Whether anything becomes of a purchase after it was made.
  let isWholeStore: Bool
  /// Whether anybody uses the app in other ways than the scenario says.
  var asksUses = false
  /// Whether an app hears of more than transactions.
  var isHeard = false
  /// Whether an app has looked through what the store holds for it, for whoever puts it back.
  var looksAtStore = false
  /// Whether a listener was taken away since it was last asked: it gets the rest of an array.
  var detachesListener = false
  /// Whether a job of a queue was begun, and whether the verifier has refused a charge that was voided: what a
  /// process that dies was at is looked through only then.
  var hasBegunJob = false
  var hasRefused = false
  /// Whether the backend has used tables of its own, for whoever puts it back.
  var usesOwnTables = false
  /// Whether dishonest reports can follow honest ones.
  var asksAttacker = false
  /// Whether another user may log in.
  var asksSwitch = false
  /// Whether what a backend asks Apple is answered at once, by whoever drives the world, and not by an event.
  var holdsQuestions = false
  /// What it has asked, and what becomes of that.
  var heldQuestion: (exchange: ExchangeID, question: VerifierQuestion, fate: VerifierQuestion.Fate)?
  private let hasAttacker: Bool
  private let hasSwitches: Bool
  private let hasUses: Bool
  /// For each step, how many purchases the scenario names before it.
  private let origins: [Int]
  /// Whether the app under test shows a shop page that a person visits.
  let hasShopPage: Bool
  /// Whether the app is told of every outcome that StoreKit has for a payment.
  let takesAnyOutcome: Bool
  /// True if every device's app is launched again before the end, whatever happens.
  private let reopensApps: Bool
  /// By device, until when the scenario's steps still bring a launch.
  private let lastLaunches: [Int64]
  /// Whether there is a backend, or what is bought is on the devices alone.
  let hasBackend: Bool
  /// The decisions about what an attacker does.
  let attackerWho: Who
  /// True once code under test has read a clock, in this run or in an earlier one.
  var readsClock = false
  /// Whether this run was ended by somebody.
  var isInterrupted = false
  /// Whether nothing can be said of what a real process does: the run ends.
  var isAbandoned = false
  var cancellation = Cancellation.never

  init(
    setup: Setup, rules: [any Invariant], hasShopPage: Bool, takesAnyOutcome: Bool = false,
    hasBackend: Bool = true
  ) {
    self.setup = setup
    self.hasShopPage = hasShopPage
    self.takesAnyOutcome = takesAnyOutcome
    self.hasBackend = hasBackend
    sellsSubscriptions = setup.sellsSubscriptions
    makesOffers = setup.makesOffers
    sharesPurchases = setup.sharesPurchases
    isWholeStore = setup.hasAftermath
    // What a large world is known to need is not grown into step by step.
    let purchasesExpected = setup.chargesToArrive ?? setup.steps.count + 8
    devices = Rows(capacity: setup.devices.count)
    storeAccounts = Rows(capacity: setup.storeAccounts + 1)
    intents = Rows(capacity: purchasesExpected)
    purchases = Rows(capacity: purchasesExpected)
    decisions = Decisions(
      mix: setup.mix, slots: Self.ownSlots(setup) + purchasesExpected)
    attackerWho = Who(
      slot: UInt32(truncatingIfNeeded: setup.devices.count), key: Subject.attacker.key)
    hasAttacker = setup.mix.hasAttacker
    hasSwitches = setup.mix.faults.contains(.accountSwitch)
    hasUses = setup.mix.faults.contains(where: \.isUse)
    var named = 0
    origins = setup.steps.map { step in
      defer { if step.isPurchase { named += 1 } }
      return named
    }
    reopensApps = setup.reopensApps
    lastLaunches = setup.lastLaunches
    judge = Judge(rules: rules, terms: setup.terms(hasBackend: hasBackend))
    judge.reserve(purchases: purchasesExpected)
  }

  /// Phones, the attacker and the processes of the backend: whom decisions are about from the beginning.
  private static func ownSlots(_ setup: Setup) -> Int { setup.devices.count + 3 }

  func deallocate() {
    queue.deallocate()
    decisions.deallocate()
    devices.deallocate()
    storeAccounts.deallocate()
    intents.deallocate()
    purchases.deallocate()
    subscriptions.deallocate()
    notifications.deallocate()
    exchanges.deallocate()
    servers.deallocate()
    records.deallocate()
  }

  /// Sets everything to the beginning of a history.
  mutating func begin(seed: UInt64, script: Script?, observer: (any WorldObserver)?) {
    events = 0
    trace = 0x6368_616f_7373_746f
    if !problems.isEmpty { problems.removeAll() }
    if !goods.isEmpty { goods.removeAll(keepingCapacity: true) }
    isInterrupted = false
    isAbandoned = false
    storeClock = 0
    looksAtStore = false
    isHeard = false
    detachesListener = false
    usesOwnTables = false
    hasBegunJob = false
    hasRefused = false
    arrived = 0
    unattributed = 0
    attackersPurchases = 0
    doneSteps = 0
    lastForegroundAt = 0
    nextBoundary = min(setup.healMillis, setup.horizonMillis + 1)
    freeExchange = .none
    queue.clear()
    judge.clear()
    self.observer = observer
    isFollowed = observer != nil || script?.isTold ?? false
    asksAttacker = hasAttacker || script != nil
    asksUses = hasUses || script != nil
    asksSwitch = setup.accounts > 1 && (hasSwitches || script != nil)
    decisions.begin(seed: seed, script: script, slots: Self.ownSlots(setup))
    devices.removeAll()
    storeAccounts.removeAll()
    intents.removeAll()
    purchases.removeAll()
    subscriptions.removeAll()
    notifications.removeAll()
    exchanges.removeAll()
    servers.removeAll()
    records.removeAll()
    tables.removeAll()
    lastRecorded = .none
    stepsAsOne = []
    step.event = -1
    dropped = .max
    if !seenReceipts.isEmpty { seenReceipts.removeAll(keepingCapacity: true) }
    if !historyFilters.isEmpty { historyFilters.removeAll(keepingCapacity: true) }
    // The last one is the attacker's.
    for _ in 0...setup.storeAccounts { storeAccounts.append(StoreAccountRow()) }
    for device in setup.devices {
      devices.append(
        DeviceRow(
          storeAccount: StoreAccountID(index: device.storeAccount),
          account: AccountID(index: device.account),
          home: AccountID(index: device.account), environment: device.environment))
    }
    // Each list in the order of the phones.
    var left = devices.count
    while left > 0 {
      left -= 1
      let device = DeviceID(index: left)
      let account = devices[device].storeAccount
      devices[device].nextOfAccount = storeAccounts[account].firstDevice
      storeAccounts[account].firstDevice = device
    }
    if let script {
      for device in setup.devices.indices where script.omits(.omitPhone, .phone(device)) {
        devices[DeviceID(index: device)].isOmitted = true
      }
    }
    for _ in 0..<2 { servers.append(ServerRow()) }
    for (index, step) in setup.steps.enumerated() {
      if let script, script.omits(.omitStep, .step(index)) { continue }
      schedule(.step(StepID(index: index)), at: step.atMillis)
    }
    if setup.arrivals != nil { schedule(.arrival, at: 0) }
    if setup.healMillis <= 0 { heal() }
    if let sittings = setup.sittings {
      for device in setup.devices.indices {
        schedule(.reopen(DeviceID(index: device)), at: sittings.everyMillis)
      }
    } else if let every = setup.reopenEveryMillis {
      for index in setup.devices.indices {
        schedule(.reopen(DeviceID(index: index)), at: setup.healMillis + every)
      }
    }
  }

  /// Takes the next event; nil when the history is over.
  @inline(__always)
  mutating func next() -> Event? {
    // After the last comes one that is later than every horizon.
    let event = queue.pop()
    let millis = event.millis
    if _slowPath(millis >= nextBoundary), !crosses(to: millis) { return nil }
    if _slowPath(millis < now) { refuse(event) }
    now = millis
    events &+= 1
    trace = Hashing.fold(
      trace ^ UInt64(truncatingIfNeeded: millis) << 8 ^ UInt64(event.kind.hashed),
      UInt64(event.subject) << 32 ^ UInt64(event.tag) << 16 ^ UInt64(event.life)
        ^ event.detail &* 0x9e37_79b9_7f4a_7c15 ^ 0x9e37_79b9_7f4a_7c15)
    if _slowPath(isFollowed) { tell(event) }
    return event
  }

  /// Tells a script and an observer which event is about to be handled.
  @inline(never)
  private mutating func tell(_ event: Event) {
    if decisions.script?.beginsAnew ?? false { decisions.beginAnew() }
    decisions.script?.handles(
      Handled(
        millis: event.millis, order: event.order, scheduled: queue.scheduled,
        isTimer: event.kind == .timer))
    observer?.saw(event)
  }

  @inline(never)
  private func tell(_ fact: Fact) { observer?.saw(fact) }

  /// Whatever was scheduled for the past comes next, so it is noticed here, in release as well.
  @inline(never)
  private func refuse(_ event: Event) -> Never {
    fatalError("bug: \(event.kind) was scheduled for \(event.millis) ms, and it is \(now) ms")
  }

  /// Whether a run goes on that was not to have more events than this without being asked.
  @inline(never)
  mutating func goesOn(pastPause pause: inout Int, pausingEvery between: Int) -> Bool {
    guard events <= setup.eventLimit, !queue.isExhausted, !isAbandoned else { return false }
    isInterrupted = cancellation.isRequested(after: events)
    pause = min(setup.eventLimit, events + between)
    return !isInterrupted
  }

  /// Whether the history goes on until then; from the heal on without faults.
  @inline(never)
  private mutating func crosses(to millis: Int64) -> Bool {
    guard millis <= setup.horizonMillis else { return false }
    now = millis
    if !decisions.isHealed { heal() }
    return true
  }

  /// From here on no fault strikes, and none goes on.
  @inline(never)
  private mutating func heal() {
    nextBoundary = setup.horizonMillis + 1
    decisions.heal()
    for device in devices.ids {
      goOnline(device)
      endForeignReceipt(device)
    }
  }

  /// Enters a fact into the history: the trace, the judge, the record.
  @inline(__always)
  mutating func emit(_ fact: Fact) {
    trace = Hashing.fold(
      trace ^ UInt64(fact.kind.rawValue) << 56 ^ UInt64(fact.message.rawValue) << 48
        ^ UInt64(fact.verdict.rawValue) << 40 ^ UInt64(fact.environment.rawValue) << 32
        ^ UInt64(fact.transaction.raw),
      UInt64(fact.account.raw) << 32 ^ UInt64(fact.intent.raw) ^ 0xd6e8_feb8_6659_fd93)
    trace = Hashing.fold(
      trace ^ UInt64(fact.product.raw) << 32 ^ UInt64(fact.quantity),
      UInt64(fact.device.raw) << 32 ^ UInt64(fact.storeAccount.raw)
        ^ UInt64(fact.original.raw) &* 0x9e37_79b9_7f4a_7c15 ^ 0xa076_1d64_78bd_642f
        ^ UInt64(fact.amount) &* 0xe703_7ed1_a0b4_28db)
    judge.observe(fact, disturbedUntil: decisions.disturbedUntil)
    if _slowPath(isFollowed) { tell(fact) }
  }

  /// The history is over, and what is judged at its end is judged.
  mutating func close() {
    judge.disturb(until: decisions.disturbedUntil)
    judge.close(at: Instant(millis: setup.horizonMillis))
  }

  /// True if what waits for the next launch on this device may be asked about: a launch still comes, or the
  /// scenario's mix names the question.
  ///
  /// Without a launch the charge would wait for ever, and every app would lose it.
  @inline(__always)
  func mayWaitForLaunch(_ question: Question, on device: DeviceID) -> Bool {
    reopensApps || mayWaitUnopened(question, on: device)
  }

  @inline(never)
  private func mayWaitUnopened(_ question: Question, on device: DeviceID) -> Bool {
    now < lastLaunches[device.index]
      || question.fault.flatMap { setup.mix.entries[$0] }?.sites.contains(question) ?? false
  }

  /// How many purchases the scenario names before this step.
  func origin(ofStep index: StepID) -> Int { origins[index.index] }

  @inline(__always)
  func fact(_ kind: Fact.Kind) -> Fact { Fact(kind, at: Instant(millis: now)) }

  @inline(__always)
  func who(device: DeviceID) -> Who {
    Who(slot: device.raw, key: Subject.phone(device.index).key)
  }

  @inline(__always)
  func who(purchase: TransactionID) -> Who {
    let row = purchases.at(purchase)
    return Who(slot: row.pointee.slot, key: row.pointee.key)
  }

  /// Whom the decisions about a message are named after. The attacker's are counted apart, so
  /// that an attack moves no decision about anybody else.
  @inline(__always)
  func who(_ route: ExchangeRow.Route) -> Who {
    // A TEST of Apple's is about no purchase.
    if _slowPath(route.sender != .app), route.sender != .store || route.about.isNone {
      return who(sender: route.sender)
    }
    return who(about: route.about, device: route.device)
  }

  private func who(sender: ExchangeRow.Sender) -> Who {
    switch sender {
    case .server1, .store: who(server: ReplicaID(0))
    case .server2: who(server: ReplicaID(1))
    case .app, .attacker: attackerWho
    }
  }

  /// The decisions about what a process of the backend does of its own accord.
  func who(server replica: ReplicaID) -> Who {
    Who(
      slot: attackerWho.slot &+ 1 &+ replica.raw,
      key: Subject.server(replica.index).key)
  }

  /// The purchase something is about, or the phone it comes from.
  @inline(__always)
  func who(about purchase: TransactionID, device: DeviceID) -> Who {
    purchase == .none ? who(device: device) : who(purchase: purchase)
  }
}
