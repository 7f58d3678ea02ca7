/// Runs again what a search ran; made on first use, as most searches are short.
///
/// Its runs count for nothing else: not for coverage, and not as runs.
final class SecondOpinion {
  private let scenario: Scenario
  private lazy var simulation = Simulation(scenario)

  init(_ scenario: Scenario) { self.scenario = scenario }

  /// Whether this seed comes out differently.
  func parts(from outcome: Outcome, seed: UInt64) -> Bool { simulation.run(seed: seed) != outcome }

  /// Whether this plan comes out differently.
  func parts(from outcome: Outcome, plan: Plan) -> Bool { simulation.run(plan: plan) != outcome }
}
