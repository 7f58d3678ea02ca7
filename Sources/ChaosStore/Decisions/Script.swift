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
  private(set) var notes: [Noted] = []
  @exclusivity(unchecked) private(set) var now: Instant = .start
  /// The number of the event that is being handled, from 1; 0 before the first.
  @exclusivity(unchecked) private(set) var event = 0
  var onStrike: ((Noted) -> Void)?

  let plan: Plan
  private let keepsAskings: Bool
  /// Looked up, never walked through.
  private var places: [Key: Int] = [:]
  /// A bit for each question that the plan names, so that most need no look-up.
  @exclusivity(unchecked) private var named = SIMD4<UInt64>()
  @exclusivity(unchecked) private var matched: [Bool]

  private struct Key: Hashable {
    var question: Question
    var subject: UInt64
    var occurrence: Int
  }

  init(plan: Plan, followsSeed: Bool, keepsAskings: Bool = false) {
    self.plan = plan
    self.followsSeed = followsSeed
    self.keepsAskings = keepsAskings
    matched = Array(repeating: false, count: plan.decisions.count)
    for (index, decision) in plan.decisions.enumerated() {
      let bit = Int(decision.question.rawValue)
      named[bit / 64] |= 1 << UInt64(bit % 64)
      places[
        Key(
          question: decision.question, subject: decision.subject.key,
          occurrence: decision.occurrence)] = index
    }
  }

  /// Whether even a question that the plan does not name must be asked of it.
  var needsEveryQuestion: Bool { followsSeed || keepsAskings }

  /// The next event is handled.
  func handles(_ event: Handled) {
    now = Instant(millis: event.millis)
    self.event += 1
    if keepsAskings { handled.append(event) }
  }

  /// The plan's answer, if it has one that may be given now.
  func planned(
    _ question: Question, _ who: Who, _ n: UInt32,
    isAllowed: (Decision.Answer) -> Bool = { _ in true }
  ) -> Decision.Answer? {
    let bit = Int(question.rawValue)
    guard named[bit / 64] >> UInt64(bit % 64) & 1 == 1 else { return nil }
    let key = Key(question: question, subject: who.key, occurrence: Int(n) + 1)
    guard let index = places[key], isAllowed(plan.decisions[index].answer) else { return nil }
    matched[index] = true
    return plan.decisions[index].answer
  }

  func asked(_ question: Question, _ who: Who, _ n: UInt32) {
    guard keepsAskings else { return }
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
    let key = Key(question: question, subject: subject.key, occurrence: 1)
    guard let index = places[key] else { return false }
    matched[index] = true
    notes.append(Noted(at: .start, decision: plan.decisions[index], isUsual: false))
    return true
  }

  /// The decisions of the plan whose question was never asked, or asked after the heal.
  var unmatched: [Decision] {
    plan.decisions.indices.filter { !matched[$0] }.map { plan.decisions[$0] }
  }

  /// The full plan that the run amounts to.
  var full: Plan { Plan(notes.map(\.decision)) }
  /// The faults alone.
  var faults: Plan { Plan(notes.filter { !$0.isUsual }.map(\.decision)) }
}
