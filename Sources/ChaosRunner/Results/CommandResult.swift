import ChaosStore

/// What a command found, for a ``Reporter`` to write.
public enum CommandResult {
  /// `run` and `explore`: scenarios, what broke in them, and whether that was expected.
  case campaign(CampaignResult)
  /// `replay`: one kept plan file, run again.
  case replay(ReplayResult)
  /// `regress`: all kept plan files, run again.
  case regressions(RegressionsResult)
  /// `power`: how soon each strategy finds each planted defect.
  case power(PowerResult)
  /// `verify-determinism`: whether runs are decided by their seeds.
  case determinism(DeterminismResult)
  /// `trace`: runs line by line, or a hash a run.
  case trace(TraceResult)

  /// The kinds of report there are, named after the commands that make them.
  public enum Kind: String, CaseIterable, Sendable {
    /// Made by `run` and `explore`.
    case campaign
    /// Made by `replay`.
    case replay
    /// Made by `regress`.
    case regressions
    /// Made by `power`.
    case power
    /// Made by `verify-determinism`.
    case determinism
    /// Made by `trace`.
    case trace
  }
}

/// One kept plan file that was run again.
public struct ReplayResult {
  /// The file, and what became of it.
  public var regression: Regression
  /// The run and how it stands to what was recorded.
  public var replay: Replay

  let paste: PasteLine

  /// A violation is red even where it was recorded: the run was asked for by itself.
  public var exitCode: ExitCode {
    switch replay.standing {
    case .stale: .noVerdict
    case .different: .red
    case .otherHistory where !replay.isBestEffort: .noVerdict
    case .sameHistory, .otherHistory: replay.broken.isEmpty ? .asExpected : .red
    }
  }
}

/// All kept plan files of a folder, run again.
public struct RegressionsResult {
  /// What they came to.
  public var regressions: Regressions

  let paste: PasteLine
}

/// Whether runs are decided by their seeds.
public struct DeterminismResult {
  let verification: Verification
  let paste: PasteLine

  /// Whether all was compared, and all was equal.
  public var isEqual: Bool { verification.isFine }
  /// The scenarios whose runs were compared.
  public var scenarios: [Scenario] { verification.scenarios }
  /// The seeds under which each was run.
  public var seeds: Range<UInt64> { verification.seeds }
  /// Why the second process was not compared, or not with all; nil where it was.
  public var notCompared: String? { verification.secondFailure }
}

/// Runs for another machine to compare with.
public struct TraceResult {
  /// One run.
  public struct Run: Sendable {
    /// What was run.
    public var scenario: Scenario
    /// The seed, the plan, or both.
    public var origin: Origin
    /// The hash of its history.
    public var hash: UInt64
    /// Its events line by line; nil where many were asked for.
    public var listing: TraceListing?
  }

  /// Hands over each run, as soon as it is done: there may be more of them than fit into memory.
  public let eachRun: (_ body: (Run) -> Void) -> Void
}
