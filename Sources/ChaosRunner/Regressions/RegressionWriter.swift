import ChaosStore
import Invariants

/// Keeps what a run found: in the regressions folder, or as the source of a test.
struct RegressionWriter {
  private let folder: RegressionFolder
  private let paste: PasteLine
  private let console: Console

  init(_ source: ScenarioSource, _ console: Console, program: String) {
    folder = RegressionFolder(source, console)
    paste = PasteLine(program: program, source: source)
    self.console = console
  }

  /// Saves each violation that was not expected; a single run of one scenario, whatever it came to.
  func save(_ campaign: CampaignResult) throws(Failure) {
    if campaign.single != nil, campaign.chosen == 1, let result = campaign.scenarios.first {
      return try save(try planFile(of: result, in: campaign), result.scenario)
    }
    for result in campaign.scenarios where result.verdict != .noVerdict {
      for finding in result.findings where finding.standing == .unexpected {
        let name = finding.invariant.name
        for cluster in finding.clusters {
          try save(result.scenario, seed: nil, plan: cluster.plan, breaks: name)
        }
        if finding.clusters.isEmpty {
          try save(planFile(of: finding, in: result), result.scenario)
        }
      }
    }
  }

  /// Saves a plan, a seed, or a plan over a seed, with the invariant it breaks; nil where it holds.
  func save(
    _ scenario: Scenario, seed: UInt64?, plan: Plan, breaks invariant: String?
  ) throws(Failure) {
    try save(
      PlanFile(
        recording: scenario, Origin(seed: seed, plan: plan),
        expecting: invariant.map { .violates($0) } ?? .holds), scenario)
  }

  /// Prints the source of a test that asserts what the only run is to come to.
  func emitTest(_ campaign: CampaignResult) throws(Failure) {
    guard let result = campaign.scenarios.first else { throw .noVerdict("the run was interrupted") }
    try emitTest(planFile(of: result, in: campaign), result.scenario)
  }

  /// Prints the source of a test, and says what it comes to today.
  func emitTest(_ file: PlanFile, _ scenario: Scenario) throws(Failure) {
    let test = try EmittedTest(file, scenario)
    console.out(verbatim: test.source)
    console.err(
      test.passes
        ? "The test passes today.\n"
        : "The test fails today: \(scenario.name) \(test.broken). "
          + "It is the one to see go green.\n")
  }

  // MARK: -

  /// What was asked for with what it came to, less the decisions that the run never asked for.
  private func planFile(of result: ScenarioResult, in campaign: CampaignResult) throws(Failure)
    -> PlanFile
  {
    guard result.verdict != .noVerdict, let single = campaign.single else {
      throw .noVerdict(
        "there is nothing to keep of \(result.scenario.name): "
          + (result.doubts.first ?? "it was no single run"))
    }
    let finding = result.findings.first { $0.standing == .unexpected } ?? result.findings.first
    if let finding { return planFile(of: finding, in: result) }
    return PlanFile(
      recording: result.scenario,
      Origin(seed: single.seed, plan: single.plan.without(result.unmatched)),
      expecting: .holds)
  }

  /// As few decisions as break it, else the seed that does. A plan that stood alone stays whole.
  private func planFile(of finding: Finding, in result: ScenarioResult) -> PlanFile {
    let expectation = PlanFile.Expectation.violates(finding.invariant.name)
    if finding.origin.seed != nil, let plan = finding.plan {
      return PlanFile(recording: result.scenario, Origin(plan: plan), expecting: expectation)
    }
    return PlanFile(
      recording: result.scenario,
      Origin(seed: finding.origin.seed, plan: finding.origin.plan.without(result.unmatched)),
      expecting: expectation)
  }

  private func save(_ file: PlanFile, _ scenario: Scenario) throws(Failure) {
    let replay = Replay(file, among: [scenario])
    guard replay.standing == .sameHistory else {
      let reason = replay.doubts.first ?? "run again it \(replay.cameTo)"
      return console.err("Not saved: \(scenario.name) \(replay.wasTo): \(reason)\n")
    }
    let path = folder.path(for: file)
    do {
      if let text = try console.read(path) {
        let isKept = (try? PlanFile(json: text))?.isEqual(to: file) ?? false
        console.err(
          isKept
            ? "Saved before: \(path)\n"
            : "Not saved: \(path) is there already, with another history; delete it to record it "
              + "anew\n")
        return
      }
      try console.write(file.json, path)
    } catch {
      throw .noVerdict("\(path) cannot be written")
    }
    console.err(
      "Saved \(path): \(scenario.name) \(replay.file.expectation.text)\n"
        + "  \(paste.replay(path))\n")
  }
}

extension Plan {
  fileprivate func without(_ others: [Decision]) -> Plan {
    Plan(decisions.filter { !others.contains($0) })
  }
}

extension PlanFile {
  /// Whether both say the same, whichever version wrote them.
  fileprivate func isEqual(to other: PlanFile) -> Bool {
    var copy = self
    copy.tool = other.tool
    return copy == other
  }
}
