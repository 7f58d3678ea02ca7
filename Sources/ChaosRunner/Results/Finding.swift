import ChaosStore
import Invariants

/// One broken invariant of one scenario.
public struct Finding: Sendable {
  /// What the scenario said of it beforehand.
  public enum Standing: String, Sendable {
    /// It was to break.
    case expected
    /// It might break.
    case allowed
    /// Nothing was said of it, so it makes the scenario red.
    case unexpected
  }

  /// Why it was not made as small as can be.
  public enum CutShort: String, Sendable {
    /// Somebody interrupted it.
    case interrupted
    /// The budget was spent.
    case outOfTime = "out of time"
  }

  /// The position of the invariant among the scenario's.
  public var rule: Int
  /// The invariant that broke.
  public var invariant: any Invariant
  /// What the scenario said of it.
  public var standing: Standing
  /// How many runs broke it.
  public var runs: Int
  /// The first run that did.
  public var origin: Origin
  /// A smallest plan that did, of those that were run.
  public var smallest: Plan?
  /// The lowest seeds that did.
  public var failing: [UInt64] = []
  /// What its failures come down to, the frequent ones first; empty where nobody looked.
  public var clusters: [Cluster] = []
  /// How many of the lowest seeds were made small for that.
  public var lookedAt = 0
  /// Why not all of them were, and what there is may not be the smallest; nil where they were, or nobody looked.
  public var cutShort: CutShort?
  /// The invariant of which this is a consequence: the smallest plan that breaks that one breaks this
  /// one too; nil where it is a cause of its own, or nobody looked.
  public var follows: String?
  /// Of the default worlds of one system, the one whose story tells this already; nil where it is told here.
  public var sameAs: String?
  /// Few decisions that break it without any seed; nil where nobody looked, or only the seed does it.
  public var plan: Plan?

  init(_ rule: Int, _ scenario: Scenario, runs: Int, origin: Origin) {
    self.rule = rule
    self.runs = runs
    self.origin = origin
    invariant = scenario.invariants[rule]
    standing = scenario.standing(of: invariant)
  }

  /// Such as `no-double-credit (I02)`.
  public var title: String { invariant.title }

  /// The smallest plan that its failures come down to; of equally small ones the most frequent.
  var smallestCluster: Cluster? { clusters.min { $0.plan.size < $1.plan.size } }
}

/// Failures that come down to the same small plan.
public struct Cluster: Sendable {
  /// Few decisions that break the rule without any seed: without any one of them it holds.
  public var plan: Plan
  /// How many of the failing seeds that were looked at came down to it.
  public var seeds: Int
  /// Whether the plan breaks the invariant that its own one follows from, which so tells its story.
  public var follows = false
  /// The lowest of those seeds; nil where it was found as a plan.
  public var firstSeed: UInt64?
  /// What shows that the plan is as small as can be.
  public var certificate: Certificate
  /// How often it came the same way when it was run again; nil where a simulation answers for that by itself.
  public var repeats: Repeats?
}

/// How a plan came out that was run several times: what a real process does inside a step, nobody decides.
public struct Repeats: Sendable {
  /// How often it was run.
  public var runs = 0
  /// How many of these runs were the same as the first, that one among them.
  public var same = 0
  /// How many of them broke the rule.
  public var breaking = 0
  /// Where the first that was another parts from it; nil where all were the same.
  public var difference: String?
}

extension [Finding] {
  /// The likely cause first, as `CauseOrder` has it. What the scenario puts up with comes after the rest.
  public var byCause: [Finding] {
    enumerated().sorted { a, b in
      a.element.isLikelierCause(than: b.element) ?? (a.offset < b.offset)
    }.map(\.element)
  }
}

extension Finding {
  /// Whether it comes first where the likely cause does; nil where neither does.
  func isLikelierCause(than other: Finding) -> Bool? {
    if (standing == .allowed) != (other.standing == .allowed) { return other.standing == .allowed }
    return order == other.order ? nil : order < other.order
  }

  private var order: CauseOrder {
    CauseOrder(
      invariant, at: rule, size: clusters.map(\.plan.size).min() ?? smallest?.size, runs: runs)
  }
}

extension [Finding] {
  /// The same order, with what follows from a cause right under it.
  var byCauseWithConsequences: [Finding] {
    let order = byCause
    return order.filter { $0.follows == nil }.flatMap { cause in
      [cause] + order.filter { $0.follows == cause.invariant.name }
    }
  }
}

extension Scenario {
  /// What it says of an invariant beforehand.
  func standing(of invariant: any Invariant) -> Finding.Standing {
    if expects.contains(where: invariant.goes(by:)) { return .expected }
    return allows.contains(where: invariant.goes(by:)) ? .allowed : .unexpected
  }
}
