import ChaosStore

/// `replay`: runs a kept plan file again, and says whether it still does what it did.
struct ReplayCommand: Command {
  static let name = "replay"
  static let kind: CommandResult.Kind? = .replay
  static let summary = "run a kept plan file again, and say whether it still does what it did"
  static let discussion = """
    Tells the story of the run that a plan file records, and whether it came out as recorded, by the \
    same history. A file whose scenario has changed, or whose decisions are no longer asked for, is \
    stale, and there is no verdict.
    """
  static let options = [
    ScenarioOptions.file,
    Option("best-effort", "play what still fits of a stale plan file, and let the outcome decide"),
    Option(
      "emit-test", "print the source of a Swift test that does the same run, and nothing else"),
    Option("app-output", "print what hosted code printed in that run as well, to standard error"),
    OutputOptions.format, OutputOptions.report, Option("details", "every line of the timeline"),
    Option("quiet", "only whether it came out as recorded"),
  ]
  static let contradictions =
    OutputOptions.contradictions + [
      Contradiction("emit-test", "format", "what it prints is Swift"),
      Contradiction("emit-test", "report", "what it prints is Swift"),
    ]
  static let exitCodes = [
    ExitCodeMeaning(.asExpected, "as recorded, and nothing breaks"),
    ExitCodeMeaning(.red, "not as recorded, or something breaks"),
    ExitCodeMeaning(
      .noVerdict, "the file is stale or cannot be read, or the history is another one"),
  ]
  static let examples = [
    Example("replay regressions/FILE", "the story of a kept failure"),
    Example("replay regressions/FILE --emit-test", "the same as a Swift test"),
  ]

  static func operands(in environment: RunnerEnvironment) -> [Operand] {
    [
      Operand(
        name: "FILE", isRequired: true,
        about: "a plan file, such as those that --save writes into \(RegressionFolder.name)/")
    ]
  }

  private let path: String
  private let file: String?
  private let isBestEffort: Bool
  private let emitsTest: Bool
  private let showsAppOutput: Bool
  private let output: OutputOptions

  init(parsing words: Words, in environment: RunnerEnvironment) throws(Failure) {
    try words.refuseOperands(after: 1)
    guard let path = words.operands.first else {
      throw .usage("'replay' needs a plan file, such as one of \(RegressionFolder.name)/")
    }
    self.path = path
    file = words.first("scenarios")
    isBestEffort = words.has("best-effort")
    emitsTest = words.has("emit-test")
    showsAppOutput = words.has("app-output")
    output = try OutputOptions(words, in: environment)
  }

  func run(in environment: RunnerEnvironment, on console: Console) throws(Failure) -> ExitCode {
    let source = try ScenarioSource(file: file, console: console, world: environment)
    let plan: PlanFile
    do { plan = try RegressionFolder.read(path, console) } catch {
      throw .noVerdict("\(path): \(error.description)")
    }
    let progress = Progress(console, isQuiet: output.isQuiet)
    progress.begin(1, of: 1, path)
    let replay = Replay(
      plan, among: source.scenarios, bestEffort: isBestEffort,
      cancellation: Cancellation(console, progress))
    progress.clear()
    if emitsTest {
      // A stale file makes no test, as nobody knows what the test would show.
      guard let scenario = replay.scenario, replay.standing != .stale else {
        throw .noVerdict("\(path): " + replay.doubts.joined(separator: "; "))
      }
      try RegressionWriter(source, console, program: environment.program)
        .emitTest(replay.file, scenario)
      return .asExpected
    }
    let result = ReplayResult(
      regression: Regression(path: path, result: .replayed(replay)), replay: replay,
      paste: PasteLine(program: environment.program, source: source))
    output.print(.replay(result), to: console)
    if output.folder != nil {
      guard let page = try page(of: result, source, in: environment, on: console) else {
        throw .noVerdict("--report: there is no page of a run that there is no scenario for")
      }
      try output.writeFiles(.campaign(page), to: console)
    }
    if showsAppOutput, let scenario = replay.scenario, replay.standing != .stale {
      AppOutput.write(scenario, replay.file.origin, to: console)
    }
    return result.exitCode
  }

  /// What the page shows: that one run, and how it stands to what was recorded.
  private func page(
    of result: ReplayResult, _ source: ScenarioSource, in environment: RunnerEnvironment,
    on console: Console
  ) throws(Failure) -> CampaignResult? {
    guard let scenario = result.replay.scenario else { return nil }
    let runner = CampaignRunner(
      selection: ScenarioOptions(patterns: [scenario.name], file: file),
      runs: .one(result.replay.file.origin), jobs: 1, provesSmallest: false,
      needsPlans: output.needsPlans, isQuiet: output.isQuiet)
    var campaign = try runner.result(of: source, in: environment, on: console)
    campaign.regressions.all = [result.regression]
    campaign.notes.append("\(path): " + ReplayText(result, ReportOptions()).standing)
    return campaign
  }
}
