import ChaosStore
import Synchronization

/// `trace`: what two machines compare, line by line for one run, or a hash for each of many.
struct TraceCommand: Command {
  static let name = "trace"
  static let kind: CommandResult.Kind? = .trace
  static let summary =
    "print a run line by line, or a hash a run, to compare with another machine's"
  static let discussion = """
    With --seed or --plan it prints every event, decision and fact of one run of each chosen \
    scenario, with the hash of the history so far; with --seeds a line for each run: scenario, seed, \
    hash. Equal runs are equal texts, so 'diff' shows where two machines part.
    """
  static let options =
    ScenarioOptions.options + RunSelection.options + [
      OutputOptions.format, Option("quiet", "only the hash of each run"),
    ]
  static let contradictions = RunSelection.contradictions
  static let exitCodes = [
    ExitCodeMeaning(.asExpected, "all was printed, whatever broke"),
    ExitCodeMeaning(.noVerdict, "no scenario of that name, a bad scenario file, an interrupt"),
  ]
  static let examples = [
    Example("trace --scenario NAME --seed 0x2a", "one run line by line"),
    Example("trace --seeds 100", "a hash for each of a hundred seeds of every scenario"),
  ]

  private let selection: ScenarioOptions
  private let runs: RunSelection
  private let output: OutputOptions

  init(parsing words: Words, in environment: RunnerEnvironment) throws(Failure) {
    selection = ScenarioOptions(words)
    runs = try RunSelection(words)
    output = try OutputOptions(words, in: environment)
    try words.refuseOperands(after: 0, hint: "; did you mean --scenario?")
    if case .scenarios = runs {
      throw .usage(
        "'trace' needs to know which runs: --seed S or --plan TEXT for one, line by line; "
          + "--seeds N|A..<B for the hashes of many")
    }
  }

  func run(in environment: RunnerEnvironment, on console: Console) throws(Failure) -> ExitCode {
    let scenarios = try ScenarioSource(
      file: selection.file, console: console, world: environment, isQuiet: output.isQuiet
    ).selection(selection.patterns)
    let progress = Progress(console, isQuiet: output.isQuiet)
    defer { progress.clear() }
    let cancellation = Cancellation(console, progress)
    let interrupted = Mutex<String?>(nil)
    let runs = runs
    try output.write(
      .trace(
        TraceResult { body in
          for (index, scenario) in scenarios.enumerated() {
            progress.begin(index + 1, of: scenarios.count, scenario.name)
            if cancellation.isRequested {
              return interrupted.withLock { $0 = "interrupted before '\(scenario.name)'" }
            }
            let simulation = Simulation(scenario, cancellation: cancellation)
            let problem: String?
            switch runs {
            case .scenarios: problem = nil
            case .range(let seeds): problem = Self.hashes(simulation, seeds, cancellation, body)
            case .one(let origin):
              problem = Self.listing(
                simulation, origin, isAlone: scenarios.count == 1, console, body)
            }
            if let problem { return interrupted.withLock { $0 = problem } }
          }
        }), to: console)
    if let reason = interrupted.withLock({ $0 }) { throw .noVerdict(reason) }
    return .asExpected
  }

  /// A line such as `NAME 0x2a 0x5f0d3c6b1e2a4978`; a plan without a seed has a dash for it.
  static func hashLine(_ scenario: Scenario, seed: UInt64?, hash: String) -> String {
    "\(scenario.name) \(seed.map(SeedText.text) ?? "-") \(hash)"
  }

  /// Where an interrupt came; nil where there was time for all of them.
  private static func hashes(
    _ simulation: Simulation, _ seeds: Range<UInt64>, _ cancellation: Cancellation,
    _ body: (TraceResult.Run) -> Void
  ) -> String? {
    let scenario = simulation.scenario
    for seed in seeds {
      let outcome = simulation.run(seed: seed)
      if outcome.isInterrupted || cancellation.isRequested {
        return "interrupted in '\(scenario.name)', before seed \(SeedText.text(seed))"
      }
      body(
        TraceResult.Run(scenario: scenario, origin: Origin(seed: seed), hash: outcome.trace))
    }
    return nil
  }

  /// Where an interrupt came; nil where there was time for it.
  private static func listing(
    _ simulation: Simulation, _ origin: Origin, isAlone: Bool, _ console: Console,
    _ body: (TraceResult.Run) -> Void
  ) -> String? {
    let scenario = simulation.scenario
    let record = simulation.record(origin)
    if record.outcome.isInterrupted {
      return "interrupted in '\(scenario.name)', after \(record.outcome.events.of("event"))"
    }
    if isAlone, !record.unmatched.isEmpty {
      let names = record.unmatched.map(\.description).joined(separator: ", ")
      console.err("Named by the plan and never asked for: \(names)\n")
    }
    body(
      TraceResult.Run(
        scenario: scenario, origin: origin, hash: record.outcome.trace,
        listing: TraceListing(record, of: scenario)))
    return nil
  }
}
