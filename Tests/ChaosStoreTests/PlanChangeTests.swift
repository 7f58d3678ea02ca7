import Invariants
import Testing

@testable import ChaosStore

@Suite struct `Subscriptions of one group` {
  private static let day: Int64 = 86_400_000

  private static func product(_ name: String, _ period: Period, level: Int) -> Setup.Product {
    Setup.Product(name, .autoRenewable(.init(period, group: "tv", level: level)))
  }

  /// Basic is subscribed to at once, and an app is opened every third day; the rest on these days.
  private func setup(_ wishes: [(day: Int64, product: Int)], first: Int = 0) -> Setup {
    var setup = Setup()
    setup.products = [
      Self.product("basic", Period(1, .month), level: 2),
      Self.product("pro", Period(1, .month), level: 1),
      Self.product("film", Period(1, .month), level: 1),
      Self.product("year", Period(1, .year), level: 1),
    ]
    setup.steps = [.init(atMillis: 1000, .buy(product: first, quantity: 1, account: 0))]
    for wish in wishes {
      setup.steps.append(
        .init(
          atMillis: wish.day * Self.day + 5000,
          .buy(product: wish.product, quantity: 1, account: 0)))
    }
    setup.reopenEveryMillis = nil
    setup.sittings = .init(everyMillis: 3 * Self.day, forMillis: 300_000)
    setup.healMillis = 60 * Self.day
    setup.horizonMillis = 100 * Self.day
    setup.backend = .idempotent
    return setup
  }

  /// What was paid for, on which day.
  private func payments(_ setup: Setup, _ plan: String = "") throws -> [String] {
    let scenario = Scenario(
      name: "plans", system: try Stage.system("exactly-once"), setup: setup)
    let record = Simulation(scenario).record(seed: nil, plan: try Plan(parsing: plan))
    #expect(record.unmatched == [] && record.outcome.broken == 0, "\(plan)")
    return record.facts.filter { $0.kind == .charged || $0.kind == .renewed }.map {
      "\(setup.products[$0.product.index].name) \($0.at.millis / Self.day)"
    }
  }

  @Test func `A higher level begins at once, and its periods are counted from then on`() throws {
    #expect(
      try payments(setup([(12, 1)])) == ["basic 0", "pro 12", "pro 41", "pro 72"])
  }

  @Test func `A lower level begins with the next period`() throws {
    #expect(
      try payments(setup([(12, 0)], first: 1)) == ["pro 0", "basic 29", "basic 60", "basic 91"])
  }

  @Test func `The same level begins at once where it is paid for as often`() throws {
    #expect(try payments(setup([(12, 2)], first: 1)).prefix(2) == ["pro 0", "film 12"])
    #expect(try payments(setup([(12, 3)], first: 1)) == ["pro 0", "year 29"])
  }

  @Test func `Who goes back before the next period keeps what they have`() throws {
    #expect(
      try payments(setup([(12, 0), (15, 1)], first: 1)).prefix(2) == ["pro 0", "pro 29"])
  }

  @Test func `Notifications say what becomes of it`() throws {
    func kinds(_ wishes: [(day: Int64, product: Int)], first: Int = 0) throws -> [String] {
      let hands = Probe.Hands()
      hands.notified = { message, server in
        hands.note("\(message.kind.name) \(message.subtype?.name ?? "-")")
        server.reply(.alreadyDelivered)
      }
      try Probe.run(hands) {
        $0 = self.setup(wishes, first: first)
        $0.horizonMillis = 28 * Self.day
        $0.healMillis = 20 * Self.day
      }
      return hands.log
    }
    #expect(
      try kinds([(12, 1)]) == ["SUBSCRIBED INITIAL_BUY", "DID_CHANGE_RENEWAL_PREF UPGRADE"])
    #expect(
      try kinds([(12, 0), (15, 1)], first: 1) == [
        "SUBSCRIBED INITIAL_BUY", "DID_CHANGE_RENEWAL_PREF DOWNGRADE", "DID_CHANGE_RENEWAL_PREF -",
      ])
  }

  @Test func `Who lets a person use what they had before an upgrade is found`() throws {
    let hands = Probe.Hands()
    hands.received = { _, server, _ in server.verify(.subscriptions) }
    hands.verified = { answer, report, server in
      guard let status = server.subscription(in: answer) else { return server.reply(.retry) }
      // The product of the first transaction, and not of the last.
      server.entitle(
        server.purchase(status.original), to: report.session, until: status.untilMillis)
      server.reply(.delivered)
    }
    func codes(_ wishes: [(day: Int64, product: Int)]) throws -> [String] {
      let record = try Probe.run(hands) {
        $0 = self.setup(wishes)
        $0.healMillis = 0
      }
      return record.violations.map { Catalogue.invariants[$0.rule].code }
    }
    #expect(try codes([]) == [])
    #expect(try codes([(12, 1)]).contains("I09"))
  }

  @Test func `What began before and was never entered is entered with what it began with again`()
    throws
  {
    let hands = Probe.Hands()
    hands.received = { report, server, _ in
      // Nobody looks at the first.
      report.transaction == TransactionID(0)
        ? server.reply(.retry) : server.verify(.subscriptions)
    }
    hands.verified = { answer, report, server in
      guard let status = server.subscription(in: answer) else { return server.reply(.retry) }
      server.entitle(server.purchase(status.latest), to: report.session, until: status.untilMillis)
      server.reply(.delivered)
    }
    let record = try Probe.run(hands, "cancel person.renewal tx1 #1") {
      $0 = self.setup([(50, 0)])
    }
    let credited = record.facts.filter { $0.kind == .credited }.map(\.transaction)
    #expect(Set(credited) == Set([0, 1].map(TransactionID.init(index:))) && credited.count == 2)
  }

  @Test func `The corrected design keeps to it under every fault`() throws {
    var setup = setup([(12, 1), (20, 0), (45, 3)])
    setup.mix = FaultMix(Fault.common)
    let scenario = Scenario(
      name: "plans", system: try Stage.system("exactly-once"), setup: setup)
    let simulation = Simulation(scenario)
    for seed in UInt64(0)..<100 {
      let outcome = simulation.run(seed: seed)
      #expect(outcome.broken == 0 && !outcome.isCutOff && !outcome.hasProblems, "seed \(seed)")
    }
  }

  @Test func `A group and a level are read and written`() throws {
    let product =
      #"{"name": "coins", "kind": "auto-renewable", "period": "P1M", "group": "tv", "level": 2}"#
    let world = #""products": ["# + product + "]"
    let scenario = try ScenarioText.scenario(world)
    #expect(scenario.setup.products.first?.renewal?.group == "tv")
    #expect(scenario.setup.products.first?.renewal?.level == 2)
    let again = try #require(ScenarioText.scenarios(scenario.json).first)
    #expect(again.setup == scenario.setup)
  }
}
