import ChaosStore
import Foundation
import Invariants
import PlantedApps
import TestSupport
import Testing

@Suite("A planted defect in a hosted app or backend")
struct PlantedTests {
  /// How many seeds a sound twin has in all worlds together; `CHAOS_PLANTED=100000` runs as many.
  private static let seeds =
    ProcessInfo.processInfo.environment["CHAOS_PLANTED"].flatMap(UInt64.init) ?? usualSeeds

  // A history is the same in every build, and without optimisation it takes twenty times as long: all of
  // them are searched by "hosted-planted power", optimised.
  private static let usualSeeds: UInt64 = whereOptimised(1000, otherwise: 10)
  private static let found = whereOptimised(
    PlantedPair.all, otherwise: Array(PlantedPair.all.prefix(1)))
  private static let searched = whereOptimised(
    PlantedPair.all,
    otherwise: stride(from: 0, to: PlantedPair.all.count, by: 4).map { PlantedPair.all[$0] })

  private func broken(_ findings: Findings, _ world: Scenario) -> [String] {
    world.invariants.indices.filter { findings.rules[$0].runs > 0 }.map {
      let rule = findings.rules[$0]
      let origin =
        rule.smallestPlan.map { "\($0)" } ?? rule.firstSeed.map { "seed \($0)" } ?? "quiet"
      return "\(world.invariants[$0].name) in \(world.name): \(origin)"
    }
  }

  @Test("A check as it is by default finds it", arguments: found.filter { !$0.isRare })
  func isFound(_ pair: PlantedPair) {
    #expect(throws: PropertyFailure.self) { try pair.check() }
  }

  @Test("What is too rare for that is found under more seeds", arguments: found.filter(\.isRare))
  func isFoundLater(_ pair: PlantedPair) throws {
    let worlds = try PropertyTest.scenarios(for: pair.planted)
    let rule = try #require(worlds[0].invariants.firstIndex { $0.name == pair.breaks })
    var isFound = false
    for seeds in [0..<1000, 1000..<20_000] as [Range<UInt64>] {
      for world in worlds where !isFound {
        var budget = Budget(seeds: seeds)
        budget.jobs = 1
        budget.until = 1 << UInt64(rule)
        isFound = RandomSearch().search(world, budget).rules[rule].runs > 0
      }
    }
    #expect(isFound)
  }

  @Test("Its sound twin is not blamed in any of them", arguments: searched)
  func twinIsSound(_ pair: PlantedPair) throws {
    let worlds = try PropertyTest.scenarios(for: pair.sound)
    for world in worlds {
      var budget = Budget(seeds: 0..<Self.seeds / UInt64(worlds.count))
      budget.jobs = 1
      let findings = RandomSearch().search(world, budget)
      #expect(findings.unfit == nil)
      #expect(broken(findings, world) == [])
    }
  }
}
