import ChaosStore
import Invariants

/// Runs one scenario and makes sure of what it reports: each first failure is run again, on record.
struct Examiner {
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
  func campaign(_ strategy: any Strategy, _ budget: Budget) -> Trial {
    let start = ContinuousClock.now
    let findings = strategy.search(scenario, budget)
    var trial = Trial(scenario: scenario)
    trial.searchSeconds = (ContinuousClock.now - start).inSeconds
    trial.runs = findings.runs
    trial.events = findings.events
    trial.simulatedMillis = findings.simulatedMillis
    trial.cutOff = findings.cutOff
    trial.isCutOff = findings.isCutOff
    trial.isFull =
      (budget.seeds?.lowerBound ?? 0) == 0 && findings.randomRuns >= scenario.seeds
    trial.isSpent = findings.isInterrupted && !trial.isFull
    trial.findings = findings.rules.indices.filter { findings.rules[$0].runs > 0 }.map { rule in
      finding(rule, findings)
    }
    trial.search = findings
    trial.note(recheck.problems(of: scenario, findings))
    // What was said about these need not be said again.
    var confirmed = trial.bugs.isEmpty ? [] : findings.doubtful
    for finding in trial.findings where !confirmed.contains(finding.origin) {
      confirmed.append(finding.origin)
      let rules = trial.findings.filter { $0.origin == finding.origin }.map(\.rule)
      trial.note(recheck.problems(of: simulation, finding.origin, breaking: rules))
      if cancellation.isRequested { trial.cutShort(Self.checking) }
    }
    trial.judgeExpectations()
    return trial
  }

  /// One run: of a seed, of a plan, or of a plan over a seed.
  func single(seed: UInt64?, plan: Plan) -> Trial {
    var trial = Trial(scenario: scenario)
    let origin = Origin(seed: seed, plan: plan)
    if scenario.isLarge { return large(origin) }
    let record = simulation.record(origin)
    trial.note(recheck.problems(of: scenario, origin, noted: record.problems))
    if record.problems.isEmpty, !record.outcome.isInterrupted {
      trial.note(
        recheck.problems(of: simulation, origin, breaking: record.violations.map(\.rule)))
    }
    trial.runs = 1
    trial.events = record.outcome.events
    trial.simulatedMillis = record.outcome.endMillis
    trial.trace = record.outcome.trace
    trial.record = record
    trial.note(record.outcome, of: origin)
    trial.unmatched = record.unmatched
    trial.matchesNothing = !plan.isEmpty && record.unmatched.count == plan.decisions.count
    for violation in record.violations.sorted(by: { $0.rule < $1.rule }) {
      if record.outcome.isCutOff, violation.fact == nil { continue }
      trial.findings.append(
        Finding(violation.rule, scenario, runs: 1, origin: origin))
    }
    trial.judgeExpectations()
    return trial
  }

  /// One run that is too large to be written down.
  private func large(_ origin: Origin) -> Trial {
    var trial = Trial(scenario: scenario)
    let run = Observation(origin, in: simulation)
    let outcome = run.outcome
    trial.runs = 1
    trial.events = outcome.events
    trial.simulatedMillis = outcome.endMillis
    trial.trace = outcome.trace
    trial.note(outcome, of: origin)
    trial.unmatched = run.unmatched
    trial.matchesNothing =
      !origin.plan.isEmpty && run.unmatched.count == origin.plan.decisions.count
    let rules = run.broken
    trial.findings = rules.map { Finding($0, scenario, runs: 1, origin: origin) }
    if !rules.isEmpty {
      trial.note(recheck.problems(of: simulation, origin, breaking: rules))
      if cancellation.isRequested { trial.cutShort(Self.checking) }
    }
    trial.judgeExpectations()
    return trial
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

extension Trial {
  /// Whether the only run came to its end.
  fileprivate mutating func note(_ outcome: Outcome, of origin: Origin) {
    if outcome.isInterrupted {
      endedAfter = outcome.events
    } else if outcome.isCutOff {
      isCutOff = true
      cutOff = origin
    }
  }
}

extension Scenario {
  /// Whether a run of it has more events than are written down: each purchase is one at least.
  fileprivate var isLarge: Bool {
    (setup.arrivals?.count ?? 0) + setup.steps.count > Examiner.mostEventsRecorded
  }
}

extension Findings {
  /// The runs of which something was noted, or that came out differently.
  fileprivate var doubtful: [Origin] {
    [unfit, differing].compactMap { $0 }
  }
}
