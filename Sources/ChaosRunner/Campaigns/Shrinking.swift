import ChaosStore
import Invariants

extension ScenarioRunner {
  /// Few decisions that break a rule without any seed; nil if only the seed is known to do it.
  func plan(for finding: Finding, count: RunCount? = nil) -> Plan? {
    if let plan = finding.clusters.first?.plan { return plan }
    return shrinker(from: finding.origin, finding.rule, count)?.plan
      ?? finding.smallest.flatMap { shrinker(from: Origin(plan: $0), finding.rule, count)?.plan }
  }

  /// Notes what follows from what: the smallest plan of a cause is run, and what else it breaks follows,
  /// as far as it takes no less to break it.
  func findCauses(_ findings: inout [Finding]) {
    takeSmallerPlans(&findings)
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

  /// A rule that the smallest plan of another breaks takes no more than that plan, so the gravest of the two can be
  /// the cause.
  private func takeSmallerPlans(_ findings: inout [Finding]) {
    guard
      let smallest = findings.byCause.first?.clusters.map(\.plan).min(by: { $0.size < $1.size }),
      let broken = broken(by: smallest)
    else { return }
    for index in findings.indices where broken & 1 << UInt64(findings[index].rule) != 0 {
      let sizes = findings[index].clusters.map(\.plan.size)
      guard let size = sizes.min(), size > smallest.size,
        var found = shrinker(from: Origin(plan: smallest), findings[index].rule)
      else { continue }
      findings[index].clusters.append(
        Cluster(plan: found.plan, seeds: 0, certificate: found.shrinker.certify(found.plan)))
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

  /// How often a plan is run to see whether it comes the same way each time.
  private static let repetitions = 5

  /// Runs what causes come down to several times, where real processes are at work in it; what follows from a cause
  /// comes with it.
  func findRepeats(_ findings: inout [Finding]) {
    guard scenario.system.isCostly else { return }
    for index in findings.indices where findings[index].follows == nil {
      let rule = findings[index].rule
      for place in findings[index].clusters.indices {
        let plan = findings[index].clusters[place].plan
        findings[index].clusters[place].repeats = repeats(of: plan, rule)
      }
    }
  }

  /// Runs a plan several times; nil where that was told to end.
  private func repeats(of plan: Plan, _ rule: Int) -> Repeats? {
    let first = Observation(Origin(plan: plan), in: simulation)
    var repeats = Repeats(runs: 1, same: 1, breaking: first.broken.contains(rule) ? 1 : 0)
    while repeats.runs < Self.repetitions {
      let again = Observation(Origin(plan: plan), in: simulation)
      if first.isInterrupted || again.isInterrupted { return nil }
      repeats.runs += 1
      if again.broken.contains(rule) { repeats.breaking += 1 }
      if let difference = first.difference(from: again, of: scenario) {
        repeats.difference = repeats.difference ?? "\(difference)"
      } else {
        repeats.same += 1
      }
    }
    return repeats
  }

  /// What the run amounts to, less what turns out not to be needed.
  fileprivate func shrinker(
    from origin: Origin, _ rule: Int, _ count: RunCount? = nil
  ) -> (shrinker: Shrinker, plan: Plan)? {
    let size = simulation.run(origin)
    guard !size.isInterrupted, size.events <= Self.mostEventsRecorded else { return nil }
    let record = simulation.record(origin)
    if record.outcome.isInterrupted { return nil }
    return Shrinker.reduction(of: record, breaking: rule, in: simulation, count: count)
  }
}

/// Looks for the small plans that the failures of one rule come down to, run by run.
struct FailureShrinker {
  /// Where so many runs were made for one rule, no further failing seed is begun. Runs are counted and not
  /// seconds, so that the same is looked at on any machine; but for real processes, which can be slow.
  static let mostRuns = 20_000
  var mostRuns = Self.mostRuns
  private let end: ContinuousClock.Instant?

  /// What was found of the rule so far.
  private(set) var finding: Finding
  /// Whether nothing was left undone because it was told to end.
  private(set) var isWhole = true
  private let runner: ScenarioRunner
  private let count: RunCount
  private let origins: [Origin]
  private var next = 0
  private var orders: [PlanOrder] = []

  init(_ finding: Finding, _ runner: ScenarioRunner, _ tell: @escaping @Sendable (Int) -> Void) {
    self.finding = finding
    self.runner = runner
    count = RunCount(tell)
    end = runner.scenario.system.isCostly ? .now + Shrinker.mostTime : nil
    let known =
      finding.failing.map { Origin(seed: $0) } + (finding.smallest.map { [Origin(plan: $0)] } ?? [])
    origins = known.isEmpty ? [finding.origin] : known
  }

  /// Makes the first run small that is known to break the rule.
  mutating func first() { lookAtNext() }

  /// Makes the others small, the lowest seeds first.
  mutating func rest() {
    while next < origins.count { lookAtNext() }
    finding.clusters = finding.clusters.enumerated()
      .sorted { ($1.element.seeds, $0.offset) < ($0.element.seeds, $1.offset) }.map(\.element)
    finding.plan = finding.clusters.first?.plan
  }

  private mutating func lookAtNext() {
    let origin = origins[next]
    next += 1
    defer { if runner.cancellation.isRequested { isWhole = false } }
    if runner.cancellation.isRequested { return }
    if origin.seed != nil {
      if count.runs >= mostRuns || end.map({ $0 <= .now }) ?? false { return }
      finding.lookedAt += 1
    }
    guard let found = runner.shrinker(from: origin, finding.rule, count) else { return }
    var shrinker = found.shrinker
    let seeds = origin.seed == nil ? 0 : 1
    let order = runner.simulation.planOrder(of: found.plan)
    if let index = orders.firstIndex(of: order) {
      finding.clusters[index].seeds += seeds
      finding.clusters[index].firstSeed = finding.clusters[index].firstSeed ?? origin.seed
    } else {
      orders.append(order)
      finding.clusters.append(
        Cluster(
          plan: found.plan, seeds: seeds, firstSeed: origin.seed,
          certificate: shrinker.certify(found.plan)))
    }
  }
}

extension Finding {
  /// Notes that no more could be done, and keeps the smallest plan that is known without it.
  mutating func cutShort(_ why: CutShort) {
    cutShort = why
    if let smallest, clusters.allSatisfy({ $0.plan.size > smallest.size }) {
      clusters.insert(
        Cluster(plan: smallest, seeds: 0, certificate: Certificate(isWhole: false)), at: 0)
    }
    plan = clusters.first?.plan ?? plan
  }
}
