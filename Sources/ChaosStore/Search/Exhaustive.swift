import Invariants

/// Runs every plan with up to so many decisions, small ones first, so what is found first is smallest.
///
/// A plan is extended only by decisions that its own run asks after its last entry, so each plan is
/// run once. What a decision may be is what the scenario's mix allows; other questions stay quiet.
public struct Exhaustive {
  /// What was found, and how much was tried.
  public struct Result: Sendable {
    /// The first, and so a smallest, plan that breaks each invariant, by position in the rules.
    public var smallest: [Plan?]
    /// How many plans of each size were run; the first is the quiet run.
    public var plans: [Int]
    /// Whether some run was cut off at the event limit, so that nothing is proved.
    public var isCutOff = false

    /// Whether every plan was run and none broke anything: a proof for plans of this size.
    public var holds: Bool { !isCutOff && smallest.allSatisfy { $0 == nil } }
  }

  private let simulation: Simulation
  private let mix: FaultMix
  private let heal: Instant
  private var result: Result

  public init(_ simulation: Simulation) {
    self.simulation = simulation
    mix = simulation.scenario.setup.mix
    heal = Instant(millis: simulation.scenario.setup.healMillis)
    result = Result(
      smallest: Array(repeating: nil, count: simulation.scenario.invariants.count), plans: [])
  }

  /// Tries every plan of up to `faults` decisions.
  public mutating func run(faults: Int) -> Result {
    var frontier = [Plan()]
    for size in 0...max(0, faults) {
      result.plans.append(frontier.count)
      var next: [Plan] = []
      for plan in frontier {
        let askings = tried(plan, listsQuestions: size < faults)
        for decision in extensions(of: plan, askings) {
          next.append(Plan(plan.decisions + [decision]))
        }
      }
      frontier = next
      if frontier.isEmpty { break }
    }
    return result
  }

  private mutating func tried(_ plan: Plan, listsQuestions: Bool) -> [Record.Asking] {
    let (outcome, askings) = simulation.run(plan: plan, listsQuestions: listsQuestions)
    if outcome.isCutOff {
      result.isCutOff = true
      return []
    }
    var broken = outcome.broken
    while broken != 0 {
      let rule = broken.trailingZeroBitCount
      broken &= broken - 1
      if result.smallest[rule] == nil { result.smallest[rule] = plan }
    }
    return askings
  }

  private func extensions(of plan: Plan, _ askings: [Record.Asking]) -> [Decision] {
    var start = 0
    if let last = plan.decisions.last {
      guard let place = askings.firstIndex(where: { $0.isAnswered(by: last) }) else { return [] }
      start = place + 1
    }
    return askings[start...].flatMap { asking -> [Decision] in
      guard asking.at < heal else { return [] }
      return answers(to: asking.question).map {
        Decision(asking.question, asking.subject, asking.occurrence, $0)
      }
    }
  }

  /// What the mix allows as an answer, other than the quiet one.
  private func answers(to question: Question) -> [Decision.Answer] {
    switch question.shape {
    case .strike(_, let fault, _): return allows(fault, question) ? [.strike] : []
    case .choice(_, let fault, _, let values):
      return allows(fault, question) ? values.map { .value($0) } : []
    case .delay(_, _, let delay):
      var answers: [Decision.Answer] = []
      if let fault = delay.overtakenBy, allows(fault, question) { answers.append(.overtaken) }
      if let fault = delay.lateBy, allows(fault, question) { answers.append(.late) }
      return answers
    }
  }

  private func allows(_ fault: Fault, _ question: Question) -> Bool {
    mix.threshold(of: fault, at: question) > 0
  }
}

extension Record.Asking {
  func isAnswered(by decision: Decision) -> Bool {
    question == decision.question && subject == decision.subject
      && occurrence == decision.occurrence
  }
}
