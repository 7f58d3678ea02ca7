import Invariants
import Testing

@testable import ChaosStore

@Suite struct `Refunds` {
  private static let day: Int64 = 86_400_000

  /// Coins that are bought at once, and an app that is opened every third day.
  private func setup(healDays: Int64 = 20, days: Int64 = 40) -> Setup {
    var setup = Setup()
    setup.steps = [.init(atMillis: 1000, .buy(product: 0, quantity: 1, account: 0))]
    setup.reopenEveryMillis = nil
    setup.sittings = .init(everyMillis: 3 * Self.day, forMillis: 300_000)
    setup.healMillis = healDays * Self.day
    setup.horizonMillis = days * Self.day
    setup.backend = .idempotent
    setup.isWholeStore = true
    return setup
  }

  private func record(_ plan: String, _ change: (inout Setup) -> Void = { _ in }) throws -> Record {
    var setup = setup()
    change(&setup)
    let scenario = Scenario(
      name: "refunds", system: try Stage.system("exactly-once"), setup: setup)
    let record = Simulation(scenario).record(seed: nil, plan: try Plan(parsing: plan))
    #expect(record.unmatched == [])
    #expect(record.outcome.broken == 0, "\(plan)")
    return record
  }

  /// What a ledger was told to take or to give, and on which day.
  private func changes(_ record: Record) -> [String] {
    record.facts.compactMap { fact in
      let day = fact.at.millis / Self.day
      return switch fact.kind {
      case .credited: "credited on day \(day)"
      case .reversed: "\(fact.amount) taken back on day \(day)"
      case .regranted: "\(fact.amount) given again on day \(day)"
      default: nil
      }
    }
  }

  private func refund(onDay day: Int64) -> String {
    "refund store.charge tx1 #1, delay store.refund tx1 #1 = \(day * Self.day)ms"
  }

  @Test func `What was credited is taken back once, however often Apple tells`() throws {
    let twice = "duplicate store.notification tx1 #2, repeat store.notification tx1 #2"
    #expect(
      try changes(record(refund(onDay: 5) + ", " + twice))
        == ["credited on day 0", "1000 taken back on day 5"])
  }

  @Test func `What was refunded before anybody heard of it is not credited`() throws {
    // The backend hears of neither the charge nor the refund before the third day, when the app is opened.
    let deaf = "crash app after pay tx1 #1"
    let lost = (1...4).map { "drop store.notification tx1 #\($0)" }.joined(separator: ", ")
    let early = "refund store.charge tx1 #1, delay store.refund tx1 #1 = 60000ms, "
    let record = try record(early + deaf + ", " + lost) {
      $0.relaunches = false
      $0.retaps = 0
    }
    #expect(changes(record) == [])
    #expect(record.count(.finished) == 1)
  }

  @Test
  func `What the sandbox tells for thirty days is found where all that is known is asked about`()
    throws
  {
    let silent = (1...4).map { "fail verifier.request server1 #\($0)" }.joined(separator: ", ")
    let record = try record(refund(onDay: 5) + ", drop store.notification tx1 #2, " + silent) {
      $0.devices[0].environment = .sandbox
      $0.healMillis = 41 * Self.day
      $0.horizonMillis = 60 * Self.day
    }
    #expect(changes(record) == ["credited on day 0", "1000 taken back on day 42"])
  }

  @Test func `A part is taken back where a part of the money was given back`() throws {
    let half = ", prorate store.refund tx1 #1 = 500"
    #expect(
      try changes(record(refund(onDay: 5) + half))
        == ["credited on day 0", "500 taken back on day 5"])
  }

  @Test func `What is owned for good is given back as a whole`() throws {
    let record = try record(refund(onDay: 5)) { $0.products = [.init("map", .nonConsumable)] }
    #expect(changes(record) == ["credited on day 0", "1000 taken back on day 5"])
  }

  @Test func `A reversed refund gives it again`() throws {
    let reversed = ", reverse store.refund tx1 #1, delay store.reversal tx1 #1 = \(4 * Self.day)ms"
    #expect(
      try changes(record(refund(onDay: 5) + reversed)) == [
        "credited on day 0", "1000 taken back on day 5", "1000 given again on day 9",
      ])
    // Nobody tells it but the backend, which hears of it from Apple.
    let hidden = ", swallow store.refund tx1 #1, swallow store.refund tx1 #2"
    #expect(
      try changes(record(refund(onDay: 5) + reversed + hidden)).last == "1000 given again on day 9")
  }

  @Test func `Notifications of which none arrives are asked for every two weeks`() throws {
    let lost = (2...7).map { "drop store.notification tx1 #\($0)" }.joined(separator: ", ")
    let record = try record(refund(onDay: 5) + ", " + lost) { $0.sittings = nil }
    #expect(record.count(.givenUp) == 1)
    #expect(
      changes(record) == ["credited on day 0", "1000 taken back on day 14"])
  }

  @Test func `A notification comes before the app has heard, and what was bought is there`() throws
  {
    let record = try record("hasten store.notification tx1 #1")
    let credited = try #require(record.facts.first { $0.kind == .credited })
    let delivered = try #require(record.facts.first { $0.kind == .delivered })
    #expect(credited.account == AccountID(0) && record.count(.credited) == 1)
    #expect(credited.at.millis <= delivered.at.millis + 1000)
  }

  @Test func `A forged notification takes nothing`() throws {
    #expect(try changes(record("forge store.notification tx1 #1")) == ["credited on day 0"])
  }

  // MARK: - Backends that get it wrong

  /// An app that reports what it is handed, and a backend that believes what it is told of refunds.
  private func believer(hears: Bool = true, checksSignature: Bool = true) -> Probe.Hands {
    let hands = Probe.Hands()
    hands.tapped = { tap, phone in phone.purchase(tap, appAccountToken: .account(phone.account)) }
    hands.launched = { phone in phone.observe() }
    hands.updated = { transaction, phone in
      hands.note("updated, \(transaction.refunded)/1000 refunded")
      Probe.report(transaction.id, phone)
    }
    hands.purchaseEnded = { result, _, phone in
      if case .success(let transaction) = result { Probe.report(transaction.id, phone) }
    }
    hands.received = { _, server, _ in server.verify(.transaction) }
    hands.verified = { answer, report, server in
      for purchase in server.purchases(in: answer) { server.commit(purchase, to: report.session) }
      server.reply(.delivered)
    }
    hands.replied = { reply, phone in phone.finish(reply.transaction) }
    hands.notified = { message, server in
      if hears, message.kind == .refunded, message.isSigned || !checksSignature {
        server.takeBack(server.purchase(message.transaction), thousandths: 1000)
      }
      server.reply(.alreadyDelivered)
    }
    return hands
  }

  private func broken(_ hands: Probe.Hands, _ plan: String) throws -> [String] {
    let record = try Probe.run(hands, plan) { $0 = self.setup() }
    return record.violations.map { Catalogue.invariants[$0.rule].code }
  }

  @Test func `What was refunded stands in no receipt any more`() throws {
    let hands = believer()
    hands.launched = { phone in
      phone.observe()
      if phone.launches > 1 { Probe.postReceipt(phone) }
    }
    hands.received = { report, server, _ in
      server.verify(report.transaction.isNone ? .productionReceipt : .transaction)
    }
    let commits = hands.verified
    hands.verified = { answer, report, server in
      guard report.transaction.isNone else { return commits(answer, report, server) }
      hands.note("\(server.purchases(in: answer).map(\.transaction.index))")
      server.drop()
    }
    try Probe.run(hands, refund(onDay: 5)) {
      $0 = self.setup()
      $0.products = [.init("map", isConsumable: false)]
    }
    #expect(hands.log.first == "[0]")
    #expect(hands.log.last == "[]")
  }

  @Test func `Who takes back at each notification takes twice what comes twice`() throws {
    #expect(try broken(believer(), refund(onDay: 5)) == [])
    let twice = ", duplicate store.notification tx1 #2"
    #expect(try broken(believer(), refund(onDay: 5) + twice).contains("I07"))
    #expect(
      try broken(believer(), refund(onDay: 5) + ", prorate store.refund tx1 #1 = 250").contains(
        "I07"))
  }

  @Test func `Who does what each notification says ends with the one that came last`() throws {
    func codes(_ plan: String) throws -> [String] {
      let hands = believer()
      var taken = 0
      hands.notified = { message, server in
        if message.purchase.refunded != taken {
          server.takeBack(message.purchase, thousandths: message.purchase.refunded - taken)
          taken = message.purchase.refunded
        }
        server.reply(.alreadyDelivered)
      }
      return try broken(hands, plan)
    }
    let reversed =
      ", reverse store.refund tx1 #1, delay store.reversal tx1 #1 = \(4 * Self.day)ms"
    #expect(try codes(refund(onDay: 5) + reversed) == [])
    // The first attempts fail, and the next comes after the news that it is reversed.
    let late = (2...6).map { ", drop store.notification tx1 #\($0)" }.joined()
    #expect(try codes(refund(onDay: 5) + reversed + late).contains("I12"))
  }

  @Test func `Who asks for nothing never learns what did not arrive`() throws {
    let lost = (2...7).map { ", drop store.notification tx1 #\($0)" }.joined()
    let codes = try broken(believer(), refund(onDay: 5) + lost)
    #expect(codes.contains("I10") && codes.contains("I07"))
  }

  @Test(arguments: [(Environment.production, Int64(180)), (.sandbox, 30)])
  func `Apple tells for so many days what it could not deliver`(
    environment: Environment, days: Int64
  ) throws {
    let hands = believer()
    let verified = hands.verified
    hands.started = { server, _ in
      guard server.number == 0 else { return }
      for day in [5 + days - 1, 5 + days + 1] { server.wake(after: day * Self.day, 0) }
    }
    hands.resumed = { _, _, server in
      server.verify(VerifierQuestion.notificationHistory.at(environment))
    }
    hands.verified = { answer, report, server in
      guard answer.question.kind == .notificationHistory else {
        return verified(answer, report, server)
      }
      hands.note("\(server.undelivered(in: answer, since: 0).count)")
    }
    // In the sandbox Apple tries once.
    let tries = environment == .production ? 2...7 : 2...2
    let lost = tries.map { ", drop store.notification tx1 #\($0)" }.joined()
    try Probe.run(hands, refund(onDay: 5) + lost) {
      $0 = self.setup(healDays: 190, days: 200)
      $0.devices[0].environment = environment
    }
    #expect(hands.log.filter { $0 == "0" || $0 == "1" } == ["1", "0"])
  }

  @Test func `Who does not hear of refunds gives goods away`() throws {
    #expect(try broken(believer(hears: false), refund(onDay: 5)) == ["I07", "I11"])
    #expect(try broken(believer(hears: false), "") == [])
  }

  @Test func `Who does not look at the signature believes anybody`() throws {
    let forged = "forge store.notification tx1 #1"
    #expect(try broken(believer(checksSignature: false), forged).contains("I07"))
    #expect(try broken(believer(), forged) == [])
  }

  @Test func `An app that runs is told of a refund, unless it is not`() throws {
    func log(_ plan: String) throws -> [String] {
      let hands = believer()
      try Probe.run(hands, plan) {
        $0 = self.setup()
        $0.sittings = nil
      }
      return hands.log
    }
    #expect(try log(refund(onDay: 5)) == ["updated, 1000/1000 refunded"])
    #expect(try log(refund(onDay: 5) + ", swallow store.refund tx1 #1") == [])
  }

  // MARK: - Scenarios

  @Test
  func
    `A mix of the whole store has what becomes of purchases, and of subscriptions only where one is sold`()
    throws
  {
    let coins = try ScenarioText.scenario(#""faults": {"mix": "whole-store"}"#)
    #expect(coins.setup.isWholeStore && coins.setup.hasAftermath)
    let whole = Fault.allCases.filter { !$0.needsSubscription && !$0.isNamedAlone }
    #expect(coins.setup.mix.faults == whole)
    let again = try #require(ScenarioText.scenarios(coins.json).first)
    #expect(again.setup == coins.setup)
    #expect(try !ScenarioText.scenario(#""faults": {"mix": "all"}"#).setup.isWholeStore)
  }

  @Test(arguments: ["storekit2", "storekit1"])
  func `The corrected design keeps to it under every fault`(variant: String) throws {
    var setup = setup(healDays: 15, days: 30)
    setup.mix = FaultMix(Fault.allCases.filter { !$0.needsSubscription })
    let scenario = Scenario(
      name: "refunds", system: try Stage.system("exactly-once"), variant: variant, setup: setup)
    let simulation = Simulation(scenario)
    for seed in UInt64(0)..<150 {
      let outcome = simulation.run(seed: seed)
      #expect(outcome.broken == 0 && !outcome.isCutOff && !outcome.hasProblems, "seed \(seed)")
    }
  }
}
