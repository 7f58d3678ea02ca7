import ChaosStore
import TestSupport
import Testing

@Suite("A run of any scenario that comes with ChaosStore")
struct ReplayTests {
  private static let scenarios = Result {
    try ScenarioText.ofThePackage()
  }

  @Test("A run has one trace hash: by its seed, on record, by its plan, and by both")
  func oneTrace() throws {
    let seeds: UInt64 = whereOptimised(10, otherwise: 3)
    var different: [String] = []
    for scenario in try Self.scenarios.get() {
      let simulation = Simulation(scenario)
      for seed in 0..<seeds {
        let outcome = simulation.run(seed: seed)
        let record = simulation.record(seed: seed)
        let name = "\(scenario.name) at \(seed)"
        if record.outcome != outcome { different.append("\(name), written down") }
        let replay = simulation.record(seed: nil, plan: record.full)
        if replay.outcome != outcome { different.append("\(name), by its plan") }
        let both = simulation.record(seed: seed, plan: record.full)
        if both.outcome != outcome { different.append("\(name), by its plan over the seed") }
        if !replay.unmatched.isEmpty || !both.unmatched.isEmpty {
          different.append("\(name), with decisions that were never asked")
        }
        if replay.full != record.full { different.append("\(name), with another plan") }
        if !record.ruleBreaks.isEmpty { different.append("\(name): \(record.ruleBreaks)") }
      }
    }
    #expect(different == [])
  }
}
