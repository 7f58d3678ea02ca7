import ChaosStore
import Invariants

/// Runs what was accepted, and looks at what runs promise.
enum Trials {
  /// The most events of a run here.
  static let eventLimit = 3000

  /// Whether a world is small enough to be built often.
  static func isSmall(_ scenario: Scenario) -> Bool { size(of: scenario.setup) <= 3000 }

  private static func size(of setup: Setup) -> Int {
    setup.accounts + setup.storeAccounts + setup.devices.count + setup.products.count
      + setup.steps.count + (setup.arrivals?.count ?? 0)
  }

  /// Runs a few seeds: none may trap, and a seed and the plan it amounts to are one history.
  static func run(_ scenario: Scenario, _ random: inout Random) throws(Finding) {
    var scenario = scenario
    let size = size(of: scenario.setup)
    guard size <= 3000 || (size <= 300_000 && random.oneIn(30)) else { return }
    scenario.setup.eventLimit = min(
      scenario.setup.eventLimit, max(eventLimit, scenario.setup.arrivals?.count ?? 0))
    let simulation = Simulation(scenario)
    let seed = random.next() >> UInt64(random.below(64))
    let outcome = simulation.run(seed: seed)
    for _ in 0..<3 { _ = simulation.run(seed: random.next()) }
    guard size <= 3000, random.oneIn(2) else { return }
    let record = simulation.record(seed: seed)
    guard record.outcome == outcome else {
      throw Finding("a run that differs when recorded", "seed \(SeedText.text(seed))")
    }
    if let rule = record.ruleBreaks.first {
      throw Finding("the simulated store breaks a rule of its own", rule)
    }
    let again = simulation.record(seed: nil, plan: record.full)
    guard again.outcome.trace == outcome.trace, again.unmatched.isEmpty || outcome.isCutOff else {
      throw Finding(
        "a seed and its plan that are two histories",
        "seed \(SeedText.text(seed)), plan \(record.full)")
    }
  }

  /// Follows a plan: it may name what is never asked, and must not trap.
  static func follow(_ plan: Plan, _ scenario: Scenario) throws(Finding) {
    let simulation = Simulation(scenario)
    let outcome = simulation.run(plan: plan)
    guard !outcome.isCutOff else { return }
    let record = simulation.record(seed: nil, plan: plan)
    guard record.outcome == outcome else {
      throw Finding("a plan that differs when recorded", plan.description)
    }
    if let rule = record.ruleBreaks.first {
      throw Finding("the simulated store breaks a rule of its own", rule)
    }
  }
}
