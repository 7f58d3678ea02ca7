import Invariants
import Synchronization
import Testing

@testable import ChaosStore

@Suite("The default worlds of a system")
struct DefaultWorldTests {
  private func check<System: PurchaseSystem>(
    _ system: System.Type, faults: [Fault] = Fault.allCases, seeds: Range<UInt64>? = 0..<300,
    strategy: any Strategy = Portfolio(), _ environment: [String: String] = [:]
  ) throws -> Findings {
    try Check(
      defaultWorlds: PropertyTest.scenarios(for: system, faults: faults), strategy: strategy,
      seeds: seeds, environment: CheckEnvironment(environment),
      place: TestPlace(
        filePath: "Tests/ShopTests/ShopTests.swift", fileID: "ShopTests/ShopTests.swift",
        function: "sellsOnce()", line: 12),
      saves: false
    ).run()
  }

  /// Notes which seeds it was to run in which world, and finds what it is told.
  private struct Told: Strategy {
    final class Memory: Sendable { let asked = Mutex<[String]>([]) }

    let name = "told"
    let about = "finds what it is told"
    var dependsOnSeeds = true
    let memory = Memory()
    /// In which worlds which rule breaks.
    var breaks: [String: String] = [:]

    func search(_ scenario: Scenario, _ budget: Budget) -> Findings {
      let seeds = budget.seeds ?? 0..<0
      memory.asked.withLock { $0.append("\(scenario.name) \(seeds)") }
      var findings = Findings(scenario)
      findings.runs = 1 + seeds.count
      findings.randomRuns = seeds.count
      findings.reached = findings.reached.map { _ in 1 }
      if let code = breaks[scenario.name],
        let rule = scenario.invariants.firstIndex(where: { $0.code == code })
      {
        findings.rules[rule].runs = 1
        findings.rules[rule].smallestPlan = Plan()
      }
      return findings
    }

    var asked: [String] { memory.asked.withLock { $0 } }
  }

  private func spent(_ told: Told, _ seeds: Range<UInt64> = 0..<100) throws -> [String] {
    let worlds = try PropertyTest.scenarios(for: StuckShop.self)
    _ = try WorldsSearch(worlds, told) { _, _ in true }
      .findings(Budget(seeds: seeds), until: nil)
    return told.asked
  }

  @Test("A system has five default worlds, the first as a single scenario has it")
  func worlds() throws {
    let worlds = try PropertyTest.scenarios(for: ReceiptStore.self, faults: [.appCrash])
    #expect(
      worlds.map(\.name) == [
        "receipt-store/naive", "receipt-store/naive/one-phone", "receipt-store/naive/bought-again",
        "receipt-store/naive/other-user", "receipt-store/naive/left-open",
      ])
    let single = try PropertyTest.scenario(for: ReceiptStore.self, faults: [.appCrash])
    #expect(worlds[0].setup == single.setup)
    #expect(worlds.allSatisfy { $0.setup.mix == FaultMix([.appCrash]) })
    #expect(worlds.map(\.setup.devices.count) == [2, 1, 1, 1, 1])
    #expect(worlds.map(\.setup.accounts) == [2, 1, 1, 2, 1])
    #expect(worlds.map { $0.setup.reopenEveryMillis == nil } == [false, false, false, false, true])
    for world in worlds { try world.validate() }
  }

  @Test("A tenth of the seeds goes to all worlds, and the rest to all where nothing broke")
  func nothingBroke() throws {
    let name = "stuck-shop"
    #expect(
      try spent(Told()) == [
        "\(name) 0..<2", "\(name)/one-phone 0..<2", "\(name)/bought-again 0..<2",
        "\(name)/other-user 0..<2", "\(name)/left-open 0..<2", "\(name) 2..<20",
        "\(name)/one-phone 2..<20", "\(name)/bought-again 2..<20", "\(name)/other-user 2..<20",
        "\(name)/left-open 2..<20",
      ])
    #expect(try check(StuckShop.self, seeds: 7..<20, strategy: Told()).randomRuns == 13)
  }

  @Test("The rest goes to the worlds in which nothing broke, else to those with the gravest break")
  func somethingBroke() throws {
    let worlds = try PropertyTest.scenarios(for: StuckShop.self).map(\.name)
    let one = Told(breaks: [worlds[0]: "I14", worlds[2]: "I01", worlds[3]: "I01"])
    #expect(
      try spent(one, 0..<101).dropFirst(5) == ["\(worlds[1]) 2..<48", "\(worlds[4]) 2..<47"])
    let all = Told(
      breaks: [
        worlds[0]: "I14", worlds[1]: "I14", worlds[2]: "I01", worlds[3]: "I13", worlds[4]: "I14",
      ])
    #expect(try spent(all).dropFirst(5) == ["\(worlds[2]) 2..<92"])
  }

  @Test("What finds the same under any seeds is run once in each world")
  func seedless() throws {
    #expect(try spent(Told(dependsOnSeeds: false)).count == 5)
  }

  @Test("A button that stays stuck shows where the app is left open, not with two phones")
  func stuck() throws {
    let alone = try PropertyTest.scenario(for: StuckShop.self, faults: [])
    #expect(Portfolio().search(alone, Budget(seeds: 0..<50)).broken == 0)
    let failure = try #require(
      #expect(throws: PropertyFailure.self) { try check(StuckShop.self, faults: [], seeds: 0..<50) }
    )
    #expect(failure.kind == .violation("no-endless-wait"))
    #expect(failure.scenario == "stuck-shop/left-open")
    #expect("\(failure)".contains("\n  CHAOS_WORLD=left-open CHAOS_PLAN="))
  }

  @Test("CHAOS_WORLD runs one default world, and a single run is made in all without it")
  func oneWorld() throws {
    let told = Told()
    _ = try check(StuckShop.self, strategy: told, ["CHAOS_WORLD": "one-phone"])
    #expect(told.asked == ["stuck-shop/one-phone 0..<300"])
    let quiet = ["CHAOS_PLAN": "[]"]
    let failure = try #require(
      #expect(throws: PropertyFailure.self) { try check(StuckShop.self, faults: [], quiet) })
    #expect(failure.scenario == "stuck-shop/left-open")
    let other = quiet.merging(["CHAOS_WORLD": "two-phones"]) { $1 }
    #expect(try check(StuckShop.self, faults: [], other).runs == 1)
    let error = try #require(
      #expect(throws: PropertyError.self) {
        try check(StuckShop.self, ["CHAOS_WORLD": "left-opne"])
      })
    #expect(
      error.message == "CHAOS_WORLD: 'left-opne' is no default world; did you mean 'left-open'?")
  }

  @Test(
    "They sell what a system says that it sells: the first consumable for coins, and for a map what lasts"
  )
  func products() throws {
    func bought(_ products: [Setup.Product]) throws -> Set<String> {
      var names: Set<String> = []
      for world in DefaultWorld.allCases {
        var setup = world.setup(selling: products)
        setup.backend = .idempotent
        try Scenario(name: "w", system: AnySystem(ExactlyOnce.self), setup: setup).validate()
        for step in setup.steps {
          if case .buy(let product, _, _) = step.action {
            names.insert(setup.products[product].name)
          }
        }
      }
      return names
    }
    let (gems, chest) = (Setup.Product("gems"), Setup.Product("chest"))
    let (sword, shield) = (
      Setup.Product("sword", isConsumable: false), Setup.Product("shield", isConsumable: false)
    )
    #expect(try bought([]) == ["coins", "map"])
    #expect(try bought([sword, gems, chest]) == ["gems", "sword"])
    #expect(try bought([gems, chest]) == ["gems", "chest"])
    #expect(try bought([sword, shield]) == ["sword", "shield"])
    #expect(try bought([gems]) == ["gems"])
  }

  @Test("The corrected design holds in all default worlds")
  func corrected() throws {
    for world in DefaultWorld.allCases {
      let findings = try check(ExactlyOnce.self, ["CHAOS_WORLD": world.rawValue])
      #expect(findings.randomRuns == 300)
      #expect(findings.broken == 0)
    }
  }
}
