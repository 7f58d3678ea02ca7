import ChaosStore
import Invariants

/// Runs the chosen scenarios one after the other, and learns what there is to report.
struct CampaignRunner {
  var selection: ScenarioOptions
  var runs: RunSelection
  /// The one strategy that was asked for; nil for what `run` does.
  var strategy: (any Strategy)?
  /// The most decisions of a plan; nil for what the strategy takes.
  var faults: Int?
  var moves: Int?
  var lates: Int?
  var relaunches: Int?
  var uses: Int?
  var jobs: Int
  /// Seconds for all scenarios together.
  var budget: Double?
  /// Whether the result says which plans were run.
  var listsPlans = false
  /// Whether every plan is run that is smaller than what was found.
  var provesSmallest: Bool
  /// Whether the report wants a small plan of everything that broke.
  var needsPlans: Bool
  var isQuiet: Bool
  /// What searches came to that were made before, by the name of the scenario; nil where they are made here.
  var searched: [String: SearchedBefore]?

  func result(
    of source: ScenarioSource, in environment: RunnerEnvironment, on console: Console
  ) throws(Failure) -> CampaignResult {
    let scenarios = try source.selection(selection.patterns)
    var campaign = CampaignResult(
      chosen: scenarios.count, paste: PasteLine(program: environment.program, source: source))
    if case .one(let origin) = runs { campaign.single = origin }
    campaign.notes = source.notes(on: scenarios, program: environment.program)
    campaign.strategy = strategy
    let progress = Progress(console, isQuiet: isQuiet)
    let start = ContinuousClock.now
    if campaign.single == nil, strategy == nil {
      campaign.regressions = try RegressionFolder(source, console)
        .replay(
          among: source.scenarios, selection.patterns,
          cancellation: Cancellation(console, progress, end: budget.map { start + .seconds($0) }),
          progress: progress)
    }
    let second = SecondProcess(environment, file: selection.file, source)
    var begun = 0
    for worlds in source.groups(of: scenarios) {
      if console.isInterrupted() { break }
      progress.begin(
        begun + 1, of: scenarios.count, worlds[0].name, runsBefore: campaign.runs)
      // What is left of the budget is shared by the scenarios that are left.
      let share = budget.map { budget in
        let left = max(0, budget - (ContinuousClock.now - start).inSeconds)
        return left / Double(scenarios.count - begun) * Double(worlds.count)
      }
      begun += worlds.count
      var results =
        worlds.count > 1 && campaign.single == nil
        ? self.results(ofWorlds: worlds, seconds: share, second, console, progress)
        : worlds.map {
          result(
            of: $0, seconds: share.map { $0 / Double(worlds.count) }, second, console, progress)
        }
      for index in results.indices {
        results[index].isDefaultWorld = source.defaultWorlds.contains(results[index].scenario.name)
      }
      campaign.scenarios += results
    }
    progress.clear()
    campaign.forgiveUnmatched()
    campaign.isInterrupted = console.isInterrupted()
    campaign.seconds = (ContinuousClock.now - start).inSeconds
    // In their order, as sums of such numbers depend on it.
    for scenario in scenarios { campaign.seconds += searched?[scenario.name]?.seconds ?? 0 }
    return campaign
  }

  /// Of the time there is, a part is left for looking closer at what the search finds.
  private static let searchShare = 0.9

  private func result(
    of scenario: Scenario, seconds: Double?, _ second: SecondProcess?, _ console: Console,
    _ progress: Progress
  ) -> ScenarioResult {
    let now = ContinuousClock.now
    let runner = ScenarioRunner(
      scenario, second: second,
      cancellation: Cancellation(console, progress, end: seconds.map { now + .seconds($0) }))
    let search = Cancellation(
      console, progress, end: seconds.map { now + .seconds($0 * Self.searchShare) })
    var budget = self.budget(search, isOpenEnded: seconds != nil, progress)
    switch runs {
    case .one(let origin):
      return shrunk(
        runner.single(seed: origin.seed, plan: origin.plan), runner, console, progress)
    case .scenarios: break
    case .range(let seeds):
      budget.seeds = seeds
      budget.isOpenEnded = false
    }
    let strategy = strategy ?? Strategies.usual
    guard let searched else {
      if let doubt = QuietPurchase.doubt(of: [scenario]) {
        return ScenarioResult(scenario: scenario, doubt: doubt.joined(separator: " "))
      }
      return shrunk(runner.campaign(strategy, budget), runner, console, progress)
    }
    guard let before = searched[scenario.name] else {
      fatalError("bug: \(scenario.name) is not among what was searched")
    }
    return shrunk(
      runner.result(
        of: before.findings, strategy, seconds: before.seconds,
        isFromStart: (budget.seeds?.lowerBound ?? 0) == 0),
      runner, console, progress)
  }

  func budget(
    _ search: Cancellation, isOpenEnded: Bool, _ progress: Progress
  ) -> Budget {
    var budget = Budget(
      faults: faults, moves: moves, lates: lates, relaunches: relaunches, uses: uses, jobs: jobs)
    budget.listsPlans = listsPlans
    budget.isOpenEnded = isOpenEnded
    budget.cancellation = search
    budget.goesOn = { runs in
      progress.show(runs: runs)
      return !search.isRequested
    }
    return budget
  }

  /// The default worlds of one system, with one budget for all: what each is worth is seen by a tenth of
  /// it, and one cause is told once.
  private func results(
    ofWorlds worlds: [Scenario], seconds: Double?, _ second: SecondProcess?, _ console: Console,
    _ progress: Progress
  ) -> [ScenarioResult] {
    if let doubt = QuietPurchase.doubt(of: worlds) {
      let others = "not run, for the reason that \(worlds[0].name) has"
      return worlds.indices.map {
        ScenarioResult(
          scenario: worlds[$0], doubt: $0 == 0 ? doubt.joined(separator: " ") : others)
      }
    }
    let start = ContinuousClock.now
    let end = seconds.map { start + .seconds($0 * Self.searchShare) }
    let search = Cancellation(console, progress, end: end)
    let strategy = strategy ?? Strategies.usual
    var budget = self.budget(search, isOpenEnded: seconds != nil, progress)
    budget.seeds = 0..<UInt64(worlds.reduce(0) { $0 + $1.seeds })
    if case .range(let seeds) = runs {
      budget.seeds = seeds
      budget.isOpenEnded = false
    }
    let isRed: (Scenario, Int) -> Bool = { world, rule in
      world.standing(of: world.invariants[rule]) == .unexpected
    }
    let found: [Findings]
    do {
      found = try WorldsSearch(worlds, strategy, isRed: isRed).findings(budget, until: end)
    } catch {
      return worlds.map { ScenarioResult(scenario: $0, doubt: error.message) }
    }
    let searched = (ContinuousClock.now - start).inSeconds
    let runs = max(1, found.reduce(0) { $0 + $1.runs })
    let isFromStart = budget.seeds?.lowerBound == 0
    var results = zip(worlds, found).enumerated().map { index, pair in
      let (world, findings) = pair
      // What is left of the time is shared by the worlds that are left.
      let stop = seconds.map { seconds in
        let now = ContinuousClock.now
        return now + (start + .seconds(seconds) - now) / (worlds.count - index)
      }
      let runner = ScenarioRunner(
        world, second: second, cancellation: Cancellation(console, progress, end: stop))
      let result = runner.result(
        of: findings, strategy, seconds: searched * Double(findings.runs) / Double(runs),
        isFromStart: isFromStart)
      return shrunk(result, runner, console, progress)
    }
    results.tellOnce()
    return results
  }

  /// Makes small what tells a story, and certifies it.
  ///
  /// The first run of each rule comes before the others of any: whoever interrupts it has a small plan of
  /// many rules, rather than many of one.
  private func shrunk(
    _ result: ScenarioResult, _ runner: ScenarioRunner, _ console: Console, _ progress: Progress
  ) -> ScenarioResult {
    var result = result
    let start = ContinuousClock.now
    let told = result.findings.indices.filter { isTold($0, of: result) }
    let asked = result.findings.indices.filter { needsPlans && !told.contains($0) }
    let failures = told.count + asked.count
    func tell(_ place: Int) -> @Sendable (Int) -> Void {
      { runs in progress.makesSmall(place + 1, of: failures, runs: runs) }
    }
    var shrinkers = told.enumerated().map { place, index in
      FailureShrinker(result.findings[index], runner, tell(place))
    }
    for place in shrinkers.indices { shrinkers[place].first() }
    for place in shrinkers.indices { shrinkers[place].rest() }
    var unfinished: [Int] = []
    for (index, shrinker) in zip(told, shrinkers) {
      result.findings[index] = shrinker.finding
      if !shrinker.isWhole { unfinished.append(index) }
    }
    let unlooked = needsPlans ? told.filter { result.findings[$0].clusters.isEmpty } : []
    for (place, index) in (unlooked + asked).enumerated() {
      if !runner.cancellation.isRequested {
        let count = RunCount(tell(told.count - unlooked.count + place))
        result.findings[index].plan = runner.plan(for: result.findings[index], count: count)
      }
      if runner.cancellation.isRequested { unfinished.append(index) }
    }
    for index in unfinished {
      result.cutShort("making what broke small")
      result.findings[index].cutShort(console.isInterrupted() ? .interrupted : .outOfTime)
    }
    runner.findCauses(&result.findings)
    runner.findRepeats(&result.findings)
    result.shrinkSeconds = (ContinuousClock.now - start).inSeconds
    return provesSmallest ? proved(result, runner, progress) : result
  }

  /// Runs every plan that is smaller than what was found.
  private func proved(
    _ result: ScenarioResult, _ runner: ScenarioRunner, _ progress: Progress
  ) -> ScenarioResult {
    var result = result
    let cancellation = runner.cancellation
    for index in result.findings.indices {
      let finding = result.findings[index]
      for (place, cluster) in finding.clusters.enumerated() where cluster.plan.size <= 4 {
        var budget = Budget(jobs: jobs)
        budget.cancellation = cancellation
        budget.goesOn = { runs in
          progress.doing("proves \(finding.invariant.name): \(runs.of("smaller plan")) run")
          return !cancellation.isRequested
        }
        result.findings[index].clusters[place].certificate.smaller = runner.searchSmaller(
          than: cluster.plan, finding, budget)
        if cancellation.isRequested { result.cutShort("running all smaller plans") }
      }
    }
    return result
  }

  /// A single run tells what is unexpected, or all of what it breaks where it was asked for.
  private func isTold(_ index: Int, of result: ScenarioResult) -> Bool {
    strategy != nil || provesSmallest || result.findings[index].standing == .unexpected
      || (result.record != nil && !result.isCutOff)
  }
}
