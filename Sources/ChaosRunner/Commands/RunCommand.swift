import ChaosStore

/// `run`: runs scenarios, judges them, reports.
struct RunCommand: Command {
  static let name = "run"
  static let kind: CommandResult.Kind? = .campaign
  static let summary = "run scenarios and judge them (what happens without a command)"
  static let discussion = """
    Replays the kept plan files, then runs every plan of one decision and the seeds that each \
    scenario asks for, and compares what breaks with what the scenario expects. Prints one screen: \
    the gravest failures, each with a command that shows it, what holds, and the next step. A \
    failure that no scenario expects tells the story of the smallest plan that causes it. --details \
    prints the rest: a table with a row for each system and backend and a column for each fault, \
    every scenario, and faults that never struck. With --seed or --plan it tells the story of one run.
    """
  static let options =
    ScenarioOptions.options + RunSelection.options + [
      TimeBudget.option, Jobs.option, CampaignOptions.prove, CampaignOptions.coverage,
      OutputOptions.format, OutputOptions.report, OutputOptions.details, OutputOptions.quiet,
      OutputOptions.withoutTimes, CampaignOptions.save,
      Self.emitTest, AppOutput.option,
    ] + ShardOptions.options
  static let emitTest = Option(
    "emit-test",
    "print the source of a Swift test that does the same run, and nothing else; with --seed or "
      + "--plan")
  static let contradictions =
    RunSelection.contradictions + [
      Contradiction("seed", "budget", "one run takes as long as it takes"),
      Contradiction("plan", "budget", "one run takes as long as it takes"),
      Contradiction("seed", "coverage", "coverage is about many runs"),
      Contradiction("plan", "coverage", "coverage is about many runs"),
    ] + OutputOptions.contradictions + ShardOptions.contradictions + [
      Contradiction("emit-test", "format", "what it prints is Swift"),
      Contradiction("emit-test", "report", "what it prints is Swift"),
    ]
  static let exitCodes = [
    ExitCodeMeaning(.asExpected, "every verdict is as expected"),
    ExitCodeMeaning(
      .red,
      "an unexpected violation, or an expected one that never came; with one --seed or a --plan, "
        + "or in 'replay': any violation"),
    ExitCodeMeaning(
      .noVerdict,
      "no verdict: a bad scenario file, nothing chosen, an event limit, an interrupt, a stale plan "
        + "file, a run that comes out differently the second time, a bug of this harness"),
  ]
  static let examples = [
    Example("", "everything, on one screen"),
    Example("--scenario 'receipt-store*' --details", "some of it, with counts and first seeds"),
    Example("--scenario NAME --seed 0x2a", "the story of one run"),
    Example("--scenario NAME --plan 'drop verify.reply tx1 #1'", "a run of your own making"),
    Example("--budget 30s --scenario NAME --save", "all that can be searched in that time, kept"),
    Example(
      "--shard 3/64 --shard-results shards/", "the third of 64 parts, for 'merge' to put together"),
  ]

  private let selection: ScenarioOptions
  private let runner: CampaignRunner
  private let output: OutputOptions
  private let saves: Bool
  private let emitsTest: Bool
  private let showsAppOutput: Bool
  private let shard: ShardOptions?

  init(parsing words: Words, in environment: RunnerEnvironment) throws(Failure) {
    selection = ScenarioOptions(words)
    output = try OutputOptions(words, in: environment)
    runner = CampaignRunner(
      selection: selection, runs: try RunSelection(words), jobs: try Jobs.count(words),
      budget: try TimeBudget.seconds(words), provesSmallest: words.has("prove"),
      needsPlans: output.needsPlans,
      isQuiet: output.isQuiet)
    shard = try ShardOptions(words, in: environment)
    saves = words.has("save")
    emitsTest = words.has("emit-test")
    showsAppOutput = words.has("app-output")
    try words.refuseOperands(after: 0, hint: "; did you mean --scenario?")
    for option in ["emit-test", "app-output"] where words.has(option) {
      guard words.has("seed") || words.has("plan") else {
        throw .usage("--\(option) needs one run: give it a --seed or a --plan")
      }
    }
  }

  func run(in environment: RunnerEnvironment, on console: Console) throws(Failure) -> ExitCode {
    let source = try ScenarioSource(file: selection.file, console: console, world: environment)
    let chosen = try source.selection(selection.patterns)
    for (isAsked, option) in [(emitsTest, "emit-test"), (showsAppOutput, "app-output")]
    where isAsked && chosen.count > 1 {
      throw .usage("--\(option) needs one --scenario, and \(chosen.count) are chosen")
    }
    guard let runner = try runner.afterSearch(shard, source, on: console) else {
      return .asExpected
    }
    let campaign = try runner.result(of: source, in: environment, on: console)
    let writer = RegressionWriter(source, console, program: environment.program)
    // What is to be kept is kept before anything is printed, which may fail.
    var failure: Failure?
    if saves {
      do { try writer.save(campaign) } catch { failure = error }
    }
    if emitsTest {
      try writer.emitTest(campaign)
    } else {
      do { try output.write(.campaign(campaign), to: console) } catch { failure = failure ?? error }
    }
    if showsAppOutput, case .one(let origin) = runner.runs, let scenario = chosen.first {
      AppOutput.write(scenario, origin, to: console)
    }
    if let failure { throw failure }
    return emitsTest ? .asExpected : campaign.exitCode
  }
}

/// Options of the commands that run whole scenarios.
enum CampaignOptions {
  static let prove = Option(
    "prove", "run every plan that is smaller than what was found, and say if one does it too")
  static let coverage = Option(
    "coverage",
    "which fault struck at which step of a purchase, how often, and where none did")
  static let save = Option(
    "save",
    "keep each violation that was not expected in regressions/ beside the scenario file; with one "
      + "seed or plan and one scenario, keep that run whatever it comes to")
}
