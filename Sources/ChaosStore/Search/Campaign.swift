/// Many runs of one scenario.
public struct Campaign: Sendable {
  public var scenario: Scenario
  public var strategy: any Strategy
  public var budget: Budget

  /// Seeds, unless another strategy is given.
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
