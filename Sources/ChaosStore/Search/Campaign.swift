/// Many runs of one scenario, looked through by a strategy.
///
///     let findings = Campaign(scenario, strategy: Exhaustive(faults: 2)).run()
public struct Campaign: Sendable {
  /// What is run.
  public var scenario: Scenario
  /// How failures are looked for.
  public var strategy: any Strategy
  /// How much may be run, and on how many threads.
  public var budget: Budget

  /// The scenario's own number of seeds, unless other seeds or another strategy are given.
  public init(
    _ scenario: Scenario, seeds: Range<UInt64>? = nil, jobs: Int = 1,
    strategy: any Strategy = RandomSearch()
  ) {
    self.scenario = scenario
    self.strategy = strategy
    budget = Budget(seeds: seeds, jobs: jobs)
  }

  /// Runs all of it. `goesOn` is told how many runs are done, from any thread; when it answers no
  /// the campaign ends with what it has.
  public func run(goesOn: @escaping @Sendable (Int) -> Bool = { _ in true }) -> Findings {
    var budget = budget
    budget.goesOn = goesOn
    return strategy.search(scenario, budget)
  }
}
