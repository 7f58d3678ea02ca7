import Invariants

/// Follows a plan and writes down what was asked and answered.
///
/// Only runs that are replayed, told or listed have one; the others do not pay for it.
final class Script {
  /// A decision that was not quiet.
  struct Noted: Equatable {
    var at: Instant
    var decision: Decision
    /// A delay within the usual range is no fault.
    var isUsual: Bool
    /// The number of the event it was taken in, from 1; 0 before the first.
    var event = 0
  }

  /// Whether questions that the plan does not answer are answered by the seed.
  let followsSeed: Bool
  // A run has one thread, and to check each of these accesses is a fifth of its time.
  @exclusivity(unchecked) private(set) var askings: [Asking] = []
  /// The events of the run, in order; kept where the askings are.
  @exclusivity(unchecked) private(set) var handled: [Handled] = []
  /// For each event what it asked about, as ``Subject/touches`` has it; kept where the askings are.
  @exclusivity(unchecked) private(set) var touched: [UInt64] = []
  @exclusivity(unchecked) private var touching: UInt64 = 0
  /// What waits for the end of a delay; kept where the askings are.
  private(set) var ties: [Tie] = []
  private(set) var notes: [Noted] = []
  @exclusivity(unchecked) private(set) var now: Instant = .start
  /// The number of the event that is being handled, from 1; 0 before the first.
  @exclusivity(unchecked) private(set) var event = 0
  var onStrike: ((Noted) -> Void)?

  let plan: Plan
  let keepsAskings: Bool
  /// After this event the plan says nothing more, and the seed answers what until then it did not; nil for a run
  /// that the two decide together.
  var freshAfter: Int?
  /// Whether of the askings those about delays are enough.
  let keepsDelaysAlone: Bool
  /// Whether what was decided is written down; else only the run counts, or what was asked.
  var keepsNotes = true
  let table: Table

  /// The decisions of a plan, looked up at every question that one of them names.
  ///
  /// Most plans have a few, so there is nothing quicker than to walk through them; where there are many, only
  /// those are walked through that share a hash. It belongs to its script, and whoever holds it meanwhile needs
  /// no count of references.
  struct Table {
    private let rows: UnsafeMutablePointer<Row>
    private let count: Int
    /// For each value of a hash, where the last decision with it stands; of few decisions all have one.
    private let last: UnsafeMutablePointer<Int>
    private let mask: Int
    /// A bit for each question that is answered; several questions share one.
    private let questions: UInt64

    private struct Row {
      var subject: UInt64
      var question: Question
      var occurrence: Int
      var answer: Decision.Answer
      /// Where the one before it with the same hash stands; negative for none.
      var before = -1
      var isMatched = false
    }

    private static let few = 8

    init(_ plan: Plan) {
      count = plan.decisions.count
      rows = .allocate(capacity: count)
      var hashes = 1
      if count > Self.few { while hashes < count { hashes *= 2 } }
      mask = hashes - 1
      last = .allocate(capacity: hashes)
      last.initialize(repeating: -1, count: hashes)
      questions = plan.decisions.reduce(0) { $0 | Self.bit($1.question) }
      for (index, decision) in plan.decisions.enumerated() {
        (rows + index).initialize(
          to: Row(
            subject: decision.subject.key, question: decision.question,
            occurrence: decision.occurrence, answer: decision.answer))
        let hash = hash(decision.question, decision.subject.key, decision.occurrence)
        rows[index].before = last[hash]
        last[hash] = index
      }
    }

    func deallocate() {
      rows.deallocate()
      last.deallocate()
    }

    @inline(__always)
    private func hash(_ question: Question, _ subject: UInt64, _ occurrence: Int) -> Int {
      if mask == 0 { return 0 }
      let all = subject &+ UInt64(question.rawValue) << 48 &+ UInt64(occurrence) << 24
      return Int((all &* 0x9e37_79b9_7f4a_7c15) >> 32) & mask
    }

    private static func bit(_ question: Question) -> UInt64 { 1 << UInt64(question.rawValue & 63) }

    /// The answer to the question when it is asked for the time after `n`, if it may be given now. Of two
    /// decisions on one question the later one counts.
    @inline(__always)
    func answer(
      _ question: Question, _ subject: UInt64, _ n: UInt32,
      isAllowed: (Decision.Answer) -> Bool = { _ in true }
    ) -> Decision.Answer? {
      guard questions & Self.bit(question) != 0 else { return nil }
      var index = last[hash(question, subject, Int(n) + 1)]
      while index >= 0 {
        let row = rows + index
        index = row.pointee.before
        guard row.pointee.question == question, row.pointee.subject == subject,
          row.pointee.occurrence == Int(n) + 1
        else { continue }
        guard isAllowed(row.pointee.answer) else { return nil }
        row.pointee.isMatched = true
        return row.pointee.answer
      }
      return nil
    }

    func isMatched(_ index: Int) -> Bool { rows[index].isMatched }
  }

  init(
    plan: Plan, followsSeed: Bool, keepsAskings: Bool = false, keepsDelaysAlone: Bool = false
  ) {
    self.plan = plan
    self.followsSeed = followsSeed
    self.keepsAskings = keepsAskings
    self.keepsDelaysAlone = keepsDelaysAlone
    table = Table(plan)
  }

  deinit { table.deallocate() }

  /// Whether even a question that the plan does not name must be asked of it.
  var needsEveryQuestion: Bool { followsSeed || keepsAskings }

  /// Whether it is to be told of each event.
  var isTold: Bool { keepsNotes || keepsAskings || freshAfter != nil }

  /// Makes room for what will be written down.
  func reserve(askings most: Int, events: Int) {
    askings.reserveCapacity(most)
    handled.reserveCapacity(events)
    touched.reserveCapacity(events)
  }

  /// Whether the next event is the first for which the seed alone decides.
  var beginsAnew: Bool { freshAfter == event }

  /// The next event is handled.
  func handles(_ event: Handled) {
    now = Instant(millis: event.millis)
    if keepsAskings {
      endEvent()
      handled.append(event)
    }
    self.event += 1
  }

  /// Something that waits for the end of a delay is scheduled.
  func waits(_ tie: Tie) { if keepsAskings { ties.append(tie) } }

  /// What the event at work has asked about is known.
  func endEvent() {
    if event > 0 { touched.append(touching) }
    touching = 0
  }

  func asked(_ question: Question, _ who: Who, _ n: UInt32) {
    touching |= Subject(key: who.key).touches
    if !keepsDelaysAlone { keep(question, who, n) }
  }

  func askedDelay(_ question: Question, _ who: Who, _ n: UInt32) {
    touching |= Subject(key: who.key).touches
    keep(question, who, n)
  }

  /// The event at work does what its plan says, which may have to do with everything.
  func strikes() { touching = .max }

  private func keep(_ question: Question, _ who: Who, _ n: UInt32) {
    askings.append(
      Asking(
        at: now, event: event, question: question, subject: Subject(key: who.key),
        occurrence: Int(n) + 1))
  }

  func note(
    _ question: Question, _ who: Who, _ n: UInt32, _ answer: Decision.Answer,
    isUsual: Bool = false
  ) {
    let decision = Decision(question, Subject(key: who.key), Int(n) + 1, answer)
    let noted = Noted(at: now, decision: decision, isUsual: isUsual, event: event)
    notes.append(noted)
    if !isUsual { onStrike?(noted) }
  }

  /// Whether the plan takes a step or a phone out of the scenario.
  func omits(_ question: Question, _ subject: Subject) -> Bool {
    guard let answer = table.answer(question, subject.key, 0) else { return false }
    let decision = Decision(question, subject, 1, answer)
    notes.append(Noted(at: .start, decision: decision, isUsual: false))
    return true
  }

  /// The decisions of the plan whose question was never asked, or asked after the heal.
  var unmatched: [Decision] {
    plan.decisions.indices.filter { !table.isMatched($0) }.map { plan.decisions[$0] }
  }

  /// The full plan that the run amounts to.
  var full: Plan { Plan(notes.map(\.decision)) }
  /// The faults alone.
  var faults: Plan { Plan(notes.filter { !$0.isUsual }.map(\.decision)) }
}
