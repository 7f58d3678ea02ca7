import ChaosStore

/// `power`: whether the planted defects are found, how soon, and how small they become.
struct PowerCommand: Command {
  /// How many times as many runs as recorded may be needed; a new question shifts the luck.
  static let slack = 3
  static let slackRuns = 2000
  /// How long one search may take where no budget is shared.
  private static let mostSeconds = 20.0
  /// The same where somebody has said how many runs there are to be.
  private static let mostSecondsOfTwin = 36_000.0

  static let name = "power"
  static let kind: CommandResult.Kind? = .power
  static let summary = "search for planted defects, and say how soon each strategy finds which"
  static let discussion = """
    Searches each of the designs with one planted defect until the invariant breaks that the defect \
    is known to break, and prints how many runs and how much time that took, and how many decisions \
    the shrunk plan has. Then searches the designs without a defect in the same worlds, under the same \
    seeds, for as many runs: what breaks there is a false alarm.
    """
  static let options = [
    Option(
      "scenario", "NAME", isRepeatable: true,
      "only planted defects of this name; repeatable, * and ? match"),
    Option(
      "starts", "N", "from how many different first seeds, 1 to 1000, each is searched (5)"),
    Option(
      "budget", "TIME",
      "how long all searches may take together, such as 30s or 5m (20s for each from each start)"),
    Option(
      "controls", "N",
      "in at least how many runs together, 1 to 1,000,000,000, the designs without a defect are "
        + "searched (as many as the defects took)"),
    Option(
      "baseline", "FILE", "what 'power --format json' printed before; what got worse is red"),
    OutputOptions.format, Option("quiet", "no table: what is red, and a line a strategy"),
  ]
  static let exitCodes = [
    ExitCodeMeaning(.asExpected, "all found, no false alarm, nothing worse than in the baseline"),
    ExitCodeMeaning(.red, "one not found, a false alarm, or something worse than in the baseline"),
    ExitCodeMeaning(.noVerdict, "no planted defect chosen, a bad baseline, an interrupt"),
  ]
  static let examples = [
    Example("power", "all strategies on all planted defects"),
    Example("power portfolio --starts 3 --baseline power.json", "whether it got worse"),
    Example("power portfolio --controls 1000000", "whether a sound design is blamed"),
  ]

  static func operands(in environment: RunnerEnvironment) -> [Operand] {
    [
      Operand(
        name: "STRATEGY", isRequired: false, about: "the only one to measure; all by default",
        choices: environment.strategies.map { ($0.name, $0.about) })
    ]
  }

  private let patterns: [String]
  private let strategies: [any Strategy]
  private let starts: Int
  /// Seconds for all searches together; nil where each has its own.
  private let budget: Double?
  /// In at least how many runs sound twins are searched.
  private let controls: Int
  private let baseline: String?
  private let output: OutputOptions

  init(parsing words: Words, in environment: RunnerEnvironment) throws(Failure) {
    try words.refuseOperands(after: 1)
    patterns = words.values["scenario"] ?? []
    output = try OutputOptions(words, in: environment)
    starts = try words.number(of: "starts", in: 1...1000, called: "starts") ?? 5
    budget = try TimeBudget.seconds(words)
    controls =
      try words.number(of: "controls", in: 1...1_000_000_000, called: "runs") ?? 0
    baseline = words.first("baseline")
    strategies =
      words.operands.isEmpty
      ? environment.strategies : [try environment.strategy(words.operands.first, for: Self.name)]
  }

  func run(in environment: RunnerEnvironment, on console: Console) throws(Failure) -> ExitCode {
    let baseline = try baseline.map { (path) throws(Failure) in
      try PowerBaseline(path, among: environment.strategies, on: console)
    }
    let targets = environment.targets.filter { target in
      patterns.isEmpty || patterns.contains { target.name.matches(glob: $0) }
    }
    guard !targets.isEmpty else {
      let names = environment.targets.map(\.name)
      throw .noVerdict(
        "no planted defect is called '\(patterns.joined(separator: "', '"))'"
          + suggestion(for: patterns.first ?? "", among: names))
    }
    let progress = Progress(console, isQuiet: output.isQuiet)
    let start = ContinuousClock.now
    var result = PowerResult(rows: [], worse: [])
    var left = targets.count * strategies.count
    for (index, target) in targets.enumerated() where !console.isInterrupted() {
      let trials = strategies.map { strategy in
        // What is left of the budget is shared by the searches that are left.
        let share = budget.map { budget in
          max(0, budget - (ContinuousClock.now - start).inSeconds) / Double(left)
        }
        left -= 1
        progress.begin(index + 1, of: targets.count, "\(target.name) by \(strategy.name)")
        return PowerTrial(
          strategy, target, starts: starts, seconds: Self.mostSeconds, share: share, console,
          progress)
      }
      // Of what was interrupted nobody knows whether it would have been found.
      if !console.isInterrupted() {
        result.rows.append(PowerResult.Row(target: target, trials: trials))
      }
    }
    if !console.isInterrupted() {
      let search = SoundTwinSearch(
        seconds: controls == 0 ? Self.mostSeconds : Self.mostSecondsOfTwin,
        end: budget.map { start + .seconds($0) }, console: console, progress: progress)
      result.twins = search.twins(of: result, strategies, least: controls)
    }
    progress.clear()
    let isInterrupted = console.isInterrupted()
    if isInterrupted {
      console.err(
        "Interrupted after \(result.rows.count) of \(targets.count.of("planted defect")).\n")
    } else {
      result.worse = baseline?.drops(in: result.rows) ?? []
    }
    try output.write(.power(result), to: console)
    if isInterrupted { return .noVerdict }
    let isGood = result.worse.isEmpty && result.missed.isEmpty && result.falseAlarms.isEmpty
    return isGood ? .asExpected : .red
  }
}
