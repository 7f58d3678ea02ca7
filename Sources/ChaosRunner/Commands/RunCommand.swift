import ChaosStore
import Invariants

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
    // What is to be kept is kept before anything is printed, which may fail.
    var failure: Failure?
    if options.saves {
      do { try keeper.save(session) } catch { failure = error }
    }
    if options.emitsTest { try keeper.emitTest(session) } else { report(session) }
    if let failure { throw failure }
    return options.emitsTest ? .asExpected : session.exitCode
  }

  private func report(_ session: Session) {
    switch options.format {
    case .json: console.out(json: JSONReport(session).text + "\n")
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
    let progress = Progress(console, isQuiet: options.isQuiet)
    let start = ContinuousClock.now
    if session.single == nil, strategy == nil {
      session.regressions = try RegressionFolder(source, console)
        .replay(
          among: source.scenarios, options.patterns,
          cancellation: Cancellation(
            console, progress, end: options.budget.map { start + .seconds($0) }),
          progress: progress)
    }
    for (index, scenario) in scenarios.enumerated() {
      if console.isInterrupted() { break }
      progress.begin(
        index + 1, of: scenarios.count, scenario.name, runsBefore: session.runs)
      // What is left of the budget is shared by the scenarios that are left.
      let share = options.budget.map { budget in
        let left = max(0, budget - (ContinuousClock.now - start).inSeconds)
        return left / Double(scenarios.count - index)
      }
      session.trials.append(trial(scenario, seconds: share, progress))
    }
    progress.clear()
    session.forgiveUnmatched()
    session.isInterrupted = console.isInterrupted()
    session.seconds = (ContinuousClock.now - start).inSeconds
    return session
  }

  /// Of the time there is, a part is left for looking closer at what the search finds.
  private static let searchShare = 0.9

  private func trial(_ scenario: Scenario, seconds: Double?, _ progress: Progress) -> Trial {
    let now = ContinuousClock.now
    let examiner = Examiner(
      scenario, second: SecondProcess(world, file: options.file, source),
      cancellation: Cancellation(
        console, progress, end: seconds.map { now + .seconds($0) }))
    let search = Cancellation(
      console, progress, end: seconds.map { now + .seconds($0 * Self.searchShare) })
    var budget = Budget(faults: options.faults, jobs: options.jobs)
    budget.isOpenEnded = seconds != nil
    budget.cancellation = search
    budget.goesOn = { runs in
      progress.show(runs: runs)
      return !search.isRequested
    }
    switch options.seeds {
    case .one(let seed, let plan):
      return certified(examiner.single(seed: seed, plan: plan), examiner, progress)
    case .scenarios: break
    case .range(let seeds):
      budget.seeds = seeds
      budget.isOpenEnded = false
    }
    var trial = examiner.campaign(strategy ?? Portfolio(), budget)
    trial.isProof = strategy is Exhaustive
    return certified(trial, examiner, progress)
  }

  /// Makes small what tells a story, and certifies it.
  private func certified(
    _ trial: Trial, _ examiner: Examiner, _ progress: Progress
  ) -> Trial {
    var trial = trial
    let start = ContinuousClock.now
    for index in trial.findings.indices
    where strategy != nil || options.provesSmallest || trial.findings[index].standing == .unexpected
      || (index == 0 && trial.record != nil && !trial.isCutOff)
    {
      let finding = trial.findings[index]
      let isWhole = examiner.reduce(&trial.findings[index]) { seeds in
        progress.doing(
          "makes \(finding.invariant.name) small: seed \(seeds + 1) of \(finding.failing.count)")
      }
      if !isWhole { trial.cutShort("making what broke small") }
    }
    // JSON has a small plan of all that broke.
    for index in trial.findings.indices
    where options.format == .json && trial.findings[index].clusters.isEmpty {
      progress.doing("makes \(trial.findings[index].invariant.name) small")
      trial.findings[index].plan = examiner.plan(for: trial.findings[index])
      if examiner.cancellation.isRequested { trial.cutShort("making what broke small") }
    }
    trial.shrinkSeconds = (ContinuousClock.now - start).inSeconds
    guard options.provesSmallest else { return trial }
    for index in trial.findings.indices {
      let finding = trial.findings[index]
      for (place, cluster) in finding.clusters.enumerated() where cluster.plan.size <= 4 {
        var budget = Budget(jobs: options.jobs)
        let cancellation = examiner.cancellation
        budget.cancellation = cancellation
        budget.goesOn = { runs in
          progress.doing("proves \(finding.invariant.name): \(runs.of("smaller plan")) run")
          return !cancellation.isRequested
        }
        trial.findings[index].clusters[place].certificate.smaller = examiner.searchSmaller(
          than: cluster.plan, finding, budget)
        if cancellation.isRequested { trial.cutShort("running all smaller plans") }
      }
    }
    return trial
  }
}
