import ChaosStore
import Foundation

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
    var rows: [Row] = []
    for target in targets where !console.isInterrupted() {
      let trials = strategies.map { strategy in
        PowerTrial(
          strategy, target, starts: options.starts, seconds: options.budget ?? 20,
          isInterrupted: console.isInterrupted)
      }
      rows.append(Row(target: target, trials: trials))
    }
    let drops = baseline.map { $0.drops(in: rows) } ?? []
    let report = PowerReport(rows, drops: drops, ink: Ink(isOn: console.hasColor))
    console.out(options.format == .json ? report.json : report.text(isQuiet: options.isQuiet))
    if console.isInterrupted() { return .noVerdict }
    return drops.isEmpty && report.missed.isEmpty ? .asExpected : .red
  }
}

/// What was measured before, to see whether it got worse.
struct PowerBaseline {
  private let document: PowerReport.Document

  init(_ path: String, _ console: Console) throws(Failure) {
    let text: String?
    do { text = try console.read(path) } catch {
      throw .noVerdict("\(path) cannot be read as text")
    }
    guard let text else { throw .noVerdict("there is no file '\(path)'") }
    do {
      document = try JSONDecoder().decode(PowerReport.Document.self, from: Data(text.utf8))
    } catch {
      throw .noVerdict(
        "\(path) is not what 'power --format json' prints: \(error.localizedDescription)")
    }
  }

  /// What is no longer found, needs many more runs, or is no longer made as small.
  func drops(in rows: [PowerCommand.Row]) -> [String] {
    var drops: [String] = []
    for old in document.mutants {
      guard let row = rows.first(where: { $0.target.name == old.name }) else {
        drops.append("\(old.name) was not run")
        continue
      }
      for before in old.strategies where before.found == before.starts {
        guard let now = row.trials.first(where: { $0.strategy == before.name }) else { continue }
        let what = "\(old.name) by \(before.name)"
        if !now.isFound {
          drops.append("\(what): found by \(now.found) of \(now.starts.count) starts, was by all")
        } else if now.medianRuns
          > before.medianRuns * PowerCommand.slack + PowerCommand.slackRuns
        {
          drops.append(
            "\(what): \(now.medianRuns.grouped) runs to find it, was \(before.medianRuns.grouped)")
        } else if let size = now.size, let was = before.size, size > was {
          drops.append("\(what): shrunk to \(size.of("decision")), was \(was.grouped)")
        }
      }
    }
    return drops
  }
}
