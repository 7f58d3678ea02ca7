import ChaosStore

/// `regress`: replays the regressions folder, and counts what still comes out as recorded.
struct RegressCommand: Command {
  static let name = "regress"
  static let kind: CommandResult.Kind? = .regressions
  static let summary = "replay all of regressions/, and count what still comes out as recorded"
  static let discussion = """
    Replays every plan file of the regressions folder beside the scenario file, as each 'run' does \
    before anything else, and prints a line for each and how many still mean what they meant.
    """
  static let options =
    [
      Option(
        "scenario", "NAME", isRepeatable: true,
        "only files of scenarios of this name; repeatable, * and ? match")
    ] + [
      ScenarioOptions.file, OutputOptions.format,
      Option("quiet", "only what is not as recorded, and how many there are"),
    ]
  static let exitCodes = [
    ExitCodeMeaning(.asExpected, "all as recorded"),
    ExitCodeMeaning(.red, "one not as recorded"),
    ExitCodeMeaning(.noVerdict, "one stale or unreadable, none there, an interrupt"),
  ]
  static let examples = [
    Example("regress", "all that are kept"),
    Example("regress --scenario 'receipt-store*'", "those of some scenarios"),
  ]

  private let selection: ScenarioOptions
  private let output: OutputOptions

  init(parsing words: Words, in environment: RunnerEnvironment) throws(Failure) {
    try words.refuseOperands(after: 0, hint: "; did you mean 'replay'?")
    selection = ScenarioOptions(words)
    output = try OutputOptions(words, in: environment)
  }

  func run(in environment: RunnerEnvironment, on console: Console) throws(Failure) -> ExitCode {
    let source = try ScenarioSource(file: selection.file, console: console, world: environment)
    let folder = RegressionFolder(source, console)
    let progress = Progress(console, isQuiet: output.isQuiet)
    let regressions = try folder.replay(
      among: source.scenarios, selection.patterns,
      cancellation: Cancellation(console, progress), progress: progress)
    progress.clear()
    guard !regressions.isEmpty || regressions.left > 0 else {
      throw .noVerdict(
        selection.patterns.isEmpty
          ? "there is no plan file in \(folder.path)/; 'run --save' writes them"
          : "no plan file in \(folder.path)/ is of a scenario called "
            + selection.patterns.map { "'\($0)'" }.joined(separator: " or "))
    }
    let paste = PasteLine(program: environment.program, source: source)
    try output.write(
      .regressions(RegressionsResult(regressions: regressions, paste: paste)), to: console)
    guard regressions.left == 0 else {
      throw .noVerdict(
        "interrupted: \(regressions.left.of("plan file")) of \(folder.path)/ not replayed")
    }
    return regressions.verdict.exitCode
  }
}
