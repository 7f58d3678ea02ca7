/// Small plans first, then seeds: what most often finds most.
///
/// Every plan of one decision, then the scenario's seeds. Where there is time left, it goes on with
/// whatever costs less: all plans of the next size, or as many seeds again as were run so far. Where
/// runs are large, plans are run while they are few, and what was left out is said.
public struct Portfolio: Strategy {
  /// `portfolio`.
  public let name = "portfolio"
  /// What it does, in a sentence.
  public let about =
    "runs every plan of one decision, then seeds; with --budget larger plans and more seeds in turn"

  /// So many events, some seconds, may go into plans of one decision that nobody asked for.
  static let mostEventsOfPlans = 20_000_000

  /// The plans of one decision are the same under further seeds.
  public var goingOn: any Strategy { RandomSearch() }

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
      let mostEvents = nextSize == 1 ? Self.mostEventsOfPlans : .max
      add(Exhaustive(mostEvents: mostEvents)) { $0.faults = nextSize }
      nextSize += 1
    }
    func drawSeeds(_ count: UInt64) {
      let end =
        nextSeed + min(count, (budget.isOpenEnded ? .max - 1024 : seeds.upperBound) - nextSeed)
      add(RandomSearch()) { $0.seeds = nextSeed..<end }
      nextSeed = end
    }

    // Each purchase that arrives is an event at least.
    if scenario.setup.arrivals?.count ?? 0 > SecondOpinion.mostEvents {
      findings.leaveOut(Exhaustive.leftOut)
    } else {
      growPlans()
    }
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
    guard let proof = findings.proof, let last = proof.plans.last, last > 0,
      proof.size == proof.plans.count - 1, proof.size > 0
    else { return nil }
    let plans = proof.plans
    let before = max(1, plans[plans.count - 2])
    return UInt64(last * last / before / 2)
  }
}
