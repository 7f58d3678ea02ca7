import ChaosStore

/// `verify-determinism`: runs a sample again in every way that must make no difference.
struct VerifyDeterminismCommand {
  /// How many seeds of each scenario, unless it is said.
  static let usualSeeds: Range<UInt64> = 0..<20

  private let options: RunOptions
  private let console: Console
  private let world: Surroundings
  private let source: ScenarioSource
  private let scenarios: [Scenario]

  init(_ options: RunOptions, _ console: Console, _ world: Surroundings) throws(Failure) {
    self.options = options
    self.console = console
    self.world = world
    source = try ScenarioSource(file: options.file, console: console, world: world)
    scenarios = try source.selection(options.patterns)
  }

  /// The options, if they name more than one thread; without any, all cores and at least two.
  static func checked(_ options: RunOptions, _ words: Words) throws(Failure) -> RunOptions {
    if words.has(.jobs), options.jobs < 2 {
      throw .usage(
        "--jobs: '\(options.jobs)' is no comparison: 'verify-determinism' compares one thread "
          + "with 2 to 1024")
    }
    var options = options
    options.jobs = max(2, options.jobs)
    return options
  }

  func run() -> ExitCode {
    var seeds = Self.usualSeeds
    if case .range(let range) = options.seeds { seeds = range }
    let progress = Progress(console)
    var verification = Verification(
      scenarios: scenarios, patterns: options.patterns, seeds: seeds, jobs: options.jobs,
      second: SecondProcess(world, file: options.file, source),
      cancellation: Cancellation(console, progress))
    verification.run { index, runs, way in
      progress.begin(index + 1, of: scenarios.count, scenarios[index].name)
      progress.doing("\(runs.of("run")), then \(way.place)")
    }
    progress.clear()
    let report = VerificationReport(
      verification, paste: PasteLine(program: world.program, source: source))
    switch options.format {
    case .json: console.out(json: report.json + "\n")
    case .text: console.out(report.text(width: console.width, ink: Ink(isOn: console.hasColor)))
    }
    return verification.isFine ? .asExpected : .noVerdict
  }
}
