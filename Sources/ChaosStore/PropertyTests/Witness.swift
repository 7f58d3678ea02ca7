import Invariants

/// Runs a scenario and makes sure that what it sees can be seen again.
struct Witness {
  /// A run that came out the same each time.
  struct Run {
    var seed: UInt64?
    var plan: Plan
    var outcome: Outcome
    /// The positions of the invariants that broke, in the scenario's order.
    var broken: [Int]
    /// What the plan names and the run never asked.
    var unmatched: [Decision]
    /// Nil where the run is too large to be written down.
    var record: Record?
  }

  private let scenario: Scenario
  private let simulation: Simulation

  init(_ scenario: Scenario) {
    self.scenario = scenario
    simulation = Simulation(scenario)
  }

  /// Runs it plain and recorded, by itself and in a simulation of its own.
  func run(seed: UInt64?, plan: Plan = Plan()) throws -> Run {
    let (outcome, unmatched) = simulation.follow(seed: seed, plan: plan)
    let broken = simulation.violations.filter { !outcome.isCutOff || $0.fact != nil }
    var run = Run(
      seed: seed, plan: plan, outcome: outcome, broken: broken.map(\.rule).sorted(),
      unmatched: unmatched)
    let other = Simulation(scenario)
    guard outcome.events <= Replay.mostEventsRecorded else {
      let again = other.follow(seed: seed, plan: plan).outcome
      if again != outcome { throw differs(run, "\(outcome.inWords), and \(again.inWords)") }
      try refuse(seed, plan, other.problems)
      return run
    }
    let record = simulation.record(seed: seed, plan: plan)
    let again = other.record(seed: seed, plan: plan)
    // First, as it says what left the simulation, and where two runs part as well.
    try refuse(seed, plan, record.problems.isEmpty ? again.problems : record.problems)
    if let divergence = record.divergence(from: again, of: scenario) {
      throw differs(run, divergence.description)
    }
    if record.outcome != outcome {
      throw differs(run, "\(outcome.inWords), and \(record.outcome.inWords) when it is recorded")
    }
    if let text = record.ruleBreaks.first {
      throw PropertyError.noVerdict("\(scenario.name): bug of this harness: \(text)")
    }
    run.record = record
    return run
  }

  /// Throws where a campaign saw something leave the simulation, or a run come out differently.
  func refuse(_ findings: Findings) throws {
    if findings.leakingSeed != nil || findings.leakingPlan != nil {
      let plan = findings.leakingSeed == nil ? findings.leakingPlan : nil
      try refuse(findings.leakingSeed, plan ?? Plan(), findings.problems)
    }
    if findings.partingSeed != nil || findings.partingPlan != nil {
      let plan = (findings.partingSeed == nil ? findings.partingPlan : nil) ?? Plan()
      let again = Repetition(of: scenario, seed: findings.partingSeed, plan: plan)
      throw nondeterministic(findings.partingSeed, plan, again.text ?? again.onceDifferent)
    }
  }

  private func refuse(_ seed: UInt64?, _ plan: Plan, _ noted: [Problem]) throws {
    guard !noted.isEmpty else { return }
    let again = Repetition(of: scenario, seed: seed, plan: plan, noted: noted)
    guard let text = again.text else { return }
    throw again.isNondeterministic
      ? nondeterministic(seed, plan, text, advice: .leak)
      : PropertyError.noVerdict("\(scenario.name): \(text)")
  }

  /// What a campaign found, made sure of: the plan with the fewest decisions that is known.
  func exhibit(_ seed: UInt64?, _ smallest: Plan?, breaking rule: Int) throws -> Exhibit {
    let ofSeed = try seed.map { try exhibit(run(seed: $0), breaking: rule) }
    if let ofSeed, (ofSeed.reduction?.plan.size ?? .max) <= smallest?.size ?? .max {
      return ofSeed
    }
    guard let smallest else {
      fatalError("bug: a violation without a seed and without a plan")
    }
    var ofPlan = try exhibit(run(seed: nil, plan: smallest), breaking: rule)
    ofPlan.seed = seed
    return ofPlan
  }

  func exhibit(_ run: Run, breaking rule: Int) throws -> Exhibit {
    guard run.broken.contains(rule) else {
      throw differs(
        run, "it broke \(scenario.invariants[rule].name) among other runs, and does not by itself")
    }
    guard let record = run.record,
      let (shrinker, plan) = Shrinker.reduction(of: record, breaking: rule, in: simulation)
    else { return Exhibit(rule: rule, run: run, seed: run.seed) }
    var certifying = shrinker
    return Exhibit(
      rule: rule, run: run, seed: run.seed,
      reduction: Exhibit.Reduction(
        plan: plan, certificate: certifying.certify(plan),
        record: simulation.record(seed: nil, plan: plan)))
  }

  private func differs(_ run: Run, _ how: String) -> PropertyFailure {
    nondeterministic(
      run.seed, run.plan,
      SeedText.name(ofRun: run.seed, run.plan) + " came out differently when it was run again: "
        + how)
  }

  private enum Advice: String {
    case leak = """
      Nothing but seed and plan may decide a run, so what is real has no verdict, whether it came out \
      the same or not.
      """
    case parting = """
      Nothing but seed and plan may decide a run. Look for static variables, clocks, random numbers, \
      and for dictionaries and sets whose order shows. A hosted app with a static manager is run as a \
      PipedSystem.
      """
  }

  private func nondeterministic(
    _ seed: UInt64?, _ plan: Plan, _ what: String, advice: Advice = .parting
  ) -> PropertyFailure {
    PropertyFailure(
      kind: .nondeterministic, scenario: scenario.name, seed: seed,
      plan: seed == nil ? plan : nil,
      description: """
        \(scenario.name): the system is nondeterministic: \(what)
          \(advice.rawValue)
        """)
  }
}

/// A broken invariant that was made sure of, and what it comes down to.
struct Exhibit {
  struct Reduction {
    var plan: Plan
    var certificate: Certificate
    var record: Record
  }

  var rule: Int
  var run: Witness.Run
  /// The first seed that breaks it, of the run or of another.
  var seed: UInt64?
  /// Nil where no plan alone is known to break it.
  var reduction: Reduction?

  /// As few decisions as break it, else the run that does.
  func planFile(of scenario: Scenario) -> PlanFile {
    PlanFile(
      recording: scenario, seed: reduction == nil ? run.seed : nil,
      plan: reduction?.plan ?? run.plan, expecting: .violates(scenario.invariants[rule].name))
  }
}
