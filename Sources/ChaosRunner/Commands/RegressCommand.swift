import ChaosStore

/// `regress`: replays the regressions folder, and counts what still comes out as recorded.
struct RegressCommand {
  private let options: RunOptions
  private let console: Console
  private let source: ScenarioSource
  private let paste: PasteLine

  init(_ options: RunOptions, _ console: Console, _ world: Surroundings) throws(Failure) {
    self.options = options
    self.console = console
    source = try ScenarioSource(file: options.file, console: console, world: world)
    paste = PasteLine(program: world.program, source: source)
  }

  func run() throws(Failure) -> ExitCode {
    let folder = RegressionFolder(source, console)
    let progress = Progress(console, isQuiet: options.isQuiet)
    let regressions = try folder.replay(
      among: source.scenarios, options.patterns, cancellation: Cancellation(console, progress),
      progress: progress)
    progress.clear()
    guard !regressions.isEmpty || regressions.left > 0 else {
      throw .noVerdict(
        options.patterns.isEmpty
          ? "there is no plan file in \(folder.path)/; 'run --save' writes them"
          : "no plan file in \(folder.path)/ is of a scenario called "
            + options.patterns.map { "'\($0)'" }.joined(separator: " or "))
    }
    switch options.format {
    case .json:
      let document = Document(
        verdict: regressions.verdict.rawValue, regressions: RegressionsPart(regressions))
      console.out(json: JSONReport.encoded(document) + "\n")
    case .text: console.out(text(regressions))
    }
    guard regressions.left == 0 else {
      throw .noVerdict(
        "interrupted: \(regressions.left.of("plan file")) of \(folder.path)/ not replayed")
    }
    return regressions.verdict.exitCode
  }

  private struct Document: Encodable {
    var version = Runner.version
    var verdict: String
    var regressions: RegressionsPart
  }

  private func text(_ regressions: Regressions) -> String {
    let ink = Ink(isOn: console.hasColor)
    let report = RegressionReport(regressions, paste, width: console.width, ink: ink)
    let color: Ink.Color =
      regressions.verdict.exitCode == .asExpected ? .green : .redBold
    let blocks = [
      options.isQuiet ? [] : report.list, report.troubles,
      [ink(regressions.summary + ".", color)] + (options.isQuiet ? [] : [report.survival]),
    ]
    return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
      .joined(separator: "\n\n") + "\n"
  }
}
