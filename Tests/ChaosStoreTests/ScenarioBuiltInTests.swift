import ChaosStore
import Foundation
import Invariants
import Testing

@Suite("The scenarios that come with ChaosStore")
struct ScenarioBuiltInTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test("are those of scenarios.json, word for word (RECORD=1 copies them)")
  func copy() throws {
    let json = try String(
      contentsOf: Self.root.appending(path: "scenarios.json"), encoding: .utf8)
    if ProcessInfo.processInfo.environment["RECORD"] != nil {
      let file = Self.root.appending(
        path: "Sources/ChaosStore/Scenarios/BuiltInScenarios.swift")
      let source = try String(contentsOf: file, encoding: .utf8)
      let quote = "#\"\"\"\n"
      let head = try #require(source.range(of: quote)).upperBound
      try (source[..<head] + json + "\n\"\"\"#\n}\n")
        .write(to: file, atomically: true, encoding: .utf8)
      Issue.record("recorded BuiltInScenarios.swift; run again without RECORD")
      return
    }
    #expect(ScenarioFile.builtIn == json)
  }

  @Test("can all be read")
  func readable() throws {
    let scenarios = try ScenarioFile.scenarios(
      fromJSON: ScenarioFile.builtIn, systems: BuiltIn.systems)
    #expect(scenarios.contains { $0.name == "checkout-benchmark" })
  }

  @Test("have the checkout benchmark do BENCHMARK.md's 25.90 events a run, without a break")
  func benchmark() throws {
    let scenario = try #require(
      ScenarioFile.scenarios(fromJSON: ScenarioFile.builtIn, systems: BuiltIn.systems)
        .first { $0.name == "checkout-benchmark" })
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
