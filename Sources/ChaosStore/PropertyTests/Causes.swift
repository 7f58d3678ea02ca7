import Invariants

/// A failure as it is told: the cause, and what follows from it or broke besides, a line each.
struct ToldFailure {
  var world: Scenario
  var failure: ConfirmedFailure
  var found: String
  var others: [String]
}

/// Which of the invariants that broke is the cause.
///
/// One defect breaks several, and ``CauseOrder`` says which is closest to it. Of all that the smallest plan
/// breaks, the gravest heads the failure, and the rest follows from it.
struct Causes {
  private let worlds: [Scenario]
  private let findings: [Findings]
  private let runners: [ConfirmingRunner]
  private let isRed: (Int, Scenario) -> Bool

  init(
    _ worlds: [Scenario], _ findings: [Findings], _ runners: [ConfirmingRunner],
    _ isRed: @escaping (Int, Scenario) -> Bool
  ) {
    self.worlds = worlds
    self.findings = findings
    self.runners = runners
    self.isRed = isRed
  }

  /// A rule that broke, where it takes least to break it.
  private struct Candidate {
    var world: Int
    var failure: ConfirmedFailure
    var runs: Int
  }

  /// What a campaign tells; nil where nothing broke that counts.
  func told() throws -> ToldFailure? {
    var candidates: [Candidate] = []
    for rule in worlds[0].invariants.indices {
      if let candidate = try candidate(rule) { candidates.append(candidate) }
    }
    let order = candidates.sorted {
      $0.failure.order(worlds[$0.world], $0.runs) < $1.failure.order(worlds[$1.world], $1.runs)
    }
    guard var first = order.first else { return nil }
    first = try gravest(ofThePlanOf: first)
    let others = order.filter { $0.failure.rule != first.failure.rule }
    return ToldFailure(
      world: worlds[first.world], failure: first.failure, found: text(first),
      others: others.map { other in
        (first.failure.breaks(other.failure.rule) ? "with it: " : "also: ")
          + (other.world == first.world ? "" : "\(worlds[other.world].name): ") + text(other)
      })
  }

  /// The gravest of the rules that the smallest plan breaks, under that plan.
  private func gravest(ofThePlanOf first: Candidate) throws -> Candidate {
    let world = worlds[first.world]
    guard let reduction = first.failure.reduction,
      let rule = first.failure.gravest(of: world, { isRed($0, world) }),
      rule != first.failure.rule
    else { return first }
    let run = try runners[first.world].run(Origin(plan: reduction.plan))
    var failure = try runners[first.world].failure(run, breaking: rule)
    failure.seed = findings[first.world].rules[rule].firstSeed
    return Candidate(
      world: first.world, failure: failure, runs: findings[first.world].rules[rule].runs)
  }

  /// In the world in which the fewest decisions are known to break it, then in the most runs.
  private func candidate(_ rule: Int) throws -> Candidate? {
    let broken = worlds.indices.filter {
      findings[$0].rules[rule].runs > 0 && isRed(rule, worlds[$0])
    }
    let best = broken.min { a, b in
      let (foundA, foundB) = (findings[a].rules[rule], findings[b].rules[rule])
      let (sizeA, sizeB) = (foundA.smallestPlan?.size, foundB.smallestPlan?.size)
      if sizeA != sizeB { return sizeA ?? .max < sizeB ?? .max }
      return (foundB.runs, a) < (foundA.runs, b)
    }
    guard let best else { return nil }
    let found = findings[best].rules[rule]
    return Candidate(
      world: best, failure: try runners[best].failure(found, breaking: rule), runs: found.runs)
  }

  /// How often an invariant broke, and first where.
  private func text(_ candidate: Candidate) -> String {
    let found = findings[candidate.world].rules[candidate.failure.rule]
    let title = worlds[candidate.world].invariants[candidate.failure.rule].title
    // No run of the campaign broke it, and the smaller plan of one does.
    if found.runs == 0 { return "\(title) broke under the plan below" }
    let first = found.firstSeed.map { ", first under seed \(SeedText.text($0))" } ?? ""
    return "\(title) broke in "
      + "\(found.runs.grouped) of \(findings[candidate.world].runs.of("run"))" + first
  }

  /// The same of one run.
  static func told(
    _ run: Observation, in world: Scenario, _ runner: ConfirmingRunner, under variables: String,
    _ isRed: (Int, Scenario) -> Bool
  ) throws -> ToldFailure? {
    let failures = try run.broken.filter { isRed($0, world) }
      .map { try runner.failure(run, breaking: $0) }
    let order = failures.sorted { $0.order(world, 1) < $1.order(world, 1) }
    guard let smallest = order.first else { return nil }
    let gravest = smallest.gravest(of: world) { isRed($0, world) }
    let first = order.first { $0.rule == gravest } ?? smallest
    return ToldFailure(
      world: world, failure: first,
      found: "\(world.invariants[first.rule].title) broke under \(variables)",
      others: order.filter { $0.rule != first.rule }.map { other in
        (first.breaks(other.rule) ? "with it: " : "also: ")
          + "\(world.invariants[other.rule].title) broke as well"
      })
  }
}

extension ConfirmedFailure {
  /// Its place among others.
  fileprivate func order(_ world: Scenario, _ runs: Int) -> CauseOrder {
    CauseOrder(world.invariants[rule], at: rule, size: reduction?.plan.size, runs: runs)
  }

  /// The gravest rule that its plan breaks and that counts; nil where no plan is known.
  fileprivate func gravest(of world: Scenario, _ isRed: (Int) -> Bool) -> Int? {
    reduction?.record.violations.map(\.rule).filter(isRed)
      .min { a, b in
        CauseOrder(world.invariants[a], at: a, size: 0, runs: 0)
          < CauseOrder(world.invariants[b], at: b, size: 0, runs: 0)
      }
  }

  /// Whether its plan breaks this rule too.
  fileprivate func breaks(_ rule: Int) -> Bool {
    reduction?.record.violations.contains { $0.rule == rule } ?? false
  }
}

extension Invariant {
  /// Such as `no-double-credit (I02)`.
  package var title: String { "\(name) (\(code))" }
}
