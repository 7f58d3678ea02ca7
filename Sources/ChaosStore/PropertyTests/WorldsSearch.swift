import Invariants

/// One budget, spent on several worlds of a system.
///
/// Each world has its plans of one decision and its share of a tenth of the seeds. The rest goes to the
/// worlds in which nothing broke; where something broke in each, to those with the gravest break. So a
/// number of seeds always comes to the same runs.
package struct WorldsSearch {
  private let worlds: [Scenario]
  private let strategy: any Strategy
  private let isRed: (Scenario, Int) -> Bool

  /// `isRed` says whether a violation counts, by world and position.
  package init(
    _ worlds: [Scenario], _ strategy: any Strategy, isRed: @escaping (Scenario, Int) -> Bool
  ) {
    self.worlds = worlds
    self.strategy = strategy
    self.isRed = isRed
  }

  /// What each world came to.
  package func findings(
    _ budget: Budget, until end: ContinuousClock.Instant?
  ) throws(PropertyError) -> [Findings] {
    guard worlds.count > 1 else { return [try search(0, strategy, budget)] }
    let seeds = budget.seeds ?? 0..<UInt64(worlds[0].seeds)
    let count = UInt64(worlds.count)
    // What finds the same under any seeds has no rest to spend.
    let first =
      strategy.dependsOnSeeds
      ? min(UInt64(seeds.count), max(count, UInt64(seeds.count) / 10)) : UInt64(seeds.count)
    var next = [UInt64](repeating: seeds.lowerBound, count: worlds.count)
    var found: [Findings] = []
    for world in worlds.indices {
      let share =
        strategy.dependsOnSeeds ? Self.share(of: first, world, among: worlds.count) : first
      found.append(
        try search(world, strategy, budget.share(next[world], share, isOpenEnded: false)))
      next[world] += share
    }
    guard strategy.dependsOnSeeds else { return found }
    let rest = UInt64(seeds.count) - first
    let chosen = worthMore(found)
    for (place, world) in chosen.enumerated() where !found[world].isInterrupted {
      let share = Self.share(of: rest, place, among: chosen.count)
      var further = budget
      if let end {
        // What is left of the time is shared by the worlds that are left.
        let now = ContinuousClock.now
        let stop = now + (end - now) / (chosen.count - place)
        further.goesOn = { budget.goesOn($0) && ContinuousClock.now < stop }
      } else if share == 0 {
        continue
      }
      found[world].add(
        try search(
          world, budget.isOpenEnded ? strategy : strategy.goingOn,
          further.share(next[world], share, isOpenEnded: budget.isOpenEnded)))
    }
    return found
  }

  private func search(
    _ world: Int, _ strategy: any Strategy, _ budget: Budget
  ) throws(PropertyError) -> Findings {
    let found = strategy.search(worlds[world], budget)
    guard let impossibility = found.impossibility(in: worlds[world]) else { return found }
    throw .noVerdict("the strategy '\(strategy.name)' returned \(impossibility)")
  }

  /// So many of a number as come to one of several places; the first ones have what is left over.
  private static func share(of number: UInt64, _ place: Int, among count: Int) -> UInt64 {
    number / UInt64(count) + (UInt64(place) < number % UInt64(count) ? 1 : 0)
  }

  /// The worlds on which the rest is spent.
  private func worthMore(_ found: [Findings]) -> [Int] {
    let gravest = worlds.indices.map { world in
      found[world].rules.indices
        .filter { found[world].rules[$0].runs > 0 && isRed(worlds[world], $0) }
        .map { worlds[world].invariants[$0].impact }.min()
    }
    let unbroken = worlds.indices.filter { gravest[$0] == nil && !found[$0].isCutOff }
    if !unbroken.isEmpty { return unbroken }
    let worst = gravest.compactMap { $0 }.min()
    return worlds.indices.filter { gravest[$0] == worst }
  }
}

extension Budget {
  /// The same for so many seeds from one on.
  fileprivate func share(_ start: UInt64, _ count: UInt64, isOpenEnded: Bool) -> Budget {
    var share = self
    share.seeds = start..<(start + count)
    share.isOpenEnded = isOpenEnded
    return share
  }
}
