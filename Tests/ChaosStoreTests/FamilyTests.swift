import Invariants
import Testing

@testable import ChaosStore

@Suite struct `Family Sharing` {
  private static let day: Int64 = 86_400_000

  private static func buy(
    _ product: Int, onDay day: Int64, phone: Int = 0, outside: Bool = false
  ) -> Setup.Step {
    .init(
      atMillis: day * Self.day + 1000, device: phone,
      outside
        ? .buyOutside(product: product, quantity: 1, account: phone)
        : .buy(product: product, quantity: 1, account: phone))
  }

  /// Two of a family with a phone each, whose apps are opened every third day, and a stranger.
  private static func setup(_ steps: [Setup.Step]) -> Setup {
    var setup = Setup()
    setup.accounts = 3
    setup.storeAccounts = 3
    setup.families = [[0, 1]]
    setup.devices = (0..<3).map { .init(storeAccount: $0, account: $0) }
    setup.products = [
      .init("map", .nonConsumable),
      .init("basic", .autoRenewable(.init(Period(1, .month), graceDays: 3, group: "tv", level: 2))),
      .init("pro", .autoRenewable(.init(Period(1, .month), graceDays: 3, group: "tv", level: 1))),
      .init("own", .nonConsumable),
      .init("week", .autoRenewable(.init(Period(1, .week), graceDays: 3))),
    ]
    for product in [0, 1, 2, 4] { setup.products[product].isFamilyShareable = true }
    setup.steps = steps
    setup.reopenEveryMillis = nil
    setup.sittings = .init(everyMillis: 3 * day, forMillis: 300_000)
    setup.healMillis = 60 * day
    setup.horizonMillis = 100 * day
    setup.backend = .idempotent
    return setup
  }

  private func record(
    _ steps: [Setup.Step], _ plan: String = "", variant: String? = nil
  ) throws -> Record {
    let scenario = Scenario(
      name: "family", system: try Stage.system("exactly-once"), variant: variant,
      setup: Self.setup(steps))
    let record = Simulation(scenario).record(seed: nil, plan: try Plan(parsing: plan))
    #expect(record.unmatched == [] && record.ruleBreaks == [])
    #expect(record.outcome.broken == 0, "\(plan)")
    return record
  }

  /// Who got what on which day; in brackets what somebody of the family has paid.
  private func charges(_ record: Record) -> [String] {
    record.facts.filter { $0.kind == .charged || $0.kind == .renewed }.map { fact in
      let products = ["map", "basic", "pro", "own", "week"]
      let text =
        "apple\(fact.storeAccount.index + 1) \(products[fact.product.index]) "
        + "\(fact.at.millis / Self.day)"
      return fact.amount == 5 ? "(\(text))" : text
    }
  }

  /// What Apple tells the backend.
  private func news(_ steps: [Setup.Step], _ plan: String = "") throws -> [String] {
    let hands = Probe.Hands()
    hands.notified = { message, server in
      let who = message.purchase.isShared ? "shared" : "bought"
      hands.note("\(who) \(message.kind.name) \(message.subtype?.name ?? "-")")
      server.reply(.alreadyDelivered)
    }
    try Probe.run(hands, plan) { $0 = Self.setup(steps) }
    return hands.log
  }

  @Test func `What one of a family buys the other has as well, and a stranger has not`() throws {
    let record = try record([Self.buy(0, onDay: 0)])
    #expect(charges(record) == ["apple1 map 0", "(apple2 map 0)"])
    let credits = record.facts.filter { $0.kind == .credited }
    #expect(credits.map(\.account.index) == [0, 1])
    #expect(Set(credits.map(\.transaction)).count == 2)
  }

  @Test func `What is not shareable is nobody else's`() throws {
    #expect(try charges(record([Self.buy(3, onDay: 0)])) == ["apple1 own 0"])
  }

  @Test func `Who has it already gets no share, and who has a share pays nothing`() throws {
    let both = try record([Self.buy(0, onDay: 0), Self.buy(0, onDay: 5, phone: 1)])
    #expect(charges(both) == ["apple1 map 0", "(apple2 map 0)"])
  }

  @Test func `A subscription is renewed for the whole family, and ends for it`() throws {
    let renewed = try record([Self.buy(1, onDay: 0)])
    #expect(
      charges(renewed).prefix(4) == [
        "apple1 basic 0", "(apple2 basic 0)", "apple1 basic 29", "(apple2 basic 29)",
      ])
    let ended = try record([Self.buy(1, onDay: 0)], "cancel person.renewal tx1 #1")
    #expect(charges(ended).count == 2 && ended.count(.expired) == 2)
  }

  @Test func `A better plan of the one who pays is the family's`() throws {
    let record = try record([Self.buy(1, onDay: 0), Self.buy(2, onDay: 10)])
    #expect(charges(record)[2...3] == ["apple1 pro 10", "(apple2 pro 10)"])
  }

  @Test(arguments: ["storekit2", "storekit1"])
  func `Money that is given back takes the share with it`(variant: String) throws {
    let record = try record(
      [Self.buy(0, onDay: 0)],
      "refund store.charge tx1 #1, delay store.refund tx1 #1 = 864000000ms", variant: variant)
    let taken = record.facts.filter { $0.kind == .reversed }.map(\.account.index)
    #expect(taken.sorted() == [0, 1])
  }

  @Test func `Who leaves has no more what the others have paid, and the other way round`() throws {
    let steps = [
      Self.buy(0, onDay: 0), Self.buy(1, onDay: 1, phone: 1), Self.buy(2, onDay: 20),
    ]
    let plan = "leave person.family tx1/f1 #1, delay store.refund tx1/f1 #1 = 864000000ms"
    let record = try record(steps, plan)
    let lost = record.facts.filter { $0.kind == .refunded }
    #expect(lost.map { $0.at.millis / Self.day } == [10, 10])
    // What is bought after that is shared with nobody.
    #expect(charges(record).filter { $0.contains("20") } == ["apple1 pro 20"])
  }

  @Test func `Who left while nothing was paid has no part in what is paid for again`() throws {
    let failed = "fail store.renewal tx1 #1, delay store.recovery tx1 #1 = 691200000ms"
    let left = "leave person.family tx1/f1 #1, delay store.refund tx1/f1 #1 = 1036800000ms"
    let shared = ["(apple2 week 0)", "(apple2 week 14)"]
    let stays = charges(try record([Self.buy(4, onDay: 0)], failed))
    #expect(stays.prefix(4).filter { $0.contains("apple2") } == shared)
    let leaves = charges(try record([Self.buy(4, onDay: 0)], "\(failed), \(left)"))
    #expect(leaves.filter { $0.contains("apple2") } == ["(apple2 week 0)"])
    #expect(leaves.count > 3)
  }

  @Test func `Apple tells the backend of shares, and of their ends`() throws {
    #expect(
      try news(
        [Self.buy(0, onDay: 0)],
        "leave person.family tx1/f1 #1, delay store.refund tx1/f1 #1 = 864000000ms") == [
          "bought ONE_TIME_CHARGE -", "shared ONE_TIME_CHARGE -", "shared REVOKE -",
        ])
    #expect(
      try news([Self.buy(1, onDay: 0)], "cancel person.renewal tx1 #1") == [
        "bought SUBSCRIBED INITIAL_BUY", "shared SUBSCRIBED INITIAL_BUY",
        "bought DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_DISABLED",
        "shared DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_DISABLED",
        "bought EXPIRED VOLUNTARY", "shared EXPIRED VOLUNTARY",
      ])
  }

  @Test func `What was restored of a share is revoked with it, once`() throws {
    let steps = [
      Self.buy(0, onDay: 0),
      Setup.Step(atMillis: 3 * Self.day + 60_000, device: 1, .restore),
    ]
    let plan = "leave person.family tx1/f1 #1, delay store.refund tx1/f1 #1 = 864000000ms"
    let record = try record(steps, plan)
    #expect(record.count(.restored) == 1)
    #expect(record.count(.refunded) == 1)
    #expect(try news(steps, plan).count { $0 == "shared REVOKE -" } == 1)
  }

  @Test func `A refund that is reversed is shared again`() throws {
    let record = try record(
      [Self.buy(1, onDay: 0)],
      "refund store.charge tx1 #1, delay store.refund tx1 #1 = 345600000ms, "
        + "reverse store.refund tx1 #1, delay store.reversal tx1 #1 = 345600000ms")
    #expect(charges(record) == ["apple1 basic 0", "(apple2 basic 0)", "(apple2 basic 8)"])
  }

  @Test func `A store account can be in one family`() throws {
    for families in [[[0]], [[0, 1], [1, 2]], [[0, 0]], [[0, 3]]] {
      var setup = Self.setup([Self.buy(0, onDay: 0)])
      setup.families = families
      let scenario = Scenario(
        name: "family", system: try Stage.system("exactly-once"), setup: setup)
      #expect(throws: ScenarioError.self) { try scenario.validate() }
    }
  }

  @Test func `Nobody's token is set on a share, and nothing of it is refunded`() throws {
    let hands = Probe.Hands()
    hands.notified = { message, server in
      server.reply(.alreadyDelivered)
      guard message.purchase.isShared else { return }
      server.call(.setAppAccountToken(.account(AccountID(1))), about: message.transaction)
    }
    hands.verified = { answer, report, server in
      hands.note("\(answer.status)")
      for purchase in server.purchases(in: answer) {
        server.credit(purchase, to: report.session)
      }
      if !report.session.isNone { server.reply(.delivered) }
    }
    hands.updated = { transaction, phone in
      if transaction.isShared { hands.note("\(phone.requestRefund(of: transaction.id))") }
      Probe.report(transaction.id, phone)
    }
    try Probe.run(hands) {
      $0 = Self.setup([Self.buy(0, onDay: 0)])
      $0.horizonMillis = 2 * Self.day
      $0.healMillis = Self.day
    }
    #expect(hands.log.contains("4000185") && hands.log.contains("unknown"))
  }
}
