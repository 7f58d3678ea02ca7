import Invariants
import Testing

@testable import ChaosStore

@Suite("What a search adds up")
struct SearchBookkeepingTests {
  private static let scenario = Probe.scenario()

  private static func outcome(
    breaks rules: [Int] = [], trace: UInt64 = 0, isCutOff: Bool = false, hasProblems: Bool = false
  ) -> Outcome {
    Outcome(
      broken: rules.reduce(0) { $0 | 1 << UInt64($1) }, events: 10, endMillis: 1000,
      trace: trace, isCutOff: isCutOff, hasProblems: hasProblems)
  }

  /// Findings of some seeds, each of which breaks a rule, is cut off or is unfit by its number.
  private static func findings(_ seeds: [UInt64]) -> Findings {
    var findings = Findings(scenario)
    for seed in seeds {
      let outcome = outcome(
        breaks: seed % 3 == 1 ? [0] : seed % 3 == 2 ? [0, 5] : [], trace: seed * 1000,
        isCutOff: seed % 10 == 7, hasProblems: seed % 10 == 4)
      findings.add(
        seed: seed, outcome, problems: [Problem(.leak, "in \(seed)", event: 1, at: .start)])
    }
    return findings
  }

  // MARK: - Adding up

  @Test("A run that was cut off breaks nothing, and the lowest such seed is kept")
  func cutOff() {
    let findings = Self.findings([17, 7, 27])
    #expect(findings.runs == 3)
    #expect(findings.broken == 0)
    #expect(findings.cutOffSeed == 7)
    #expect(findings.isCutOff)
    var plans = Findings(Self.scenario)
    let plan = Turns.plan([1: 1])
    plans.add(plan: plan, Self.outcome(breaks: [0], isCutOff: true))
    plans.add(plan: Turns.plan([1: 2]), Self.outcome(isCutOff: true))
    #expect(plans.broken == 0)
    #expect(plans.cutOffPlan == plan)
    #expect(plans.smallest[0] == nil)
  }

  @Test("Nothing is proved up to a size where a plan broke something or was cut off")
  func holding() {
    var findings = Findings(Self.scenario)
    #expect(findings.holdsUpTo == nil)
    findings.proof = Findings.Proof(plans: [1, 9], skipped: [0, 0], size: 1, isWhole: true)
    #expect(findings.holdsUpTo == 1)
    var broken = findings
    broken.add(plan: Plan(), Self.outcome(breaks: [2]))
    #expect(broken.holdsUpTo == nil)
    var cutOff = findings
    cutOff.add(plan: Plan(), Self.outcome(isCutOff: true))
    #expect(cutOff.holdsUpTo == nil)
  }

  @Test("Of the seeds that break a rule the lowest are kept, and of the plans the first")
  func lowestAndFirst() {
    let findings = Self.findings([8, 5, 11, 2])
    #expect(findings.firstSeeds[0] == 2)
    #expect(findings.breaks[5] == 4)
    #expect(Set(findings.failing[5]) == [2, 5, 8, 11])
    var plans = Findings(Self.scenario)
    let (small, large) = (Turns.plan([2: 1]), Turns.plan([1: 1, 2: 1]))
    plans.add(plan: small, Self.outcome(breaks: [3]))
    plans.add(plan: large, Self.outcome(breaks: [3, 4]))
    #expect(plans.smallest[3] == small)
    #expect(plans.smallest[4] == large)
    var before = Findings(Self.scenario)
    before.add(plan: large, Self.outcome(breaks: [3]))
    before.add(plans)
    #expect(before.smallest[3] == large)
  }

  @Test("Findings of seeds come to the same in whatever order their parts are added up")
  func anyOrder() {
    let seeds = (0..<400).map { UInt64($0) }
    let parts = stride(from: 0, to: 400, by: 50).map { Self.findings(Array(seeds[$0..<$0 + 50])) }
    func sum(_ parts: [Findings]) -> Findings {
      var total = Findings(Self.scenario)
      for part in parts { total.add(part) }
      return total
    }
    let total = sum(parts)
    #expect(sum(parts.reversed()) == total)
    #expect(sum(Array(parts[3...] + parts[..<3])) == total)
    #expect(total == Self.findings(seeds))
    #expect(total.runs == 400 && total.events == 4000 && total.simulatedMillis == 400_000)
    #expect(total.failing[0].count == Findings.mostFailingKept)
    #expect(total.failing[0].first == 1)
    #expect(total.failing[0] == total.failing[0].sorted())
    #expect(total.cutOffSeed == 7)
    #expect(total.leakingSeed == 4)
    #expect(total.problems.map(\.text) == ["in 4"])
    #expect(total.trace == 399_000)
  }

  @Test("What was interrupted stays interrupted, and what came out differently stays known")
  func sticky() {
    var total = Findings(Self.scenario)
    var part = Findings(Self.scenario)
    part.isInterrupted = true
    part.partingSeed = 9
    part.partingPlan = Turns.plan([1: 1])
    total.add(part)
    part.isInterrupted = false
    part.partingSeed = 5
    part.partingPlan = Turns.plan([1: 2])
    total.add(part)
    #expect(total.isInterrupted)
    #expect(total.partingSeed == 5)
    #expect(total.partingPlan == Turns.plan([1: 1]))
  }

  // MARK: - Every small plan

  private func exhaust(
    faults: Int, _ change: (inout Setup) -> Void = { _ in },
    _ end: @escaping ([Int]) -> Turns.End = { _ in .fine }
  ) -> Findings {
    Probe.$hands.withValue(Turns.hands(end)) {
      Exhaustive(faults: faults).search(Turns.scenario(change), Budget())
    }
  }

  @Test("Three questions of three values each give 9 plans of one decision, 27 of two, 27 of three")
  func counts() {
    let findings = exhaust(faults: 4)
    #expect(findings.proof?.plans == [1, 9, 27, 27, 0])
    #expect(findings.proof?.isWhole == true)
    #expect(findings.runs == 64)
    #expect(findings.holdsUpTo == 4)
    #expect(findings.randomRuns == 0)
  }

  @Test("What is asked at the heal or after it is no part of any plan")
  func countsBeforeTheHeal() {
    #expect(exhaust(faults: 2) { $0.healMillis = 1000 }.proof?.plans == [1, 0, 0])
    #expect(exhaust(faults: 2) { $0.healMillis = 1001 }.proof?.plans == [1, 9, 27])
  }

  @Test("A plan whose run is cut off is not extended, and nothing is proved beside it")
  func cutOffParents() {
    let findings = exhaust(faults: 2) { $0[0] == 1 ? .restless : .fine }
    #expect(findings.proof?.plans == [1, 9, 21])
    #expect(findings.cutOffPlan == Turns.plan([1: 1]))
    #expect(findings.broken == 0)
    #expect(findings.holdsUpTo == nil)
  }

  @Test("A failure of two decisions is found where they come together, and no smaller one is named")
  func pairs() {
    let findings = exhaust(faults: 2) { $0[0] == 2 && $0[2] == 3 ? .lies : .fine }
    #expect(findings.smallest[Turns.rule] == Turns.plan([1: 2, 3: 3]))
    #expect(findings.breaks[Turns.rule] == 1)
    #expect(exhaust(faults: 1) { $0[0] == 2 && $0[2] == 3 ? .lies : .fine }.broken == 0)
  }

  @Test("A mix that does not name a fault, or names other sites of it, has no plans with it")
  func onlyTheMix() {
    #expect(exhaust(faults: 1) { $0.mix = FaultMix([.requestLost]) }.proof?.plans == [1, 0])
    let sites = exhaust(faults: 1) { setup in
      setup.mix.entries[.taskOrder]?.sites = [.dropReply]
    }
    #expect(sites.proof?.plans == [1, 0])
  }

  // MARK: - Seeds

  @Test("A search draws exactly the seeds that it was given, and says when it was stopped before")
  func seeds() {
    let findings = Probe.$hands.withValue(Turns.hands { _ in .fine }) {
      RandomSearch().search(Turns.scenario(), Budget(seeds: 100..<900))
    }
    #expect(findings.runs == 800)
    #expect(findings.randomRuns == 800)
    #expect(!findings.isInterrupted)
    var budget = Budget(seeds: 0..<2000)
    budget.goesOn = { $0 < 500 }
    let stopped = Probe.$hands.withValue(Turns.hands { _ in .fine }) {
      RandomSearch().search(Turns.scenario(), budget)
    }
    #expect(stopped.isInterrupted)
    #expect(stopped.runs == 512)
  }
}
