import ChaosStore
import Invariants
import Testing

@Suite("Exhaustive search")
struct ExhaustiveTests {
  private func search(_ scenario: Scenario, faults: Int) -> Exhaustive.Result {
    var search = Exhaustive(Simulation(scenario))
    return search.run(faults: faults)
  }

  private func smallest(_ result: Exhaustive.Result, _ rule: String, _ scenario: Scenario)
    -> String?
  {
    scenario.invariants.firstIndex { $0.name == rule }
      .flatMap { result.smallest[$0] }?.description
  }

  @Test("finds the one fault that makes a design credit twice")
  func oneFault() throws {
    let scenario = try Stage.one("observe-at-launch") {
      $0.mix = FaultMix([.responseLost, .requestLost])
    }
    let result = search(scenario, faults: 1)
    #expect(smallest(result, "no-double-credit", scenario) == "drop verify.reply tx1 #1")
    #expect(result.plans == [1, 2])
  }

  @Test("finds that two faults must coincide, and that no single one does it")
  func twoFaults() throws {
    let scenario = try Stage.one("observe-at-launch") {
      $0.mix = FaultMix([.missingRedelivery, .appCrash])
    }
    let one = search(scenario, faults: 1)
    #expect(smallest(one, "no-charge-without-delivery", scenario) == nil)
    let two = search(scenario, faults: 2)
    let plan = try #require(smallest(two, "no-charge-without-delivery", scenario))
    #expect(plan.contains("swallow store.callback tx1 #1"))
    #expect(plan.split(separator: ",").count == 2)
  }

  @Test("proves that exactly-once holds under every pair of faults of a purchase")
  func boundedProof() throws {
    for (variant, plans) in [("storekit1", [1, 39, 1152]), ("storekit2", [1, 26, 354])] {
      let scenario = try Stage.one("exactly-once", variant: variant) {
        $0.mix = FaultMix([.appCrash, .responseLost, .duplicateCallback, .replayFinished])
      }
      let result = search(scenario, faults: 2)
      #expect(result.holds)
      #expect(result.plans == plans)
    }
  }

  @Test("agrees with a count by hand: no plan is run twice")
  func eachPlanOnce() throws {
    // One request, dropped or not; dropped again when it is sent again after the next launch.
    let scenario = try Stage.one("observe-at-launch") { setup in
      setup.mix = FaultMix([.requestLost])
      setup.healMillis = 200_000
      setup.reopenEveryMillis = nil
    }
    #expect(search(scenario, faults: 3).plans == [1, 1])
  }
}
