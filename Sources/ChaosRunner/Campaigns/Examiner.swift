import ChaosStore
import Invariants

/// Runs one scenario and makes sure of what it reports: each first seed is run again, on record.
struct Examiner {
  let scenario: Scenario
  private let simulation: Simulation

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
    var records: [UInt64: Record] = [:]
    for (rule, runs) in result.breaks.enumerated() where runs > 0 {
      let seed = result.firstSeeds[rule]
      let record = records[seed] ?? confirmed(seed: seed, &trial)
      records[seed] = record
      // What is left undone in a run that was cut off says nothing.
      if record.outcome.isCutOff, record.breaksAtEndOnly(rule) { continue }
      add(rule, runs: runs, record, to: &trial)
    }
    trial.judgeExpectations()
    return trial
  }

  /// One run: of a seed, of a plan, or of a plan over a seed.
  func single(seed: UInt64?, plan: Plan) -> Trial {
    var trial = Trial(scenario: scenario)
    let record: Record
    if let seed, plan.isEmpty {
      record = confirmed(seed: seed, &trial)
    } else {
      record = simulation.record(seed: seed, plan: plan)
      compare(record, simulation.record(seed: seed, plan: plan), &trial)
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
      add(violation.rule, runs: 1, record, given: plan, to: &trial)
    }
    trial.judgeExpectations()
    return trial
  }

  /// A seed that is to be told about, written down for it.
  func record(seed: UInt64) -> Record { simulation.record(seed: seed) }

  /// A recorded run that came out as the plain one did; what differs is a bug.
  private func confirmed(seed: UInt64, _ trial: inout Trial) -> Record {
    let plain = simulation.run(seed: seed)
    let record = simulation.record(seed: seed)
    if plain != record.outcome {
      let again = simulation.record(seed: seed)
      trial.bugs.append(
        "seed \(SeedText.text(seed)) came out differently when it was run again: "
          + (record.firstDifference(from: again) ?? "it depends on whether it is recorded"))
    }
    trial.bugs += record.ruleBreaks
    return record
  }

  private func compare(_ record: Record, _ again: Record, _ trial: inout Trial) {
    if let difference = record.firstDifference(from: again) {
      trial.bugs.append("the run came out differently when it was run again: \(difference)")
    }
    trial.bugs += record.ruleBreaks
  }

  private func add(
    _ rule: Int, runs: Int, _ record: Record, given: Plan = Plan(), to trial: inout Trial
  ) {
    let invariant = scenario.invariants[rule]
    let plan = [record.faults, record.full].first { breaks(rule, under: $0) }
    trial.findings.append(
      Finding(
        invariant: invariant, standing: scenario.standing(of: invariant), runs: runs,
        seed: record.seed, given: given, plan: plan ?? record.faults, planSuffices: plan != nil))
  }

  private func breaks(_ rule: Int, under plan: Plan) -> Bool {
    simulation.record(seed: nil, plan: plan).violations.contains { $0.rule == rule }
  }
}

extension Record {
  fileprivate func breaksAtEndOnly(_ rule: Int) -> Bool {
    violations.contains { $0.rule == rule && $0.fact == nil }
  }
}
