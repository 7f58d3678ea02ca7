import Invariants

/// Follows a plan and writes down what was asked and answered.
///
/// Only runs that are replayed, told or listed have one; the others do not pay for it.
final class Script {
  /// A decision that was not quiet.
  struct Noted {
    var at: Instant
    var decision: Decision
    /// A delay within the usual range is no fault.
    var isUsual: Bool
  }

  /// Whether questions that the plan does not answer are answered by the seed.
  let followsSeed: Bool
  private(set) var askings: [Record.Asking] = []
  private(set) var notes: [Noted] = []
  var now: Instant = .start
  var onStrike: ((Noted) -> Void)?

  private let plan: Plan
  private let keepsAskings: Bool
  /// Looked up, never walked through.
  private var places: [Key: Int] = [:]
  private var counts: [Key: UInt32] = [:]
  private var matched: [Bool]

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
      places[
        Key(
          question: decision.question, subject: decision.subject.key,
          occurrence: decision.occurrence)] = index
    }
  }

  /// How often this was asked about this subject before.
  func occurrence(_ question: Question, _ who: Who) -> UInt32 {
    let key = Key(question: question, subject: who.key, occurrence: 0)
    let n = counts[key, default: 0]
    counts[key] = n &+ 1
    return n
  }

  /// The plan's answer, if it has one that may be given now.
  func planned(
    _ question: Question, _ who: Who, _ n: UInt32,
    isAllowed: (Decision.Answer) -> Bool = { _ in true }
  ) -> Decision.Answer? {
    let key = Key(question: question, subject: who.key, occurrence: Int(n) + 1)
    guard let index = places[key], isAllowed(plan.decisions[index].answer) else { return nil }
    matched[index] = true
    return plan.decisions[index].answer
  }

  func asked(_ question: Question, _ who: Who, _ n: UInt32) {
    guard keepsAskings else { return }
    askings.append(
      Record.Asking(
        at: now, question: question, subject: Subject(key: who.key), occurrence: Int(n) + 1))
  }

  func note(
    _ question: Question, _ who: Who, _ n: UInt32, _ answer: Decision.Answer,
    isUsual: Bool = false
  ) {
    let decision = Decision(question, Subject(key: who.key), Int(n) + 1, answer)
    let noted = Noted(at: now, decision: decision, isUsual: isUsual)
    notes.append(noted)
    if !isUsual { onStrike?(noted) }
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
