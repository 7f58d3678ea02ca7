/// What identifies a run of a scenario: a seed, a plan, or a plan over a seed; neither is the quiet run.
public struct Origin: Hashable, Sendable {
  /// What answers the questions that the plan does not name; nil where they get their quiet answers.
  public var seed: UInt64?
  /// The decisions that are given; empty where the seed alone decides.
  public var plan: Plan

  /// A run of this seed, under this plan.
  public init(seed: UInt64? = nil, plan: Plan = Plan()) {
    self.seed = seed
    self.plan = plan
  }

  /// The run in which every question has its quiet answer: no fault, the least delays.
  public static let quiet = Origin()
}

extension Origin: CustomStringConvertible {
  /// The run in a sentence, such as `seed 0x2a`.
  public var description: String {
    switch (seed, plan.isEmpty) {
    case (let seed?, true): "seed \(SeedText.text(seed))"
    case (let seed?, false): "seed \(SeedText.text(seed)) under the plan '\(plan)'"
    case (nil, true): "the quiet run"
    case (nil, false): "the plan '\(plan)'"
    }
  }
}
