import ChaosStore
import Invariants

/// Makes sure of a run before anything is said about it: runs it again in every way there is.
struct Recheck {
  /// Asked about unexpected violations only, which are few.
  var second: SecondProcess?

  /// What is wrong with a run that broke these rules; empty where it comes out the same each time.
  ///
  /// A run that differs is a bug of the system or of the harness, and a rule of the store that it
  /// breaks is one of the harness.
  func problems(of simulation: Simulation, _ origin: Origin, breaking rules: [Int]) -> [String] {
    let scenario = simulation.scenario
    let other = Simulation(scenario)
    let outcomes = plain(simulation, other, origin)
    if let (one, other) = outcomes, one.events > Examiner.mostEventsRecorded {
      return parted(origin, one, other) ?? unbroken(scenario, origin, rules, one)
    }
    let record = simulation.record(origin)
    if let divergence = record.divergence(from: other.record(origin), of: scenario) {
      return [again(origin) + divergence.description + Self.hint]
    }
    if let (one, other) = outcomes,
      let problems = parted(origin, one, other) ?? parted(origin, one, record.outcome)
    {
      return problems
    }
    let unbroken = unbroken(scenario, origin, rules, record.outcome)
    guard unbroken.isEmpty else { return unbroken }
    return secondProblem(record, scenario, origin, rules)
      + record.ruleBreaks.map { "bug of this harness: \($0)" }
  }

  /// What is not to be believed of all that a campaign ran: something left the simulation, or a run
  /// came out differently when it was run a second time.
  func problems(of scenario: Scenario, _ findings: Findings) -> [String] {
    if let origin = Origin(either: findings.leakingSeed, or: findings.leakingPlan) {
      return problems(of: scenario, origin, noted: findings.problems)
    }
    guard let origin = Origin(either: findings.partingSeed, or: findings.partingPlan) else {
      return []
    }
    let again = Repetition(of: scenario, seed: origin.seed, plan: origin.plan)
    return [(again.text ?? again.onceDifferent) + Self.hint]
  }

  /// What was noted in a run, with what comes of running it again.
  func problems(of scenario: Scenario, _ origin: Origin, noted: [Problem]) -> [String] {
    guard !noted.isEmpty else { return [] }
    let again = Repetition(of: scenario, seed: origin.seed, plan: origin.plan, noted: noted)
    return again.text.map { [$0 + (again.isNondeterministic ? Self.hint : "")] } ?? []
  }

  /// Two plain runs; nil where a plan is laid over a seed, which is always on record.
  private func plain(_ simulation: Simulation, _ second: Simulation, _ origin: Origin)
    -> (one: Outcome, other: Outcome)?
  {
    switch (origin.seed, origin.plan.isEmpty) {
    case (let seed?, true): (simulation.run(seed: seed), second.run(seed: seed))
    case (nil, _): (simulation.run(plan: origin.plan), second.run(plan: origin.plan))
    case (_?, false): nil
    }
  }

  private func unbroken(
    _ scenario: Scenario, _ origin: Origin, _ rules: [Int], _ outcome: Outcome
  ) -> [String] {
    rules.filter { outcome.broken >> UInt64($0) & 1 == 0 }.map { rule in
      "\(origin.name) broke \(scenario.invariants[rule].name) in the campaign, and does not when "
        + "it is run again alone" + Self.hint
    }
  }

  private func secondProblem(
    _ record: Record, _ scenario: Scenario, _ origin: Origin, _ rules: [Int]
  ) -> [String] {
    let isRed = rules.contains { scenario.standing(of: scenario.invariants[$0]) == .unexpected }
    guard isRed, let second, let line = second.hash(of: scenario, origin) else { return [] }
    let hash = TraceListing.text(hash: record.outcome.trace)
    guard line != TraceCommand.hashLine(scenario, seed: origin.seed, hash: hash) else { return [] }
    let listing = TraceListing(record, of: scenario)
    let lines = second.listing(listing.title, of: scenario, origin)
    let place = lines.flatMap { Divergence(listing, $0) }?.description ?? "\(hash) and '\(line)'"
    return ["\(origin.name) came out differently in a second process: \(place)" + Self.hint]
  }

  private func parted(_ origin: Origin, _ one: Outcome, _ other: Outcome) -> [String]? {
    one == other ? nil : [again(origin) + "\(one.inWords), and \(other.inWords)" + Self.hint]
  }

  private func again(_ origin: Origin) -> String {
    "\(origin.name) came out differently when it was run again: "
  }

  private static let hint = "; 'verify-determinism' compares more runs and says what to look at"
}

extension Origin {
  /// In a sentence.
  fileprivate var name: String { SeedText.name(ofRun: seed, plan) }
}

extension Simulation {
  fileprivate func record(_ origin: Origin) -> Record {
    record(seed: origin.seed, plan: origin.plan)
  }
}
