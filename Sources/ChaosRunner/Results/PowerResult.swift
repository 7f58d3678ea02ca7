import ChaosStore

/// How soon each strategy found each planted defect, and what it found where there is none.
public struct PowerResult: Sendable {
  /// What was measured of one planted defect.
  public struct Row: Sendable {
    /// The system with the defect, and the invariant it breaks.
    public var target: Target
    /// One for each strategy.
    public var trials: [PowerTrial]
  }

  /// One for each planted defect.
  public var rows: [Row]
  /// The designs without a defect, searched in the same way; empty where that was not done.
  public var twins: [SoundTwin] = []
  /// What got worse than in the baseline, a line each; empty where there is none.
  public var worse: [String]

  /// The strategy that is to find everything: the usual one, or the only one that was run.
  public var judged: String {
    let names = rows.first?.trials.map(\.strategy) ?? []
    return names.first { $0 == Strategies.usual.name } ?? names.first ?? ""
  }

  /// What broke without a planted defect.
  public var falseAlarms: [(twin: SoundTwin, alarm: SoundTwin.Alarm)] {
    twins.flatMap { twin in twin.alarms.map { (twin, $0) } }
  }

  /// The planted defects that the judged strategy did not find from every start.
  public var missed: [String] {
    rows.filter { row in row.trials.contains { $0.strategy == judged && !$0.isFound } }
      .map(\.target.name)
  }
}
