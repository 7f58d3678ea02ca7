import ChaosStore
import Invariants
import Testing

@Suite("A scenario made in Swift")
struct ScenarioValidationTests {
  /// A change that leaves a scenario that cannot be run, and what is said of it.
  struct Nonsense: Sendable, CustomTestStringConvertible {
    var message: String
    var change: @Sendable (inout Scenario) -> Void

    init(_ message: String, _ change: @escaping @Sendable (inout Scenario) -> Void) {
      self.message = message
      self.change = change
    }

    var testDescription: String { message }
  }

  /// Two users, two store accounts, three devices, two products, and a step of every kind.
  static func valid() throws -> Scenario {
    var scenario = try ScenarioText.scenario(
      #"""
      "accounts": 2, "storeAccounts": 2, "heal": "20s", "horizon": "60s", "within": "30s",
      "devices": [{}, {"storeAccount": "apple2", "account": "user2"}, {"account": "user2"}],
      "products": [{"name": "coins"}, {"name": "map", "kind": "non-consumable"}],
      "delays": {"delay verify.reply": "10..20"}, "eventLimit": 2000,
      "faults": {"app-crash": {"chance": "1/2", "most": 2, "at": ["crash app on reply"]}},
      "expect": ["I01"], "allow": ["I02"]
      """#,
      steps: #"""
        [{"at": 5, "device": "phone1", "buy": "map", "quantity": 2, "account": "user2"},
         {"at": 6, "device": "phone2", "buyOutside": "coins"},
         {"at": 8, "device": "phone3", "logIn": "user1"},
         {"at": 9, "device": "phone2", "do": "quit"}, {"at": 9, "device": "phone2", "do": "open"}]
        """#)
    scenario.name = "valid"
    return scenario
  }

  @Test("that makes sense is taken, and runs")
  func sound() throws {
    let scenario = try Self.valid()
    try scenario.validate()
    #expect(try Simulation(validating: scenario).run(seed: 1).events > 10)
  }

  @Test(
    "is refused with the key path, what was found and what is allowed where a value makes no sense",
    arguments: Self.identityCases + Self.peopleCases + Self.timeCases + Self.stepCases
      + Self.mixCases + Self.judgingCases)
  func refused(_ nonsense: Nonsense) throws {
    var scenario = try Self.valid()
    nonsense.change(&scenario)
    let error = try #require(throws: ScenarioError.self) { try scenario.validate() }
    #expect("\(error)" == nonsense.message)
    #expect(throws: error) { try Simulation(validating: scenario) }
  }

  @Test("is refused by a property test in the same words")
  func propertyTest() throws {
    var scenario = try Self.valid()
    scenario.setup.devices[1].storeAccount = 5
    let error = try #require(throws: PropertyError.self) { try PropertyTest.check(scenario) }
    #expect(
      error.message == "the scenario 'valid': devices[1].storeAccount: found 5, "
        + "expected one of 2 store accounts, counted from 0")
  }

  @Test("ends the process with what is wrong with it, where nobody asks for an error")
  func trap() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var scenario = try ScenarioValidationTests.valid()
      scenario.setup.steps[0].device = 40
      _ = Simulation(scenario)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      text.contains(
        "the scenario 'valid' cannot be run: steps[0].device: found 40, expected one of 3 devices, "
          + "counted from 0"))
  }

  @Test("may have a name and rules that no file could name")
  func ownNames() throws {
    var scenario = try Self.valid()
    scenario.name = "two customers, one phone"
    scenario.setup.mix.entries[.responseLost] = .init(chance: try #require(Ratio(0, 1)))
    try scenario.validate()
  }
}

// MARK: - What is refused

extension ScenarioValidationTests {
  static let identityCases: [Nonsense] = [
    Nonsense("name: found '', expected a name") { $0.name = "" },
    Nonsense(
      "variant: found 'repared', expected one of published, repaired; did you mean 'repaired'?"
    ) { $0.variant = "repared" },
    Nonsense(
      "setup.variant: found 7, expected 0 for 'published'; a setup that is put in later loses the variant"
    ) { $0.setup.variant = 7 },
    Nonsense("system: found 'bare' without backends, expected a system with at least one") {
      $0 = Scenario(name: "s", system: AnySystem(BareSystem.self), setup: $0.setup)
    },
    Nonsense("backend: found 'naive', expected idempotent") {
      $0 = Scenario(name: "s", system: AnySystem(CheckoutBenchmark.self), setup: $0.setup)
    },
    Nonsense("seeds: found 0, expected a whole number from 1 to 1000000000000") { $0.seeds = 0 },
    Nonsense("seeds: found -5, expected a whole number from 1 to 1000000000000") { $0.seeds = -5 },
  ]

  static let peopleCases: [Nonsense] = [
    Nonsense("accounts: found 0, expected a whole number from 1 to 1000000") {
      $0.setup.accounts = 0
    },
    Nonsense("storeAccounts: found 1000001, expected a whole number from 1 to 1000000") {
      $0.setup.storeAccounts = 1_000_001
    },
    Nonsense("devices: found an empty list, expected at least one device") {
      $0.setup.devices = []
    },
    Nonsense("devices: found 1,000,001 devices, expected at most 1000000") {
      $0.setup.devices = Array(repeating: .init(), count: 1_000_001)
    },
    Nonsense(
      "devices[2].storeAccount: found 5, expected one of 2 store accounts, counted from 0"
    ) { $0.setup.devices[2].storeAccount = 5 },
    Nonsense("devices[0].storeAccount: found -1, expected 0, the only store account") {
      $0.setup.storeAccounts = 1
      $0.setup.devices[0].storeAccount = -1
    },
    Nonsense("devices[1].account: found 2, expected one of 2 accounts, counted from 0") {
      $0.setup.devices[1].account = 2
    },
    Nonsense(
      "devices[2]: found another environment for apple1, expected one environment for each store account: sandbox accounts are their own"
    ) { $0.setup.devices[2].environment = .sandbox },
    Nonsense("products: found an empty list, expected at least one product") {
      $0.setup.products = []
    },
    Nonsense("products[1].name: found 'coins', expected a name that no other product has") {
      $0.setup.products[1].name = "coins"
    },
    Nonsense("products[1].level: found 0, expected a whole number from 1 to 100") {
      $0.setup.products[1].kind = .autoRenewable(.init(Period(1, .month), level: 0))
    },
    Nonsense("products[1].graceDays: found -1, expected a whole number from 0 to 60") {
      $0.setup.products[1].kind = .autoRenewable(.init(Period(1, .month), graceDays: -1))
    },
    Nonsense("products[1].group: found '', expected the name of a group") {
      $0.setup.products[1].kind = .autoRenewable(.init(Period(1, .month), group: ""))
    },
    Nonsense("products[0].name: found '', expected the name of a product") {
      $0.setup.products[0].name = ""
    },
  ]

  static let timeCases: [Nonsense] = [
    Nonsense("healMillis: found -1ms, expected a time from 0ms to 137438953471ms") {
      $0.setup.healMillis = -1
    },
    Nonsense("horizonMillis: found 137438953472ms, expected a time from 1ms to 137438953471ms") {
      $0.setup.horizonMillis = 137_438_953_472
    },
    Nonsense(
      "horizonMillis: found 54999ms, expected at least 55000ms: what happens until the heal (20000ms) needs 35000ms to be judged"
    ) { $0.setup.horizonMillis = 54_999 },
    Nonsense(
      "horizonMillis: found 60000ms, expected at least 60001ms: what happens until the last step (25001ms) needs 35000ms to be judged"
    ) { $0.setup.steps[$0.setup.steps.count - 1].atMillis = 25_001 },
    Nonsense(
      "horizonMillis: found 60000ms, expected at least 60001ms: what happens until the heal (20000ms) needs 40001ms to be judged"
    ) { $0.setup.withinMillis = 35_001 },
    Nonsense("healMillis: found 60001ms, expected a time not after the horizon (60000ms)") {
      $0.setup.healMillis = 60_001
    },
    Nonsense(
      "withinMillis: found 40001ms, expected at most the 40000ms from heal to horizon, or it could never be judged"
    ) { $0.setup.withinMillis = 40_001 },
    Nonsense("withinMillis: found 0ms, expected a time from 1ms to 137438953471ms") {
      $0.setup.withinMillis = 0
    },
    Nonsense("reopenEveryMillis: found 0ms, expected a time from 1ms to 137438953471ms") {
      $0.setup.reopenEveryMillis = 0
    },
    Nonsense("eventLimit: found 67108865, expected a whole number from 1 to 67108864") {
      $0.setup.eventLimit = 67_108_865
    },
    Nonsense("retaps: found 101, expected a whole number from 0 to 100") {
      $0.setup.retaps = 101
    },
  ]

  static let stepCases: [Nonsense] = [
    Nonsense("steps: found nothing, expected at least one step, or arrivals") {
      $0.setup.steps = []
    },
    Nonsense("steps[0].atMillis: found -1ms, expected a time from 0ms to 137438953471ms") {
      $0.setup.steps[0].atMillis = -1
    },
    Nonsense(
      "steps[4].atMillis: found 60001ms, expected a time not after the horizon (60000ms)"
    ) { $0.setup.steps[4].atMillis = 60_001 },
    Nonsense(
      "steps[1].atMillis: found 4ms, expected a time not before that of the step above (5ms)"
    ) { $0.setup.steps[1].atMillis = 4 },
    Nonsense("steps[3].device: found 3, expected one of 3 devices, counted from 0") {
      $0.setup.steps[3].device = 3
    },
    Nonsense("steps[0].product: found 2, expected one of 2 products, counted from 0") {
      $0.setup.steps[0].action = .buy(product: 2, quantity: 1, account: 0)
    },
    Nonsense("steps[0].quantity: found 11, expected a whole number from 1 to 10") {
      $0.setup.steps[0].action = .buy(product: 0, quantity: 11, account: 0)
    },
    Nonsense("steps[1].account: found -1, expected one of 2 accounts, counted from 0") {
      $0.setup.steps[1].action = .buyOutside(product: 0, quantity: 1, account: -1)
    },
    Nonsense("steps[2].account: found 9, expected one of 2 accounts, counted from 0") {
      $0.setup.steps[2].action = .logIn(account: 9)
    },
    Nonsense(
      "arrivals: found 5 of them, expected no arrivals beside steps that buy, as both are numbered from tx1"
    ) { $0.setup.arrivals = .init(count: 5, overMillis: 10) },
    Nonsense("arrivals.count: found -1, expected a whole number from 1 to 10000000") {
      $0.setup.steps = []
      $0.setup.arrivals = .init(count: -1, overMillis: 10)
    },
    Nonsense(
      "arrivals.overMillis: found 60001ms, expected a time not after the horizon (60000ms)"
    ) {
      $0.setup.steps = []
      $0.setup.arrivals = .init(count: 3, overMillis: 60_001)
    },
    Nonsense(
      "arrivals.count: found 2001, expected at most as many as the eventLimit (2000), or a higher limit"
    ) {
      $0.setup.steps = []
      $0.setup.arrivals = .init(count: 2001, overMillis: 60)
    },
  ]

  static let mixCases: [Nonsense] = [
    Nonsense(
      #"mix.entries["app-crash"].most: found 0, expected a whole number from 1 to 4294967295"#
    ) { $0.setup.mix.entries[.appCrash]?.most = 0 },
    Nonsense(
      #"mix.entries["response-lost"].sites[0]: found 'crash app on reply', expected drop verify.reply"#
    ) {
      $0.setup.mix.entries[.responseLost] = .init(
        chance: Ratio(1, 2)!, sites: [.crashOnReply])
    },
    Nonsense(
      #"mix.entries["app-crash"].sites[1]: found 'crash app on reply', expected each question once"#
    ) { $0.setup.mix.entries[.appCrash]?.sites = [.crashOnReply, .crashOnReply] },
    Nonsense(
      #"mix.entries["app-crash"].chance: found '0/1', expected a chance above 0 where 'most' is given"#
    ) { $0.setup.mix.entries[.appCrash]?.chance = Ratio(0, 1)! },
    Nonsense(
      #"mix.delays["drop verify.reply"]: found a question that is no delay, expected a delay"#
    ) { $0.setup.mix.delays[.dropReply] = 1...2 },
    Nonsense(
      #"mix.delays["delay verify.reply"]: found -1..20, expected a range of milliseconds such as 0..200, up to 24h"#
    ) { $0.setup.mix.delays[.delayReply] = -1...20 },
    Nonsense(
      #"mix.delays["delay verify.reply"]: found 10..1500, expected a range below 1500 ms, where the delay is a fault"#
    ) { $0.setup.mix.delays[.delayReply] = 10...1500 },
    Nonsense(
      "steps: found 70 steps, expected at most 64 where 'hurry person.tap' of double-tap may strike"
    ) {
      $0.setup.steps = Array(repeating: $0.setup.steps[0], count: 70)
      $0.setup.mix.entries[.doubleTap] = .init(chance: Ratio(1, 2)!)
    },
  ]

  static let judgingCases: [Nonsense] = [
    Nonsense("invariants: found an empty list, expected at least one invariant") {
      $0.invariants = []
    },
    Nonsense("invariants: found 65, expected at most 64") {
      $0.invariants = Array(repeating: $0.invariants[0], count: 65)
    },
    Nonsense("invariants[1]: found 'no-charge-without-delivery', expected each invariant once") {
      $0.invariants[1] = $0.invariants[0]
    },
    Nonsense(
      "expects[0]: found 'no-duoble-credit', expected an invariant that is judged here; did you mean 'no-double-credit'?"
    ) { $0.expects = ["no-duoble-credit"] },
    Nonsense(
      "allows[1]: found 'I07', expected an invariant that is judged here: no-charge-without-delivery, no-double-credit"
    ) {
      $0.invariants = Array($0.invariants.prefix(2))
      $0.allows = ["I02", "I07"]
    },
    Nonsense("expects[1]: found 'I01', expected each invariant once") {
      $0.expects = ["no-charge-without-delivery", "I01"]
    },
    Nonsense("allows[0]: found 'I01', expected an invariant that is not expected to break") {
      $0.allows = ["I01"]
    },
  ]
}

/// A system that offers nothing to choose from.
private enum BareSystem: PurchaseSystem {
  typealias App = CheckoutBenchmark.App
  typealias Backend = CheckoutBenchmark.Shop

  static let entry = SystemEntry(name: "bare", summary: "For these tests.", backends: [])
}
