import Invariants

/// Makes a failing plan small: takes decisions out, and turns milliseconds into classes.
///
/// A smaller plan counts only if it breaks the same invariant by the same kind of fact; any other
/// failure is another bug. The result is 1-minimal: without any one of its decisions it holds.
public struct Shrinker {
  /// What a plan must go on breaking.
  public struct Aim: Equatable, Sendable {
    /// The position of the invariant among the scenario's.
    public var rule: Int
    /// The kind of fact that broke it; nil if it showed only at the end.
    public var kind: Fact.Kind?

    public init(_ violation: Violation) {
      rule = violation.rule
      kind = violation.fact?.kind
    }
  }

  /// A plan from which nothing can be taken.
  public struct Result: Equatable, Sendable {
    public var plan: Plan
    /// How many runs it took, the last ones to see that no decision can be left out.
    public var runs: Int
  }

  private let simulation: Simulation
  private let aim: Aim
  private var runs = 0

  public init(_ simulation: Simulation, aim: Aim) {
    self.simulation = simulation
    self.aim = aim
  }

  /// Whether a run of this plan, without a seed, breaks the aim.
  public mutating func breaks(_ plan: Plan) -> Bool {
    runs += 1
    let outcome = simulation.run(plan: plan)
    guard !outcome.isCutOff, outcome.broken >> UInt64(aim.rule) & 1 == 1 else { return false }
    return simulation.violations.contains { Aim($0) == aim }
  }

  /// The smallest plan reached from this one; nil if it does not break the aim to begin with.
  public mutating func shrink(_ plan: Plan) -> Result? {
    guard breaks(plan) else { return nil }
    var plan = plan
    var before: Plan
    repeat {
      before = plan
      takeOutBlocks(&plan)
      classifyDelays(&plan)
      takeOutSingles(&plan)
    } while plan != before
    return Result(plan: plan, runs: runs)
  }

  /// Halves, quarters and so on, the late ones first: what comes late depends on what came early.
  private mutating func takeOutBlocks(_ plan: inout Plan) {
    var size = plan.decisions.count
    while size > 1 {
      size = (size + 1) / 2
      var end = plan.decisions.count
      while end > 0 {
        let start = max(0, end - size)
        var shorter = plan
        shorter.decisions.removeSubrange(start..<end)
        if breaks(shorter) { plan = shorter }
        end = start
      }
    }
  }

  private mutating func takeOutSingles(_ plan: inout Plan) {
    for index in plan.decisions.indices.reversed() {
      var shorter = plan
      shorter.decisions.remove(at: index)
      if breaks(shorter) { plan = shorter }
    }
  }

  /// "Late" says more than 9,137 ms, and stays true when a time-out is changed.
  private mutating func classifyDelays(_ plan: inout Plan) {
    for index in plan.decisions.indices {
      guard case .millis = plan.decisions[index].answer,
        case .delay(_, _, let delay) = plan.decisions[index].question.shape
      else { continue }
      var classes: [Decision.Answer] = []
      if delay.overtaken != nil { classes.append(.overtaken) }
      if delay.late != nil { classes.append(.late) }
      for answer in classes {
        var simpler = plan
        simpler.decisions[index].answer = answer
        if breaks(simpler) {
          plan = simpler
          break
        }
      }
    }
  }
}
