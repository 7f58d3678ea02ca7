import ChaosStore

/// `replay`: runs a kept plan file again, and says whether it still does what it did.
struct ReplayCommand {
  private let options: RunOptions
  private let console: Console
  private let world: Surroundings
  private let source: ScenarioSource
  private let path: String

  init(
    _ path: String, _ options: RunOptions, _ console: Console, _ world: Surroundings
  ) throws(Failure) {
    self.path = path
    self.options = options
    self.console = console
    self.world = world
    source = try ScenarioSource(file: options.file, console: console, world: world)
  }

  func run() throws(Failure) -> ExitCode {
    let file: PlanFile
    do { file = try RegressionFolder.read(path, console) } catch {
      throw .noVerdict("\(path): \(error.description)")
    }
    let progress = Progress(console, isQuiet: options.isQuiet)
    progress.begin(1, of: 1, path)
    let replay = Replay(
      file, among: source.scenarios, bestEffort: options.isBestEffort,
      cancellation: Cancellation(console, progress))
    progress.clear()
    if options.emitsTest { return try emitTest(replay) }
    let regression = Regression(path: path, result: .replayed(replay))
    switch options.format {
    case .json:
      console.out(json: JSONReport.encoded(Document(replay: ReplayPart(regression))) + "\n")
    case .text:
      let report = ReplayReport(
        regression, replay, PasteLine(program: world.program, source: source),
        width: console.width, ink: Ink(isOn: console.hasColor), options: options)
      console.out(report.text)
    }
    return Self.exitCode(replay)
  }

  private struct Document: Encodable {
    var version = Runner.version
    var replay: ReplayPart
  }

  /// A violation is red even where it was recorded: the run was asked for by itself.
  private static func exitCode(_ replay: Replay) -> ExitCode {
    switch replay.standing {
    case .stale: .noVerdict
    case .different: .red
    case .otherHistory where !replay.isBestEffort: .noVerdict
    case .sameHistory, .otherHistory: replay.broken.isEmpty ? .asExpected : .red
    }
  }

  /// A stale file makes no test, as nobody knows what the test would show.
  private func emitTest(_ replay: Replay) throws(Failure) -> ExitCode {
    guard let scenario = replay.scenario, replay.standing != .stale else {
      throw .noVerdict("\(path): " + replay.doubts.joined(separator: "; "))
    }
    try Keeper(source, console, program: world.program).emitTest(replay.file, scenario)
    return .asExpected
  }
}
