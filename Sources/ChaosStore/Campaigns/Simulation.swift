import Invariants

/// One scenario, ready to be run any number of times; not to be shared between threads.
public final class Simulation {
  public let scenario: Scenario
  private let engine: RunEngine

  public init(_ scenario: Scenario) {
    self.scenario = scenario
    engine = scenario.system.makeEngine(scenario.setup, scenario.invariants)
  }

  /// Runs one seed and returns what it came to.
  public func run(seed: UInt64) -> Outcome {
    engine.run(seed, nil, nil)
  }

  /// Follows a plan without a seed, and writes nothing down.
  public func run(plan: Plan) -> Outcome { run(plan: plan, listsQuestions: false).outcome }

  /// Follows a plan without a seed, and writes down no more than the questions that were asked.
  func run(plan: Plan, listsQuestions: Bool) -> (outcome: Outcome, askings: [Record.Asking]) {
    let script = Script(plan: plan, followsSeed: false, keepsAskings: listsQuestions)
    let outcome = engine.run(0, script, nil)
    return (outcome, script.askings)
  }

  /// Follows a seed, a plan or both, and writes down no more than what the plan named in vain.
  func follow(seed: UInt64?, plan: Plan) -> (outcome: Outcome, unmatched: [Decision]) {
    if let seed, plan.isEmpty { return (run(seed: seed), []) }
    let script = Script(plan: plan, followsSeed: seed != nil)
    let outcome = engine.run(seed ?? 0, script, nil)
    return (outcome, script.unmatched)
  }

  /// The first break of each invariant in the last run.
  public var violations: [Violation] { engine.violations }

  /// What makes the last run unfit for a verdict.
  public var problems: [Problem] { engine.problems }

  /// Whether the last run reached this goal.
  func reached(_ goal: Goal) -> Bool { goal.isReached(engine.happened, engine.struck) }

  /// Adds how often each fault struck at each step in all runs so far.
  func addStrikes(to coverage: inout Coverage) { coverage.add(engine.struckEver) }

  /// Runs a seed, a plan, or a plan over a seed, and writes everything down.
  public func record(seed: UInt64?, plan: Plan = Plan(), listsQuestions: Bool = false) -> Record {
    let script = Script(
      plan: plan, followsSeed: seed != nil, keepsAskings: listsQuestions)
    let recorder = Recorder()
    script.onStrike = { recorder.saw($0) }
    let outcome = engine.run(seed ?? 0, script, recorder)
    return Record(
      seed: seed, outcome: outcome, violations: engine.violations,
      timeline: Timeline(entries: recorder.entries), faults: script.faults, full: script.full,
      unmatched: script.unmatched,
      questions: script.askings,
      ruleBreaks: recorder.rules.breaks, problems: engine.problems, facts: recorder.facts,
      handled: recorder.handled,
      notes: script.notes,
      purchaseNames: recorder.purchaseNames, intentNames: recorder.intentNames)
  }
}

/// A run that was written down.
public struct Record: Sendable {
  /// A question that was asked.
  public struct Asking: Sendable, Equatable {
    public var at: Instant
    /// The how-many-th event of the run it was asked in.
    public var event: Int
    public var question: Question
    public var subject: Subject
    public var occurrence: Int
  }

  /// The seed; nil if only a plan was followed.
  public var seed: UInt64?
  public var outcome: Outcome
  /// The first break of each broken invariant, in the order in which they broke.
  public var violations: [Violation]
  public var timeline: Timeline
  /// The faults that struck.
  public var faults: Plan
  /// Every decision that was not quiet; without a seed it gives the same run.
  public var full: Plan
  /// What the plan named and the run never asked.
  public var unmatched: [Decision]
  public var questions: [Asking]
  /// Rules of the store that this harness broke; each is a bug of it.
  public var ruleBreaks: [String]
  /// What makes it unfit for a verdict, such as work that left the simulation.
  public var problems: [Problem]
  public var facts: [Fact]
  /// The names of the invariants that it broke, in the order in which they broke.
  public func broken(in scenario: Scenario) -> [String] {
    violations.map { scenario.invariants[$0.rule].name }
  }

  let handled: [Recorder.Handled]
  let notes: [Script.Noted]
  let purchaseNames: [String]
  let intentNames: [String]
}
