import Invariants
import Testing

@testable import ChaosStore

/// What the corrected design makes of the subscriptions in a receipt, in its StoreKit 1 form.
@Suite struct `Subscriptions in a receipt that is shown` {
  private static let day: Int64 = 86_400_000

  private static func product(_ name: String, level: Int) -> Setup.Product {
    Setup.Product(
      name, .autoRenewable(.init(Period(1, .month), graceDays: 16, group: "tv", level: level)))
  }

  /// Basic is subscribed to at once, and an app is opened every third day; it becomes pro on that day.
  private func record(
    _ plan: String, proOnDay day: Int64? = nil, system: String = "exactly-once",
    _ change: (inout Setup) -> Void = { _ in }
  ) throws -> Record {
    var setup = Setup()
    setup.products = [Self.product("basic", level: 2), Self.product("pro", level: 1)]
    setup.steps = [.init(atMillis: 1000, .buy(product: 0, quantity: 1, account: 0))]
    if let day {
      setup.steps.append(
        .init(atMillis: day * Self.day + 5000, .buy(product: 1, quantity: 1, account: 0)))
    }
    setup.reopenEveryMillis = nil
    setup.sittings = .init(everyMillis: 3 * Self.day, forMillis: 300_000)
    setup.healMillis = 60 * Self.day
    setup.horizonMillis = 100 * Self.day
    setup.backend = .idempotent
    change(&setup)
    let scenario = Scenario(
      name: "receipts", system: try Stage.system(system), variant: "storekit1", setup: setup)
    let record = Simulation(scenario).record(seed: nil, plan: try Plan(parsing: plan))
    #expect(record.unmatched == [] && record.ruleBreaks == [], "\(plan)")
    #expect(record.outcome.broken == 0, "\(plan)")
    return record
  }

  @Test(arguments: ["exactly-once", "exactly-once-mutant"])
  func `A renewal that it lists is no goods of its own`(system: String) throws {
    // The upgrade writes a receipt, which has the renewal as well.
    let record = try record("", proOnDay: 40, system: system)
    let renewed = Set(record.facts.filter { $0.kind == .renewed }.map(\.transaction))
    let charged = record.facts.filter { $0.kind == .charged }.map(\.transaction)
    let credited = record.facts.filter { $0.kind == .credited }.map(\.transaction)
    #expect((renewed.count, charged.count) == (2, 2))
    #expect(credited == charged)
  }

  /// What was paid for is given back on the tenth day, five hours before the app is opened, and until then Apple's
  /// notification does not arrive; nobody asks what was lost before the next day.
  private func untold(_ plan: String = "") throws -> [(seconds: Int64, until: Int64)] {
    let refund = "refund store.charge tx1 #1, delay store.refund tx1 #1 = \(Self.day * 103 / 10)ms"
    let lost = "drop store.notification tx1 #2, drop store.notification tx1 #3"
    return try record(refund + ", " + lost + plan) {
      $0.sittings = .init(everyMillis: Self.day * 21 / 10, forMillis: 300_000)
    }
    .facts.filter { $0.kind == .granted }.map {
      ($0.at.millis / 1000, Int64($0.amount) / 86_400)
    }
  }

  @Test func `It says how things stand now, where nothing else has told the backend`() throws {
    let granted = try untold()
    #expect(granted.first?.until == 30)
    #expect(granted.first { $0.until == 10 }?.seconds == 907_200)
    #expect(granted.last?.until == 10)
  }

  @Test func `What the database does not take is asked for again`() throws {
    let granted = try untold(", fail server.commit phone1 #15")
    #expect(granted.first { $0.until == 10 }?.seconds == 907_215)
  }

  @Test(arguments: ["exactly-once", "exactly-once-mutant"])
  func `What is called back only after its money was given back is finished`(
    system: String
  ) throws {
    // The app is closed before it looks for what is unfinished by itself.
    let late = "refund store.charge tx1 #1, fail store.payment tx1 #1"
    let record = try record(late, system: system) {
      $0.sittings = .init(everyMillis: 3 * Self.day, forMillis: 60_000)
    }
    #expect(record.count(.finished) == 1)
  }

  @Test func `Grace goes on where money was given back and is taken again`() throws {
    let hands = Probe.Hands()
    hands.updated = { Probe.postReceipt(about: $0.id, $1) }
    hands.received = { _, server, _ in server.verify(.productionReceipt) }
    hands.resumed = { _, _, server in server.verify(.productionReceipt) }
    var last: [Int64?] = []
    hands.verified = { answer, _, server in
      let graces = server.pendingRenewals(in: answer)
        .map { $0.graceExpiresMillis.map { $0 / Self.day } }
      if graces != last {
        hands.note("\(server.now / Self.day): \(graces.map { $0.map { "\($0)" } ?? "none" })")
      }
      last = graces
      server.wake(after: Self.day, 1)
      server.reply(.delivered)
    }
    try Probe.run(
      hands,
      """
      fail store.renewal tx1 #1, abandon store.renewal tx1 #1, refund store.charge tx1 #1, \
      delay store.refund tx1 #1 = \(9 * Self.day)ms, reverse store.refund tx1 #1, \
      delay store.reversal tx1 #1 = \(3 * Self.day)ms
      """
    ) {
      $0.products = [.init("pro", .autoRenewable(.init(Period(1, .week), graceDays: 6)))]
      $0.healMillis = 20 * Self.day
      $0.horizonMillis = 40 * Self.day
    }
    #expect(
      hands.log == [
        #"0: ["none"]"#, #"7: ["13"]"#, #"9: ["none"]"#, #"12: ["13"]"#, #"13: ["none"]"#,
      ])
  }

  @Test func `A receipt that somebody has copied is not of the device that shows it`() throws {
    let hands = Probe.Hands()
    hands.updated = { Probe.postReceipt(about: $0.id, $1) }
    hands.received = { _, server, _ in server.verify(.productionReceipt) }
    hands.verified = { answer, report, server in
      let entries = server.latestReceiptInfo(in: answer).map(\.purchase.isDeviceVerified)
      hands.note("user\(report.session.index + 1) \(entries)")
      server.reply(.retry)
    }
    try Probe.run(hands, "steal attacker.evidence tx1 #1") {
      $0.products = [Self.product("basic", level: 1)]
      $0.horizonMillis = 100_000
    }
    #expect(hands.log == ["user1 [true]", "user2 [false]"])
  }
}
