import ChaosStore

private let unexpected = Finding.Standing.unexpected.rawValue

/// What is different between two results, an earlier and a later one.
struct Comparison {
  /// Something that broke and was not to break.
  struct Finding: Encodable, Equatable {
    var scenario: String
    /// The invariant, or what became of a kept run.
    var invariant: String
    /// A line to paste; nil for a kept run, whose file says it.
    var reproduce: String?
  }

  /// Something that the earlier result shows and the later one does not, so that a failure could pass unseen.
  struct Loss: Encodable, Equatable {
    enum Kind: String, Encodable {
      /// The scenario is not there any more.
      case scenarioGone = "scenario-gone"
      /// There is no verdict any more, or nothing was shown.
      case verdictGone = "verdict-gone"
      case fewerRuns = "fewer-runs"
      /// Plans are run up to a smaller size.
      case smallerProof = "smaller-proof"
      /// No run comes to what was to be reached.
      case goalNotReached = "goal-not-reached"
      case faultNeverStruck = "fault-never-struck"
      /// Nothing that an invariant could judge happened.
      case invariantIdle = "invariant-idle"
      /// What is expected, or allowed, broke and does not break any more.
      case violationNotSeen = "violation-not-seen"
    }

    var scenario: String
    var kind: Kind
    /// Which goal, fault or invariant; nil where it is about all of the scenario.
    var name: String?
    var before: String?
    var after: String?
  }

  private(set) var new: [Finding] = []
  private(set) var resolved: [Finding] = []
  private(set) var still: [Finding] = []
  private(set) var lost: [Loss] = []
  /// Scenarios that only the later result has.
  private(set) var added: [String] = []

  /// Whether the later result is no worse.
  var isNoWorse: Bool { new.isEmpty && lost.isEmpty }

  init(_ before: ResultsFile, _ after: ResultsFile) {
    let earlier = Dictionary(uniqueKeysWithValues: before.scenarios.map { ($0.name, $0) })
    let later = Dictionary(uniqueKeysWithValues: after.scenarios.map { ($0.name, $0) })
    let found = before.findings
    let finds = after.findings
    for finding in finds {
      if found.contains(where: finding.isSame) {
        still.append(finding)
      } else {
        new.append(finding)
      }
    }
    for finding in found where !finds.contains(where: finding.isSame) {
      // Of a scenario that is gone nobody knows whether it still breaks.
      if earlier[finding.scenario] == nil || later[finding.scenario] != nil {
        resolved.append(finding)
      }
    }
    added = after.scenarios.map(\.name).filter { earlier[$0] == nil }
    for scenario in before.scenarios {
      lost +=
        later[scenario.name].map { Self.losses(scenario, $0) }
        ?? [Loss(scenario: scenario.name, kind: .scenarioGone)]
    }
  }

  private static func losses(
    _ before: ResultsFile.Scenario, _ after: ResultsFile.Scenario
  ) -> [Loss] {
    var losses: [Loss] = []
    func lose(_ kind: Loss.Kind, _ name: String? = nil, _ one: String? = nil, _ two: String? = nil)
    {
      losses.append(
        Loss(scenario: before.name, kind: kind, name: name, before: one, after: two))
    }
    let unknown = [Verdict.noVerdict, .vacuous, .missing].map(\.rawValue)
    if unknown.contains(after.verdict), !unknown.contains(before.verdict) {
      lose(.verdictGone, nil, before.verdict, after.verdict)
    }
    if after.runs < before.runs { lose(.fewerRuns, nil, "\(before.runs)", "\(after.runs)") }
    if let one = before.search, let two = after.search {
      if let size = one.provenSize, two.provenSize ?? -1 < size {
        lose(.smallerProof, nil, "\(size)", "\(two.provenSize ?? -1)")
      }
      for (name, count) in one.goals.inOrder where count > 0 && two.goals[name] ?? 0 == 0 {
        lose(.goalNotReached, name, "\(count)", "0")
      }
      for (name, steps) in one.coverage.inOrder where two.coverage[name] == nil {
        lose(.faultNeverStruck, name, "\(steps.values.reduce(0, &+))", "0")
      }
      for (name, count) in one.judged.inOrder where count > 0 && two.judged[name] ?? 0 == 0 {
        lose(.invariantIdle, name, "\(count)", "0")
      }
    }
    for violation in before.violations where violation.standing != unexpected {
      if !after.violations.contains(where: { $0.invariant == violation.invariant }) {
        lose(.violationNotSeen, violation.invariant, "\(violation.runs)", "0")
      }
    }
    return losses
  }
}

extension Comparison.Finding {
  fileprivate func isSame(_ other: Self) -> Bool {
    scenario == other.scenario && invariant == other.invariant
  }
}

extension ResultsFile {
  /// What is red in it: what broke unexpectedly, and kept runs that are not as they were.
  fileprivate var findings: [Comparison.Finding] {
    let kept = (regressions?.files ?? []).filter {
      $0.standing == Replay.Standing.different.rawValue
    }
    .map { Comparison.Finding(scenario: $0.file, invariant: "not as recorded") }
    return kept
      + scenarios.flatMap { scenario in
        scenario.violations.filter { $0.standing == unexpected }.map {
          Comparison.Finding(
            scenario: scenario.name, invariant: $0.invariant, reproduce: $0.reproduce)
        }
      }
  }
}

extension Dictionary where Key == String {
  /// By name, so that equal results make equal texts.
  fileprivate var inOrder: [(String, Value)] { sorted { $0.key < $1.key } }
}
