/// Runs again what a search ran; made on first use, as most searches are short.
///
/// Its runs count for nothing else: not for coverage, and not as runs.
final class SecondOpinion {
  /// Runs with more events are not run again: another world as large as theirs costs their memory.
  static let mostEvents = Record.mostEvents
  /// What is said where that is so.
  static let leftOut =
    "no run was run a second time to see whether it comes out the same, as one has more than "
    + "\(mostEvents.grouped) events; 'verify-determinism' does that"

  private let scenario: Scenario
  private let cancellation: Cancellation
  private lazy var simulation = Simulation(scenario, cancellation: cancellation)

  init(_ scenario: Scenario, _ cancellation: Cancellation = .never) {
    self.scenario = scenario
    self.cancellation = cancellation
  }

  /// Whether this run comes out differently; one that was told to end does not.
  func differs(from outcome: Outcome, _ origin: Origin) -> Bool {
    let again = simulation.run(origin)
    return !again.isInterrupted && again != outcome
  }
}
