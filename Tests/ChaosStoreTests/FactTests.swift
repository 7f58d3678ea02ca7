import Foundation
import Invariants
import Testing

@testable import ChaosStore

@Suite("The facts of simulated runs")
struct FactTests {
  @Test("Every fact of every scenario could stand in a log, and is judged the same from there")
  func checked() throws {
    let file = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "scenarios.json")
    let scenarios = try ScenarioFile.scenarios(
      fromJSON: String(contentsOf: file, encoding: .utf8), systems: BuiltIn.systems)
    var facts = 0
    for scenario in scenarios {
      let record = Simulation(scenario).record(seed: 7)
      let setup = scenario.setup
      var terms = Books.Terms(
        heal: Instant(millis: setup.healMillis), within: setup.withinMillis,
        transfersOnRestore: setup.transfersOnRestore)
      terms.patience = setup.patienceMillis
      terms.levels = setup.products.map { $0.renewal?.level ?? 0 }
      terms.hasBackend = scenario.system.hasBackend
      terms.isKeptByStore = setup.products.map { !$0.isConsumable }
      var judge = Judge(rules: scenario.invariants, terms: terms)
      for (fact, disturbedUntil) in zip(record.facts, record.disturbances) {
        judge.disturb(until: disturbedUntil)
        try judge.observe(checking: fact)
      }
      judge.close(at: Instant(millis: setup.horizonMillis))
      let (found, expected) = (judge.violations, record.violations)
      if found != expected { Issue.record("\(scenario.name): \(found), not \(expected)") }
      facts += record.facts.count
    }
    #expect(facts > 5000)
  }
}
