import ChaosStore
import Invariants
import Testing

@Suite("A scenario, written as a scenario file,")
struct ScenarioWriterTests {
  @Test("is the same scenario when it is read again, for all that come with ChaosStore")
  func builtIn() throws {
    let scenarios = try ScenarioText.ofThePackage()
    var different: [String] = []
    for scenario in scenarios {
      let again = try #require(
        ScenarioFile.scenarios(fromJSON: scenario.json, systems: BuiltIn.systems).first)
      let isSame =
        again.json == scenario.json && again.setup == scenario.setup
        && Simulation(again).run(seed: 3) == Simulation(scenario).run(seed: 3)
      if !isSame { different.append(scenario.name) }
    }
    #expect(different == [])
    #expect(scenarios.count > 200)
  }

  @Test("keeps what few scenarios say: every kind of step, device, delay, limit and policy")
  func unusual() throws {
    let scenario = try ScenarioText.scenario(
      #"""
      "name": "odd", "topic": "F01", "about": "Says \"all\" there is.", "variant": "repaired",
      "backend": "idempotent", "accounts": 3, "storeAccounts": 2,
      "devices": [
        {"storeAccount": "apple2", "account": "user3", "environment": "sandbox"},
        {"storeAccount": "apple1", "account": "user1"}
      ],
      "products": [{"name": "coins"}, {"name": "map", "kind": "non-consumable"}],
      "begins": "2028-02-29", "heal": "40s", "horizon": "5m", "reopenEvery": "never", "relaunches": false, "retaps": 4,
      "within": "90s", "policy": "transfer-on-restore", "eventLimit": 5000,
      "delays": {"delay verify.request": "7..9", "delay app.launch": 2000},
      "faults": {
        "swarm": true, "response-lost": {"chance": "3/7", "most": 2}, "app-crash": "1/50",
        "server-error": {"chance": "1/9", "at": ["fail server.commit"]}
      },
      "invariants": ["no-double-credit", "conservation"], "expect": ["conservation"],
      "allow": "*", "sometimes": ["credited + F41", "finished"], "seeds": 77
      """#,
      steps: #"""
        [{"at": 5, "device": "phone1", "buy": "map", "quantity": 2, "account": "user2"},
         {"at": 6, "device": "phone2", "buyOutside": "coins"},
         {"at": 7, "device": "phone1", "buy": "coins"},
         {"at": 8, "device": "phone2", "logIn": "user2"}, {"at": 9, "device": "phone2", "do": "quit"},
         {"at": 10, "device": "phone2", "do": "open"}, {"at": 11, "device": "phone2", "do": "restore"},
         {"at": 12, "device": "phone1", "do": "reinstall"},
         {"at": 13, "device": "phone1", "do": "restore-backup"}]
        """#)
    let again = try #require(ScenarioText.scenarios(scenario.json).first)
    #expect(again.json == scenario.json)
    #expect(again.setup == scenario.setup)
    #expect(again.setup.beginsSeconds == 1_835_395_200)
    #expect(again.name == "odd")
    #expect(again.topic == "F01")
    #expect(again.about == #"Says "all" there is."#)
    #expect(again.invariants.map(\.name) == ["no-double-credit", "conservation"])
    #expect(again.expects == ["conservation"])
    #expect(again.allows == ["no-double-credit"])
    #expect(again.goals.map(\.text) == ["credited + response-lost", "finished"])
    #expect(again.setup.mix.isSwarmed)
    #expect(again.seeds == 77)
    let arriving = try ScenarioText.scenario(
      #""arrivals": {"count": 3, "over": "2s"}, "devices": 4"#, steps: nil)
    let arrivingAgain = try #require(ScenarioText.scenarios(arriving.json).first)
    #expect(arrivingAgain.setup == arriving.setup)
    #expect(arriving.json.contains(#""devices": 4"#))
  }

  @Test("has families, and what they share")
  func families() throws {
    let scenario = try ScenarioText.scenario(
      #"""
      "storeAccounts": 3, "devices": 3, "families": [["apple1", "apple3"]],
      "products": [{"name": "map", "kind": "non-consumable", "familyShareable": true},
        {"name": "season", "kind": "non-renewing"}, {"name": "coins"}]
      """#)
    #expect(scenario.setup.families == [[0, 2]])
    #expect(scenario.setup.products.map(\.isFamilyShareable) == [true, false, false])
    #expect(scenario.setup.products[1].kind == .nonRenewing)
    #expect(try #require(ScenarioText.scenarios(scenario.json).first).setup == scenario.setup)
  }

  @Test("has all that a setup has; what a setup gains, reader and writer must gain too")
  func nothingForgotten() {
    let names = Mirror(reflecting: Setup()).children.compactMap(\.label)
    #expect(
      names == [
        "accounts", "storeAccounts", "families", "devices", "products", "steps", "arrivals", "mix",
        "isWholeStore",
        "beginsSeconds", "healMillis", "horizonMillis", "reopenEveryMillis", "sittings",
        "relaunches",
        "retaps",
        "withinMillis", "patienceMillis", "transfersOnRestore", "eventLimit", "variant", "backend",
        // Of a world that somebody drives, which is none of a scenario.
        "isDriven",
      ])
  }

  @Test("has the date at which a run begins as it is in a calendar, to the second")
  func beginnings() throws {
    for (text, seconds, whole) in [
      ("1970-01-01", 0, "1970-01-01T00:00:00Z"), ("2023-11-14T22:13:20Z", 1_700_000_000, nil),
      ("2000-02-29", 951_782_400, "2000-02-29T00:00:00Z"),
      ("2026-12-31T23:59:59Z", 1_798_761_599, "2026-12-31T23:59:59Z"),
      ("2099-12-31T23:59:59Z", 4_102_444_799, "2099-12-31T23:59:59Z"),
    ] as [(String, Int64, String?)] {
      let scenario = try ScenarioText.scenario(#""begins": "\#(text)""#)
      #expect(scenario.setup.beginsSeconds == seconds, "\(text)")
      #expect(scenario.json.contains("begins") == (whole != nil), "the usual date is left out")
      if let whole { #expect(scenario.json.contains("\"begins\": \"\(whole)\"")) }
    }
  }

  @Test("is written in one way, whatever was left to a default")
  func canonical() throws {
    let short = try ScenarioText.scenario("")
    let long = try ScenarioText.scenario(
      #"""
      "about": "A test.", "seeds": 2000, "heal": "60s", "relaunches": true, "variant": "published",
      "devices": [{"account": "user1"}], "delays": {}, "faults": {"app-crash": 0}
      """#)
    #expect(long.json == short.json)
  }
}
