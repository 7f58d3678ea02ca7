import ChaosStore
import Invariants

extension ScenarioRunner {
  /// Few decisions that break a rule without any seed; nil if only the seed is known to do it.
  func plan(for finding: Finding) -> Plan? {
    if let plan = finding.clusters.first?.plan { return plan }
    return shrinker(from: finding.origin, finding.rule)?.plan
      ?? finding.smallest.flatMap { shrinker(from: Origin(plan: $0), finding.rule)?.plan }
  }

  /// Notes each small plan that failures of the rule come down to, the frequent ones first; false where
  /// it was told to end before it had looked at all.
  func shrink(
    _ finding: inout Finding, progress: (_ seeds: Int) -> Void = { _ in }
  ) -> Bool {
    finding.clusters = clusters(of: finding, lookedAt: &finding.lookedAt, progress)
    finding.plan = finding.clusters.first?.plan
    return !cancellation.isRequested
  }

  private func clusters(
    of finding: Finding, lookedAt: inout Int, _ progress: (_ seeds: Int) -> Void
  ) -> [Cluster] {
    var clusters: [Cluster] = []
    var orders: [PlanOrder] = []
    func add(_ origin: Origin) {
      guard let found = shrinker(from: origin, finding.rule) else { return }
      var shrinker = found.shrinker
      let plan = found.plan
      let count = origin.seed == nil ? 0 : 1
      let order = simulation.planOrder(of: plan)
      if let index = orders.firstIndex(of: order) {
        clusters[index].seeds += count
        clusters[index].firstSeed = clusters[index].firstSeed ?? origin.seed
      } else {
        orders.append(order)
        clusters.append(
          Cluster(
            plan: plan, seeds: count, firstSeed: origin.seed,
            certificate: shrinker.certify(plan)))
      }
    }
    for seed in finding.failing where !cancellation.isRequested {
      progress(lookedAt)
      add(Origin(seed: seed))
      lookedAt += 1
    }
    if let smallest = finding.smallest { add(Origin(plan: smallest)) }
    if finding.failing.isEmpty, finding.smallest == nil { add(finding.origin) }
    return clusters.enumerated()
      .sorted { ($1.element.seeds, $0.offset) < ($0.element.seeds, $1.offset) }.map(\.element)
  }

  /// Notes what follows from what: the smallest plan of a cause is run, and what else it breaks follows,
  /// as far as it takes no less to break it.
  func findCauses(_ findings: inout [Finding]) {
    let order = findings.byCause.filter { !$0.clusters.isEmpty }.map(\.rule)
    for (position, cause) in order.enumerated() {
      guard let index = findings.firstIndex(where: { $0.rule == cause }),
        findings[index].follows == nil,
        let plan = findings[index].clusters.map(\.plan).min(by: { $0.size < $1.size }),
        let broken = broken(by: plan)
      else { continue }
      for other in findings.indices
      where findings[other].follows == nil && broken & 1 << UInt64(findings[other].rule) != 0
        && order[(position + 1)...].contains(findings[other].rule)
      {
        findings[other].follows = findings[index].invariant.name
        for place in findings[other].clusters.indices {
          let broken = self.broken(by: findings[other].clusters[place].plan) ?? 0
          findings[other].clusters[place].follows = broken & 1 << UInt64(cause) != 0
        }
      }
    }
  }

  private func broken(by plan: Plan) -> UInt64? {
    let outcome = simulation.run(plan: plan)
    return outcome.isInterrupted ? nil : outcome.broken
  }

  /// Runs every plan smaller than this one; nil where it does not break the rule.
  func searchSmaller(than plan: Plan, _ finding: Finding, _ budget: Budget)
    -> Certificate.Smaller?
  {
    guard let found = shrinker(from: Origin(plan: plan), finding.rule) else { return nil }
    var shrinker = found.shrinker
    return shrinker.searchSmaller(than: found.plan, budget)
  }

  /// What the run amounts to, less what turns out not to be needed.
  private func shrinker(from origin: Origin, _ rule: Int) -> (shrinker: Shrinker, plan: Plan)? {
    let size = simulation.run(origin)
    guard !size.isInterrupted, size.events <= Self.mostEventsRecorded else { return nil }
    let record = simulation.record(origin)
    if record.outcome.isInterrupted { return nil }
    return Shrinker.reduction(of: record, breaking: rule, in: simulation)
  }
}
