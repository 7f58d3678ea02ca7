import Invariants

/// Runs a scenario and makes sure that what is seen can be seen again.
struct ConfirmingRunner {
  let simulation: Simulation
  private let scenario: Scenario
  private let cancellation: Cancellation
  private let shrinking: LazySimulation

  init(_ scenario: Scenario, _ cancellation: Cancellation) {
    self.scenario = scenario
    self.cancellation = cancellation
    simulation = Simulation(scenario)
    shrinking = LazySimulation(scenario, cancellation)
  }

  /// Made on first use. What makes sure of a failure runs to its end; what makes it small ends when it is told to.
  private final class LazySimulation {
    private let scenario: Scenario
    private let cancellation: Cancellation
    private(set) lazy var simulation = Simulation(scenario, cancellation: cancellation)

    init(_ scenario: Scenario, _ cancellation: Cancellation) {
      self.scenario = scenario
      self.cancellation = cancellation
    }
  }

  /// Runs it by itself and in a simulation of its own, and throws where the two differ.
  func run(_ origin: Origin) throws -> Observation {
    let run = Observation(origin, in: simulation)
    let again = Observation(origin, in: Simulation(scenario))
    // First, as it says what left the simulation, and where two runs differ as well.
    try refuse(origin, run.problems.isEmpty ? again.problems : run.problems)
    if let difference = run.difference(from: again, of: scenario) {
      throw differs(origin, difference.description)
    }
    if let text = run.record?.ruleBreaks.first {
      throw PropertyError.noVerdict("\(scenario.name): bug of this harness: \(text)")
    }
    return run
  }

  /// Throws where a campaign saw something leave the simulation, or a run come out differently.
  func refuse(_ findings: Findings) throws {
    if let origin = findings.unfit { try refuse(origin, findings.problems) }
    if let origin = findings.differing {
      let again = Repetition(of: scenario, origin)
      throw nondeterministic(origin, again.text ?? again.onceDifferent)
    }
  }

  private func refuse(_ origin: Origin, _ noted: [Problem]) throws {
    guard !noted.isEmpty else { return }
    let again = Repetition(of: scenario, origin, noted: noted)
    guard let text = again.text else { return }
    throw again.isNondeterministic
      ? nondeterministic(origin, text, advice: .leak)
      : PropertyError.noVerdict("\(scenario.name): \(text)")
  }

  /// What a campaign found of a rule, made sure of: the plan with the fewest decisions that is known.
  func failure(_ found: RuleFindings, breaking rule: Int) throws -> ConfirmedFailure {
    let ofSeed = try found.firstSeed.map { try failure(run(Origin(seed: $0)), breaking: rule) }
    if let ofSeed,
      (ofSeed.reduction?.plan.size ?? .max) <= found.smallestPlan?.size ?? .max
    {
      return ofSeed
    }
    guard let smallest = found.smallestPlan else {
      fatalError("bug: a violation without a seed and without a plan")
    }
    var ofPlan = try failure(run(Origin(plan: smallest)), breaking: rule)
    ofPlan.seed = found.firstSeed
    return ofPlan
  }

  /// A run that broke a rule, with what it comes down to.
  func failure(_ run: Observation, breaking rule: Int) throws -> ConfirmedFailure {
    guard run.broken.contains(rule) else {
      throw differs(
        run.origin,
        "it broke \(scenario.invariants[rule].name) among other runs, and does not by itself")
    }
    guard let record = run.record,
      let (shrinker, plan) = Shrinker.reduction(
        of: record, breaking: rule, in: shrinking.simulation)
    else {
      return ConfirmedFailure(
        rule: rule, run: run, seed: run.origin.seed, isCutShort: cancellation.isRequested)
    }
    var certifying = shrinker
    let certificate = certifying.certify(plan)
    return ConfirmedFailure(
      rule: rule, run: run, seed: run.origin.seed,
      reduction: ConfirmedFailure.Reduction(
        plan: plan, certificate: certificate, record: simulation.record(Origin(plan: plan))),
      isCutShort: certifying.isInterrupted)
  }

  private func differs(_ origin: Origin, _ how: String) -> PropertyFailure {
    nondeterministic(origin, "\(origin) came out differently when it was run again: \(how)")
  }

  private enum Advice: String {
    case leak = """
      Nothing but seed and plan may decide a run, so what is real has no verdict, whether it came out \
      the same or not.
      """
    case difference = """
      Nothing but seed and plan may decide a run. Look for static variables, clocks, random numbers, \
      and for dictionaries and sets whose order shows. A hosted app with a static manager is run as a \
      PipedSystem.
      """
  }

  private func nondeterministic(
    _ origin: Origin, _ what: String, advice: Advice = .difference
  ) -> PropertyFailure {
    PropertyFailure(
      kind: .nondeterministic, scenario: scenario.name, seed: origin.seed,
      plan: origin.seed == nil ? origin.plan : nil,
      description: """
        \(scenario.name): the system is nondeterministic: \(what)
          \(advice.rawValue)
        """)
  }
}

/// A broken invariant that was made sure of, and what it comes down to.
struct ConfirmedFailure {
  struct Reduction {
    var plan: Plan
    var certificate: Certificate
    var record: Record
  }

  var rule: Int
  var run: Observation
  /// The first seed that breaks it, of the run or of another.
  var seed: UInt64?
  /// Nil where no plan alone is known to break it.
  var reduction: Reduction?
  /// Whether it was not made as small as can be, because the test was cancelled.
  var isCutShort = false

  /// As few decisions as break it, else the run that does.
  func planFile(of scenario: Scenario) -> PlanFile {
    PlanFile(
      recording: scenario, reduction.map { Origin(plan: $0.plan) } ?? run.origin,
      expecting: .violates(scenario.invariants[rule].name))
  }
}
