/// Runs again what a search ran; made on first use, as most searches are short.
///
/// Its runs count for nothing else: not for coverage, and not as runs.
final class SecondOpinion {
  private let scenario: Scenario
  private lazy var simulation = Simulation(scenario)

  init(_ scenario: Scenario) { self.scenario = scenario }

  /// Whether this run comes out differently.
  func differs(from outcome: Outcome, _ origin: Origin) -> Bool {
    simulation.run(origin) != outcome
  }
}
