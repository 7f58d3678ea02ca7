import Invariants

/// Writes down a run as a person reads it, and as a machine compares it.
final class Recorder {
  /// One event of the kernel, with the trace hash after it.
  struct Handled: Equatable {
    var at: Int64
    var kind: EventKind
    var subject: UInt32
    var tag: UInt8
    var trace: UInt64
  }

  private(set) var handled: [Handled] = []
  private(set) var facts: [Fact] = []
  private(set) var entries: [Timeline.Entry] = []
  private(set) var rules = StoreRules()
  /// What the purchases and the wishes of the run are called, by number.
  private(set) var purchaseNames: [String] = []
  private(set) var intentNames: [String] = []
  private var world: UnsafeMutablePointer<World>?

  func begin(_ world: UnsafeMutablePointer<World>) {
    self.world = world
    handled = []
    facts = []
    entries = []
    rules = StoreRules()
    purchaseNames = []
    intentNames = []
  }

  func saw(_ event: Event, now: Int64) {
    guard let world else { return }
    handled.append(
      Handled(
        at: now, kind: event.kind, subject: event.subject, tag: event.tag,
        trace: world.pointee.trace))
    if let entry = Timeline.Entry(event, world) { entries.append(entry) }
  }

  func saw(_ fact: Fact) {
    facts.append(fact)
    guard let world else { return }
    rules.check(fact, world)
    entries.append(Timeline.Entry(fact, world))
    let names = Names(world)
    while purchaseNames.count < world.pointee.purchases.count {
      purchaseNames.append(names.purchase(TransactionID(index: purchaseNames.count)))
    }
    while intentNames.count < world.pointee.intents.count {
      intentNames.append(names.intent(IntentID(index: intentNames.count)))
    }
  }

  func saw(_ noted: Script.Noted) {
    let fault = noted.decision.question.fault(behind: noted.decision.answer)
    entries.append(
      Timeline.Entry(
        at: noted.at, part: .fault, text: noted.decision.description,
        note: fault.map { "\($0.code) \($0.entry.short)" } ?? ""))
  }
}

extension Question {
  /// The fault that an answer amounts to; nil for an ordinary delay.
  public func fault(behind answer: Decision.Answer) -> Fault? {
    switch shape {
    case .strike(_, let fault, _), .choice(_, let fault, _, _): return fault
    case .delay(_, _, let delay):
      switch answer {
      case .late: return delay.lateBy
      case .overtaken: return delay.overtakenBy
      case .millis(let millis):
        if let late = delay.late, millis >= late { return delay.lateBy }
        if delay.overtaken != nil, millis > delay.range.upperBound { return delay.overtakenBy }
        return millis > delay.range.upperBound ? delay.lateBy ?? delay.overtakenBy : nil
      case .strike, .value: return nil
      }
    case .omission: return nil
    }
  }
}
