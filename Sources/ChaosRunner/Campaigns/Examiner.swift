import ChaosStore
import Invariants

/// Runs one scenario and makes sure of what it reports: each first seed is run again, on record.
struct Examiner {
  /// Larger runs are not written down without being asked for: a line for each event is too much.
  static let mostEventsRecorded = Replay.mostEventsRecorded

  let scenario: Scenario
  let simulation: Simulation

  init(_ scenario: Scenario) {
    self.scenario = scenario
    simulation = Simulation(scenario)
  }

  /// Many seeds.
  func campaign(
    seeds: Range<UInt64>?, jobs: Int, progress: @escaping @Sendable (Int) -> Bool
  ) -> Trial {
    let campaign = Campaign(scenario, seeds: seeds, jobs: jobs)
    let result = campaign.run(progress: progress)
    var trial = Trial(scenario: scenario)
    trial.runs = result.runs
    trial.events = result.events
    trial.simulatedMillis = result.simulatedMillis
    trial.cutOff = result.cutOff
    trial.isCutOff = result.cutOff != nil
    trial.isFull = campaign.seeds.lowerBound == 0 && result.runs >= scenario.seeds
    trial.neverStruck = scenario.setup.mix.faults.filter { result.strikes[Int($0.rawValue)] == 0 }
    var confirmed: Set<UInt64> = []
    for (rule, runs) in result.breaks.enumerated() where runs > 0 {
      let seed = result.firstSeeds[rule]
      if confirmed.insert(seed).inserted { confirm(seed: seed, &trial) }
      add(rule, runs: runs, seed: seed, to: &trial)
    }
    trial.judgeExpectations()
    return trial
  }

  /// One run: of a seed, of a plan, or of a plan over a seed.
  func single(seed: UInt64?, plan: Plan) -> Trial {
    var trial = Trial(scenario: scenario)
    let record: Record
    if let seed, plan.isEmpty {
      confirm(seed: seed, &trial)
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
    trial.cutOff = record.outcome.isCutOff ? seed : nil
    trial.unmatched = record.unmatched
    trial.matchesNothing = !plan.isEmpty && record.unmatched.count == plan.decisions.count
    for violation in record.violations.sorted(by: { $0.rule < $1.rule }) {
      if record.outcome.isCutOff, violation.fact == nil { continue }
      add(violation.rule, runs: 1, seed: seed, given: plan, to: &trial)
    }
    trial.judgeExpectations()
    return trial
  }

  /// Runs a seed again, plain and recorded, before anything is said about it; what differs is a
  /// bug of the harness, and so is a rule of the store that it broke.
  private func confirm(seed: UInt64, _ trial: inout Trial) {
    let plain = simulation.run(seed: seed)
    guard plain.events <= Self.mostEventsRecorded else {
      if simulation.run(seed: seed) != plain {
        trial.bugs.append("seed \(SeedText.text(seed)) came out differently when it was run again")
      }
      return
    }
    let record = simulation.record(seed: seed)
    if plain != record.outcome {
      let again = simulation.record(seed: seed)
      trial.bugs.append(
        "seed \(SeedText.text(seed)) came out differently when it was run again: "
          + (record.firstDifference(from: again) ?? "it depends on whether it is recorded"))
    }
    for text in record.ruleBreaks where !trial.bugs.contains(text) { trial.bugs.append(text) }
  }

  private func add(
    _ rule: Int, runs: Int, seed: UInt64?, given: Plan = Plan(), to trial: inout Trial
  ) {
    let invariant = scenario.invariants[rule]
    trial.findings.append(
      Finding(
        rule: rule, invariant: invariant, standing: scenario.standing(of: invariant), runs: runs,
        seed: seed, given: given))
  }
}
