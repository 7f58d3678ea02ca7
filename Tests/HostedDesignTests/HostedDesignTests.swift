import ChaosStore
import Foundation
import Testing

@Suite("The published designs as ordinary StoreKit code")
struct HostedDesignTests {
  private static let seeds: UInt64 = 40

  struct Pair: Sendable, CustomTestStringConvertible {
    var design: String
    var hosted: AnySystem
    var backend: BackendKind

    var testDescription: String { "\(design)/\(backend)" }

    static let all: [Pair] = [
      ("observe-at-launch", AnySystem(HostedObserveAtLaunch.self)),
      ("storekit2-order-token", AnySystem(HostedStoreKit2OrderToken.self)),
      ("observer-on-demand", AnySystem(HostedObserverOnDemand.self)),
      ("receipt-store", AnySystem(HostedReceiptStore.self)),
      ("white-black-tables", AnySystem(HostedWhiteBlackTables.self)),
    ].flatMap { design, hosted in
      [BackendKind.naive, .idempotent].map {
        Pair(design: design, hosted: hosted, backend: $0)
      }
    }
  }

  @Test(
    "A published design as ordinary StoreKit code breaks what its simulated twin breaks",
    arguments: Pair.all)
  func sameBreaks(_ pair: Pair) throws {
    let scenarios = try scenarios(of: pair)
    #expect(scenarios.count >= 15)
    var differences: [String] = []
    for scenario in scenarios { differences += try self.differences(scenario, pair.hosted) }
    #expect(differences == [])
  }

  @Test("The code of another design is told from a design's own")
  func anotherDesign() throws {
    let pair = try #require(Pair.all.first { $0.design == "observe-at-launch" })
    let scenario = try #require(try scenarios(of: pair).first)
    let differences = try differences(scenario, AnySystem(HostedReceiptStore.self))
    #expect(differences.contains("\(scenario.name): finish-only-after-credit only hosted"))
  }

  /// What one of the twins breaks in a scenario and the other does not.
  private func differences(_ scenario: Scenario, _ hosted: AnySystem) throws -> [String] {
    var twin = scenario
    twin.system = hosted
    twin.variant = hosted.variants[0]
    // The outcomes that only a hosted app is told of.
    for fault in Fault.allCases where fault.isOutcome { twin.setup.mix.entries[fault] = nil }
    var byScenario = try broken(scenario)
    var byTwin = try broken(twin)
    // What one of them breaks in few runs, the other may break in later ones only: its timers are
    // further places in which it can die, and so it does not live through the same seeds.
    byScenario |= try broken(scenario, later: byTwin & ~byScenario)
    byTwin |= try broken(twin, later: byScenario & ~byTwin)
    return scenario.invariants.enumerated().compactMap { index, rule in
      switch (byScenario >> UInt64(index) & 1, byTwin >> UInt64(index) & 1) {
      case (1, 0): "\(scenario.name): \(rule.name) only simulated"
      case (0, 1): "\(scenario.name): \(rule.name) only hosted"
      default: nil
      }
    }
  }

  /// Single faults only, of the variant that was published.
  private func scenarios(of pair: Pair) throws -> [Scenario] {
    let file = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "scenarios.json")
    let text = try String(contentsOf: file, encoding: .utf8)
    return try ScenarioFile.scenarios(fromJSON: text, systems: BuiltIn.systems).filter {
      $0.system.entry.name == pair.design && $0.setup.variant == 0
        && $0.setup.backend == pair.backend && $0.topic != "mixed"
        // A hosted app attaches its listeners itself, and the twins sell nothing that is renewed.
        && !$0.setup.mix.faults.contains(.handlerTwice) && $0.setup.sittings == nil
    }
  }

  /// A bit for each invariant that one fault alone or one of some seeds breaks.
  private func broken(_ scenario: Scenario) throws -> UInt64 {
    let findings = Portfolio().search(scenario, Budget(seeds: 0..<Self.seeds))
    try #require(!findings.isCutOff, "\(scenario.system.entry.name) in \(scenario.name)")
    return findings.broken
  }

  /// The same for those of these invariants that further seeds break.
  private func broken(_ scenario: Scenario, later wanted: UInt64) throws -> UInt64 {
    guard wanted != 0 else { return 0 }
    var budget = Budget(seeds: Self.seeds..<1000)
    budget.until = wanted
    return RandomSearch().search(scenario, budget).broken
  }
}
