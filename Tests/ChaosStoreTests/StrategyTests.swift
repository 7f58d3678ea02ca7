import Invariants
import Synchronization
import TestSupport
import Testing

@testable import ChaosStore

/// A third strategy in a few lines: the quiet run, and each plan of a list.
private struct Suspects: Strategy {
  let name = "suspects"
  let about = "tries what somebody suspects"
  var plans: [Plan]

  func search(_ scenario: Scenario, _ budget: Budget) -> Findings {
    let simulation = Simulation(scenario)
    var findings = Findings(scenario)
    for plan in [Plan()] + plans where budget.goesOn(findings.runs) {
      findings.add(Origin(plan: plan), simulation.run(plan: plan), of: simulation)
    }
    return findings
  }
}

@Suite("A search strategy")
struct StrategyTests {
  private func rule(_ name: String, _ scenario: Scenario) throws -> Int {
    try #require(scenario.invariants.firstIndex { $0.name == name })
  }

  @Test("A strategy of somebody's own can be run by a campaign")
  func third() throws {
    let scenario = try Stage.one("observe-at-launch") { $0.mix = FaultMix([.responseLost]) }
    let suspects = Suspects(plans: [try Plan(parsing: "drop verify.reply tx1 #1")])
    let findings = Campaign(scenario, strategy: suspects).run()
    #expect(findings.runs == 2)
    #expect(
      findings.rules[try rule("no-double-credit", scenario)].smallestPlan == suspects.plans[0])
  }

  @Test("The first seed and every 1,024th run twice, and which came out differently is said")
  func pairs() throws {
    let scenario = try Stage.one("observe-at-launch") { _ in }
    var fickle = scenario
    fickle.system = AnySystem(LateFickle.self)
    #expect(Campaign(scenario, seeds: 0..<2049).run().differing?.seed == nil)
    #expect(Campaign(fickle, seeds: 0..<1024).run().differing?.seed == nil)
    // The runs of two campaigns so far: it is what it was no more.
    let findings = Campaign(fickle, seeds: 1..<1030).run()
    #expect(findings.differing?.seed == 1025)
    #expect(findings.randomRuns == 1029)
    let again = Campaign(fickle, seeds: 1026..<1030).run()
    #expect(again.differing?.seed == 1026)
  }

  @Test func `What takes fewest decisions and is gravest is the likely cause, sums the least`() {
    let names = [
      "no-charge-without-delivery", "no-double-credit", "conservation", "queue-drains",
    ]
    let scenario = Scenario(
      name: "any", system: AnySystem(ExactlyOnce.self),
      invariants: names.compactMap { Catalogue.invariant(named: $0) })
    var findings = Findings(scenario)
    #expect(findings.brokenByCause(in: scenario) == [])
    findings.rules[0].runs = 2
    findings.rules[1].runs = 788
    findings.rules[2].runs = 900
    findings.rules[3].runs = 1
    for rule in findings.rules.indices { findings.rules[rule].smallestPlan = Plan() }
    findings.rules[3].smallestPlan = nil
    #expect(findings.brokenByCause(in: scenario) == [0, 1, 3, 2])
  }

  @Test("A search strategy is found by its name")
  func names() {
    #expect(Strategies.named("exhaustive") is Exhaustive)
    #expect(Strategies.named("luck") == nil)
    #expect(Set(Strategies.all.map(\.name)).count == Strategies.all.count)
  }

  @Test("By default every single decision is run, then the scenario's seeds")
  func portfolio() throws {
    var scenario = try Stage.mixed("storekit2-order-token")
    scenario.seeds = 700
    let findings = Portfolio().search(scenario, Budget())
    let plans = try #require(findings.proof?.plans)
    #expect(plans.count == 2)
    #expect(findings.randomRuns == 700)
    #expect(findings.runs == 700 + plans.reduce(0, +))
    let lost = try rule("no-charge-without-delivery", scenario)
    #expect(findings.rules[lost].smallestPlan?.size == 1)
    #expect(findings.rules[lost].firstSeed != nil)
  }

  @Test("With time left the default search goes on with larger plans and further seeds")
  func openEnded() throws {
    var scenario = try Stage.one("exactly-once") {
      $0.mix = FaultMix([.responseLost, .appCrash, .duplicateCallback])
    }
    scenario.seeds = 300
    var budget = Budget()
    budget.isOpenEnded = true
    budget.goesOn = { $0 < 5000 }
    let findings = Portfolio().search(scenario, budget)
    #expect(findings.isInterrupted)
    #expect(findings.randomRuns > 300)
    #expect(try #require(findings.proof).plans.count > 2)
    #expect(findings.runs >= 5000)
  }

  @Test(
    "A search ends as soon as it has seen what it was looking for",
    arguments: Strategies.all.map(\.name))
  func until(_ name: String) throws {
    let scenario = try Stage.mixed("observer-on-demand")
    let strategy = try #require(Strategies.named(name))
    let faults = whereOptimised(2, otherwise: 1)
    let all = strategy.search(scenario, Budget(faults: faults))
    var budget = Budget(faults: faults)
    budget.until = 1 << UInt64(try rule("no-double-credit", scenario))
    let findings = strategy.search(scenario, budget)
    #expect(findings.broken & budget.until == budget.until)
    #expect(findings.runs < all.runs)
    #expect(!findings.isInterrupted)
  }

  @Test("In a mix named as a whole each seed has its own subset of the faults")
  func swarm() throws {
    let scenario = try Stage.mixed("exactly-once")
    var plain = scenario
    plain.setup.mix.isSwarmed = false
    func faults(_ scenario: Scenario) -> [[Fault]] {
      let simulation = Simulation(scenario)
      return (0..<UInt64(400)).map { seed in
        let decisions = simulation.record(seed: seed).faults.decisions
        let struck = decisions.compactMap { $0.question.fault(behind: $0.answer) }
        return Fault.allCases.filter(struck.contains)
      }
    }
    let swarmed = faults(scenario)
    let usual = faults(plain)
    #expect(swarmed != usual)
    // Some seeds keep the mix as it is.
    #expect(zip(swarmed, usual).contains { $0 == $1 && $0.count > 2 })
    // A subset leaves runs in which little happens, and none in which nothing ever does.
    #expect(swarmed.contains { $0.count <= 2 })
    #expect(Set(swarmed.joined()).count >= Set(usual.joined()).count - 2)
  }

  @Test("A swarm leaves a fault that always strikes, and a mix of single faults, as they are")
  func noSwarm() throws {
    var scenario = try Stage.one("exactly-once")
    scenario.setup.mix.entries[.responseLost] = .init(chance: try #require(Ratio(1, 1)), most: 1)
    scenario.setup.mix.isSwarmed = true
    let findings = RandomSearch().search(scenario, Budget(seeds: 0..<300))
    #expect(findings.coverage[.responseLost] == 300)
    #expect(try Stage.one("exactly-once").setup.mix.isSwarmed == false)
  }

  @Test("A search strategy counts strikes by fault and step, alike for seeds and for plans")
  func coverage() throws {
    let scenario = try Stage.one("exactly-once") {
      $0.mix = FaultMix([.responseLost, .lateResponse])
      $0.mix.isSwarmed = false
    }
    let findings = Exhaustive(faults: 1, lates: 0).search(scenario, Budget())
    #expect(findings.coverage[.responseLost, .reply] == 1)
    #expect(findings.coverage[.lateResponse, .reply] == 1)
    #expect(findings.coverage[.responseLost] == 1)
    #expect(findings.coverage[.appCrash] == 0)
    #expect(scenario.setup.mix.steps(of: .responseLost) == [.reply])
    #expect(FaultMix([.appCrash]).steps(of: .appCrash).contains(.finish))
  }

  @Test("After clean runs the failure rate is bounded by about three divided by their number")
  func bound() throws {
    var findings = Findings(try Stage.one("exactly-once"))
    #expect(findings.boundOneIn(0) == nil)
    findings.randomRuns = 1000
    #expect(findings.boundOneIn(0) == 334)
    findings.randomRuns = 3_000_000
    #expect(findings.boundOneIn(0) == 1_001_435)
    findings.rules[0].firstSeed = 7
    #expect(findings.boundOneIn(0) == nil)
  }

  @Test("A search counts the runs that reached each goal of facts and of faults")
  func goals() throws {
    var scenario = try Stage.one("exactly-once") {
      $0.mix.entries[.responseLost] = .init(chance: Ratio(1, 2)!)
    }
    scenario.goals = try ["credited", "credited + response-lost", "voided"].map {
      try #require(Goal(parsing: $0))
    }
    let findings = RandomSearch().search(scenario, Budget(seeds: 0..<200))
    #expect(findings.reached[0] == 200)
    #expect((50...150).contains(findings.reached[1]))
    #expect(findings.reached[2] == 0)
    #expect(Goal(parsing: "credited + luck") == nil)
    #expect(Goal(parsing: "F41")?.text == "response-lost")
  }

  @Test("Every question has a step, and all questions fit into the bits kept for them")
  func steps() {
    #expect(Question.count <= 256)
    for step in Step.allCases {
      #expect(Question.allCases.contains { $0.step == step }, "\(step)")
    }
  }
}

/// Keeps count of its taps, one a run, and after so many of them does something else every time.
private enum LateFickle: PurchaseSystem {
  typealias Backend = ForgetfulShop.Backend
  static let entry = SystemEntry(
    name: "late-fickle", summary: "Changes in the course of a campaign.")
  static let taps = Atomic<Int>(0)

  struct App: PurchaseApp {
    init(_ launch: Launch) {}
    mutating func launched(_ phone: Phone) {}
    mutating func tapped(_ tap: Tap, _ phone: Phone) {
      let count = LateFickle.taps.wrappingAdd(1, ordering: .relaxed).newValue
      phone.startTimer(after: Int64(max(1, count - 2000)))
    }
    mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone) {}
  }
}
