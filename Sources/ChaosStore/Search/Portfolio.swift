/// Small plans first, then seeds: what most often finds most.
///
/// Every plan of one decision, then the scenario's seeds. Where there is time left, it goes on with
/// whatever costs less: all plans of the next size, or as many seeds again as were run so far.
public struct Portfolio: Strategy {
  /// `portfolio`.
  public let name = "portfolio"
  /// What it does, in a sentence.
  public let about =
    "runs every plan of one decision, then seeds; with --budget larger plans and more seeds in turn"

  /// Has nothing to set: the budget says how far it goes.
  public init() {}

  /// Runs plans of one decision, seeds, and with an open-ended budget more of both in turn.
  public func search(_ scenario: Scenario, _ budget: Budget) -> Findings {
    var findings = Findings(scenario)
    let seeds = budget.seeds ?? 0..<UInt64(scenario.seeds)
    var nextSize = 1
    var nextSeed = seeds.lowerBound

    func add(_ strategy: any Strategy, _ change: (inout Budget) -> Void) {
      var share = budget
      let runsBefore = findings.runs
      share.goesOn = { budget.goesOn(runsBefore + $0) }
      share.until &= ~findings.broken
      share.isOpenEnded = false
      change(&share)
      findings.add(strategy.search(scenario, share))
    }
    func isOver() -> Bool {
      findings.isInterrupted || budget.isReached(findings.broken)
    }
    func growPlans() {
      add(Exhaustive()) { $0.faults = nextSize }
      nextSize += 1
    }
    func drawSeeds(_ count: UInt64) {
      let end =
        nextSeed + min(count, (budget.isOpenEnded ? .max - 1024 : seeds.upperBound) - nextSeed)
      add(RandomSearch()) { $0.seeds = nextSeed..<end }
      nextSeed = end
    }

    growPlans()
    if !isOver() { drawSeeds(UInt64(seeds.count)) }
    while budget.isOpenEnded, !isOver() {
      let drawn = nextSeed - seeds.lowerBound
      if let plans = expectedPlans(findings), plans <= drawn {
        growPlans()
      } else {
        drawSeeds(drawn)
      }
    }
    return findings
  }

  /// About how many plans the next size has; nil where no larger plan exists.
  private func expectedPlans(_ findings: Findings) -> UInt64? {
    guard let plans = findings.proof?.plans, plans.count > 1, let last = plans.last, last > 0
    else { return nil }
    let before = max(1, plans[plans.count - 2])
    return UInt64(last * last / before / 2)
  }
}
