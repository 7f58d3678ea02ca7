import Invariants

/// A run as far as it can be compared with another of the same origin.
///
/// Whoever wants to know whether a run comes out the same again observes it in two simulations and
/// asks for the difference.
package struct Observation {
  /// What was run.
  package let origin: Origin
  /// What it came to, with nothing written down.
  package let outcome: Outcome
  /// The first break of each invariant.
  package let violations: [Violation]
  /// What the plan names and the run never asked.
  package let unmatched: [Decision]
  /// What makes the run unfit for a verdict.
  package let problems: [Problem]
  /// The run, written down; nil where it is too large for that.
  package let record: Record?

  /// Runs it, and once more on record unless it is too large.
  package init(_ origin: Origin, in simulation: Simulation) {
    self.origin = origin
    (outcome, unmatched) = simulation.follow(origin)
    violations = simulation.violations
    let isWrittenDown = outcome.events <= Record.mostEvents && !outcome.isInterrupted
    record = isWrittenDown ? simulation.record(origin) : nil
    problems = simulation.problems
  }

  /// Whether it was told to end, so that it cannot be compared.
  package var isInterrupted: Bool {
    outcome.isInterrupted || record?.outcome.isInterrupted ?? false
  }

  /// The positions of the invariants that broke, in the scenario's order.
  ///
  /// Of a run that was cut off those count that broke before, and not what shows only at the end.
  package var broken: [Int] {
    violations.filter { !outcome.isCutOff || $0.fact != nil }.map(\.rule).sorted()
  }

  /// How another observation of the same origin differs; nil where it does not.
  package func difference(from other: Observation, of scenario: Scenario) -> Difference? {
    if isInterrupted || other.isInterrupted { return nil }
    let note = "\(outcome.inWords), and \(other.outcome.inWords)"
    if let record, let again = other.record,
      let divergence = record.divergence(from: again, of: scenario)
    {
      return Difference(divergence: divergence, note: note)
    }
    if outcome != other.outcome { return Difference(note: note) }
    guard let record, record.outcome != outcome else { return nil }
    return Difference(note: "\(outcome.inWords), and \(record.outcome.inWords) when it is recorded")
  }
}

/// How two runs differ that should be one.
package struct Difference: CustomStringConvertible {
  /// Where they differ first; nil where that does not show on record.
  package var divergence: Divergence?
  /// What the two came to.
  package var note: String

  package init(divergence: Divergence? = nil, note: String) {
    self.divergence = divergence
    self.note = note
  }

  /// Where they differ, or else what they came to.
  package var description: String { divergence?.description ?? note }
}
