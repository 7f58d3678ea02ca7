import ChaosStore
import Invariants
import Testing

@Suite("The scenarios that come with ChaosStore")
struct ScenarioBuiltInTests {
  @Test("have the checkout benchmark do BENCHMARK.md's 25.90 events a run, without a break")
  func benchmark() throws {
    let scenario = try #require(
      ScenarioText.ofThePackage().first { $0.name == "checkout-benchmark" })
    #expect(
      scenario.invariants.map(\.name) == [
        "no-charge-without-delivery", "no-double-credit", "finish-only-after-credit",
        "queue-drains",
      ])
    let result = Campaign(scenario, seeds: 0..<20_000).run()
    #expect(result.runs == 20_000)
    #expect(result.rules.map(\.runs) == [0, 0, 0, 0])
    #expect((507_640...528_360).contains(result.events), "within 2 % of 25.90 a run")
    #expect(!result.isCutOff)
  }
}
