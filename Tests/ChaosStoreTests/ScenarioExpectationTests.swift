import ChaosStore
import Invariants
import Testing

@Suite("The scenarios of scenarios.json")
struct ScenarioExpectationTests {
  private static let all: [Scenario] =
    (try? ScenarioText.ofThePackage()) ?? []

  @Test("show every violation they expect within 2000 seeds, and none they do not allow")
  func expectedViolationsAreFound() throws {
    #expect(Self.all.count > 200)
    for scenario in Self.all {
      var missing = Set(scenario.expects)
      let simulation = Simulation(scenario)
      var seed: UInt64 = 0
      while seed < 2000, !missing.isEmpty || seed < 20 {
        var broken = simulation.run(seed: seed).broken
        while broken != 0 {
          let name = scenario.invariants[broken.trailingZeroBitCount].name
          broken &= broken - 1
          missing.remove(name)
          if !scenario.permits(name) {
            Issue.record("\(scenario.name): \(name) broke unexpectedly under seed \(seed)")
          }
        }
        seed += 1
      }
      if !missing.isEmpty { Issue.record("\(scenario.name) never broke \(missing.sorted())") }
    }
  }

  @Test("cover every system, every backend and every fault")
  func coverage() {
    for system in BuiltIn.systems {
      let own = Self.all.filter { $0.system.entry.name == system.entry.name }
      for backend in system.entry.backends {
        #expect(own.contains { $0.setup.backend == backend }, "\(system.entry.name)")
      }
      // Those of planted defects are looked for elsewhere.
      for variant in system.variants where system.typeName != String(reflecting: MutantShop.self) {
        #expect(own.contains { $0.variant == variant }, "\(system.entry.name) \(variant)")
      }
    }
    for fault in Fault.allCases {
      #expect(
        Self.all.contains { $0.setup.mix.faults == [fault] || $0.setup.mix.faults.contains(fault) })
    }
  }

  @Test("never allow exactly-once to break anything")
  func exactlyOnceIsAllowedNothing() {
    for scenario in Self.all where scenario.system.entry.name == "exactly-once" {
      #expect(scenario.expects.isEmpty && scenario.allows.isEmpty, "\(scenario.name)")
    }
  }
}
