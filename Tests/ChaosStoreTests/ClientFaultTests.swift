import ChaosStore
import Invariants
import Testing

@Suite("What goes wrong on the phone, where a scenario names it")
struct ClientFaultTests {
  private func record(_ scenario: Scenario, _ plan: String) throws -> Record {
    let record = Simulation(scenario).record(seed: nil, plan: try Plan(parsing: plan))
    #expect(record.unmatched == [], "\(plan)")
    #expect(record.ruleBreaks == [])
    return record
  }

  private func scenario(_ name: String) throws -> Scenario {
    try #require(ScenarioText.ofThePackage().first { $0.name == name })
  }

  @Test("No mix as a whole has them, and each strikes where it is named")
  func namedAlone() throws {
    #expect(
      Fault.allCases.filter(\.isNamedAlone).map(\.code)
        == ["F04", "F17", "F18", "F25", "F26", "F54", "F55", "F64", "F82", "F87", "F88"])
    #expect(Fault.common == Fault.allCases.filter { !$0.isNamedAlone })
    for mix in ["all", "default", "whole-store"] {
      let text = #"""
        {"version": 1, "scenarios": [{"name": "s", "system": "exactly-once", "backend": "idempotent",
          "heal": "60s", "horizon": "270s", "steps": [{"at": "1s", "buy": "coins"}],
          "faults": {"mix": "\#(mix)", "F25": "1/2"}}]}
        """#
      let read = try ScenarioFile.scenarios(fromJSON: text, systems: BuiltIn.systems)
      #expect(read[0].setup.mix.faults.filter(\.isNamedAlone) == [.storefrontChanged])
    }
    let usual = try PropertyTest.scenario(for: ExactlyOnce.self)
    #expect(usual.setup.mix.faults.allSatisfy { !$0.isNamedAlone })
  }

  @Test("A listener that is attached twice has each transaction handled twice, until it is removed")
  func twice() throws {
    let twice = try Stage.one("observe-at-launch")
    let struck = try record(twice, "repeat app.listener phone1 #1")
    #expect(struck.count(.reported) == 2 && struck.count(.credited) == 2)
    #expect(struck.count(.delivered) == 1)
    #expect(try record(twice, "").count(.reported) == 1)
    // It is of one launch: the handlers of the next are attached anew.
    let later = try record(
      twice, "crash app after observe phone1 #1, repeat app.listener phone1 #1")
    #expect(later.count(.reported) == 1)
  }

  @Test(
    "What is owned comes under another id, is unfinished until it is finished, and is one charge")
  func otherIdentity() throws {
    let owned = try Stage.one("exactly-once") {
      $0.products = [.init("map", isConsumable: false)]
      $0.reopenEveryMillis = nil
      $0.sittings = .init(everyMillis: 25_000, forMillis: 10_000)
    }
    let struck = try record(owned, "renumber store.transaction tx1 #1")
    #expect(struck.count(.restored) == 1 && struck.count(.charged) == 1)
    #expect(struck.count(.credited) == 1)
    #expect(struck.count(.finished) == 2)
    #expect(struck.violations.isEmpty)
    // A consumable is used up, and never owned.
    let coins = try Stage.one("exactly-once") {
      $0.reopenEveryMillis = nil
      $0.sittings = .init(everyMillis: 25_000, forMillis: 10_000)
    }
    let unstruck = Simulation(coins).record(
      seed: nil, plan: try Plan(parsing: "renumber store.transaction tx1 #1"))
    #expect(unstruck.count(.restored) == 0 && unstruck.unmatched != [])
  }

  @Test("What is unfinished under another id comes under no further one, launch after launch")
  func oneCopyAtATime() throws {
    func restored(isFinished: Bool) throws -> Int {
      let hands = Probe.Hands()
      if !isFinished { hands.replied = { _, _ in } }
      let scenario = Probe.scenario {
        $0.products = [.init("map", isConsumable: false)]
        $0.sittings = .init(everyMillis: 25_000, forMillis: 10_000)
        $0.mix = FaultMix([.identityDrift])
        $0.mix.isSwarmed = false
        $0.mix.entries[.identityDrift]?.chance = Ratio(1, 1)!
        $0.healMillis = 200_000
      }
      return Probe.$hands.withValue(hands) { Simulation(scenario).record(seed: 1) }.count(.restored)
    }
    #expect(try restored(isFinished: false) == 1)
    #expect(try restored(isFinished: true) == 7)
  }

  @Test(
    "What another library finishes never reaches StoreKit 1, and Apple's notification is all there is"
  )
  func takenAway() throws {
    for (system, isDelivered) in [("observe-at-launch", false), ("exactly-once", true)] {
      let scenario = try Stage.one(
        system, variant: system == "exactly-once" ? "storekit1" : nil, backend: .idempotent
      ) { $0.isWholeStore = true }
      let struck = try record(scenario, "take store.transaction tx1 #1")
      #expect(struck.count(.delivered) == 0 && struck.count(.finishing) == 0)
      #expect((struck.count(.credited) == 1) == isDelivered, "\(system)")
      #expect((struck.violations.isEmpty) == isDelivered, "\(system)")
    }
    // Where Apple tells nobody, it strikes nowhere.
    let silent = try Stage.one("exactly-once") {
      $0.mix = FaultMix([.finishedElsewhere])
      $0.mix.isSwarmed = false
      $0.mix.entries[.finishedElsewhere]?.chance = Ratio(1, 1)!
    }
    #expect(Simulation(silent).record(seed: 1).faults.decisions.isEmpty)
  }

  @Test("A storefront that changes ends a payment without a charge, or has it charged elsewhere")
  func elsewhere() throws {
    let one = try Stage.one("exactly-once") { $0.retaps = 0 }
    let refused = try record(one, "move store.storefront tx1 #1 = 1")
    #expect(refused.count(.charged) == 0 && refused.violations.isEmpty)
    let charged = try record(one, "move store.storefront tx1 #1 = 2")
    #expect(charged.count(.charged) == 1 && charged.count(.credited) == 1)
    #expect(charged.violations.isEmpty)
    // Who buys in the store itself has seen its price.
    let outside = try Stage.one("exactly-once") {
      $0.steps = [.init(atMillis: 1000, .buyOutside(product: 0, quantity: 1, account: 0))]
    }
    let unasked = Simulation(outside).record(
      seed: nil, plan: try Plan(parsing: "move store.storefront tx1 #1 = 1"))
    #expect(unasked.count(.charged) == 1 && unasked.unmatched != [])
  }

  @Test(
    "An app that judges by a wrong clock finishes what was just paid for; the store's dates are right"
  )
  func clock() throws {
    let weak = try scenario("exactly-once-mutant/expired-by-clock/clock-wrong")
    let fast = try record(weak, "shift phone.clock phone1 #1 = 57600")
    #expect(fast.broken(in: weak).contains("finish-only-after-credit"))
    for minutes in [-57_600, -1440, 300] {
      let harmless = try record(weak, "shift phone.clock phone1 #1 = \(minutes)")
      #expect(harmless.violations.isEmpty, "\(minutes)")
    }
    let sound = try scenario("exactly-once/storekit2/clock-wrong")
    let unmoved = try record(sound, "shift phone.clock phone1 #1 = 57600")
    #expect(unmoved.facts == (try record(sound, "")).facts)
  }

  @Test("A story tells each of them in words")
  func words() throws {
    let shorts = [
      Fault.handlerTwice, .identityDrift, .finishedElsewhere, .storefrontChanged, .clockWrong,
    ]
    .map(\.entry.short)
    #expect(
      shorts == [
        "the listener is attached twice", "what is owned comes with another id",
        "another part of the app has finished it", "the storefront changes in between",
        "the phone's clock is wrong",
      ])
  }
}
