import Invariants
import TestSupport
import Testing

@testable import ChaosStore

/// What an exhaustive search leaves out comes to the same as something that it runs.
@Suite("What is left out")
struct CourseTests {
  /// Two purchases that overlap, and time for everything to arrive: heal and end are no events.
  struct Case: CustomTestStringConvertible {
    var system: String
    var variant: String?
    var faults = messages

    var testDescription: String { "\(system) \(variant ?? "") \(faults.map(\.code))" }

    func scenario() throws -> Scenario {
      var scenario = try OrderTests.scenario(
        system, variant: variant, Catalogue.invariants, heal: 40_000, faults: faults)
      scenario.setup.horizonMillis = 80_000
      return scenario
    }
  }

  static let messages: [Fault] = [
    .requestLost, .responseLost, .duplicateCallback, .concurrentDuplicate, .serverCrash,
    .verifierStatus,
  ]
  static let deaths: [Fault] = [
    .appCrash, .responseLost, .receiptStale, .missingRedelivery, .reinstall,
  ]
  static let attacks: [Fault] = [
    .appCrash, .forgedReceipt, .stolenEvidence, .foreignAppEvidence, .sandboxEvidence,
    .productSubstituted,
  ]
  static let absences: [Fault] = [.partition, .appCrash, .finishLost, .buyWhileUnfinished]
  static let all =
    [
      "exactly-once", "observe-at-launch", "observer-on-demand", "storekit2-order-token",
      "white-black-tables",
    ].map { Case(system: $0) }
    + [deaths, attacks, absences].flatMap { faults in
      [
        Case(system: "exactly-once", variant: "storekit1", faults: faults),
        Case(system: "exactly-once", variant: "storekit2", faults: faults),
        Case(system: "observe-at-launch", faults: faults),
        Case(system: "receipt-store", faults: faults),
      ]
    }

  static let cases = whereOptimised(
    all, otherwise: stride(from: 0, to: all.count, by: 8).map { all[$0] })

  /// What happened to each purchase and on each device, in its order, whenever it was.
  private struct History: Hashable {
    var facts: [String: [String]] = [:]
    var broken: UInt64

    init(_ plan: Plan, _ simulation: Simulation) {
      let record = simulation.record(seed: nil, plan: plan)
      broken = record.outcome.broken
      for fact in record.facts {
        let text = "\(fact.kind) \(fact.verdict) \(fact.message) \(fact.account.raw)"
        if !fact.transaction.isNone {
          facts[record.purchaseNames[fact.transaction.index], default: []].append(text)
        } else if !fact.device.isNone {
          facts["phone\(fact.device.raw)", default: []].append(text)
        }
      }
    }
  }

  @Test(
    "Whatever two decisions bring about takes the course of a plan that is run, or comes to the same",
    arguments: cases)
  func covered(_ tested: Case) throws {
    let scenario = try tested.scenario()
    var budget = Budget()
    budget.listsPlans = true
    let proof = try #require(Exhaustive(faults: 2).search(scenario, budget).proof)
    #expect(proof.ran.count == proof.plans.reduce(0, +))
    #expect(Set(proof.ran).count == proof.ran.count)
    #expect(proof.skipped[2] > 0)
    let simulation = Simulation(scenario)
    let courses = Set(proof.ran.map { simulation.list($0).course })
    #expect(courses.count > 100)
    var random = SplitMix(seed: 7)
    var missing: [Plan] = []
    for _ in 0..<1000 {
      let plan = OrderTests.anyPlan(2, simulation, &random)
      if !courses.contains(simulation.list(plan).course) { missing.append(plan) }
    }
    // Where an app dies between two effects is left out, and that may be another course.
    let histories = missing.isEmpty ? [] : Set(proof.ran.map { History($0, simulation) })
    missing.removeAll { histories.contains(History($0, simulation)) }
    #expect(missing.prefix(5) == [], "\(missing.count)")
  }

  @Test(
    "Runs of one course come to the same for each purchase, and break the same", arguments: cases)
  func same(_ tested: Case) throws {
    let scenario = try tested.scenario()
    let simulation = Simulation(scenario)
    var random = SplitMix(seed: 11)
    var first: [UInt64: (plan: Plan, history: History)] = [:]
    var compared = 0
    var different: [String] = []
    for _ in 0..<1000 {
      let plan = OrderTests.anyPlan(2, simulation, &random)
      let course = simulation.list(plan).course
      let history = History(plan, simulation)
      if let known = first[course] {
        compared += known.plan == plan ? 0 : 1
        if known.history != history { different.append("\(known.plan) and \(plan)") }
      } else {
        first[course] = (plan, history)
      }
    }
    #expect(different.prefix(5) == [], "\(different.count)")
    #expect(compared > 100)
    #expect(first.count > 100)
  }
}
