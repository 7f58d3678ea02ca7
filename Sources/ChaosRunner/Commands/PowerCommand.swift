import ChaosStore

/// `power`: whether the planted defects are found, how soon, and how small they become.
struct PowerCommand {
  /// What was measured of one planted defect.
  struct Row {
    var target: Target
    var trials: [PowerTrial]
  }

  /// How many times as many runs as recorded may be needed; a new question shifts the luck.
  static let slack = 3
  static let slackRuns = 2000
  /// How long one search may take where no budget is shared.
  private static let mostSeconds = 20.0

  private let options: RunOptions
  private let console: Console
  private let world: Surroundings
  private let strategies: [any Strategy]
  private let baseline: PowerBaseline?

  init(
    _ strategy: (any Strategy)?, _ options: RunOptions, _ console: Console, _ world: Surroundings
  ) throws(Failure) {
    self.options = options
    self.console = console
    self.world = world
    strategies = strategy.map { [$0] } ?? Strategies.all
    baseline = try options.baseline.map { (path) throws(Failure) in
      try PowerBaseline(path, console)
    }
  }

  func run() throws(Failure) -> ExitCode {
    let targets = world.targets.filter { target in
      options.patterns.isEmpty || options.patterns.contains { target.name.matches(glob: $0) }
    }
    guard !targets.isEmpty else {
      let names = world.targets.map(\.name)
      throw .noVerdict(
        "no planted defect is called '\(options.patterns.joined(separator: "', '"))'"
          + suggestion(for: options.patterns.first ?? "", among: names))
    }
    let progress = Progress(console, isQuiet: options.isQuiet)
    let start = ContinuousClock.now
    var rows: [Row] = []
    var left = targets.count * strategies.count
    for (index, target) in targets.enumerated() where !console.isInterrupted() {
      let trials = strategies.map { strategy in
        // What is left of the budget is shared by the searches that are left.
        let share = options.budget.map { budget in
          max(0, budget - (ContinuousClock.now - start).inSeconds) / Double(left)
        }
        left -= 1
        progress.begin(index + 1, of: targets.count, "\(target.name) by \(strategy.name)")
        return PowerTrial(
          strategy, target, starts: options.starts, seconds: Self.mostSeconds, share: share,
          console, progress)
      }
      // Of what was interrupted nobody knows whether it would have been found.
      if !console.isInterrupted() { rows.append(Row(target: target, trials: trials)) }
    }
    progress.clear()
    let isInterrupted = console.isInterrupted()
    if isInterrupted {
      console.err("Interrupted after \(rows.count) of \(targets.count.of("planted defect")).\n")
    }
    let drops = isInterrupted ? [] : baseline.map { $0.drops(in: rows) } ?? []
    let report = PowerReport(rows, drops: drops, ink: Ink(isOn: console.hasColor))
    switch options.format {
    case .json: console.out(json: report.json)
    case .text: console.out(report.text(isQuiet: options.isQuiet))
    }
    if isInterrupted { return .noVerdict }
    return drops.isEmpty && report.missed.isEmpty ? .asExpected : .red
  }
}
