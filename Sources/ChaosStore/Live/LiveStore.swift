import Invariants

/// An App Store that whoever holds it drives: no scenario says what people do, and no app runs.
///
/// Time stands until ``pass(to:)`` lets it pass. What people do is called as it happens, what a backend asks is
/// answered at once, and what the App Store sends waits in a ``Delivery`` for the backend's answer. The same calls at
/// the same times have the same history under one seed, whatever the clock on the wall says.
///
///     let store = try LiveStore(LiveStore.Terms(products: [Setup.Product("coins")]))
///     let purchase = store.buy(ProductID(index: 0), by: 0, in: .production)
///     while let delivery = store.pass(to: store.now) { store.answered(delivery, .status(200)) }
///
/// Not to be shared between threads.
public final class LiveStore: WorldUser {
  /// What a store is founded with.
  public struct Terms: Sendable {
    /// What is sold.
    public var products: [Setup.Product]
    /// How many people there are to buy. Each has one account of the app, and pays with one Apple account in
    /// production and with another in the sandbox.
    public var people: Int
    /// Who are a family, each a person from 0; nobody is in two.
    public var families: [[Int]]
    /// The date at which it begins, in seconds since 1970.
    public var beginsSeconds: Int64
    /// What everything is chosen by that happens by chance.
    public var seed: UInt64
    /// How many lines of history are kept, the latest.
    public var linesKept: Int
    /// What a product costs, in thousandths of the currency; one that is not named costs 990.
    public var prices: [String: Int] = [:]
    /// What of the file that they were read from is not simulated.
    public internal(set) var remarks: [String] = []
    /// What the file that they were read from switches on, and where it strikes.
    var switches: [(fault: Fault, question: Question)] = []

    /// The terms of a store, with a thousand people and no family unless others are named.
    public init(
      products: [Setup.Product], people: Int = 1000, families: [[Int]] = [],
      beginsSeconds: Int64 = 1_700_000_000, seed: UInt64 = 0, linesKept: Int = 10_000
    ) {
      self.products = products
      self.people = people
      self.families = families
      self.beginsSeconds = beginsSeconds
      self.seed = seed
      self.linesKept = linesKept
    }
  }

  /// A notification that has reached the backend's door, and waits for the answer.
  public struct Delivery: Sendable {
    /// What the App Store says.
    public let notification: StoreNotification
    let exchange: ExchangeID
    /// Which attempt it is, from 1.
    public let attempt: Int
  }

  /// What a backend has answered to a ``Delivery``.
  public enum Answer: Sendable, Equatable {
    /// An HTTP status; 200 to 206 are success.
    case status(Int)
    /// Nobody was there to take it.
    case noResponse
    /// No answer came in time.
    case timedOut
  }

  /// What it was founded with.
  public let terms: Terms
  let handle: WorldHandle
  let lines: LiveHistory
  /// Notifications that have arrived, and were not handed over yet.
  private var arrived: [Delivery] = []

  /// The last millisecond that a store lives to see: four years after it began.
  public static let horizonMillis = Limits.longest

  /// Founds a store; throws where the terms make no sense.
  public convenience init(_ terms: Terms) throws(ScenarioError) {
    let setup = Self.setup(terms)
    try Self.check(setup)
    self.init(terms, checked: setup)
  }

  // Not in the initialiser: a class's that fails after a `catch` is freed before it is filled (Swift 6.3).
  private static func check(_ setup: Setup) throws(ScenarioError) {
    do throws(Refusal) {
      try SetupCheck(setup, allowsNothing: true).check()
    } catch { throw error.error }
  }

  private init(_ terms: Terms, checked setup: Setup) {
    self.terms = terms
    handle = WorldHandle(
      World(setup: setup, rules: Self.invariants, hasShopPage: false, hasBackend: true))
    lines = LiveHistory(most: terms.linesKept)
    world.holdsQuestions = true
    world.begin(seed: terms.seed, script: nil, observer: lines)
    world.decisions.disarm()
    lines.begin(handle)
    for (fault, question) in terms.switches { arm(fault, chance: .one, at: question) }
  }

  deinit { handle.destroy() }

  private static func setup(_ terms: Terms) -> Setup {
    var setup = Setup()
    setup.products = terms.products
    setup.accounts = terms.people
    setup.storeAccounts = terms.people * 2
    setup.families = terms.families.map { $0.map { $0 * 2 } }
    setup.devices = (0..<max(terms.people, 0)).flatMap { person in
      Environment.allCases.map {
        Setup.Device(
          storeAccount: device(of: person, in: $0).index, account: person, environment: $0)
      }
    }
    setup.isWholeStore = true
    setup.isDriven = true
    setup.beginsSeconds = terms.beginsSeconds
    setup.healMillis = horizonMillis
    setup.horizonMillis = horizonMillis
    setup.reopenEveryMillis = nil
    setup.eventLimit = Event.most
    // Nothing takes time by itself: whoever holds the store lets it pass.
    for question in [Question.delayCharge, .delayNotification, .delayShare] {
      setup.mix.delays[question] = 0...0
    }
    for fault in faults {
      // What never strikes has no place where it is counted, and could not be armed.
      setup.mix.entries[fault] = .init(chance: .least, sites: questions(of: fault))
    }
    return setup
  }

  /// Each person's phones: one that pays, and one that tests.
  static func device(of person: Int, in environment: Environment) -> DeviceID {
    DeviceID(index: person * 2 + (environment == .sandbox ? 1 : 0))
  }

  // MARK: - Time

  /// Milliseconds since it began.
  public var now: Int64 { world.now }

  /// When something happens next of itself; nil for never.
  public var nextMillis: Int64? {
    guard arrived.isEmpty else { return now }
    let next = world.queue.earliest.millis
    return next <= Self.horizonMillis ? next : nil
  }

  /// Whether it has lived as long as a store can: nothing happens any more, and it has to be founded anew.
  public var isOver: Bool { now >= Self.horizonMillis || world.queue.isExhausted }

  /// Lets time pass, until then or to the next notification for the backend; nil when it is then.
  ///
  /// Go on with the same moment until nil comes: of what happens while a notification waits for its answer, and
  /// that is before the App Store has it, nothing is lost.
  public func pass(to millis: Int64) -> Delivery? {
    let end = min(max(millis, now), Self.horizonMillis)
    while arrived.isEmpty, world.queue.earliest.millis <= end, !world.queue.isExhausted,
      let event = world.next()
    {
      handle(event)
      lines.noteStrikes()
    }
    if !arrived.isEmpty { return arrived.removeFirst() }
    if !world.queue.isExhausted { world.now = end }
    return nil
  }

  private func handle(_ event: Event) {
    switch event.kind {
    case .charge: world.charge(event.transaction)
    case .subscription: world.subscriptionEvent(event)
    case .finishArrives: world.finishArrives(event.transaction, event.phone)
    case .notification: deliver(event)
    // All else is of apps, which there are none of.
    default: break
    }
  }

  private func deliver(_ event: Event) {
    if event.isAttempt { return world.sendAttempt(event.notification) }
    guard let (message, exchange) = world.notificationArrives(event.notification) else { return }
    arrived.append(
      Delivery(
        notification: message, exchange: exchange,
        attempt: Int(world.notifications[event.notification].attempts)))
  }

  /// Says what the backend has answered; once for each delivery.
  public func answered(_ delivery: Delivery, _ answer: Answer) {
    let number = delivery.notification.number
    switch answer {
    case .status(let status):
      lines.note(.backend, "answers \(status) to notification \(number)")
      world.notificationAnswered(delivery.exchange, status: Int32(clamping: status))
    case .noResponse, .timedOut:
      lines.note(
        .backend,
        answer == .timedOut
          ? "does not answer notification \(number)"
          : "is not there to take notification \(number)")
      world.note(answer == .timedOut ? .timedOut : .noResponse, of: NotificationID(number))
      world.free(delivery.exchange)
    }
  }

  /// Runs what happens at this moment, but hands over no notification.
  func settle() {
    while world.queue.earliest.millis <= now, !world.queue.isExhausted, let event = world.next() {
      handle(event)
    }
    lines.noteStrikes()
  }
}
