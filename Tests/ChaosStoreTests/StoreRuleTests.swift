import ChaosStore
import Invariants
import Testing

@Suite("The simulated store")
struct StoreRuleTests {
  private func record(_ scenario: Scenario, _ plan: String = "") throws -> Record {
    let record = Simulation(scenario).record(seed: nil, plan: try Plan(parsing: plan))
    #expect(record.unmatched == [], "the plan names what was never asked")
    #expect(record.ruleBreaks == [])
    return record
  }

  private func story(_ record: Record, _ participant: Timeline.Participant) -> [String] {
    record.timeline.entries.filter { $0.participant == participant }.map(\.text)
  }

  @Test("The simulated store keeps an unfinished transaction when the process dies (R1)")
  func unfinishedSurvivesTheProcess() throws {
    let record = try record(
      try Stage.one("exactly-once", variant: "storekit1"), "crash app on callback tx1 #1")
    #expect(record.count(.delivered) == 2)
    #expect(record.count(.charged) == 1)
    #expect(record.count(.finished) == 1)
  }

  @Test("The simulated store keeps unfinished transactions when the app is reinstalled (R1)")
  func unfinishedSurvivesTheInstallation() throws {
    let record = try record(
      try Stage.one("exactly-once", variant: "storekit1"),
      "crash app on callback tx1 #1, reinstall app phone1 #1")
    #expect(record.count(.credited) == 1)
    #expect(record.count(.finished) == 1)
  }

  @Test("The simulated store hands what is unfinished to other devices of the account (R1)")
  func unfinishedIsSeenOnAnotherDevice() throws {
    let scenario = try Stage.one("exactly-once", variant: "storekit1") { setup in
      setup.devices = [.init(), .init()]
      setup.relaunches = false
      setup.steps.append(.init(atMillis: 20_000, device: 1, .quit))
      setup.steps.append(.init(atMillis: 21_000, device: 1, .open))
      setup.reopenEveryMillis = nil
    }
    let record = try record(scenario, "crash app on callback tx1 #1")
    let second = record.facts.first { $0.kind == .delivered && $0.device == DeviceID(1) }
    #expect(second?.transaction == TransactionID(0))
    #expect(record.count(.credited) == 1)
  }

  @Test("The simulated store hands a transaction over once in a listener session (R2)")
  func oncePerSession() throws {
    let record = try record(try Stage.one("observer-on-demand"))
    #expect(record.count(.delivered) == 1)
  }

  @Test("The simulated store charges whether or not the app runs (R3)")
  func chargesWithoutTheApp() throws {
    let record = try record(try Stage.one("observe-at-launch"), "crash app after pay tx1 #1")
    let ended = try #require(record.facts.firstIndex { $0.kind == .ended })
    let charged = try #require(record.facts.firstIndex { $0.kind == .charged })
    #expect(ended < charged)
    #expect(record.count(.credited) == 1)
  }

  @Test("The simulated store removes a transaction when its finish arrives, not before (R4)")
  func finishIsAMessage() throws {
    let late = try record(
      try Stage.one("exactly-once"), "delay store.finish tx1 #1 = late")
    let called = try #require(late.facts.first { $0.kind == .finishing })
    let removed = try #require(late.facts.first { $0.kind == .finished })
    #expect(removed.at.millis == called.at.millis + 20_000)
    let lost = try record(
      try Stage.one("exactly-once"), "drop store.finish tx1 #1")
    #expect(lost.count(.finishing) == 2)
    #expect(lost.count(.finished) == 1)
  }

  @Test("The simulated store answers a purchase with the product's unfinished one, for free (R5)")
  func purchaseReturnsTheOldOne() throws {
    for variant in ["storekit1", "storekit2"] {
      let scenario = try Stage.one("exactly-once", variant: variant) { setup in
        setup.steps.append(.init(atMillis: 20_000, .buy(product: 0, quantity: 1, account: 0)))
      }
      let record = try record(
        scenario, "drop store.finish tx1 #1, drop store.finish tx1 #2")
      #expect(record.count(.charged) == 1)
      #expect(record.count(.returned) == 1)
    }
  }

  @Test("The simulated store charges again where StoreKit 1 has swallowed the old transaction (R5)")
  func swallowedTransactionsDoNotBlock() throws {
    let scenario = try Stage.one("observe-at-launch") { setup in
      setup.steps.append(.init(atMillis: 20_000, .buy(product: 0, quantity: 1, account: 0)))
    }
    let record = try record(
      scenario, "crash app on callback tx1 #1, swallow store.callback tx1 #1")
    #expect(record.count(.withheld) == 1)
    #expect(record.count(.charged) == 2)
  }

  @Test("The simulated store gives an owned non-consumable again, for free (R5)")
  func nonConsumablesAreBoughtOnce() throws {
    let scenario = try Stage.one("exactly-once") { setup in
      setup.products = [.init("map", isConsumable: false)]
      setup.steps.append(.init(atMillis: 20_000, .buy(product: 0, quantity: 1, account: 0)))
    }
    let record = try record(scenario)
    #expect(record.count(.charged) == 1)
    #expect(record.count(.restored) == 1)
    #expect(record.count(.credited) == 1)
    #expect(record.broken(in: scenario) == [])
  }

  @Test("The simulated store restores non-consumables under ids of their own, consumables never")
  func restore() throws {
    let scenario = try Stage.one("exactly-once", variant: "storekit1") { setup in
      setup.products = [.init("coins"), .init("map", isConsumable: false)]
      setup.steps.append(.init(atMillis: 5000, .buy(product: 1, quantity: 1, account: 0)))
      setup.steps.append(.init(atMillis: 30_000, .restore))
    }
    let record = try record(scenario)
    #expect(record.count(.restored) == 1)
    #expect(story(record, .store).contains("restores tx2 as tx2/r1"))
    #expect(record.count(.credited) == 2)
    #expect(record.broken(in: scenario) == [])
  }

  @Test("The simulated verifier judges the receipt that was posted, not the one of today (R6b)")
  func receiptsAreSnapshots() throws {
    // The second receipt is not written: the first is posted again and proves the first purchase.
    let scenario = try Stage.one("observer-on-demand") { setup in
      setup.steps.append(.init(atMillis: 20_000, .buy(product: 0, quantity: 1, account: 0)))
    }
    let record = try record(scenario, "skip receipt.write tx2 #1")
    let credits = record.facts.filter { $0.kind == .credited }.map(\.transaction)
    #expect(credits == [TransactionID(0), TransactionID(0)])
    #expect(record.broken(in: scenario).contains("no-double-credit"))
  }

  @Test("The simulated store lets only a UUID travel with the transaction (R10)")
  func onlyUUIDsTravel() throws {
    #expect(try record(try Stage.one("white-black-tables")).count(.traceable) == 0)
    #expect(
      try record(try Stage.one("white-black-tables", variant: "uuid-username"))
        .count(.traceable) == 1)
  }

  @Test("The simulated store sells more than one of a thing at a time")
  func quantities() throws {
    let scenario = try Stage.one("exactly-once") { setup in
      setup.steps = [.init(atMillis: 1000, .buy(product: 0, quantity: 7, account: 0))]
    }
    let record = try record(scenario)
    #expect(record.facts.first { $0.kind == .credited }?.quantity == 7)
    #expect(record.broken(in: scenario) == [])
  }

  @Test("A lost answer, and an app that is opened again, make this story")
  func lostAnswerAsAStory() throws {
    let scenario = try Stage.one("observer-on-demand") { $0.retaps = 0 }
    let record = try record(scenario, "drop verify.reply tx1 #1")
    let lines = record.timeline.entries.prefix(16).map {
      "\($0.at.millis) \($0.participant): \($0.text)"
    }
    #expect(
      lines == [
        "0 app: phone1 starts",
        "1000 person: user1 taps buy coins on phone1 (tx1)",
        "1100 store: charges tx1: coins",
        "1101 app: phone1 is called back with tx1",
        "1111 network: the report about tx1 arrives at server1",
        "1111 backend: hears of tx1 from phone1 as user1",
        "1131 apple: about tx1: accepted",
        "1131 backend: credits user1 with coins for tx1",
        "1131 backend: answers about tx1: accepted",
        "1131 fault: drop verify.reply tx1 #1",
        "61101 person: is told: the purchase failed",
        "120000 app: phone1 ends",
        "121000 app: phone1 starts",
        "121001 app: phone1 is called back with tx1",
        "121011 network: the report about tx1 arrives at server1",
        "121011 backend: hears of tx1 from phone1 as user1",
      ])
    #expect(record.broken(in: scenario) == ["honest-answers", "no-double-credit", "conservation"])
  }

  @Test("A StoreKit 2 charge that comes after the app's death goes to the next one that listens")
  func lateChargeReachesTheNextLife() throws {
    let scenario = try Stage.one("exactly-once") { $0.reopenEveryMillis = nil }
    let record = try record(
      scenario, "crash app after pay tx1 #1, delay store.charge tx1 #1 = 9000ms")
    #expect(record.count(.credited) == 1)
    #expect(record.broken(in: scenario) == [])
  }

  @Test("The simulated store never calls an installation back with what it has swallowed there")
  func swallowedForGood() throws {
    let scenario = try Stage.one("observe-at-launch") { $0.retaps = 0 }
    let record = try record(
      scenario,
      "interrupt store.payment tx1 #1, delay store.interrupted tx1 #1 = 20000ms, "
        + "crash app after callback tx1 #1, swallow store.callback tx1 #1")
    #expect(record.count(.withheld) == 1)
    #expect(record.count(.delivered) == 0)
  }

  @Test("The simulated store gives a restored purchase to whoever asks, under the id of its own")
  func restoresAreDelivered() throws {
    let scenario = try Stage.one("observe-at-launch", backend: .idempotent) { setup in
      setup.products = [.init("map", isConsumable: false)]
      setup.steps.append(.init(atMillis: 30_000, .restore))
    }
    let record = try record(scenario)
    #expect(record.count(.restored) == 1)
    #expect(record.facts.filter { $0.kind == .answered }.map(\.verdict) == [.accepted, .accepted])
    #expect(!record.broken(in: scenario).contains("idempotent-acknowledgement"))
  }

  @Test("An app that was closed on purpose stays closed, though it had died before")
  func quitCallsOffTheLaunch() throws {
    let scenario = try Stage.one("observe-at-launch") { setup in
      setup.reopenEveryMillis = nil
      setup.steps.append(.init(atMillis: 2000, .quit))
    }
    let record = try record(
      scenario, "crash app on callback tx1 #1, delay app.launch phone1 #1 = 5000ms")
    #expect(record.count(.launched) == 1)
  }

  @Test("Nothing strikes in a history that is healed from its start")
  func healedFromTheStart() throws {
    let scenario = try Stage.one("exactly-once") { $0.healMillis = 0 }
    let record = Simulation(scenario).record(
      seed: nil, plan: try Plan(parsing: "crash app before observe phone1 #1"))
    #expect(record.unmatched.count == 1)
  }

  @Test("A non-consumable that is credited to a second account is noted")
  func nonConsumablesToStrangers() throws {
    let scenario = try Stage.one("observe-at-launch") { setup in
      setup.products = [.init("map", isConsumable: false)]
      setup.accounts = 2
    }
    let record = try record(scenario, "steal attacker.evidence tx1 #1")
    #expect(record.broken(in: scenario).contains("right-account"))
  }

  @Test(
    "Nobody is blamed for a charge that the store keeps while another phone's comes in its place")
  func chargeNobodyCanKnow() throws {
    var scenario = try #require(
      ScenarioText.ofThePackage().first {
        $0.name == "exactly-once/storekit1/bought-often-left-open"
      })
    scenario.setup.mix.allowWaits()
    // What 0x398fb and 0xbe5ec come down to.
    let plans = [
      "hurry person.tap tx1 #1, delay store.charge tx1 #1 = 101ms, hurry person.tap tx2 #1, "
        + "skip receipt.write tx1 #1, hold store.callback tx1 #1, skip receipt.write tx3 #1, "
        + "delay store.callback tx3 #1 = late, expire server.session tx3 #1",
      "hurry person.tap tx2 #1, skip receipt.write tx2 #1, fail store.payment tx2 #1, "
        + "skip receipt.write tx3 #1, partition network phone2 #2, crash server before commit tx3 #1",
    ]
    for (plan, steps) in zip(plans, [[2, 3, 5], [1, 3, 5]]) {
      let omitted = steps.map { ", omit person.step step\($0) #1" }.joined()
      let record = Simulation(scenario).record(seed: nil, plan: try Plan(parsing: plan + omitted))
      #expect(record.unmatched == [])
      #expect(record.violations.isEmpty)
      // It is not credited in this run: the app stays open to the end.
      let facts = record.facts
      #expect(facts.count { $0.kind == .charged } == 2)
      #expect(facts.count { $0.kind == .credited } == 1)
    }
  }
}
