import ChaosStore

/// `--format jsonl`: the history of a run, as `audit` reads it, a fact a line.
///
/// Of one run it is that run; of a campaign the run of the failure that stands first. `trace` prints one history
/// after the other.
public struct JSONLReporter: Reporter {
  /// What `--format` calls it.
  public let name = "jsonl"
  /// What it writes.
  public let summary = "the history of the first failure, a fact a line, as 'audit' reads it"
  /// Campaigns, single runs, kept plan files, and runs to compare.
  public let kinds: Set<CommandResult.Kind> = [.campaign, .replay, .trace]
  /// Names are written as JSON has them.
  public let escaping = ReportEscaping.json
  /// A plan is what its run is of.
  public let needsPlans = true

  /// The reporter has nothing to be told.
  public init() {}

  /// Writes the lines.
  public func write(_ result: CommandResult, _ options: ReportOptions, to output: (String) -> Void)
  {
    switch result {
    case .campaign(let campaign) where campaign.single != nil:
      for result in campaign.scenarios {
        let record =
          result.record ?? campaign.single.map { Simulation(result.scenario).record($0) }
        if let record { output(HistoryLines(record, of: result.scenario).text) }
      }
    case .campaign(let campaign):
      let story = FailureStories(campaign, mostPictures: 1, mostOutlooks: 0).first
      if let story { output(story.history.text) }
    case .replay(let replay):
      guard let scenario = replay.replay.scenario, let record = replay.replay.record else { return }
      output(HistoryLines(record, of: scenario).text)
    case .trace(let trace):
      trace.eachRun { run in
        let record = Simulation(run.scenario).record(run.origin)
        output(HistoryLines(record, of: run.scenario).text)
      }
    case .regressions, .power, .determinism: break
    }
  }
}
