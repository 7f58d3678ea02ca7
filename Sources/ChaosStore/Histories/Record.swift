import Invariants

/// A run that was written down, as ``Simulation/record(_:listsQuestions:)`` does; a ``Story`` tells it.
public struct Record: Sendable {
  /// Larger runs are not written down without being asked for: a line for each event is too much.
  package static let mostEvents = 200_000

  /// What the run followed.
  public var origin: Origin
  /// What the run came to.
  public var outcome: Outcome
  /// The first break of each broken invariant, in the order in which they broke.
  public var violations: [Violation]
  /// What happened, in words, as it happened.
  public var timeline: Timeline
  /// The decisions by which faults struck: a plan to begin shrinking with.
  public var faults: Plan
  /// Every decision that was not quiet; without a seed it gives the same run.
  public var full: Plan
  /// What the plan named and the run never asked.
  public var unmatched: [Decision]
  /// Every question that was asked, in order; empty unless they were wanted.
  public var questions: [Asking]
  /// Rules of the store that this harness broke; each is a bug of it.
  package var ruleBreaks: [String]
  /// What makes it unfit for a verdict, such as work that left the simulation.
  public var problems: [Problem]
  /// What happened to money and goods, in order: what the invariants saw.
  public var facts: [Fact]
  /// Until when what had struck before each of them went on, in milliseconds.
  package var disturbances: [Int64]
  /// The same at the end of the history.
  package var disturbedAtEnd: Int64
  /// What hosted code printed, in order; no part of the history.
  package var printed: [PrintedLine]
  /// Why things came to nothing, as far as the history does not say so: what a hosted app asked for, and what
  /// it was answered.
  public var remarks: [String]
  /// For how long people could not use what they had paid for, or could use what nobody had.
  package var accessGaps: [AccessGap]
  /// The names of the invariants that it broke, in the order in which they broke.
  public func broken(in scenario: Scenario) -> [String] {
    violations.map { scenario.invariants[$0.rule].name }
  }

  let handled: [Recorder.Handled]
  let sayings: [Recorder.Saying]
  let notes: [Script.Noted]
  /// What its purchases and its intents are called, by number.
  package let purchaseNames: [String]
  package let intentNames: [String]
}

extension Record {
  /// The seed; nil if only a plan was followed.
  public var seed: UInt64? { origin.seed }
}

extension Simulation {
  /// Runs a seed, a plan, or a plan over a seed, and writes everything down.
  ///
  /// Without either it is the quiet run: no fault, the least delays.
  public func record(seed: UInt64?, plan: Plan = Plan(), listsQuestions: Bool = false) -> Record {
    record(Origin(seed: seed, plan: plan), listsQuestions: listsQuestions)
  }

  /// Runs an origin and writes everything down; the questions that were asked only if they are wanted.
  public func record(_ origin: Origin, listsQuestions: Bool = false) -> Record {
    let script = Script(
      plan: origin.plan, followsSeed: origin.seed != nil, keepsAskings: listsQuestions)
    let recorder = Recorder()
    script.onStrike = { recorder.saw($0) }
    let outcome = run(origin, script, recorder)
    return Record(
      origin: origin, outcome: outcome, violations: violations,
      timeline: Timeline(entries: recorder.entries), faults: script.faults, full: script.full,
      unmatched: script.unmatched, questions: script.askings,
      ruleBreaks: recorder.rules.breaks, problems: problems, facts: recorder.facts,
      disturbances: recorder.disturbances, disturbedAtEnd: recorder.disturbedUntil,
      printed: recorder.printed,
      remarks: recorder.remarks.texts, accessGaps: accessGaps,
      handled: recorder.handled, sayings: recorder.sayings, notes: script.notes,
      purchaseNames: recorder.purchaseNames, intentNames: recorder.intentNames)
  }
}
