import ChaosStore

/// What `run` and `explore` learned about the scenarios that were chosen.
public struct CampaignResult {
  /// One for each scenario that was run, in the order of the file.
  public var scenarios: [ScenarioResult] = []
  /// What the kept plan files came to, which are replayed before anything else.
  public var regressions = Regressions()
  /// How long all of it took, in seconds.
  public var seconds = 0.0
  /// How many scenarios were chosen; more than there are results after an interrupt.
  public var chosen = 0
  /// Whether somebody asked it to end early.
  public var isInterrupted = false
  /// The one strategy that was asked for; nil for `run`.
  public var strategy: (any Strategy)?
  /// The one run that was asked for instead of a campaign.
  public var single: Origin?
  /// What a reader should know beforehand, such as worlds that were made up.
  public var notes: [String] = []

  let paste: PasteLine

  init(chosen: Int, paste: PasteLine) {
    self.chosen = chosen
    self.paste = paste
  }

  /// How many runs there were.
  public var runs: Int { scenarios.reduce(0) { $0 + $1.runs } }
  /// How many events they had in all.
  public var events: Int { scenarios.reduce(0) { $0 + $1.events } }
  /// How much time passed in them, in simulated milliseconds.
  public var simulatedMillis: Int64 { scenarios.reduce(0) { $0.adding($1.simulatedMillis) } }

  /// Leaves out what a clock says.
  mutating func forgetTimes() {
    seconds = 0
    for index in scenarios.indices {
      scenarios[index].searchSeconds = 0
      scenarios[index].shrinkSeconds = 0
    }
  }

  /// A plan that was asked for in one scenario need not be in the others.
  mutating func forgiveUnmatched() {
    guard scenarios.contains(where: { !$0.matchesNothing }) else { return }
    for index in scenarios.indices { scenarios[index].matchesNothing = false }
  }

  /// The gravest verdict there is.
  public var verdict: Verdict {
    let worst = max(scenarios.map(\.verdict).max() ?? .noVerdict, regressions.verdict)
    return isInterrupted ? max(worst, .noVerdict) : worst
  }

  /// What the process ends with: with one seed or one plan any violation is red, expected or not.
  public var exitCode: ExitCode {
    let isBroken = scenarios.contains { $0.verdict != .noVerdict && !$0.findings.isEmpty }
    return single != nil && isBroken ? .red : verdict.exitCode
  }

  /// The line for a shell that runs the first run again that broke it, and tells its story.
  public func commandToReproduce(_ finding: Finding, in result: ScenarioResult) -> String {
    paste.run(result.scenario, finding)
  }

  /// The line for a shell that runs a plan in a scenario.
  public func commandToRun(_ plan: Plan, in scenario: Scenario) -> String {
    paste.run(scenario, plan: plan)
  }
}

extension PasteLine {
  func run(_ scenario: Scenario, _ finding: Finding) -> String {
    run(scenario, seed: finding.origin.seed, plan: finding.origin.plan)
  }
}
