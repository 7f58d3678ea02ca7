import Invariants
import Testing

@testable import ChaosStore

/// What an exhaustive search leaves out comes to the same as something that it runs.
@Suite("What is left out")
struct CourseTests {
  static let systems = [
    "exactly-once", "observe-at-launch", "observer-on-demand", "storekit2-order-token",
    "white-black-tables",
  ]
  static let faults: [Fault] = [
    .requestLost, .responseLost, .duplicateCallback, .concurrentDuplicate, .serverCrash,
    .verifierStatus,
  ]

  /// Two purchases that overlap, and time for everything to arrive: heal and end are no events.
  private static func scenario(_ system: String) throws -> Scenario {
    var scenario = try OrderTests.scenario(
      system, Catalogue.invariants, heal: 40_000, faults: faults)
    scenario.setup.horizonMillis = 80_000
    return scenario
  }

  /// What happened to each purchase and on each device, in its order, whenever it was.
  private struct History: Equatable {
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
    "Whatever two decisions bring about takes the course of a plan that is run", arguments: systems)
  func covered(_ system: String) throws {
    let scenario = try Self.scenario(system)
    var budget = Budget()
    budget.listsPlans = true
    let proof = try #require(Exhaustive(faults: 2).search(scenario, budget).proof)
    #expect(proof.ran.count == proof.plans.reduce(0, +))
    #expect(proof.skipped[2] > 0)
    let simulation = Simulation(scenario)
    let courses = Set(proof.ran.map { simulation.list($0).course })
    #expect(courses.count > 100)
    var random = SplitMix(seed: 7)
    var missing: [String] = []
    for _ in 0..<1000 {
      let plan = OrderTests.anyPlan(2, simulation, &random)
      if !courses.contains(simulation.list(plan).course) { missing.append(plan.description) }
    }
    #expect(missing.prefix(5) == [], "\(missing.count)")
  }

  @Test(
    "Runs of one course come to the same for each purchase, and break the same", arguments: systems)
  func same(_ system: String) throws {
    let scenario = try Self.scenario(system)
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
