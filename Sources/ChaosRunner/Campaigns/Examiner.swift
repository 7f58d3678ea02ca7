import ChaosStore
import Invariants

/// Runs one scenario and makes sure of what it reports: each first failure is run again, on record.
struct Examiner {
  /// Larger runs are not written down without being asked for: a line for each event is too much.
  static let mostEventsRecorded = Record.mostEvents

  let scenario: Scenario
  let simulation: Simulation
  private let recheck: Recheck

  init(_ scenario: Scenario, recheck: Recheck = Recheck()) {
    self.scenario = scenario
    self.recheck = recheck
    simulation = Simulation(scenario)
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
    }
    trial.judgeExpectations()
    return trial
  }

  /// One run: of a seed, of a plan, or of a plan over a seed.
  func single(seed: UInt64?, plan: Plan) -> Trial {
    var trial = Trial(scenario: scenario)
    let record = simulation.record(Origin(seed: seed, plan: plan))
    let origin = Origin(seed: seed, plan: plan)
    trial.note(recheck.problems(of: scenario, origin, noted: record.problems))
    if record.problems.isEmpty {
      trial.note(
        recheck.problems(of: simulation, origin, breaking: record.violations.map(\.rule)))
    }
    trial.runs = 1
    trial.events = record.outcome.events
    trial.simulatedMillis = record.outcome.endMillis
    trial.trace = record.outcome.trace
    trial.record = record
    trial.isCutOff = record.outcome.isCutOff
    trial.cutOff = record.outcome.isCutOff ? origin : nil
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

  private func finding(_ rule: Int, _ findings: Findings) -> Finding {
    let found = findings.rules[rule]
    var finding = Finding(rule, scenario, runs: found.runs, origin: found.origin ?? .quiet)
    finding.smallest = found.smallestPlan
    finding.failing = found.failingSeeds
    return finding
  }
}

extension Findings {
  /// The runs of which something was noted, or that came out differently.
  fileprivate var doubtful: [Origin] {
    [unfit, differing].compactMap { $0 }
  }
}
