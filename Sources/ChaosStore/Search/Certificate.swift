/// What shows that a plan is as small as can be.
public struct Certificate: Sendable, Equatable {
  /// One decision, and what comes of the plan without it.
  public struct Entry: Sendable, Equatable {
    /// The decision that was taken out.
    public var decision: Decision
    /// What comes of the plan without it.
    public var without: Without

    /// True if the invariant holds without it, whatever else would break it.
    public var holdsWithout: Bool { without == .holds }

    package init(decision: Decision, without: Without) {
      self.decision = decision
      self.without = without
    }

    /// What comes of the plan without it, in words.
    package var remark: String {
      switch without {
      case .holds: "without it: holds"
      case .breaksOtherwise: "without it: another break of the same rule stays"
      case .breaks: "without it: breaks all the same"
      }
    }
  }

  /// What comes of a plan without one of its decisions.
  public enum Without: Sendable, Equatable {
    /// The invariant holds.
    case holds
    /// It breaks by another kind of fact.
    case breaksOtherwise
    /// It breaks by the same kind of fact, so the decision is not needed.
    case breaks
  }

  /// What all smaller plans come to.
  public enum Smaller: Sendable, Equatable {
    /// None breaks the invariant; so many were run.
    case noneBreaks(plans: Int)
    /// This one breaks it, by the same kind of fact or by another.
    case found(Plan, isSameKind: Bool)
    /// The search did not end.
    case unknown
  }

  /// One entry for each decision that chooses something.
  public var entries: [Entry] = []
  /// Nil where nobody asked for an exhaustive search.
  public var smaller: Smaller?

  /// Whether everything was tried; false where it was interrupted, and what was not tried is unknown.
  public var isWhole = true

  /// After so many runs nothing smaller was looked for, but for what is left without one decision; nil where
  /// making it small came to its end.
  public var mostRuns: Int?

  package init(isWhole: Bool = true) { self.isWhole = isWhole }

  /// Whether each decision is needed for the break that was made small.
  public var isMinimal: Bool { isWhole && !entries.contains { $0.without == .breaks } }
}

extension Plan {
  /// What of the scenario need not be there, in words; nil where all of it is needed.
  package var leftOut: String? {
    let names = decisions.filter(\.question.isOmission).map(\.subject.name)
    return names.isEmpty ? nil : "(\(names.joined(separator: ", ")) can be left out)"
  }
}

extension Shrinker {
  /// Takes each decision out once and sees if the plan still breaks the aim, or the same rule otherwise.
  public mutating func certify(_ plan: Plan) -> Certificate {
    var certificate = Certificate()
    for (index, decision) in plan.decisions.enumerated() where !decision.question.isOmission {
      let without = without(index, of: plan)
      if isInterrupted { break }
      certificate.entries.append(Certificate.Entry(decision: decision, without: without))
    }
    certificate.isWhole = !isInterrupted
    certificate.mostRuns = isSpent ? mostRuns : nil
    return certificate
  }

  private mutating func without(_ index: Int, of plan: Plan) -> Certificate.Without {
    if breaks(plan.without(index)) { return .breaks }
    return breaksRule ? .breaksOtherwise : .holds
  }

  /// Runs every plan with fewer decisions, of the faults of the scenario and of the plan itself.
  public mutating func searchSmaller(than plan: Plan, _ budget: Budget = Budget())
    -> Certificate.Smaller
  {
    var scenario = simulation.scenario
    for decision in plan.decisions {
      guard let fault = decision.fault else { continue }
      if var entry = scenario.setup.mix.entries[fault] {
        if !entry.sites.isEmpty, !entry.sites.contains(decision.question) {
          entry.sites.append(decision.question)
        }
        scenario.setup.mix.entries[fault] = entry
      } else {
        scenario.setup.mix.entries[fault] = FaultMix.Entry(
          chance: Ratio(1, 2)!, sites: [decision.question])
      }
    }
    var budget = budget
    budget.faults = plan.size - 1
    budget.relaunches = 0
    budget.uses = min(plan.size - 1, plan.decisions.count(where: \.isUse))
    budget.decisions = plan.size - 1
    budget.until = 1 << UInt64(aim.rule)
    guard plan.size > 0 else { return .noneBreaks(plans: 0) }
    let findings = Exhaustive().search(scenario, budget)
    if let smaller = findings.rules[aim.rule].smallestPlan {
      let isSameKind = breaks(smaller)
      return isInterrupted ? .unknown : .found(smaller, isSameKind: isSameKind)
    }
    guard let proof = findings.proof, proof.isWhole, !findings.isCutOff, findings.unfit == nil
    else { return .unknown }
    return .noneBreaks(plans: proof.plans.reduce(0, +))
  }
}
