import ChaosStore

/// `merge`: puts the parts of a campaign together, and reports on it as if it had been run in one.
struct MergeCommand: Command {
  static let name = "merge"
  static let kind: CommandResult.Kind? = .campaign
  static let summary = "put together what the shards of a campaign have found, and report on it"
  static let discussion = """
    Reads what 'run' and 'explore' wrote with --shard, adds it up, makes small what broke, judges it, \
    replays the kept plan files, and prints what the campaign would have printed if it had been run in \
    one: the same bytes, but for how long it took. A file of a shard that is there twice counts once.
    """
  static let options = [
    ScenarioOptions.file, Jobs.option, CampaignOptions.prove, CampaignOptions.coverage,
    OutputOptions.format, OutputOptions.report, OutputOptions.details, OutputOptions.quiet,
    OutputOptions.withoutTimes,
    Option("save", "keep each violation that was not expected in regressions/"),
  ]
  static let contradictions = OutputOptions.contradictions
  static let exitCodes = [
    ExitCodeMeaning(.asExpected, "every verdict is as expected"),
    ExitCodeMeaning(.red, "an unexpected violation, or an expected one that never came"),
    ExitCodeMeaning(
      .noVerdict,
      "no verdict: a shard is missing, not whole, damaged or of another campaign, or what 'run' has none for"
    ),
  ]
  static let examples = [
    Example("merge shards/", "all files of that folder"),
    Example("merge shards/ --report found", "the same with a page to look at"),
  ]

  static func operands(in environment: RunnerEnvironment) -> [Operand] {
    [
      Operand(
        name: "FILE…", isRequired: true,
        about: "what each shard wrote, or a folder with a / at its end that has nothing else")
    ]
  }

  private let operands: [String]
  private let file: String?
  private let output: OutputOptions
  private let jobs: Int
  private let provesSmallest: Bool
  private let saves: Bool

  init(parsing words: Words, in environment: RunnerEnvironment) throws(Failure) {
    guard !words.operands.isEmpty else {
      throw .usage("'merge' needs the files that the shards wrote, or a folder with a / at its end")
    }
    operands = words.operands
    file = words.first("scenarios")
    output = try OutputOptions(words, in: environment)
    jobs = try Jobs.count(words)
    provesSmallest = words.has("prove")
    saves = words.has("save")
  }

  func run(in environment: RunnerEnvironment, on console: Console) throws(Failure) -> ExitCode {
    let paths = try paths(console)
    let source = try ScenarioSource(file: file, console: console, world: environment)
    let first = try Self.read(paths[0], console)
    var runner = try CampaignRunner(first.body.asked, file: file, in: environment, path: paths[0])
    runner.jobs = jobs
    runner.provesSmallest = provesSmallest
    runner.needsPlans = output.needsPlans
    runner.isQuiet = output.isQuiet
    let scenarios = try source.selection(runner.selection.patterns)
    let division = try CampaignDivision(runner, source, scenarios, count: first.header.of)
    var sum = ShardSum(division, scenarios)
    try sum.add(first, path: paths[0])
    for path in paths.dropFirst() {
      if console.isInterrupted() { throw .noVerdict("interrupted before \(path) was read") }
      try sum.add(try Self.read(path, console), path: path)
    }
    runner.searched = try sum.searched()
    return try output.report(
      runner.result(of: source, in: environment, on: console), saves: saves, source, environment,
      on: console)
  }

  /// The files, one by one: what a folder has is in the order of its names.
  private func paths(_ console: Console) throws(Failure) -> [String] {
    var paths: [String] = []
    for operand in operands {
      guard operand.hasSuffix("/") else {
        paths.append(operand)
        continue
      }
      let names: [String]?
      do { names = try console.list(String(operand.dropLast())) } catch {
        throw .noVerdict("\(operand) cannot be read: \(error)")
      }
      guard let names, !names.isEmpty else {
        throw .noVerdict("\(operand): found no file, expected those of the shards")
      }
      paths += names.sorted().map { operand + $0 }
    }
    return paths
  }

  private static func read(_ path: String, _ console: Console) throws(Failure) -> ShardFile {
    guard let file = try ShardFile.at(path, console) else {
      throw .noVerdict("there is no file '\(path)'")
    }
    return file
  }
}

extension OutputOptions {
  /// Keeps what is to be kept, and prints.
  func report(
    _ result: CampaignResult, saves: Bool, _ source: ScenarioSource,
    _ environment: RunnerEnvironment,
    on console: Console
  ) throws(Failure) -> ExitCode {
    // What is to be kept is kept before anything is printed, which may fail.
    var failure: Failure?
    if saves {
      let writer = RegressionWriter(source, console, program: environment.program)
      do { try writer.save(result) } catch { failure = error }
    }
    do { try write(.campaign(result), to: console) } catch { failure = failure ?? error }
    if let failure { throw failure }
    return result.exitCode
  }
}
