import ChaosStore

/// A system with a planted defect, and the invariant it is known to break.
public struct Target: Sendable {
  /// What `--scenario` calls it.
  public var name: String
  /// What is done otherwise than it should be.
  public var about: String
  /// The name of the invariant that the defect breaks.
  public var invariant: String
  /// How many decisions must come together.
  public var coinciding: Int
  /// What is searched.
  public var scenario: Scenario
  /// The same without the defect, in which nothing is to be found; nil where there is none.
  public var control: Scenario? = nil

  /// A planted defect that breaks an invariant of its scenario.
  public init(
    name: String, about: String, invariant: String, coinciding: Int, scenario: Scenario,
    control: Scenario? = nil
  ) {
    self.name = name
    self.about = about
    self.invariant = invariant
    self.coinciding = coinciding
    self.scenario = scenario
    self.control = control
  }
}

extension Target {
  /// The planted defects of this package's designs.
  public static let builtIn: [Target] = MutantBank.mutants.map(Target.init)

  init(_ mutant: Mutant) {
    let entry = mutant.defect.entry
    self.init(
      name: entry.name, about: entry.summary, invariant: entry.breaks,
      coinciding: entry.coinciding, scenario: mutant.scenario, control: mutant.control)
  }
}

/// How one strategy fared against one planted defect.
public struct PowerTrial: Sendable {
  /// One search from a start of its own.
  public struct Start: Sendable {
    /// How many runs there were until the invariant broke, or the time was over.
    public var runs: Int
    /// How long that took, in milliseconds.
    public var millis: Double
    /// The decisions of the shrunk plan; nil where nothing was found.
    public var size: Int?
    /// The shrunk plan; nil where nothing was found.
    public var plan: Plan?
  }

  /// The name of the strategy.
  public var strategy: String
  /// One search from each of several first seeds; one alone where seeds make no difference.
  public var starts: [Start]

  /// From how many starts it was found.
  public var found: Int { starts.count { $0.size != nil } }
  /// Whether it was found from every start.
  public var isFound: Bool { found == starts.count }
  /// Runs until it was found, in the middle of all starts.
  public var medianRuns: Int { Self.median(starts.map(\.runs)) }
  /// Milliseconds until it was found, in the middle of all starts.
  public var medianMillis: Double { Self.median(starts.map(\.millis)) }
  /// The largest of the shrunk plans, as whoever is unlucky sees it; nil where one start failed.
  public var size: Int? { isFound ? starts.compactMap(\.size).max() : nil }

  /// The middle value; the lower one of two.
  static func median<Value: Comparable>(_ values: [Value]) -> Value {
    values.sorted()[(values.count - 1) / 2]
  }

  /// Searches until the invariant breaks or the time is over, and makes small what was found.
  ///
  /// Each start has so many seconds; a share is for all starts together, shrinking included.
  init(
    _ strategy: any Strategy, _ target: Target, starts count: Int, seconds: Double,
    share: Double?, _ console: Console, _ progress: Progress
  ) {
    self.strategy = strategy.name
    starts = []
    let scenario = target.scenario
    guard let rule = scenario.invariants.firstIndex(where: { $0.goes(by: target.invariant) })
    else { fatalError("bug: '\(target.name)' breaks '\(target.invariant)', which is not judged") }
    let end = share.map { ContinuousClock.now + .seconds($0) }
    let cancellation = Cancellation(console, progress, end: end)
    let runner = ScenarioRunner(scenario, cancellation: cancellation)
    for start in 0..<(strategy.dependsOnSeeds ? UInt64(count) : 1) {
      var budget = Budget.ofPower(scenario, start: start)
      budget.until = 1 << UInt64(rule)
      let begin = ContinuousClock.now
      let search = Cancellation(
        console, progress, end: min(begin + .seconds(seconds), end ?? begin + .seconds(seconds)))
      budget.cancellation = search
      budget.goesOn = { runs in
        progress.show(runs: runs)
        return !search.isRequested
      }
      let findings = strategy.search(scenario, budget)
      let millis = (ContinuousClock.now - begin).inSeconds * 1000
      let origin =
        findings.rules[rule].smallestPlan.map { Origin(plan: $0) }
        ?? findings.rules[rule].firstSeed.map { Origin(seed: $0) }
      let plan = origin.flatMap {
        runner.plan(for: Finding(rule, scenario, runs: 1, origin: $0))
      }
      starts.append(Start(runs: findings.runs, millis: millis, size: plan?.size, plan: plan))
    }
  }
}
