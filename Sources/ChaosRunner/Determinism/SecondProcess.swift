import ChaosStore

/// Another process of this program, asked for the same runs.
struct SecondProcess {
  private let ask: ([String]) -> String?
  private let file: [String]

  /// `file` is what this process was given as `--scenarios`; nil where there is no second process.
  /// What this process read from a pipe the other one gets through a pipe.
  init?(_ world: RunnerEnvironment, file: String?, _ source: ScenarioSource) {
    if let text = source.streamed {
      guard let ask = world.secondProcessReading else { return nil }
      self.ask = { ask($0, text) }
      self.file = ["--scenarios=\(TextFile.standardInput)"]
      return
    }
    guard let ask = world.secondProcess else { return nil }
    self.ask = ask
    self.file = file.map { ["--scenarios=\($0)"] } ?? []
  }

  /// The lines that `trace` prints of many seeds: all of a scenario, in the order of the file.
  func hashes(of patterns: [String], seeds: Range<UInt64>) -> [String]? {
    let range = "\(SeedText.text(seeds.lowerBound))..<\(SeedText.text(seeds.upperBound))"
    let scenarios = patterns.map { "--scenario=\($0)" }
    return ask(["trace", "--quiet"] + file + scenarios + ["--seeds=\(range)"])?
      .split(separator: "\n").map(String.init)
  }

  /// The line that `trace --quiet` prints of one run.
  func hash(of scenario: Scenario, _ origin: Origin) -> String? {
    let start = TraceCommand.hashLine(scenario, seed: origin.seed, hash: "")
    return run(scenario, origin, ["--quiet"])?.split(separator: "\n").map(String.init)
      .first { $0.hasPrefix(start) }
  }

  /// The lines of one run; nil where there is no answer to be understood.
  func listing(_ title: String, of scenario: Scenario, _ origin: Origin) -> [String]? {
    run(scenario, origin).flatMap { TraceListing.lines(under: title, in: $0) }
  }

  private func run(_ scenario: Scenario, _ origin: Origin, _ more: [String] = []) -> String? {
    var arguments = ["trace"] + file + ["--scenario=\(scenario.name)"] + more
    if let seed = origin.seed { arguments.append("--seed=\(SeedText.text(seed))") }
    if origin.seed == nil || !origin.plan.isEmpty { arguments.append("--plan=\(origin.plan)") }
    return ask(arguments)
  }
}
