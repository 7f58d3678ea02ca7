import ChaosStore

/// `run`: runs scenarios, judges them, reports.
struct RunCommand {
  private let options: RunOptions
  private let console: Console
  private let source: ScenarioSource
  private let world: Surroundings
  private let scenarios: [Scenario]
  /// The one strategy that was asked for; nil for what `run` does.
  private let strategy: (any Strategy)?

  init(
    _ options: RunOptions, _ console: Console, _ world: Surroundings,
    exploring strategy: (any Strategy)? = nil
  ) throws(Failure) {
    self.options = options
    self.strategy = strategy
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
    if case .one = options.seeds { session.single = options.seeds }
    session.strategy = strategy
    if session.single == nil, strategy == nil {
      session.regressions = try RegressionFolder(source, console)
        .replay(among: source.scenarios, options.patterns)
    }
    let progress = Progress(options.isQuiet ? Console(out: console.out, err: { _ in }) : console)
    let start = ContinuousClock.now
    for (index, scenario) in scenarios.enumerated() {
      if console.isInterrupted() { break }
      let runsBefore = session.runs
      let (count, name) = (scenarios.count, scenario.name)
      // What is left of the budget is shared by the scenarios that are left.
      let end = options.budget.map { budget in
        let left = max(0, budget - (ContinuousClock.now - start).inSeconds)
        return ContinuousClock.now + .seconds(left / Double(count - index))
      }
      session.trials.append(
        trial(scenario, until: end) { runs in
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

  private func trial(
    _ scenario: Scenario, until end: ContinuousClock.Instant?,
    progress: @escaping @Sendable (Int) -> Void
  ) -> Trial {
    let second = SecondProcess(world, file: options.file)
    let examiner = Examiner(scenario, recheck: Recheck(second: second))
    let isInterrupted = console.isInterrupted
    var budget = Budget(faults: options.faults, jobs: options.jobs)
    budget.isOpenEnded = end != nil
    budget.goesOn = { runs in
      progress(runs)
      return !isInterrupted() && end.map { ContinuousClock.now < $0 } ?? true
    }
    switch options.seeds {
    case .one(let seed, let plan):
      return certified(examiner.single(seed: seed, plan: plan), examiner)
    case .scenarios: break
    case .range(let seeds):
      budget.seeds = seeds
      budget.isOpenEnded = false
    }
    var trial = examiner.campaign(strategy ?? Portfolio(), budget)
    trial.isProof = strategy is Exhaustive
    return certified(trial, examiner)
  }

  /// Makes small what tells a story, and certifies it.
  private func certified(_ trial: Trial, _ examiner: Examiner) -> Trial {
    var trial = trial
    let start = ContinuousClock.now
    for index in trial.findings.indices
    where strategy != nil || options.provesSmallest || trial.findings[index].standing == .unexpected
      || (index == 0 && trial.record != nil && !trial.isCutOff)
    {
      trial.findings[index].clusters = examiner.clusters(of: trial.findings[index])
    }
    trial.shrinkSeconds = (ContinuousClock.now - start).inSeconds
    guard options.provesSmallest else { return trial }
    for index in trial.findings.indices {
      let finding = trial.findings[index]
      for (place, cluster) in finding.clusters.enumerated() where cluster.plan.size <= 4 {
        trial.findings[index].clusters[place].certificate.smaller = examiner.searchSmaller(
          than: cluster.plan, finding, Budget(jobs: options.jobs))
      }
    }
    return trial
  }
}
