import Invariants
import Testing

@testable import ChaosStore

@Suite("Exhaustive search")
struct ExhaustiveTests {
  private func search(_ scenario: Scenario, faults: Int, relaunches: Int = 2) -> Findings {
    Exhaustive(faults: faults, moves: 0, relaunches: relaunches).search(scenario, Budget())
  }

  private func smallest(_ findings: Findings, _ rule: String, _ scenario: Scenario) -> String? {
    scenario.invariants.firstIndex { $0.name == rule }
      .flatMap { findings.rules[$0].smallestPlan }?.description
  }

  @Test("Exhaustive search finds the one fault that makes a design credit twice")
  func oneFault() throws {
    let scenario = try Stage.one("observe-at-launch") {
      $0.mix = FaultMix([.responseLost, .requestLost])
    }
    let findings = search(scenario, faults: 1)
    #expect(smallest(findings, "no-double-credit", scenario) == "drop verify.reply tx1 #1")
    #expect(findings.proof?.plans == [1, 2])
    #expect(findings.holdsUpTo == nil)
  }

  @Test("Exhaustive search finds that two faults must coincide, and that no single one does it")
  func twoFaults() throws {
    let scenario = try Stage.one("observe-at-launch") {
      $0.mix = FaultMix([.missingRedelivery, .appCrash])
    }
    let one = search(scenario, faults: 1, relaunches: 0)
    #expect(smallest(one, "no-charge-without-delivery", scenario) == nil)
    let two = search(scenario, faults: 2, relaunches: 0)
    let plan = try #require(smallest(two, "no-charge-without-delivery", scenario))
    #expect(plan.contains("swallow store.callback tx1 #1"))
    #expect(plan.split(separator: ",").count == 2)
  }

  @Test("Exhaustive search proves that exactly-once holds under every pair of faults of a purchase")
  func boundedProof() throws {
    for (variant, plans, skipped) in [
      ("storekit1", [1, 26, 468], [0, 95, 516]), ("storekit2", [1, 16, 169], [0, 43, 131]),
    ] {
      let scenario = try Stage.one("exactly-once", variant: variant) {
        $0.mix = FaultMix([.appCrash, .responseLost, .duplicateCallback, .replayFinished])
      }
      let findings = search(scenario, faults: 2)
      #expect(findings.holdsUpTo == 2)
      #expect(findings.proof?.isWhole == true)
      #expect(findings.proof?.plans == plans)
      #expect(findings.proof?.skipped == skipped)
    }
  }

  @Test("Exhaustive search agrees with a count by hand: no plan is run twice")
  func eachPlanOnce() throws {
    // One request, dropped or not; dropped again when it is sent again after the next launch.
    let scenario = try Stage.one("observe-at-launch") { setup in
      setup.mix = FaultMix([.requestLost])
      setup.healMillis = 200_000
      setup.reopenEveryMillis = nil
    }
    #expect(search(scenario, faults: 3).proof?.plans == [1, 1, 0, 0])
  }

  @Test(
    "Exhaustive search leaves out only plans that break what another breaks",
    arguments: Stage.designs)
  func soundSkipping(_ system: String) throws {
    let tested = try Stage.system(system)
    for backend in tested.entry.backends {
      let scenario = try Stage.one(system, backend: backend) { setup in
        setup.accounts = 2
        setup.mix = FaultMix([.appCrash, .requestLost, .finishLost, .receiptStale])
      }
      let lean = Exhaustive(faults: 2).search(scenario, Budget())
      let full = Exhaustive(faults: 2, skipsSame: false).search(scenario, Budget())
      let leanProof = try #require(lean.proof)
      let fullProof = try #require(full.proof)
      // Where the goods are on the device, two deaths are not the same for having the same effects before.
      #expect(leanProof.skipped[1] > 0 || !tested.hasBackend)
      #expect(leanProof.plans[1] + leanProof.skipped[1] == fullProof.plans[1])
      #expect(leanProof.plans[2] < fullProof.plans[2] || !tested.hasBackend)
      #expect(lean.broken == full.broken)
      #expect(lean.rules.map { $0.smallestPlan?.size } == full.rules.map { $0.smallestPlan?.size })
    }
  }

  @Test(
    "An app leaves the same behind wherever it dies between the same two effects",
    arguments: Stage.designs)
  func samePoints(_ system: String) throws {
    for variant in try Stage.system(system).variants {
      let scenario = try Stage.mixed(system, variant: variant)
      let simulation = Simulation(scenario)
      let askings = simulation.list(Plan()).askings
      var compared = 0
      for (first, second) in zip(askings, askings.dropFirst())
      where CrashPoint.isSame(first, second) {
        let runs = [first, second].map { asking in
          simulation.record(
            seed: nil,
            plan: Plan([Decision(asking.question, asking.subject, asking.occurrence, .strike)]))
        }
        #expect(
          runs[0].facts == runs[1].facts, "\(first.question.name) and \(second.question.name)")
        compared += 1
      }
      #expect(compared > 0)
    }
  }

  @Test("Exhaustive search says how far it came when its budget ends it")
  func spent() throws {
    var budget = Budget(faults: 2)
    budget.goesOn = { $0 < 100 }
    let findings = try Exhaustive().search(Stage.mixed("exactly-once"), budget)
    let proof = try #require(findings.proof)
    #expect(findings.isInterrupted)
    #expect(!proof.isWhole)
    #expect(findings.runs >= 100)
    #expect(findings.holdsUpTo == proof.size)
    #expect(proof.size < 2)
  }
}
