import Invariants

/// Writes down a run as a person reads it, and as a machine compares it.
final class Recorder: WorldObserver {
  /// One event of the kernel, with the trace hash up to it, its own facts not included.
  struct Handled: Equatable {
    var event: Event
    /// Whom it is about; nil for nobody.
    var about: Subject?
    var trace: UInt64
    /// How many facts there were before it.
    var facts: Int
  }

  /// What a real process has said in an event.
  struct Saying: Equatable {
    var event: Int
    var words: String
  }

  private(set) var handled: [Handled] = []
  private(set) var facts: [Fact] = []
  private(set) var disturbances: [Int64] = []
  var disturbedUntil: Int64 { handle?.world.decisions.disturbedUntil ?? -1 }
  private(set) var entries: [Timeline.Entry] = []
  private(set) var rules = StoreRules()
  /// What the purchases and the intents of the run are called, by number.
  private(set) var purchaseNames: [String] = []
  private(set) var intentNames: [String] = []
  private(set) var sayings: [Saying] = []
  private(set) var printed: [PrintedLine] = []
  private(set) var remarks = Remarks()
  private var handle: WorldHandle?

  /// More lines of a run are not kept.
  private static let mostPrinted = 10_000

  let keepsOutput = true

  func saw(_ line: PrintedLine) {
    if printed.count < Self.mostPrinted { printed.append(line) }
  }

  func saw(remark: String) { remarks.add(remark) }

  func begin(_ handle: WorldHandle) {
    self.handle = handle
    remarks = Remarks()
    handled = []
    facts = []
    disturbances = []
    entries = []
    rules = StoreRules()
    purchaseNames = []
    intentNames = []
    sayings = []
    printed = []
  }

  func saw(_ event: Event) {
    guard let handle else { return }
    handled.append(
      Handled(
        event: event, about: handle.world.subject(of: event), trace: handle.world.trace,
        facts: facts.count))
    if let entry = Timeline.Entry(event, handle) { add(entry) }
  }

  private func add(_ entry: Timeline.Entry) {
    var entry = entry
    entry.event = handled.count
    entries.append(entry)
  }

  func saw(_ fact: Fact) {
    facts.append(fact)
    guard let handle else { return }
    disturbances.append(handle.world.decisions.disturbedUntil)
    rules.check(fact, handle)
    add(Timeline.Entry(fact, handle))
    let names = Names(handle)
    while purchaseNames.count < handle.world.purchases.count {
      purchaseNames.append(names.purchase(TransactionID(index: purchaseNames.count)))
    }
    while intentNames.count < handle.world.intents.count {
      intentNames.append(names.intent(IntentID(index: intentNames.count)))
    }
  }

  func saw(saying words: String) {
    guard let handle else { return }
    sayings.append(Saying(event: handled.count, words: words))
    add(
      Timeline.Entry(
        at: Instant(millis: handle.world.now), participant: .backend, text: words.inALine))
  }

  func saw(_ noted: Script.Noted) {
    let fault = noted.decision.question.fault(behind: noted.decision.answer)
    add(
      Timeline.Entry(
        at: noted.at, participant: .fault, text: noted.decision.description,
        note: fault.map { "\($0.code) \($0.entry.short)" } ?? ""))
  }
}

extension World {
  /// Whom an event is about; nil for nobody.
  func subject(of event: Event) -> Subject? {
    switch event.kind {
    case .furtherTap: Subject(key: intents[event.intent].key)
    case .productList:
      event.intent == .none ? .phone(event.phone.index) : Subject(key: intents[event.intent].key)
    case .step: .phone(setup.steps[event.step.index].device)
    case .charge, .callback, .purchaseResult, .finishArrives:
      Subject(key: purchases[event.transaction].key)
    case .subscription:
      SubscriptionEvent(rawValue: event.tag)?.isOfCharge == true
        ? Subject(key: purchases[event.transaction].key)
        : Subject(key: purchases[subscriptions[event.subscription].latest].key)
    case .news:
      StoreNews.Kinds(rawValue: event.tag) == .wishes
        ? Subject(key: intents[event.intent].key) : Subject(key: purchases[event.transaction].key)
    case .notification: subject(about: notifications[event.notification].message.transaction)
    case .job: subject(about: event.transaction)
    case .request, .verifierAnswer, .resume, .reply:
      Subject(key: who(exchanges[event.exchange].route).key)
    case .timer: Subject(key: who(about: event.transaction, device: event.phone).key)
    case .launch, .reopen, .visit, .flush, .receiptRefresh, .restoreEnd, .networkHeals,
      .switchBack, .switchAway, .restoreSent, .quit:
      .phone(event.device.index)
    case .arrival, .serverStart: nil
    }
  }

  private func subject(about transaction: TransactionID) -> Subject? {
    purchases.holds(transaction) ? Subject(key: purchases[transaction].key) : nil
  }
}

extension String {
  /// As much of it as a line of a story has room for, in one line.
  fileprivate var inALine: String {
    let line = condensed.replacing("\n", with: " ")
    return line.count > 120 ? String(line.prefix(119)) + "…" : line
  }
}
