import ChaosStore

/// `run`: runs scenarios, judges them, reports.
struct RunCommand {
  private let options: RunOptions
  private let console: Console
  private let source: ScenarioSource
  private let world: Surroundings
  private let scenarios: [Scenario]

  init(_ options: RunOptions, _ console: Console, _ world: Surroundings) throws(Failure) {
    self.options = options
    self.console = console
    self.world = world
    source = try ScenarioSource(file: options.file, console: console, world: world)
    scenarios = try source.selection(options.patterns)
    if options.emitsTest, scenarios.count > 1 {
      throw .usage("--emit-test needs one --scenario, and \(scenarios.count) are chosen")
    }
  }

  func run() throws(Failure) -> ExitCode {
    let session = try session()
    let keeper = Keeper(source, console, program: world.program)
    if options.emitsTest { try keeper.emitTest(session) } else { report(session) }
    if options.saves { try keeper.save(session) }
    return options.emitsTest ? .asExpected : session.exitCode
  }

  private func report(_ session: Session) {
    switch options.format {
    case .json: console.out(JSONReport(session).text + "\n")
    case .text:
      let report = TextReport(
        session, width: console.width, ink: Ink(isOn: console.hasColor), options: options)
      console.out(report.text)
    }
  }

  private func session() throws(Failure) -> Session {
    var session = Session(
      chosen: scenarios.count, paste: PasteLine(program: world.program, source: source))
    if case .one = options.seeds {
      session.single = options.seeds
    } else {
      session.regressions = try RegressionFolder(source, console)
        .replay(among: source.scenarios, options.patterns)
    }
    let progress = Progress(options.isQuiet ? Console(out: console.out, err: { _ in }) : console)
    let start = ContinuousClock.now
    for (index, scenario) in scenarios.enumerated() {
      if console.isInterrupted() { break }
      let runsBefore = session.runs
      let (count, name) = (scenarios.count, scenario.name)
      session.trials.append(
        trial(scenario) { runs in
          progress.show(
            scenario: index + 1, of: count, name: name, runs: runs, runsBefore: runsBefore)
        })
    }
    progress.clear()
    session.forgiveUnmatched()
    session.isInterrupted = console.isInterrupted()
    session.seconds = (ContinuousClock.now - start).inSeconds
    return session
  }

  private func trial(_ scenario: Scenario, progress: @escaping @Sendable (Int) -> Void) -> Trial {
    let examiner = Examiner(scenario)
    let range: Range<UInt64>?
    switch options.seeds {
    case .one(let seed, let plan): return examiner.single(seed: seed, plan: plan)
    case .scenarios: range = nil
    case .range(let seeds): range = seeds
    }
    let isInterrupted = console.isInterrupted
    return examiner.campaign(seeds: range, jobs: options.jobs) { runs in
      progress(runs)
      return !isInterrupted()
    }
  }
}
