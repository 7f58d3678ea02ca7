import Invariants
import Testing

@testable import ChaosStore

@Suite("A scenario made in Swift, at the edge of what may be")
struct ScenarioEdgeTests {
  private func refusal(_ change: (inout Scenario) throws -> Void) throws -> String? {
    var scenario = try ScenarioValidationTests.valid()
    try change(&scenario)
    do { try scenario.validate() } catch { return "\(error)" }
    return nil
  }

  // MARK: - Judging

  @Test("What must break cannot be what may break, whether it is named or has its code")
  func namesAndCodes() throws {
    for (must, may) in [
      ("I02", "no-double-credit"), ("no-double-credit", "I02"), ("I02", "I02"),
      ("no-double-credit", "no-double-credit"),
    ] {
      let text = try refusal {
        $0.expects = ["I01", must]
        $0.allows = ["I03", may]
      }
      #expect(
        text == "allows[1]: found '\(may)', expected an invariant that is not expected to break")
    }
    #expect(
      try refusal {
        $0.expects = ["I02"]
        $0.allows = ["no-charge-without-delivery"]
      } == nil)
  }

  @Test("An invariant is named once in a list, whether by its name or by its code")
  func onceInAList() throws {
    for list in [["I02", "no-double-credit"], ["no-double-credit", "I02"]] {
      let text = try refusal {
        $0.expects = []
        $0.allows = list
      }
      #expect(text == "allows[1]: found '\(list[1])', expected each invariant once")
    }
  }

  @Test("A campaign may have a thousand goals, and none, and no more")
  func goals() throws {
    let goal = try #require(Goal.usual.first)
    #expect(try refusal { $0.goals = Array(repeating: goal, count: 1000) } == nil)
    #expect(try refusal { $0.goals = [] } == nil)
    #expect(
      try refusal { $0.goals = Array(repeating: goal, count: 1001) }
        == "goals: found 1001, expected at most 1000")
  }

  @Test("What may break is what is expected or allowed, and nothing else")
  func permits() throws {
    var scenario = try ScenarioValidationTests.valid()
    scenario.expects = ["conservation"]
    scenario.allows = ["honest-answers"]
    #expect(scenario.permits("conservation") && scenario.permits("honest-answers"))
    #expect(!scenario.permits("no-double-credit"))
  }

  @Test("An invariant goes by its name and its code, written as they are")
  func names() throws {
    let rule = try #require(Catalogue.invariants.first { $0.name == "no-double-credit" })
    #expect(["no-double-credit", "I02"].allSatisfy(rule.goes))
    #expect(!["No-double-credit", "i02", "I01", ""].contains(where: rule.goes))
  }

  // MARK: - Numbers and times

  @Test("The last value of each range is taken")
  func lastValues() throws {
    let changes: [(inout Scenario) -> Void] = [
      { $0.seeds = 1_000_000_000_000 }, { $0.seeds = 1 }, { $0.setup.accounts = 1_000_000 },
      { $0.setup.storeAccounts = 1_000_000 }, { $0.setup.retaps = 100 },
      { $0.setup.eventLimit = 67_108_864 }, { $0.setup.eventLimit = 1 },
      { $0.setup.healMillis = 0 },
      {
        $0.setup.withinMillis = nil
        $0.setup.healMillis = 25_000
      },
      { $0.setup.withinMillis = 35_000 }, { $0.setup.withinMillis = 1 },
      { $0.setup.reopenEveryMillis = 1 },
      { $0.setup.horizonMillis = 137_438_953_471 },
      { $0.setup.steps[4].atMillis = 25_000 }, { $0.setup.steps[0].atMillis = 0 },
      { $0.setup.steps[1].atMillis = 5 },
      { $0.setup.steps[0].action = .buy(product: 1, quantity: 10, account: 1) },
      { $0.setup.mix.entries[.appCrash]?.most = 1 },
      { $0.setup.mix.delays = [.delayCharge: 0...86_400_000] },
      { $0.setup.mix.delays = [.delayReply: 10...1499] },
      { $0.setup.mix.delays = [.delayRelaunch: 5...5] },
    ]
    for (index, change) in changes.enumerated() {
      #expect(try refusal(change) == nil, "change \(index)")
    }
  }

  @Test("The first value beyond a range is refused")
  func firstBeyond() throws {
    let cases: [(String, (inout Scenario) -> Void)] = [
      (
        "seeds: found 1000000000001, expected a whole number from 1 to 1000000000000",
        { $0.seeds = 1_000_000_000_001 }
      ),
      (
        "accounts: found 1000001, expected a whole number from 1 to 1000000",
        { $0.setup.accounts = 1_000_001 }
      ),
      (
        "eventLimit: found 0, expected a whole number from 1 to 67108864",
        { $0.setup.eventLimit = 0 }
      ),
      (
        "horizonMillis: found 0ms, expected a time from 1ms to 137438953471ms",
        { $0.setup.horizonMillis = 0 }
      ),
      (
        "steps[0].quantity: found 0, expected a whole number from 1 to 10",
        { $0.setup.steps[0].action = .buy(product: 0, quantity: 0, account: 0) }
      ),
      (
        "steps[0].account: found 2, expected one of 2 accounts, counted from 0",
        { $0.setup.steps[0].action = .buy(product: 0, quantity: 1, account: 2) }
      ),
      (
        "steps[1].product: found -1, expected one of 2 products, counted from 0",
        { $0.setup.steps[1].action = .buyOutside(product: -1, quantity: 1, account: 0) }
      ),
      (
        "steps[0].device: found -1, expected one of 3 devices, counted from 0",
        { $0.setup.steps[0].device = -1 }
      ),
      (
        #"mix.delays["delay store.charge"]: found 0..86400001, "#
          + "expected a range of milliseconds such as 0..200, up to 24h",
        { $0.setup.mix.delays = [.delayCharge: 0...86_400_001] }
      ),
      (
        #"mix.entries["app-crash"].chance: found '0/1', expected a chance above 0 where 'sites' is given"#,
        { $0.setup.mix.entries[.appCrash] = .init(chance: Ratio(0, 1)!, sites: [.crashOnReply]) }
      ),
      (
        "arrivals.count: found 0, expected a whole number from 1 to 10000000",
        {
          $0.setup.steps = []
          $0.setup.arrivals = .init(count: 0, overMillis: 10)
        }
      ),
      (
        "arrivals.overMillis: found -1ms, expected a time from 0ms to 137438953471ms",
        {
          $0.setup.steps = []
          $0.setup.arrivals = .init(count: 1, overMillis: -1)
        }
      ),
    ]
    for (text, change) in cases { #expect(try refusal(change) == text) }
  }

  @Test("Purchases may arrive beside steps that buy nothing, up to the horizon and the event limit")
  func arrivals() throws {
    #expect(
      try refusal {
        $0.setup.steps = [.init(atMillis: 5, .quit), .init(atMillis: 6, .open)]
        $0.setup.arrivals = .init(count: 2000, overMillis: 60_000)
      } == nil)
    let beside = try refusal {
      $0.setup.steps = [.init(atMillis: 5, .buyOutside(product: 0, quantity: 1, account: 0))]
      $0.setup.arrivals = .init(count: 1, overMillis: 0)
    }
    #expect(beside?.hasPrefix("arrivals: found 1 of them") == true)
  }

  @Test("More than 64 steps are refused only where a later purchase may be brought forward")
  func hurriedSteps() throws {
    func refusal(_ purchases: Int, _ others: Int, _ sites: [Question]?) throws -> Bool {
      try self.refusal { scenario in
        let buy = scenario.setup.steps[0]
        scenario.setup.steps = Array(repeating: buy, count: purchases)
        scenario.setup.steps += Array(repeating: .init(atMillis: 50, .restore), count: others)
        guard let sites else { return }
        scenario.setup.mix.entries[.doubleTap] = .init(chance: Ratio(1, 2)!, sites: sites)
      } != nil
    }
    #expect(try !refusal(64, 0, []))
    #expect(try refusal(65, 0, []))
    #expect(try !refusal(64, 10, []))
    #expect(try !refusal(65, 0, nil))
    #expect(try refusal(65, 0, [.tapEarly]))
    #expect(try !refusal(65, 0, [.tapAgain]))
  }

  @Test("Sandbox and production have store accounts of their own, on however many phones")
  func environments() throws {
    #expect(
      try refusal { $0.setup.devices[1].environment = .sandbox } == nil)
    #expect(
      try refusal {
        $0.setup.devices[0].environment = .sandbox
        $0.setup.devices[2].environment = .sandbox
      } == nil)
  }

  @Test("A simulation can be made of a scenario in which nothing happens, though it is no campaign")
  func nothing() throws {
    let scenario = Probe.scenario { $0.steps = [] }
    #expect(throws: ScenarioError.self) { try scenario.validate() }
    #expect(Simulation(scenario).run(seed: 0).broken == 0)
    let late = Probe.scenario { setup in
      setup.steps[0].atMillis = 900_000
    }
    #expect(throws: ScenarioError.self) { try late.validate() }
    #expect(Simulation(late).record(seed: 0).count(.tapped) == 0)
  }

  @Test("An error without a place is about the whole file")
  func wholeFile() {
    let error = ScenarioError(keyPath: "", found: "a", expected: "b")
    #expect(error.description == "the file: found a, expected b")
  }

  // MARK: - Variants, origins, goals

  private enum Two: PurchaseSystem {
    enum Variant: String, CaseIterable { case plain, fancy }
    static let entry = SystemEntry(name: "two", summary: "For these tests.")
    typealias App = Probe.App
    typealias Backend = Probe.Backend
  }

  @Test("A process is told its variant in the terms of its own system, else the usual one")
  func variants() {
    func variant(_ position: Int) -> Two.Variant {
      Launch(Two.self, variant: position, backend: .naive, shared: nil).variant(of: Two.self)
    }
    #expect([0, 1, 2, -1].map(variant) == [.plain, .fancy, .plain, .plain])
    let other = Launch(Probe.self, variant: 1, backend: .naive, shared: nil)
    #expect(other.variant(of: Two.self) == .plain)
    let system = AnySystem(Two.self)
    #expect(system.variants == ["plain", "fancy"])
    let fancy = Scenario(name: "s", system: system, variant: "fancy")
    #expect((fancy.variant, fancy.setup.variant) == ("fancy", 1))
    let usual = Scenario(name: "s", system: system)
    #expect((usual.variant, usual.setup.variant) == ("plain", 0))
  }

  @Test("A run is named by its seed, its plan, both or neither")
  func origins() throws {
    let plan = try Plan(parsing: "drop verify.reply tx1 #1")
    #expect(
      [Origin(seed: 42), Origin(seed: 42, plan: plan), .quiet, Origin(plan: plan)]
        .map(\.description) == [
          "seed 0x2a", "seed 0x2a under the plan 'drop verify.reply tx1 #1'", "the quiet run",
          "the plan 'drop verify.reply tx1 #1'",
        ])
  }

  @Test("A goal is reached where all its facts and all its faults came together, and not by some")
  func goalsTogether() throws {
    let scenario = try Stage.one("exactly-once")
    let simulation = Simulation(scenario)
    func reached(_ text: String, _ plan: String) throws -> Bool {
      _ = simulation.run(plan: try Plan(parsing: plan))
      return simulation.reached(try #require(Goal(parsing: text)))
    }
    let lost = "drop verify.reply tx1 #1"
    #expect(try reached("credited + response-lost", lost))
    #expect(try !reached("credited + response-lost", ""))
    #expect(try !reached("voided + response-lost", lost))
    #expect(try !reached("response-lost + request-lost", lost))
    #expect(try !reached("charged + voided", lost))
    #expect(try #require(Goal(parsing: "charged + credited")).isPlain)
    #expect(try !#require(Goal(parsing: "charged + F41")).isPlain)
    #expect(Goal(parsing: " charged  +  F41 ")?.text == "charged + response-lost")
    #expect(Goal(parsing: "charged +") == nil)
  }
}
