import ChaosStore
import Invariants

/// Runs one scenario and makes sure of what it reports: each first failure is run again, on record.
struct Examiner {
  /// Larger runs are not written down without being asked for: a line for each event is too much.
  static let mostEventsRecorded = Replay.mostEventsRecorded

  let scenario: Scenario
  let simulation: Simulation

  init(_ scenario: Scenario) {
    self.scenario = scenario
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
    trial.cutOff =
      findings.cutOffSeed.map { Origin(seed: $0) }
      ?? findings.cutOffPlan.map { Origin(plan: $0) }
    trial.isCutOff = findings.isCutOff
    trial.isFull =
      (budget.seeds?.lowerBound ?? 0) == 0 && findings.randomRuns >= scenario.seeds
    trial.isSpent = findings.isInterrupted && !trial.isFull
    trial.findings = findings.breaks.indices.filter { findings.breaks[$0] > 0 }.map { rule in
      finding(rule, findings)
    }
    trial.search = findings
    var confirmed: [Origin] = []
    for finding in trial.findings where !confirmed.contains(finding.origin) {
      confirmed.append(finding.origin)
      confirm(finding.origin, &trial)
    }
    trial.judgeExpectations()
    return trial
  }

  /// One run: of a seed, of a plan, or of a plan over a seed.
  func single(seed: UInt64?, plan: Plan) -> Trial {
    var trial = Trial(scenario: scenario)
    let record: Record
    if let seed, plan.isEmpty {
      confirm(Origin(seed: seed), &trial)
      record = simulation.record(seed: seed)
    } else {
      record = simulation.record(seed: seed, plan: plan)
      let again = simulation.record(seed: seed, plan: plan)
      if let difference = record.firstDifference(from: again) {
        trial.bugs.append("the run came out differently when it was run again: \(difference)")
      }
      trial.bugs += record.ruleBreaks
    }
    trial.runs = 1
    trial.events = record.outcome.events
    trial.simulatedMillis = record.outcome.endMillis
    trial.trace = record.outcome.trace
    trial.record = record
    trial.isCutOff = record.outcome.isCutOff
    trial.cutOff = record.outcome.isCutOff ? Origin(seed: seed, plan: plan) : nil
    trial.unmatched = record.unmatched
    trial.matchesNothing = !plan.isEmpty && record.unmatched.count == plan.decisions.count
    for violation in record.violations.sorted(by: { $0.rule < $1.rule }) {
      if record.outcome.isCutOff, violation.fact == nil { continue }
      trial.findings.append(
        Finding(
          violation.rule, scenario, runs: 1, origin: Origin(seed: seed, plan: plan)))
    }
    trial.judgeExpectations()
    return trial
  }

  private func finding(_ rule: Int, _ findings: Findings) -> Finding {
    let seed = findings.firstSeeds[rule]
    let smallest = findings.smallest[rule]
    // A seed is shorter to write; a plan is all there is where no seed was run, or none broke it.
    let origin = seed.map { Origin(seed: $0) } ?? Origin(plan: smallest ?? Plan())
    var finding = Finding(rule, scenario, runs: findings.breaks[rule], origin: origin)
    finding.smallest = smallest
    finding.failing = findings.failing[rule]
    return finding
  }

  /// Runs a failure again, plain and recorded, before anything is said about it; what differs is
  /// a bug of the harness, and so is a rule of the store that it broke.
  private func confirm(_ origin: Origin, _ trial: inout Trial) {
    let what = origin.seed.map { "seed \(SeedText.text($0))" } ?? "the plan '\(origin.plan)'"
    let plain = run(origin)
    guard plain.events <= Self.mostEventsRecorded else {
      if run(origin) != plain {
        trial.bugs.append("\(what) came out differently when it was run again")
      }
      return
    }
    let record = simulation.record(seed: origin.seed, plan: origin.plan)
    if plain != record.outcome {
      let again = simulation.record(seed: origin.seed, plan: origin.plan)
      trial.bugs.append(
        "\(what) came out differently when it was run again: "
          + (record.firstDifference(from: again) ?? "it depends on whether it is recorded"))
    }
    for text in record.ruleBreaks where !trial.bugs.contains(text) { trial.bugs.append(text) }
  }

  private func run(_ origin: Origin) -> Outcome {
    if let seed = origin.seed { return simulation.run(seed: seed) }
    return simulation.run(plan: origin.plan)
  }
}
