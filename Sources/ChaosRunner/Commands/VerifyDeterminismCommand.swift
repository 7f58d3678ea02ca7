import ChaosStore

/// `verify-determinism`: runs a sample again in every way that must make no difference.
struct VerifyDeterminismCommand: Command {
  /// How many seeds of each scenario, unless it is said.
  static let usualSeeds: Range<UInt64> = 0..<20

  static let name = "verify-determinism"
  static let kind: CommandResult.Kind? = .determinism
  static let summary =
    "run a sample again here, in a second process and on threads, and say where two runs part"
  static let discussion = """
    Runs the same seeds twice in this process, once in a second process and once on several threads, \
    and compares the hashes of their histories. Where two runs part it names the first event at \
    which they do, what was decided before it, and what to look at.
    """
  static let options =
    ScenarioOptions.options + [
      Option("seeds", "N|A..<B", "so many seeds of each scenario from 0, or these (20)"),
      Option("jobs", "N", "threads to compare one with, 2 to 1024 (all cores, at least 2)"),
      OutputOptions.format,
    ]
  static let exitCodes = [
    ExitCodeMeaning(.asExpected, "all was compared, and all was equal"),
    ExitCodeMeaning(.noVerdict, "two runs differ, or not all was compared"),
  ]
  static let examples = [
    Example("verify-determinism", "20 seeds of each scenario"),
    Example("verify-determinism --scenario NAME --seeds 1000", "more seeds of one"),
  ]

  private let selection: ScenarioOptions
  private let seeds: Range<UInt64>
  private let jobs: Int
  private let output: OutputOptions

  init(parsing words: Words, in environment: RunnerEnvironment) throws(Failure) {
    selection = ScenarioOptions(words)
    output = try OutputOptions(words, in: environment)
    let jobs = try Jobs.count(words)
    seeds = try words.value(of: "seeds", SeedText.range) ?? Self.usualSeeds
    try words.refuseOperands(after: 0, hint: "; did you mean --scenario?")
    if words.has("jobs"), jobs < 2 {
      throw .usage(
        "--jobs: '\(jobs)' is no comparison: 'verify-determinism' compares one thread with 2 to "
          + "1024")
    }
    self.jobs = max(2, jobs)
  }

  func run(in environment: RunnerEnvironment, on console: Console) throws(Failure) -> ExitCode {
    let source = try ScenarioSource(file: selection.file, console: console, world: environment)
    let scenarios = try source.selection(selection.patterns)
    let progress = Progress(console)
    var verification = Verification(
      scenarios: scenarios, patterns: selection.patterns, seeds: seeds, jobs: jobs,
      second: SecondProcess(environment, file: selection.file, source),
      cancellation: Cancellation(console, progress))
    verification.run { index, runs, way in
      progress.begin(index + 1, of: scenarios.count, scenarios[index].name)
      progress.doing("\(runs.of("run")), then \(way.place)")
    }
    progress.clear()
    let result = DeterminismResult(
      verification: verification, paste: PasteLine(program: environment.program, source: source))
    try output.write(.determinism(result), to: console)
    return result.isEqual ? .asExpected : .noVerdict
  }
}
