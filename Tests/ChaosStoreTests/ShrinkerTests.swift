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
    "to few decisions, none of which can be left out",
    arguments: [
      ("observer-on-demand", "no-double-credit"),
      ("observe-at-launch", "no-charge-without-delivery"),
      ("receipt-store", "no-charge-without-delivery"),
      ("storekit2-order-token", "one-tap-one-charge"),
      ("white-black-tables", "no-double-credit"),
    ])
  func minimal(_ system: String, _ rule: String) throws {
    var (result, shrinker) = try shrunk(Stage.mixed(system), rule)
    #expect((1...4).contains(result.plan.decisions.count), "\(result.plan)")
    let stillBreaks = shrinker.breaks(result.plan)
    #expect(stillBreaks)
    for index in result.plan.decisions.indices {
      var shorter = result.plan
      shorter.decisions.remove(at: index)
      let breaksWithout = shrinker.breaks(shorter)
      #expect(!breaksWithout, "\(result.plan.decisions[index]) is not needed")
    }
  }

  @Test("to nothing, where the design is broken without any fault")
  func brokenWithoutFaults() throws {
    let (result, _) = try shrunk(Stage.mixed("receipt-store"), "finish-only-after-credit")
    #expect(result.plan.isEmpty)
  }

  @Test("not at all, if it does not break what it is said to break")
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
