import ChaosStore
import Invariants

/// One broken invariant of one scenario.
struct Finding {
  enum Standing { case expected, allowed, unexpected }

  /// The position of the invariant among the scenario's.
  var rule: Int
  var invariant: any Invariant
  var standing: Standing
  /// How many runs broke it.
  var runs: Int
  /// The first seed that did; nil for a plan that stood alone.
  var seed: UInt64?
  /// The plan that was laid over the seed, or that stood alone.
  var given: Plan
}

/// What was learned about one scenario.
struct Trial {
  var scenario: Scenario
  var runs = 0
  var events = 0
  var simulatedMillis: Int64 = 0
  /// What broke, in catalogue order.
  var findings: [Finding] = []
  /// Expected violations that were not seen.
  var unseen: [String] = []
  /// Whether the seeds that the scenario asks for, those from 0, were all run.
  var isFull = false
  /// Faults of the mix that struck in no run.
  var neverStruck: [Fault] = []
  /// Bugs of this harness that showed.
  var bugs: [String] = []
  /// The first seed whose run was cut off at the event limit.
  var cutOff: UInt64?
  var isCutOff = false
  /// The hash of the only run.
  var trace: UInt64?
  /// Decisions of the plan that were never asked for.
  var unmatched: [Decision] = []
  /// Whether a plan was given and nothing in it was asked for.
  var matchesNothing = false
  /// The only run, written down.
  var record: Record?

  var verdict: Verdict {
    if !bugs.isEmpty || matchesNothing { return .noVerdict }
    if findings.contains(where: { $0.standing == .unexpected }) { return .unexpected }
    if !unseen.isEmpty, isFull { return .missing }
    if isCutOff { return .noVerdict }
    return unseen.isEmpty ? .asExpected : .notYetSeen
  }

  /// Why there is no verdict.
  var doubts: [String] {
    var texts = bugs.map { "bug of this harness: \($0)" }
    if isCutOff {
      texts.append(
        "a run was cut off after \(scenario.setup.eventLimit.grouped) events"
          + (cutOff.map { " (seed \(SeedText.text($0)))" } ?? "")
          + ": the system may do the same for ever")
    }
    if matchesNothing { texts.append("nothing that the plan names was ever asked here") }
    return texts
  }

  mutating func judgeExpectations() {
    unseen = scenario.expects.filter { name in
      !findings.contains { $0.invariant.goes(by: name) }
    }
  }
}

extension Scenario {
  func standing(of invariant: any Invariant) -> Finding.Standing {
    if expects.contains(where: invariant.goes(by:)) { return .expected }
    return allows.contains(where: invariant.goes(by:)) ? .allowed : .unexpected
  }
}
