import Invariants
import TestSupport
import Testing

@testable import ChaosStore

/// A fault that makes a message late is tried with each order of events to which that leads.
@Suite("The order of late messages")
struct LateOrderTests {
  private static let faults: [Fault] = [
    .lateResponse, .slowServer, .delayedDelivery, .reordering,
  ]

  /// Two purchases of two products, as far apart as the later one is over before a late message comes.
  private func scenario(_ rules: [any Invariant]) throws -> Scenario {
    var scenario = try OrderTests.scenario("exactly-once", rules, heal: 14_000, faults: Self.faults)
    scenario.setup.steps[1] = .init(atMillis: 11_000, .buy(product: 1, quantity: 1, account: 0))
    scenario.setup.horizonMillis = 60_000
    scenario.setup.mix.allowWaits(of: [.delayedDelivery])
    return scenario
  }

  /// What of these is found by plans of so many decisions, and not by smaller ones.
  private func sizes(_ scenario: Scenario, lates: Int, faults: Int) -> [Int?] {
    Exhaustive(faults: faults, lates: lates).search(scenario, Budget()).rules.map {
      $0.smallestPlan?.size ?? ($0.runs > 0 ? 0 : nil)
    }
  }

  @Test(
    "A step that a message must be late for by neither too little nor too much takes one decision")
  func between() throws {
    // The first purchase is charged at 1,050 ms; a callback that is late by its class comes at 21 s.
    let bug = OrderBug(
      step: (.reported, 0), before: [(.charged, 1)], after: [(.credited, 1)])
    let scenario = try scenario([bug])
    #expect(sizes(scenario, lates: 0, faults: 1) == [nil])
    #expect(sizes(scenario, lates: 1, faults: 1) == [1])
    #expect(sizes(scenario, lates: 0, faults: 2) == [2])
  }

  @Test("Up to its bound no late message of any milliseconds does what no plan does that is run")
  func nothingIsMissed() throws {
    var found = 0
    let all = OrderTests.banks(OrderBug.pairs + OrderBug.triples)
    let banks = whereOptimised(
      all, otherwise: stride(from: 0, to: all.count, by: 3).map { all[$0] })
    for bank in banks {
      let scenario = try scenario(bank)
      let simulation = Simulation(scenario)
      var random = SplitMix(seed: 5)
      for size in 1...2 {
        let bare = sizes(scenario, lates: size - 1, faults: size)
        let sizes = sizes(scenario, lates: size, faults: size)
        found += sizes.indices.count { sizes[$0] ?? .max < bare[$0] ?? .max }
        for _ in 0..<whereOptimised(1000, otherwise: 300) {
          let plan = OrderTests.anyPlan(size, simulation, &random)
          let outcome = simulation.run(plan: plan)
          for index in bank.indices where outcome.broken >> UInt64(index) & 1 == 1 {
            #expect(sizes[index] ?? .max <= size, "\(bank[index].name): \(plan)")
          }
        }
      }
    }
    #expect(found > 20, "\(found)")
  }

  @Test("What was enumerated of late messages is said, and no plan beyond the bound has one")
  func bounds() throws {
    var scenario = try scenario(Array(OrderBug.pairs.prefix(1)))
    var budget = Budget(faults: 2)
    budget.listsPlans = true
    func late(_ lates: Int) throws -> (sizes: Set<Int>, gaps: [String]) {
      budget.lates = lates
      let proof = try #require(Exhaustive().search(scenario, budget).proof)
      #expect(proof.mostLates == lates && proof.ran.count == Set(proof.ran).count)
      let late = proof.ran.filter { plan in
        plan.decisions.contains { decision in
          guard decision.fault != nil, case .millis = decision.answer else { return false }
          return true
        }
      }
      return (Set(late.map(\.size)), proof.leavesOut(upTo: 2, readsClock: false))
    }
    let none = try late(0)
    #expect(none.sizes == [])
    #expect(none.gaps.contains("other late messages than two that stand for all"))
    let one = try late(1)
    #expect(one.sizes == [1])
    #expect(
      one.gaps.contains(
        "in plans of over 1 decision, other late messages than two that stand for all"))
    let two = try late(2)
    #expect(two.sizes == [1, 2])
    #expect(!two.gaps.contains { $0.contains("late messages") })
    // Once nothing is wrong any more, nothing is late.
    scenario.setup.healMillis = 0
    #expect(try late(2).sizes == [])
  }
}
