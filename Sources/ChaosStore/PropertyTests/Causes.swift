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
/// One defect breaks several. The one that it takes least to break is closest to it: the fewest
/// decisions when made small, then what broke in the most runs. Sums that do not agree say least about
/// why, and come last. What the cause's own small plan breaks as well follows from it.
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
    let order = candidates.sorted { a, b in
      let isSumA = isSum(a.failure.rule, worlds[a.world])
      let isSumB = isSum(b.failure.rule, worlds[b.world])
      if isSumA != isSumB { return isSumB }
      if a.failure.size != b.failure.size { return a.failure.size < b.failure.size }
      return (b.runs, a.failure.rule) < (a.runs, b.failure.rule)
    }
    guard let first = order.first else { return nil }
    return ToldFailure(
      world: worlds[first.world], failure: first.failure, found: text(first),
      others: order.dropFirst().map { other in
        (first.failure.breaks(other.failure.rule) ? "with it: " : "also: ")
          + (other.world == first.world ? "" : "\(worlds[other.world].name): ") + text(other)
      })
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
    let first = found.firstSeed.map { ", first under seed \(SeedText.text($0))" } ?? ""
    return "\(worlds[candidate.world].invariants[candidate.failure.rule].title) broke in "
      + "\(found.runs.grouped) of \(findings[candidate.world].runs.of("run"))" + first
  }

  /// The same of one run.
  static func told(
    _ run: Observation, in world: Scenario, _ runner: ConfirmingRunner, under variables: String,
    _ isRed: (Int, Scenario) -> Bool
  ) throws -> ToldFailure? {
    let failures = try run.broken.filter { isRed($0, world) }
      .map { try runner.failure(run, breaking: $0) }
    let order = failures.sorted { a, b in
      let (isSumA, isSumB) = (isSum(a.rule, world), isSum(b.rule, world))
      if isSumA != isSumB { return isSumB }
      return (a.size, a.rule) < (b.size, b.rule)
    }
    guard let first = order.first else { return nil }
    return ToldFailure(
      world: world, failure: first,
      found: "\(world.invariants[first.rule].title) broke under \(variables)",
      others: order.dropFirst().map { other in
        (first.breaks(other.rule) ? "with it: " : "also: ")
          + "\(world.invariants[other.rule].title) broke as well"
      })
  }
}

private func isSum(_ rule: Int, _ scenario: Scenario) -> Bool {
  scenario.invariants[rule].impact == .booksDiffer
}

extension ConfirmedFailure {
  /// The decisions of its plan; many where none is known.
  fileprivate var size: Int { reduction?.plan.size ?? .max }

  /// Whether its plan breaks this rule too.
  fileprivate func breaks(_ rule: Int) -> Bool {
    reduction?.record.violations.contains { $0.rule == rule } ?? false
  }
}

extension Invariant {
  /// Such as `no-double-credit (I02)`.
  package var title: String { "\(name) (\(code))" }
}
