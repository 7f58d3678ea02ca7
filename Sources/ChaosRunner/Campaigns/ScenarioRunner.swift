import ChaosStore
import Invariants

/// Runs one scenario and makes sure of what it reports: each first failure is run again, on record.
struct ScenarioRunner {
  /// Larger runs are not written down without being asked for: a line for each event is too much.
  static let mostEventsRecorded = Record.mostEvents

  let scenario: Scenario
  /// Ends whatever is run here, and the search as well.
  let cancellation: Cancellation
  private let recheck: Recheck
  private let world: LazySimulation

  init(
    _ scenario: Scenario, second: SecondProcess? = nil, cancellation: Cancellation = .never
  ) {
    self.scenario = scenario
    self.cancellation = cancellation
    recheck = Recheck(second: second, cancellation: cancellation)
    world = LazySimulation(scenario, cancellation)
  }

  /// Made on first use: a search has its own, and a large world twice is a lot of memory.
  var simulation: Simulation { world.simulation }

  private final class LazySimulation {
    private let scenario: Scenario
    private let cancellation: Cancellation
    private(set) lazy var simulation = Simulation(scenario, cancellation: cancellation)

    init(_ scenario: Scenario, _ cancellation: Cancellation) {
      self.scenario = scenario
      self.cancellation = cancellation
    }
  }

  /// Many runs, as a strategy chooses them.
  func campaign(_ strategy: any Strategy, _ budget: Budget) -> ScenarioResult {
    let start = ContinuousClock.now
    let findings = strategy.search(scenario, budget)
    return result(
      of: findings, strategy, seconds: (ContinuousClock.now - start).inSeconds,
      isFromStart: (budget.seeds?.lowerBound ?? 0) == 0)
  }

  /// What a search came to; `isFromStart` says whether its seeds began with 0.
  func result(
    of findings: Findings, _ strategy: any Strategy, seconds: Double, isFromStart: Bool
  ) -> ScenarioResult {
    var result = ScenarioResult(scenario: scenario)
    result.searchSeconds = seconds
    if let impossibility = findings.impossibility(in: scenario) {
      result.note(["the strategy '\(strategy.name)' returned \(impossibility)"])
      return result
    }
    if findings.runs == 0, !findings.isInterrupted {
      result.note(["the strategy '\(strategy.name)' ran nothing, so nothing is shown"])
    }
    result.runs = findings.runs
    result.events = findings.events
    result.simulatedMillis = findings.simulatedMillis
    result.cutOff = findings.cutOff
    result.isCutOff = findings.isCutOff
    result.isFull = isFromStart && findings.randomRuns >= scenario.seeds
    result.isSpent = findings.isInterrupted && !result.isFull
    result.findings = findings.rules.indices.filter { findings.rules[$0].runs > 0 }.map { rule in
      finding(rule, findings)
    }
    result.search = findings
    result.isProof = strategy.isProof
    result.note(recheck.problems(of: scenario, findings))
    // What was said about these need not be said again.
    var confirmed = result.bugs.isEmpty ? [] : findings.doubtful
    for finding in result.findings where !confirmed.contains(finding.origin) {
      confirmed.append(finding.origin)
      let rules = result.findings.filter { $0.origin == finding.origin }.map(\.rule)
      result.note(recheck.problems(of: simulation, finding.origin, breaking: rules))
      if cancellation.isRequested { result.cutShort(Self.checking) }
    }
    result.judgeExpectations()
    return result
  }

  /// One run: of a seed, of a plan, or of a plan over a seed.
  func single(seed: UInt64?, plan: Plan) -> ScenarioResult {
    var result = ScenarioResult(scenario: scenario)
    let origin = Origin(seed: seed, plan: plan)
    if scenario.isLarge { return large(origin) }
    let record = simulation.record(origin)
    result.note(recheck.problems(of: scenario, origin, noted: record.problems))
    if record.problems.isEmpty, !record.outcome.isInterrupted {
      result.note(
        recheck.problems(of: simulation, origin, breaking: record.violations.map(\.rule)))
    }
    result.runs = 1
    result.events = record.outcome.events
    result.simulatedMillis = record.outcome.endMillis
    result.trace = record.outcome.trace
    result.record = record
    result.note(record.outcome, of: origin)
    result.unmatched = record.unmatched
    result.matchesNothing = !plan.isEmpty && record.unmatched.count == plan.decisions.count
    for violation in record.violations.sorted(by: { $0.rule < $1.rule }) {
      if record.outcome.isAbandoned { continue }
      if record.outcome.isCutOff, violation.fact == nil { continue }
      result.findings.append(
        Finding(violation.rule, scenario, runs: 1, origin: origin))
    }
    result.judgeExpectations()
    return result
  }

  /// One run that is too large to be written down.
  private func large(_ origin: Origin) -> ScenarioResult {
    var result = ScenarioResult(scenario: scenario)
    let run = Observation(origin, in: simulation)
    let outcome = run.outcome
    result.runs = 1
    result.events = outcome.events
    result.simulatedMillis = outcome.endMillis
    result.trace = outcome.trace
    result.note(outcome, of: origin)
    result.unmatched = run.unmatched
    result.matchesNothing =
      !origin.plan.isEmpty && run.unmatched.count == origin.plan.decisions.count
    let rules = run.broken
    result.findings = rules.map { Finding($0, scenario, runs: 1, origin: origin) }
    if !rules.isEmpty {
      result.note(recheck.problems(of: simulation, origin, breaking: rules))
      if cancellation.isRequested { result.cutShort(Self.checking) }
    }
    result.judgeExpectations()
    return result
  }

  private static let checking = "running what broke a second time"

  private func finding(_ rule: Int, _ findings: Findings) -> Finding {
    let found = findings.rules[rule]
    var finding = Finding(rule, scenario, runs: found.runs, origin: found.origin ?? .quiet)
    finding.smallest = found.smallestPlan
    finding.failing = found.failingSeeds
    return finding
  }
}

extension ScenarioResult {
  /// Whether the only run came to its end.
  fileprivate mutating func note(_ outcome: Outcome, of origin: Origin) {
    if outcome.isInterrupted {
      endedAfter = outcome.events
    } else if outcome.isCutOff, !outcome.isAbandoned {
      isCutOff = true
      cutOff = origin
    }
  }
}

extension Scenario {
  /// Whether a run of it has more events than are written down: each purchase is one at least.
  fileprivate var isLarge: Bool {
    (setup.arrivals?.count ?? 0) + setup.steps.count > ScenarioRunner.mostEventsRecorded
  }
}

extension Findings {
  /// The runs of which something was noted, or that came out differently.
  fileprivate var doubtful: [Origin] {
    [unfit, differing].compactMap { $0 }
  }
}
