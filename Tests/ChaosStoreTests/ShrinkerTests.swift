import ChaosStore
import Invariants
import Testing

@Suite("A failing plan is shrunk")
struct ShrinkerTests {
  private func shrunk(_ scenario: Scenario, _ rule: String) throws -> (Shrinker.Result, Shrinker) {
    let simulation = Simulation(scenario)
    let index = try #require(scenario.invariants.firstIndex { $0.name == rule })
    for seed in 0..<UInt64(2000) where simulation.run(seed: seed).broken >> UInt64(index) & 1 == 1 {
      let record = simulation.record(seed: seed)
      let violation = try #require(record.violations.first { $0.rule == index })
      var shrinker = Shrinker(simulation, aim: Shrinker.Aim(violation))
      guard let result = shrinker.shrink(record.full) else { break }
      return (result, shrinker)
    }
    throw NotBroken()
  }

  private struct NotBroken: Error {}

  @Test(
    "A failing plan is shrunk to few decisions, none of which can be left out",
    arguments: [
      ("observer-on-demand", "no-double-credit"),
      ("observe-at-launch", "no-charge-without-delivery"),
      ("receipt-store", "no-charge-without-delivery"),
      ("storekit2-order-token", "one-tap-one-charge"),
      ("white-black-tables", "no-double-credit"),
    ])
  func minimal(_ system: String, _ rule: String) throws {
    var (result, shrinker) = try shrunk(Stage.mixed(system), rule)
    #expect((1...4).contains(result.plan.size), "\(result.plan)")
    let stillBreaks = shrinker.breaks(result.plan)
    #expect(stillBreaks)
    let certificate = shrinker.certify(result.plan)
    #expect(certificate.isMinimal)
    #expect(certificate.entries.count == result.plan.size)
    for index in result.plan.decisions.indices
    where !result.plan.decisions[index].question.isOmission {
      var shorter = result.plan
      shorter.decisions.remove(at: index)
      let breaksWithout = shrinker.breaks(shorter)
      #expect(!breaksWithout, "\(result.plan.decisions[index]) is not needed")
    }
  }

  @Test("A failing plan is shrunk to nothing where the design breaks without any fault")
  func brokenWithoutFaults() throws {
    let (result, _) = try shrunk(Stage.mixed("receipt-store"), "finish-only-after-credit")
    #expect(result.plan.size == 0)
  }

  @Test("A failing plan is shrunk by the purchases, people and devices it does not need")
  func leavesOut() throws {
    var (result, shrinker) = try shrunk(
      Stage.mixed("observe-at-launch", faults: [.responseLost]), "no-double-credit")
    #expect(
      "\(result.plan)"
        == "drop verify.reply tx2 #1, omit person.step step1 #1, omit person.step step3 #1, "
        + "omit person.phone phone1 #1"
        || "\(result.plan)"
          == "drop verify.reply tx1 #1, omit person.step step2 #1, omit person.step step3 #1, "
          + "omit person.phone phone2 #1"
    )
    let record = try Simulation(Stage.mixed("observe-at-launch")).record(
      seed: nil, plan: result.plan)
    #expect(record.unmatched == [])
    #expect(record.count(.charged) == 1)
    #expect(record.count(.launched) >= 1)
    let stillBreaks = shrinker.breaks(result.plan)
    #expect(stillBreaks)
  }

  @Test("After shrinking, an exhaustive search names a smaller plan or says that there is none")
  func confirmed() throws {
    let scenario = try Stage.one("observe-at-launch") {
      $0.mix = FaultMix([.missingRedelivery, .appCrash])
    }
    let two = Exhaustive(faults: 2, relaunches: 0).search(scenario, Budget())
    let rule = try #require(
      scenario.invariants.firstIndex { $0.name == "no-charge-without-delivery" })
    let plan = try #require(two.rules[rule].smallestPlan)
    #expect(plan.size == 2)
    let simulation = Simulation(scenario)
    let violation = try #require(
      simulation.record(seed: nil, plan: plan).violations.first { $0.rule == rule })
    var shrinker = Shrinker(simulation, aim: Shrinker.Aim(violation))
    guard case .noneBreaks(let plans) = shrinker.searchSmaller(than: plan) else {
      Issue.record("a smaller plan than \(plan)")
      return
    }
    #expect(plans > 1)
    var larger = plan
    larger.decisions.append(try Decision(parsing: "crash app after finish tx1 #1"))
    #expect(shrinker.searchSmaller(than: larger) == .found(plan, isSameKind: true))
  }

  @Test("A plan that does not break what it is said to break is not shrunk")
  func notBroken() throws {
    let simulation = try Simulation(Stage.mixed("observer-on-demand"))
    let record = try simulation.record(
      seed: nil, plan: Plan(parsing: "drop verify.reply tx1 #1"))
    let violation = try #require(record.violations.first)
    var shrinker = Shrinker(simulation, aim: Shrinker.Aim(violation))
    let result = shrinker.shrink(Plan())
    #expect(result == nil)
  }
}
