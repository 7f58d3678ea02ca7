import Invariants
import Testing

@testable import ChaosStore

@Suite("What a search adds up")
struct SearchBookkeepingTests {
  private let scenario = Probe.scenario()
  private let simulation = Simulation(Probe.scenario())

  private func outcome(
    breaks rules: [Int] = [], trace: UInt64 = 0, isCutOff: Bool = false, hasProblems: Bool = false
  ) -> Outcome {
    Outcome(
      broken: rules.reduce(0) { $0 | 1 << UInt64($1) }, events: 10, endMillis: 1000,
      trace: trace, isCutOff: isCutOff, hasProblems: hasProblems)
  }

  /// Findings of some seeds, each of which breaks a rule, is cut off or is unfit by its number.
  private func findings(_ seeds: [UInt64]) -> Findings {
    var findings = Findings(scenario)
    for seed in seeds {
      let outcome = outcome(
        breaks: seed % 3 == 1 ? [0] : seed % 3 == 2 ? [0, 5] : [], trace: seed * 1000,
        isCutOff: seed % 10 == 7, hasProblems: seed % 10 == 4)
      findings.add(Origin(seed: seed), outcome, of: simulation)
    }
    return findings
  }

  // MARK: - Adding up

  @Test("Of each rule it is counted how many runs gave it nothing to judge")
  func concerned() {
    func findings(_ masks: [UInt64]) -> Findings {
      var findings = Findings(scenario)
      for (seed, mask) in masks.enumerated() {
        var outcome = outcome(isCutOff: mask == 0b11)
        outcome.idle = mask
        findings.add(Origin(seed: UInt64(seed)), outcome, of: simulation)
      }
      return findings
    }
    var sum = findings([0b101, 0b100, 0b11])
    #expect(sum.rules.prefix(4).map(\.idle) == [1, 0, 2, 0])
    sum.add(findings([0b1000, 0b100]))
    #expect(sum.rules.prefix(4).map(\.idle) == [1, 0, 3, 1])
  }

  @Test("A run that was cut off breaks nothing, and the lowest such seed is kept")
  func cutOff() {
    let findings = findings([17, 7, 27])
    #expect(findings.runs == 3)
    #expect(findings.broken == 0)
    #expect(findings.cutOff == Origin(seed: 7))
    #expect(findings.isCutOff)
    var plans = Findings(scenario)
    let plan = Turns.plan([1: 1])
    plans.add(Origin(plan: plan), outcome(breaks: [0], isCutOff: true), of: simulation)
    plans.add(Origin(plan: Turns.plan([1: 2])), outcome(isCutOff: true), of: simulation)
    #expect(plans.broken == 0)
    #expect(plans.cutOff == Origin(plan: plan))
    #expect(plans.rules[0].smallestPlan == nil)
  }

  @Test("Nothing is proved up to a size where a plan broke something or was cut off")
  func holding() {
    var findings = Findings(scenario)
    #expect(findings.holdsUpTo == nil)
    findings.proof = Findings.Proof(plans: [1, 9], skipped: [0, 0], size: 1, isWhole: true)
    #expect(findings.holdsUpTo == 1)
    var broken = findings
    broken.add(.quiet, outcome(breaks: [2]), of: simulation)
    #expect(broken.holdsUpTo == nil)
    var cutOff = findings
    cutOff.add(.quiet, outcome(isCutOff: true), of: simulation)
    #expect(cutOff.holdsUpTo == nil)
  }

  @Test("Of the seeds that break a rule the lowest are kept, and of the plans the smallest")
  func lowestAndFirst() {
    let found = findings([8, 5, 11, 2])
    #expect(found.rules[0].firstSeed == 2)
    #expect(found.rules[5].runs == 4)
    #expect(found.rules[5].failingSeeds == [2, 5, 8, 11])
    let (small, large) = (Turns.plan([2: 1]), Turns.plan([1: 1, 2: 1]))
    var plans = Findings(scenario)
    plans.add(Origin(plan: small), outcome(breaks: [3]), of: simulation)
    plans.add(Origin(plan: large), outcome(breaks: [3, 4]), of: simulation)
    #expect(plans.rules[3].smallestPlan == small)
    #expect(plans.rules[4].smallestPlan == large)
    var before = Findings(scenario)
    before.add(Origin(plan: large), outcome(breaks: [3]), of: simulation)
    before.add(plans)
    #expect(before.rules[3].smallestPlan == small)
    before.add(Origin(plan: Turns.plan([3: 1])), outcome(breaks: [3]), of: simulation)
    #expect(before.rules[3].smallestPlan == small, "of two of one size the first")
  }

  @Test("Findings of seeds come to the same in whatever order runs and parts are added up")
  func anyOrder() {
    let seeds = (0..<400).map { UInt64($0) }
    let parts = stride(from: 0, to: 400, by: 50).map { findings(Array(seeds[$0..<$0 + 50])) }
    func sum(_ parts: [Findings]) -> Findings {
      var total = Findings(scenario)
      for part in parts { total.add(part) }
      return total
    }
    let total = sum(parts)
    #expect(sum(parts.reversed()) == total)
    #expect(sum(Array(parts[3...] + parts[..<3])) == total)
    #expect(findings(seeds) == total)
    #expect(findings(seeds.reversed()) == total)
    #expect(total.runs == 400 && total.events == 4000 && total.simulatedMillis == 400_000)
    let failing = total.rules[0].failingSeeds
    #expect(failing.count == Findings.mostFailingKept)
    #expect(failing.first == 1)
    #expect(failing == failing.sorted())
    #expect(total.cutOff == Origin(seed: 7))
    #expect(total.unfit == Origin(seed: 4))
    #expect(total.trace == 399_000)
  }

  @Test("What was noted is kept of the run that is told of: the lowest seed, else the first plan")
  func notes() {
    func part(_ origin: Origin) -> Findings {
      var part = Findings(scenario)
      part.add(origin, outcome(hasProblems: true), of: simulation)
      part.problems = [Problem(.leak, "\(origin)", event: 1, at: .start)]
      return part
    }
    let (plan, later) = (Origin(plan: Turns.plan([1: 1])), Origin(plan: Turns.plan([1: 2])))
    var total = part(plan)
    for (origin, told) in [
      (later, plan), (Origin(seed: 9), Origin(seed: 9)), (Origin(seed: 12), Origin(seed: 9)),
      (Origin(seed: 3), Origin(seed: 3)), (later, Origin(seed: 3)),
    ] {
      total.add(part(origin))
      #expect(total.unfit == told)
      #expect(total.problems.map(\.text) == ["\(told)"])
    }
  }

  @Test("What was interrupted stays interrupted, and what came out differently stays known")
  func sticky() {
    var total = Findings(scenario)
    var part = Findings(scenario)
    part.isInterrupted = true
    part.addDiffering(Origin(seed: 9))
    total.add(part)
    part = Findings(scenario)
    part.addDiffering(Origin(seed: 5))
    total.add(part)
    total.add(Findings(scenario))
    #expect(total.isInterrupted)
    #expect(total.differing == Origin(seed: 5))
  }

  // MARK: - Every small plan

  private func exhaust(
    faults: Int, _ change: (inout Setup) -> Void = { _ in },
    ending end: @escaping ([Int]) -> Turns.End = { _ in .fine }
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
    // How long something takes is asked after the heal as well; the reply leaves at 1081.
    for (heal, plans) in [(1081, [1, 0]), (1082, [1, 1])] as [(Int64, [Int])] {
      let scenario = Probe.scenario { setup in
        setup.mix = FaultMix([.lateResponse])
        setup.healMillis = heal
      }
      let findings = Probe.$hands.withValue(Probe.Hands()) {
        Exhaustive(faults: 1).search(scenario, Budget())
      }
      #expect(findings.proof?.plans == plans)
    }
  }

  @Test("A plan whose run is cut off is not extended, and nothing is proved beside it")
  func cutOffParents() {
    let findings = exhaust(faults: 2, ending: { $0[0] == 1 ? .restless : .fine })
    #expect(findings.proof?.plans == [1, 9, 21])
    #expect(findings.cutOff == Origin(plan: Turns.plan([1: 1])))
    #expect(findings.broken == 0)
    #expect(findings.holdsUpTo == nil)
  }

  @Test("A failure of two decisions is found where they come together, and no smaller one is named")
  func pairs() {
    let findings = exhaust(faults: 2, ending: { $0[0] == 2 && $0[2] == 3 ? .lies : .fine })
    #expect(findings.rules[Turns.rule].smallestPlan == Turns.plan([1: 2, 3: 3]))
    #expect(findings.rules[Turns.rule].runs == 1)
    #expect(exhaust(faults: 1, ending: { $0[0] == 2 && $0[2] == 3 ? .lies : .fine }).broken == 0)
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
