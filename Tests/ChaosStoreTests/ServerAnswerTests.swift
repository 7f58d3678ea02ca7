import Invariants
import Testing

@testable import ChaosStore

@Suite struct `What Apple answers a backend beside transactions` {
  private static let day: Int64 = 86_400_000

  /// Asks once, well after a purchase and before the heal, and writes down what came of it.
  private func asking(
    after millis: Int64 = 40_000, _ ask: @escaping (Server) -> Void,
    answer: @escaping (VerifierAnswer, Server) -> String
  ) -> Probe.Hands {
    let hands = Probe.Hands()
    hands.started = { server, _ in
      if server.number == 0 { server.wake(after: millis, 1) }
    }
    hands.resumed = { _, _, server in ask(server) }
    let usual = hands.verified
    hands.verified = { given, report, server in
      guard report.session.isNone else { return usual(given, report, server) }
      hands.note("\(given.question) \(given.status): \(answer(given, server))")
    }
    return hands
  }

  // MARK: - Orders

  @Test func `An order that a customer names has what was bought with it, and no other number has`()
    throws
  {
    var orders: [OrderID] = []
    let hands = asking {
      $0.lookUp(orders[0])
      $0.lookUp(OrderID(number: 1))
      $0.lookUp(orders[0], in: .sandbox)
    } answer: { answer, server in
      let order = server.order(in: answer)
      return "\(order.isValid), \(order.purchases.map(\.transaction.raw)), \(answer.class)"
    }
    let usual = hands.replied
    hands.replied = { reply, phone in
      orders = phone.orders
      usual(reply, phone)
    }
    try Probe.run(hands)
    #expect(orders.count == 1 && orders[0].number != 0)
    #expect(
      hands.log.sorted() == [
        "orderLookUp 0: false, [], valid", "orderLookUp 0: true, [0], valid",
        "sandboxOrderLookUp 404: false, [], permanent",
      ])
  }

  @Test func `An order of the sandbox is told to nobody, and is not valid`() throws {
    var orders: [OrderID]?
    let hands = asking {
      if let order = $0.order(of: TransactionID(0)) { $0.lookUp(order) }
    } answer: { answer, server in
      "\(server.order(in: answer).isValid)"
    }
    hands.received = { _, server, _ in server.verify(.sandboxTransaction) }
    hands.replied = { _, phone in orders = phone.orders }
    try Probe.run(hands) { $0.devices = [.init(environment: .sandbox)] }
    #expect(orders == [] && hands.log == ["orderLookUp 0: false"])
  }

  @Test func `The signature of an order's transactions can be unchecked as well`() throws {
    let hands = asking {
      if let order = $0.order(of: TransactionID(0)) { $0.lookUp(order) }
    } answer: { answer, server in
      "\(server.order(in: answer).purchases.count)"
    }
    try Probe.run(hands, "fail verifier.signature server1 #1")
    #expect(hands.log == ["orderLookUp -2: 0"])
  }

  @Test(arguments: [4_290_000, 5_000_001, 4_040_002, 4_040_004, 4_040_006])
  func `Whatever is looked up, Apple can ask for another try`(code: Int) throws {
    let hands = asking {
      $0.history(of: TransactionID(0))
    } answer: { answer, _ in
      "\(answer.class)"
    }
    try Probe.run(hands, "limit verifier.request server1 #1 = \(code)")
    #expect(hands.log == ["history \(code): retry"])
  }

  // MARK: - Tests

  /// Asks for a TEST, and some time later what became of it.
  private func testing(answers outcome: Reply.Outcome = .alreadyDelivered) -> Probe.Hands {
    let hands = Probe.Hands()
    var token: TestNotificationToken?
    hands.started = { server, _ in
      guard server.number == 0 else { return }
      server.requestTestNotification()
      server.wake(after: 20, 1)
      server.wake(after: 2 * 3_600_000, 1)
    }
    hands.resumed = { _, _, server in
      server.testNotificationStatus(of: token ?? TestNotificationToken(number: 0))
    }
    let usual = hands.verified
    hands.verified = { answer, report, server in
      guard report.session.isNone else { return usual(answer, report, server) }
      token = server.testNotificationToken(in: answer) ?? token
      let status = server.testNotificationStatus(in: answer)
      hands.note("\(answer.question) \(answer.status) \(status?.attempts.map(\.name) ?? [])")
    }
    hands.notified = { notification, server in
      if notification.kind == .test {
        hands.note("\(notification.kind.name) of \(notification.transaction.isNone)")
      }
      server.reply(notification.kind == .test ? outcome : .alreadyDelivered)
    }
    return hands
  }

  private func tested(_ hands: Probe.Hands, _ plan: String = "") throws -> [String] {
    try Probe.run(hands, plan) {
      $0.isWholeStore = true
      $0.healMillis = Self.day
      $0.horizonMillis = 2 * Self.day
    }
    return hands.log
  }

  @Test func `A test notification comes to whoever asks for it, and its status says what became`()
    throws
  {
    let asked = ["testNotification 0 []", "testNotificationStatus 4040008 []"]
    #expect(
      try tested(testing()) == asked + [
        "TEST of true", #"testNotificationStatus 0 ["SUCCESS"]"#,
      ])
    #expect(
      try tested(testing(), "drop store.notification server1 #1") == [
        asked[0], #"testNotificationStatus 0 ["TIMED_OUT"]"#, "TEST of true",
        #"testNotificationStatus 0 ["TIMED_OUT", "SUCCESS"]"#,
      ])
    #expect(
      try tested(testing(answers: .serverError)).contains(
        #"testNotificationStatus 0 ["UNSUCCESSFUL_HTTP_RESPONSE_CODE", "#
          + #""UNSUCCESSFUL_HTTP_RESPONSE_CODE"]"#))
  }

  @Test func `Where no address is set, no test notification can be asked for`() throws {
    let hands = testing()
    try Probe.run(hands)
    #expect(hands.log.first == "testNotification 4040007 []")
    #expect(!hands.log.contains { $0.hasPrefix("TEST") })
  }

  /// The corrected design, whose operator asks for a TEST whenever a process starts.
  private enum TestedShop: PurchaseSystem {
    static let entry = SystemEntry(name: "tested", summary: "For this test.")
    typealias App = ExactlyOnce.App
    struct Backend: PurchaseBackend {
      private var shop: ExactlyOnce.Backend
      init(_ launch: Launch) { shop = ExactlyOnce.Backend(launch) }
      mutating func started(_ server: Server) {
        server.requestTestNotification()
        shop.started(server)
      }
      mutating func received(_ report: Report, _ server: Server) { shop.received(report, server) }
      mutating func verified(_ answer: VerifierAnswer, for report: Report, _ server: Server) {
        if answer.question.kind != .testNotification { shop.verified(answer, for: report, server) }
      }
      mutating func resumed(
        at step: UInt8, about transaction: TransactionID, for report: Report, _ server: Server
      ) {
        shop.resumed(at: step, about: transaction, for: report, server)
      }
      mutating func notified(_ notification: StoreNotification, _ server: Server) {
        shop.notified(notification, server)
      }
    }
  }

  @Test func `Nothing is credited for a test notification by the corrected design`() throws {
    var setup = Setup()
    setup.steps = [.init(atMillis: 1000, .buy(product: 0, quantity: 1, account: 0))]
    setup.isWholeStore = true
    setup.healMillis = 15 * Self.day
    setup.horizonMillis = 30 * Self.day
    setup.sittings = .init(everyMillis: Self.day, forMillis: 300_000)
    setup.reopenEveryMillis = nil
    setup.backend = .idempotent
    setup.mix = FaultMix(Fault.allCases.filter { !$0.needsSubscription })
    let simulation = Simulation(
      Scenario(name: "tested", system: AnySystem(TestedShop.self), setup: setup))
    for seed in UInt64(0)..<150 {
      let outcome = simulation.run(seed: seed)
      #expect(outcome.broken == 0 && !outcome.isCutOff && !outcome.hasProblems, "seed \(seed)")
    }
  }

  @Test func `Who credits for whatever Apple tells credits nobody's purchase for a test`() throws {
    let hands = testing()
    hands.notified = { notification, server in
      if notification.kind == .test {
        var purchase = notification.purchase
        purchase.product = ProductID(index: 0)
        purchase.quantity = 1
        server.credit(purchase, to: AccountID(index: 0))
      }
      server.reply(.delivered)
    }
    let record = try Probe.run(hands) { $0.isWholeStore = true }
    #expect(record.outcome.broken != 0)
  }

  // MARK: - Consumption

  /// A refund is asked for after a minute, and decided about an hour later.
  private static let asked =
    "ask store.refund tx1 #1, delay store.refund tx1 #1 = 60000ms, "
    + "delay store.decision tx1 #1 = 3600000ms"

  private func consumption(
    _ plan: String, _ product: Setup.Product = .init("coins"),
    telling: [ConsumptionInformation] = []
  ) throws -> (log: [String], record: Record) {
    let hands = Probe.Hands()
    hands.notified = { notification, server in
      switch notification.kind {
      case .consumptionRequest, .refunded, .refundDeclined:
        hands.note("\(notification.kind.name) \(notification.purchase.refunded)")
      default: break
      }
      if notification.kind == .consumptionRequest {
        for information in telling {
          server.call(.sendConsumption(information), about: notification.transaction)
        }
      }
      server.reply(.alreadyDelivered)
    }
    let usual = hands.verified
    hands.verified = { answer, report, server in
      guard answer.question == .consumption else { return usual(answer, report, server) }
      hands.note("\(answer.status)")
    }
    let record = try Probe.run(hands, plan) {
      $0.products = [product]
      $0.isWholeStore = true
      $0.healMillis = 10 * Self.day
      $0.horizonMillis = 20 * Self.day
    }
    return (hands.log, record)
  }

  @Test func `Who asks for a refund gets it, or does not, after Apple has asked the backend`()
    throws
  {
    let granted = try consumption(Self.asked)
    #expect(granted.log == ["CONSUMPTION_REQUEST 0", "REFUND 1000"])
    #expect(granted.record.times(.refunded).first.map { $0 > 3_660_000 } == true)
    let declined = try consumption(Self.asked + ", decline store.refund tx1 #1")
    #expect(declined.log == ["CONSUMPTION_REQUEST 0", "REFUND_DECLINED 0"])
    #expect(declined.record.count(.refunded) == 0 && declined.record.outcome.broken == 0)
  }

  @Test func `Apple takes no word of a customer who has not agreed to it, and no contradiction`()
    throws
  {
    let told: [ConsumptionInformation] = [
      .init(
        isConsentedTo: true, delivery: .delivered, consumed: 50_000, preference: .grantProrated),
      .init(isConsentedTo: false, delivery: .delivered),
      .init(isConsentedTo: true, delivery: .delivered, consumed: 100_001),
      .init(isConsentedTo: true, delivery: .serverOutage, consumed: 1),
      .init(isConsentedTo: true, delivery: .serverOutage, preference: .grantFull),
      .init(isConsentedTo: true, delivery: .delivered, preference: .grantProrated),
    ]
    for information in told {
      #expect(ConsumptionInformation(packed: information.packed) == information)
    }
    let coins = try consumption(Self.asked + ", decline store.refund tx1 #1", telling: told)
    let codes = ["0", "4000035", "4000000", "4000000", "0", "4000000"]
    #expect(coins.log == ["CONSUMPTION_REQUEST 0"] + codes + ["REFUND_DECLINED 0"])
    let pro = try consumption(
      Self.asked + ", decline store.refund tx1 #1",
      .init("pro", .autoRenewable(.init(Period(1, .month)))), telling: Array(told.prefix(2)))
    #expect(pro.log == ["CONSUMPTION_REQUEST 0", "4000209", "4000035", "REFUND_DECLINED 0"])
  }

  @Test func `Who takes the goods back when Apple only asks has taken them from who has paid`()
    throws
  {
    let hands = Probe.Hands()
    hands.notified = { notification, server in
      if notification.kind == .consumptionRequest {
        server.takeBack(notification.purchase, thousandths: 1000)
      }
      server.reply(.alreadyDelivered)
    }
    let record = try Probe.run(hands, Self.asked + ", decline store.refund tx1 #1") {
      $0.isWholeStore = true
      $0.healMillis = 10 * Self.day
      $0.horizonMillis = 20 * Self.day
    }
    #expect(record.outcome.broken != 0)
  }

  // MARK: - History

  private func history(
    _ filter: HistoryFilter, _ plan: String = "", vain: Int = 0
  ) throws -> [String] {
    let hands = asking(after: 300_000) {
      $0.history(of: TransactionID(0), where: filter)
    } answer: { answer, server in
      let page = server.historyPage(in: answer)
      if page.hasMore {
        server.history(of: TransactionID(0), where: filter, after: page.revision)
      }
      return page.purchases.map { "\($0.transaction.raw)" }.joined(separator: " ")
    }
    try Probe.run(hands, plan, vain: vain) {
      $0.isWholeStore = true
      $0.horizonMillis = 600_000
      $0.products = [
        .init("coins"), .init("map", isConsumable: false),
        .init("pro", .autoRenewable(.init(Period(1, .month)))),
      ]
      $0.steps = (0..<3).map {
        .init(atMillis: 1000 + Int64($0) * 5000, .buyOutside(product: $0, quantity: 1, account: 0))
      }
    }
    return hands.log
  }

  @Test func `A history has what fits all of its filter`() throws {
    func found(_ change: (inout HistoryFilter) -> Void, _ plan: String = "") throws -> [String] {
      var filter = HistoryFilter()
      change(&filter)
      return try history(filter, plan)
    }
    #expect(try found { _ in } == ["history 0: 0 1 2"])
    #expect(try found { $0.productTypes = [.consumable] } == ["history 0: 0"])
    #expect(
      try found { $0.productTypes = [.nonConsumable, .autoRenewable] } == ["history 0: 1 2"])
    #expect(try found { $0.products = [ProductID(index: 1)] } == ["history 0: 1"])
    #expect(try found { $0.startMillis = 5000 } == ["history 0: 1 2"])
    #expect(try found { $0.endMillis = 5000 } == ["history 0: 0"])
    #expect(
      try found {
        $0.startMillis = 5000
        $0.endMillis = 5000
      } == ["history 4000013: "])
    #expect(try found { $0.ownership = .purchased } == ["history 0: 0 1 2"])
    #expect(try found { $0.ownership = .familyShared } == ["history 0: "])
    #expect(try found { $0.isDescending = true } == ["history 0: 2 1 0"])
    let refund = "refund store.charge tx2 #1, delay store.refund tx2 #1 = 60000ms"
    // The heal comes first, so nothing is given back here before.
    #expect(try found({ $0.isRevoked = false }, refund) == ["history 0: 0 2"])
    #expect(try found({ $0.isRevoked = true }, refund) == ["history 0: 1"])
  }

  @Test func `A filtered history has pages as well, in either direction`() throws {
    for (isDescending, expected) in [
      (false, ["0 to 19", "20 to 24"]), (true, ["24 to 5", "4 to 0"]),
    ] {
      var filter = HistoryFilter()
      filter.isDescending = isDescending
      filter.productTypes = [.consumable]
      let hands = asking(after: 300_000) {
        $0.history(of: TransactionID(0), where: filter)
      } answer: { answer, server in
        let page = server.historyPage(in: answer)
        if page.hasMore {
          server.history(of: TransactionID(0), where: filter, after: page.revision)
        }
        let ids = page.purchases.map(\.transaction.raw)
        return "\(ids.first ?? 99) to \(ids.last ?? 99)"
      }
      try Probe.run(hands) {
        $0.horizonMillis = 600_000
        $0.steps = (0..<25).map {
          .init(atMillis: 1000 + Int64($0) * 5000, .buyOutside(product: 0, quantity: 1, account: 0))
        }
      }
      #expect(hands.log == expected.map { "history 0: \($0)" })
    }
  }

  @Test func `An old history leaves out consumables that were finished, and only those`() throws {
    let hands = asking(after: 40_000) {
      $0.history(of: TransactionID(0))
    } answer: { answer, server in
      server.historyPage(in: answer).purchases.map { "\($0.transaction.raw)" }
        .joined(separator: " ")
    }
    hands.replied = { reply, phone in
      // The last is not finished.
      if reply.transaction != TransactionID(2) { phone.finish(reply.transaction) }
    }
    try Probe.run(hands, "hide verifier.history server1 #1") {
      $0.products = [.init("coins"), .init("map", isConsumable: false)]
      $0.steps = [0, 1, 0].enumerated().map { index, product in
        .init(
          atMillis: 1000 + Int64(index) * 5000,
          .buyOutside(product: product, quantity: 1, account: 0))
      }
    }
    #expect(hands.log == ["history 0: 1 2"])
  }
}
