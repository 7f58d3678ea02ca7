import ChaosStore
import Invariants
import TestSupport
import Testing

@Suite("A run is decided by its seed and plan alone:")
struct DeterminismTests {
  private static let systems = BuiltIn.systems.map(\.entry.name)
  private static let seeds = whereOptimised(40, otherwise: 15) as UInt64

  @Test("The same seed gives the same history, whatever ran before", arguments: systems)
  func sameSeedSameHistory(_ system: String) throws {
    let scenario = try Stage.mixed(system)
    let simulation = Simulation(scenario)
    let first = (0..<Self.seeds).map { simulation.run(seed: $0) }
    let again = (0..<Self.seeds).reversed().map { simulation.run(seed: $0) }
    #expect(first == again.reversed())
    #expect(Simulation(scenario).run(seed: 7) == first[7])
  }

  @Test("A seed and the full plan it amounts to have the same trace hash", arguments: systems)
  func seedEqualsItsPlan(_ system: String) throws {
    let simulation = Simulation(try Stage.mixed(system))
    for seed in 0..<Self.seeds {
      let fast = simulation.run(seed: seed)
      let recorded = simulation.record(seed: seed)
      let replayed = simulation.record(seed: nil, plan: recorded.full)
      #expect(recorded.outcome == fast)
      #expect(replayed.outcome.trace == fast.trace)
      #expect(replayed.unmatched.isEmpty)
    }
  }

  @Test("The store keeps its rules in every recorded run", arguments: systems)
  func storeRules(_ system: String) throws {
    let simulation = Simulation(try Stage.mixed(system))
    for seed in 0..<(4 * Self.seeds) {
      #expect(simulation.record(seed: seed).ruleBreaks == [])
    }
  }

  @Test("A campaign comes to the same with one job and with three")
  func jobs() throws {
    let scenario = try Stage.mixed(
      "receipt-store", faults: whereOptimised(Fault.common, otherwise: [.appCrash, .responseLost]))
    let seeds: UInt64 = whereOptimised(1500, otherwise: 50)
    for strategy in Strategies.all {
      let one = Campaign(scenario, seeds: 0..<seeds, jobs: 1, strategy: strategy).run()
      let three = Campaign(scenario, seeds: 0..<seeds, jobs: 3, strategy: strategy).run()
      #expect(one == three, "\(strategy.name)")
      #expect(one.runs >= Int(seeds), "\(strategy.name)")
    }
  }

  @Test("Histories have these hashes; a change means that old seeds tell other stories")
  func goldenHashes() throws {
    for system in Self.systems {
      var scenario = try Stage.mixed(system)
      let swarmed = Simulation(scenario).run(seed: 0x5eed).trace
      scenario.setup.mix.isSwarmed = false
      let plain = Simulation(scenario).run(seed: 0x5eed).trace
      #expect(
        plain == GoldenHashes.mixed[system], "\(system): 0x\(String(plain, radix: 16))")
      #expect(
        swarmed == GoldenHashes.swarmed[system], "\(system): 0x\(String(swarmed, radix: 16))")
    }
  }

  @Test("A question answered otherwise leaves every unrelated decision as it was")
  func independence() throws {
    let scenario = try Stage.mixed("exactly-once", faults: [.responseLost, .requestLost])
    var more = scenario
    more.setup.mix.entries[.forgedReceipt] = .init(chance: try #require(Ratio(1, 2)))
    for seed in 0..<UInt64(30) {
      let plain = Simulation(scenario).record(seed: seed)
      let attacked = Simulation(more).record(seed: seed)
      // Until the first attack the two histories are one; its decisions move nothing else.
      let others = attacked.faults.decisions.filter { $0.question != .forgeReceipt }
      #expect(Array(others.prefix(1)) == Array(plain.faults.decisions.prefix(1)))
    }
  }
}
