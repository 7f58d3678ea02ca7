import ChaosStore
import Invariants
import Testing

@Suite("A scenario file")
struct ScenarioFileTests {
  @Test("needs only a name, a system and something that happens")
  func defaults() throws {
    let scenario = try ScenarioText.scenario("")
    var setup = Setup()
    setup.steps = [.init(atMillis: 0, .buy(product: 0, quantity: 1, account: 0))]
    #expect(scenario.setup == setup)
    #expect(scenario.name == "s")
    #expect(scenario.system.entry.name == "two-variants")
    #expect(scenario.variant == "published")
    #expect(scenario.seeds == 2000)
    #expect(scenario.invariants.map(\.name) == Catalogue.invariants.map(\.name))
    #expect(scenario.expects.isEmpty && scenario.allows.isEmpty && scenario.topic.isEmpty)
  }

  @Test("says what it shows, which variant and backend it takes, and how many seeds it has")
  func scenarioKeys() throws {
    let scenario = try ScenarioText.scenario(
      #"""
      "name": "f41/x", "about": "The answer is lost.", "topic": "F41", "seeds": 50,
      "backend": "idempotent", "variant": "repaired"
      """#)
    #expect(scenario.name == "f41/x")
    #expect(scenario.about == "The answer is lost.")
    #expect(scenario.topic == "F41")
    #expect(scenario.seeds == 50)
    #expect(scenario.setup.backend == .idempotent)
    #expect(scenario.variant == "repaired")
    #expect(scenario.setup.variant == 1)
  }

  @Test("describes a world of accounts, devices, products and steps")
  func world() throws {
    let setup = try ScenarioText.scenario(
      #"""
      "accounts": 2, "storeAccounts": 2,
      "devices": [
        {}, {"storeAccount": "apple2", "account": "user2", "environment": "sandbox"}
      ],
      "products": [{"name": "coins"}, {"name": "level", "kind": "non-consumable"}],
      "heal": "10s", "horizon": "10m", "reopenEvery": "never", "relaunches": false, "retaps": 0,
      "within": 250, "policy": "transfer-on-restore", "eventLimit": 500,
      "delays": {"delay store.finish": "0..200", "delay store.charge": 80}
      """#,
      steps: #"""
        [
          {"at": 0, "device": "phone1", "buy": "coins", "quantity": 3, "account": "user2"},
          {"at": "1s", "device": "phone2", "buyOutside": "level"},
          {"at": "1s", "device": "phone2", "logIn": "user1"},
          {"at": 2000, "device": "phone1", "do": "restore"},
          {"at": 2000, "device": "phone1", "do": "reinstall"},
          {"at": 2000, "device": "phone1", "do": "restore-backup"},
          {"at": 2000, "device": "phone1", "do": "quit"},
          {"at": "5m", "device": "phone1", "do": "open"}
        ]
        """#
    ).setup
    var expected = Setup()
    expected.accounts = 2
    expected.storeAccounts = 2
    expected.devices = [
      .init(), .init(storeAccount: 1, account: 1, environment: .sandbox),
    ]
    expected.products = [.init("coins"), .init("level", isConsumable: false)]
    expected.healMillis = 10_000
    expected.horizonMillis = 600_000
    expected.reopenEveryMillis = nil
    expected.relaunches = false
    expected.retaps = 0
    expected.withinMillis = 250
    expected.transfersOnRestore = true
    expected.eventLimit = 500
    expected.mix.delays = [.delayFinish: 0...200, .delayCharge: 80...80]
    expected.steps = [
      .init(atMillis: 0, .buy(product: 0, quantity: 3, account: 1)),
      .init(atMillis: 1000, device: 1, .buyOutside(product: 1, quantity: 1, account: 1)),
      .init(atMillis: 1000, device: 1, .logIn(account: 0)),
      .init(atMillis: 2000, .restore), .init(atMillis: 2000, .reinstall),
      .init(atMillis: 2000, .restoreBackup), .init(atMillis: 2000, .quit),
      .init(atMillis: 300_000, .open),
    ]
    #expect(setup == expected)
  }

  @Test("lets the person buy who is logged in, unless it says who")
  func accountOfABuy() throws {
    let setup = try ScenarioText.scenario(
      #""accounts": 3, "devices": [{"account": "user2"}]"#,
      steps: #"""
        [
          {"at": 0, "buy": "coins"}, {"at": 1, "logIn": "user3"}, {"at": 2, "buy": "coins"},
          {"at": 3, "buy": "coins", "account": "user1"}, {"at": 4, "buy": "coins"}
        ]
        """#
    ).setup
    let buyers = setup.steps.compactMap { step -> Int? in
      if case .buy(_, _, let account) = step.action { account } else { nil }
    }
    #expect(buyers == [1, 2, 0, 0])
  }

  @Test("names many devices and purchases by their number alone")
  func arrivals() throws {
    let setup = try ScenarioText.scenario(
      #"""
      "accounts": 3, "storeAccounts": 2, "devices": 5, "horizon": "25h",
      "arrivals": {"count": 1000, "over": "24h"}
      """#, steps: nil
    ).setup
    #expect(setup.arrivals == .init(count: 1000, overMillis: 86_400_000))
    #expect(setup.devices.map(\.storeAccount) == [0, 1, 0, 1, 0])
    #expect(setup.devices.map(\.account) == [0, 1, 2, 0, 1])
  }

  @Test("lets worlds extend each other and scenarios override single keys")
  func worlds() throws {
    let worlds = #"""
      "wide": {"extends": "base", "accounts": 4, "heal": "20s"},
      "base": {"accounts": 2, "retaps": 5, "steps": [{"at": 9, "buy": "coins"}]}
      """#
    let setup = try ScenarioText.scenario(
      #""world": "wide", "heal": "30s""#, worlds: worlds, steps: nil
    ).setup
    #expect(setup.accounts == 4)
    #expect(setup.retaps == 5)
    #expect(setup.healMillis == 30_000)
    #expect(setup.steps.map(\.atMillis) == [9])
  }

  @Test("gives faults a chance, a most and places, by name or by code")
  func faults() throws {
    let mix = try ScenarioText.scenario(
      #"""
      "faults": {
        "response-lost": "1/3", "f40": 1, "partition": {}, "F10": "0",
        "app-crash": {"chance": "1/20", "most": 2, "at": ["crash app after finish"]}
      }
      """#
    ).setup.mix
    #expect(
      mix.entries == [
        .responseLost: .init(chance: Ratio(1, 3)!), .requestLost: .init(chance: Ratio(1, 1)!),
        .partition: .init(chance: Ratio(1, Fault.partition.entry.oneIn)!),
        .appCrash: .init(chance: Ratio(1, 20)!, most: 2, sites: [.crashAfterFinish]),
      ])
  }

  @Test("starts from every fault or from the usual ones, and overrides single ones")
  func mixes() throws {
    let all = try ScenarioText.scenario(#""faults": {"app-crash": "0", "mix": "all"}"#)
    #expect(
      all.setup.mix.faults == Fault.common.filter { $0 != .appCrash && !$0.needsWholeStore })
    let usual = try ScenarioText.scenario(#""faults": {"mix": "default"}"#).setup.mix
    #expect(usual.faults == Fault.allCases.filter(Fault.usual.contains))
    #expect(usual.entries[.responseLost]?.chance == Ratio(1, 8))
    let four: [Fault] = [.appCrash, .responseLost, .duplicateCallback, .replayFinished]
    #expect(four.allSatisfy(usual.faults.contains))
  }

  @Test("takes invariants by name or code, and allows all others with a star")
  func invariants() throws {
    let scenario = try ScenarioText.scenario(
      #"""
      "invariants": ["I02", "queue-drains", "no-charge-without-delivery"],
      "expect": ["no-double-credit"], "allow": "*"
      """#)
    #expect(
      scenario.invariants.map(\.name) == [
        "no-double-credit", "queue-drains", "no-charge-without-delivery",
      ])
    #expect(scenario.expects == ["no-double-credit"])
    #expect(scenario.allows == ["queue-drains", "no-charge-without-delivery"])
  }

  @Test("may hold any text JSON can")
  func escapes() throws {
    let scenario = try ScenarioText.scenario(#""about": "\"é\u00e9\ud83d\ude00\\\/\n\t""#)
    #expect(scenario.about == "\"éé😀\\/\n\t")
  }

  @Test(
    "may hold no half of a character",
    arguments: [#"\ud83d\xde00"#, #"\ud83d\nde00"#, #"\ud83dude00"#, #"\ud83d\ud83d"#, #"\ude00"#])
  func surrogates(escape: String) throws {
    let refusal = try #require(ScenarioText.refusal(ScenarioText.file("\"about\": \"a\(escape)\"")))
    #expect(refusal.hasSuffix(#"expected an escape such as \n or \u00e9"#), "\(refusal)")
    #expect(refusal.contains("line 1, column "))
  }
}
