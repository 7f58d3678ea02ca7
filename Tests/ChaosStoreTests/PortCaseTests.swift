import Invariants
import Testing

@testable import ChaosStore

/// A system that writes down which of its handlers was called, and then uses every port there is.
private enum Diary: PurchaseSystem {
  static let entry = SystemEntry(name: "diary", summary: "For these tests.")

  enum Variant: String, CaseIterable { case usual, unusual }

  final class Pages: @unchecked Sendable { var lines: [String] = [] }

  @TaskLocal static var pages = Pages()

  static func makeShared() -> AnyObject? { pages }

  struct App: PurchaseApp {
    static let hasShopPage = true
    private let pages: Pages

    init(_ launch: Launch) { pages = launch.shared as! Pages }

    private func note(_ text: String, _ phone: Phone) { pages.lines.append("\(phone.now) \(text)") }

    mutating func launched(_ phone: Phone) {
      note("launched", phone)
      phone.observe()
    }
    mutating func tapped(_ tap: Tap, _ phone: Phone) {
      note("tapped", phone)
      guard tap.intent.index == 0 else { return }
      phone.loadProducts(for: tap)
      phone.unobserve()
      phone.observe()
      phone.save(StoredRecord(transaction: .none), key: 1)
      phone.flush()
      phone.erase(key: 1)
      phone.startTimer(after: 10, tag: 3)
      phone.add(tap)
    }
    mutating func visitedShop(_ phone: Phone) { note("visited", phone) }
    mutating func sessionChanged(_ phone: Phone) { note("session", phone) }
    mutating func productsArrived(for tap: Tap, _ phone: Phone) {
      note("products \(tap.product.index)", phone)
    }
    mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone) {
      note("updated", phone)
      guard transaction.product.index == 0 else { return phone.finish(transaction) }
      phone.save(StoredRecord(transaction: transaction.id), key: 2)
      phone.startTimer(after: 400, about: transaction.id, tag: 4)
      _ = phone.receipt()
      phone.send(
        Report(session: phone.account, evidence: phone.evidence(for: transaction.id)),
        about: transaction.id)
    }
    mutating func purchaseEnded(_ result: PurchaseResult, for tap: Tap, _ phone: Phone) {
      note("ended", phone)
    }
    mutating func restoreEnded(_ phone: Phone) { note("restored", phone) }
    mutating func receiptRefreshed(_ succeeded: Bool, _ phone: Phone) { note("refreshed", phone) }
    mutating func replied(_ reply: Reply, _ phone: Phone) {
      note("replied", phone)
      phone.finish(reply.transaction)
      phone.tell(.success, about: reply.transaction)
      phone.restore()
      phone.refreshReceipt()
    }
    mutating func timerFired(_ tag: UInt8, about transaction: TransactionID, _ phone: Phone) {
      note("alarm \(tag) \(transaction.isNone)", phone)
    }
    mutating func stopped() { pages.lines.append("stopped") }
  }

  struct Backend: PurchaseBackend {
    private let pages: Pages

    init(_ launch: Launch) { pages = launch.shared as! Pages }

    mutating func received(_ report: Report, _ server: Server) { server.reply(.delivered) }
    mutating func verified(_ answer: VerifierAnswer, for report: Report, _ server: Server) {}
    mutating func stopped() { pages.lines.append("server stopped") }
  }

  /// A tap at the first second, a StoreKit 2 purchase of nothing, and a login later.
  static func run(_ plan: String) throws -> (record: Record, lines: [String]) {
    let pages = Pages()
    let record = try $pages.withValue(pages) {
      var setup = Setup()
      setup.accounts = 2
      setup.steps = [
        .init(atMillis: 1000, .buy(product: 0, quantity: 1, account: 0)),
        .init(atMillis: 3000, .logIn(account: 1)),
      ]
      setup.horizonMillis = 100_000
      setup.reopenEveryMillis = nil
      let simulation = Simulation(
        Scenario(name: "diary", system: AnySystem(Diary.self), setup: setup))
      pages.lines = []
      return simulation.record(
        seed: nil, plan: try Plan(parsing: plan), listsQuestions: true)
    }
    return (record, pages.lines)
  }
}

@Suite("The ports and handlers of an app")
struct PortCaseTests {
  @Test("Each handler is called when its time comes, and the processes are stopped in the end")
  func handlers() throws {
    let (record, lines) = try Diary.run("")
    #expect(
      lines == [
        "server stopped", "server stopped", "stopped", "0 launched", "500 visited", "1000 tapped",
        "1010 alarm 3 true", "1050 products 0", "1051 updated", "1071 replied", "1271 restored",
        "1271 refreshed", "1451 alarm 4 false", "3000 session", "stopped", "server stopped",
        "server stopped",
      ])
    #expect(record.outcome.endMillis == 3000)
  }

  @Test("Before an app begins its next life its last one is stopped, and in the end each process")
  func stopped() throws {
    let (_, lines) = try Diary.run("crash app after tap tx1 #1")
    let lives = lines.filter { $0.hasSuffix("launched") || $0 == "stopped" }
    #expect(lives == ["stopped", "0 launched", "stopped", "2000 launched", "stopped"])
    #expect(lines.suffix(3) == ["stopped", "server stopped", "server stopped"])
    #expect(lines.prefix(2) == ["server stopped", "server stopped"])
  }

  @Test("Nobody visits a shop page that is skipped, nor one of a life that is over")
  func visits() throws {
    func visits(_ plan: String) throws -> [String] {
      try Diary.run(plan).lines.filter { $0.hasSuffix("visited") }
    }
    #expect(try visits("") == ["500 visited"])
    #expect(try visits("skip page.visit phone1 #1") == [])
    #expect(
      try visits("crash app after tap tx1 #1, delay page.visit phone1 #1 = 5000ms")
        == ["2500 visited"])
  }

  @Test("Products that were asked for come to the app that asked, and to no later life of it")
  func products() throws {
    let plan = "crash app after products tx1 #1, delay store.products tx1 #1 = 3000ms"
    let (_, lines) = try Diary.run(plan)
    #expect(!lines.contains { $0.contains("products") })
  }

  /// Each place where an app can die, whom it is named after, and when it comes first.
  static let places: [(String, String, Int64)] = [
    ("before observe", "phone1", 0), ("after observe", "phone1", 0),
    ("after launch", "phone1", 0), ("after visit", "phone1", 500),
    ("before products", "tx1", 1000), ("after products", "tx1", 1000),
    ("before unobserve", "phone1", 1000), ("after unobserve", "phone1", 1000),
    ("before save", "phone1", 1000), ("after save", "phone1", 1000),
    ("before flush", "phone1", 1000), ("after flush", "phone1", 1000),
    ("before erase", "phone1", 1000), ("after erase", "phone1", 1000),
    ("before timer", "phone1", 1000), ("after timer", "phone1", 1000),
    ("before pay", "tx1", 1000), ("after pay", "tx1", 1000), ("after tap", "tx1", 1000),
    ("after alarm", "phone1", 1010), ("after product-list", "tx1", 1050),
    ("on callback", "tx1", 1051), ("before save", "tx1", 1051), ("after save", "tx1", 1051),
    ("before receipt", "phone1", 1051), ("after receipt", "phone1", 1051),
    ("before send", "tx1", 1051), ("after send", "tx1", 1051), ("after callback", "tx1", 1051),
    ("on reply", "tx1", 1071), ("before finish", "tx1", 1071), ("after finish", "tx1", 1071),
    ("before tell", "tx1", 1071), ("after tell", "tx1", 1071),
    ("before restore", "phone1", 1071), ("after restore", "phone1", 1071),
    ("before refresh", "phone1", 1071), ("after refresh", "phone1", 1071),
    ("after reply", "tx1", 1071), ("after restored", "phone1", 1271),
    ("after refreshed", "phone1", 1271), ("after alarm", "tx1", 1451),
    ("after login", "phone1", 3000),
  ]

  @Test("An app can die around each use of a port and after each handler, and does so there")
  func deaths() throws {
    var wrong: [String] = []
    for (place, who, millis) in Self.places {
      let (record, _) = try Diary.run("crash app \(place) \(who) #1")
      let died = record.times(.ended)
      if died != [millis] || !record.unmatched.isEmpty {
        wrong.append("\(place) \(who): \(died), expected \(millis)")
      }
    }
    #expect(wrong == [])
  }

  @Test("An app that dies before it uses a port has not used it, and after it has")
  func effects() throws {
    func count(_ kind: Fact.Kind, _ plan: String) throws -> Int {
      let (record, _) = try Diary.run("\(plan), delay app.launch phone1 #1 = 10000ms")
      return record.facts.count { $0.kind == kind && $0.at.millis < 9000 }
    }
    #expect(try count(.charged, "crash app before pay tx1 #1") == 0)
    #expect(try count(.charged, "crash app after pay tx1 #1") == 1)
    #expect(try count(.saved, "crash app before save tx1 #1") == 0)
    #expect(try count(.saved, "crash app after save tx1 #1") == 1)
    #expect(try count(.reported, "crash app before send tx1 #1") == 0)
    #expect(try count(.reported, "crash app after send tx1 #1") == 1)
    #expect(try count(.finishing, "crash app before finish tx1 #1") == 0)
    #expect(try count(.finishing, "crash app after finish tx1 #1") == 1)
    #expect(try count(.told, "crash app before tell tx1 #1") == 0)
    #expect(try count(.told, "crash app after tell tx1 #1") == 1)
  }

  @Test("A handler is called with a callback or a reply, unless the app dies before it can be")
  func beforeHandlers() throws {
    func lines(_ plan: String, _ text: String) throws -> Int {
      try Diary.run("\(plan), delay app.launch phone1 #1 = 10000ms").lines
        .prefix { $0 != "11051 launched" && $0 != "11071 launched" }.count { $0.hasSuffix(text) }
    }
    #expect(try lines("crash app on callback tx1 #1", "updated") == 0)
    #expect(try lines("crash app after callback tx1 #1", "updated") == 1)
    #expect(try lines("crash app on reply tx1 #1", "replied") == 0)
    #expect(try lines("crash app after reply tx1 #1", "replied") == 1)
  }

  // MARK: - What is handed in

  /// What the run says of a use of the ports at the only tap.
  private func problems(_ use: @escaping (Tap, Phone) -> Void) throws -> [String] {
    let hands = Probe.Hands()
    hands.tapped = use
    hands.updated = { _, _ in }
    let record = try Probe.run(hands) {
      $0.products = [.init("coins"), .init("gems")]
    }
    #expect(record.outcome.hasProblems == !record.problems.isEmpty)
    return record.problems.map { "\($0.kind): \($0)" }
  }

  private static func strange(_ product: UInt32 = 0, intent: UInt32 = 0) -> Tap {
    Tap(intent: IntentID(intent), product: ProductID(product), quantity: 1, account: AccountID(0))
  }

  @Test("A tap of another simulation, or for no product, is misuse at each port that takes one")
  func strangeTaps() throws {
    let at = "first noticed in event 1 at 1,000 ms"
    let ports: [(Tap, Phone) -> Void] = [
      { $1.add($0) }, { $1.purchase($0) }, { $1.loadProducts(for: $0) },
      { $1.tell(.failure, about: $0) },
    ]
    for port in ports {
      let unknown = try problems { _, phone in port(Self.strange(intent: 5), phone) }
      #expect(unknown == ["misuse: a tap is not of this simulation, \(at)"])
      let product = try problems { _, phone in port(Self.strange(2), phone) }
      #expect(
        product == ["misuse: a tap names product 2, and the catalogue has 0 to 1, \(at)"])
      #expect(try problems { _, phone in port(Self.strange(1), phone) } == [])
      #expect(try problems { _, phone in port(.none, phone) } == [])
    }
  }

  @Test("A report with evidence or a product of another simulation is misuse, and is not sent")
  func strangeReports() throws {
    func send(_ change: @escaping (inout Report) -> Void) throws -> [String] {
      try problems { _, phone in
        var report = Report(session: phone.account, evidence: Evidence())
        change(&report)
        phone.send(report, about: .none)
      }
    }
    let at = "first noticed in event 1 at 1,000 ms"
    let evidence = ["misuse: a report's evidence is not of this simulation, \(at)"]
    #expect(try send { $0.evidence.transaction = TransactionID(3) } == evidence)
    #expect(try send { $0.evidence.storeAccount = StoreAccountID(2) } == evidence)
    #expect(
      try send { $0.product = ProductID(2) }
        == ["misuse: a report names product 2, and the catalogue has 0 to 1, \(at)"])
    #expect(try send { $0.product = ProductID(1) } == [])
    #expect(try send { $0.evidence.storeAccount = StoreAccountID(1) } == [], "the attacker's")
    #expect(try send { _ in } == [])
  }

  @Test("The same misuse is noted once, when it was first noticed")
  func notedOnce() throws {
    let lines = try problems { _, phone in
      for text in ["one", "two", "one"] { phone.note(problem: text) }
      phone.note(leak: "one")
      phone.note(leak: "one")
    }
    let at = "first noticed in event 1 at 1,000 ms"
    #expect(lines == ["misuse: one, \(at)", "misuse: two, \(at)", "leak: one, \(at)"])
    let early = Problem(.misuse, "early", event: 0, at: .start)
    #expect(early.description == "early, first noticed before the first event at 0 ms")
  }

  @Test("A transaction of another simulation is misuse where a person is told, or it is finished")
  func strangeTransactions() throws {
    let strange = PaymentTransaction(
      id: .none, row: TransactionID(6), intent: .none, original: .none, product: ProductID(0),
      quantity: 1, state: .failed, token: .none, isFinished: false, chargedMillis: 0)
    let at = "first noticed in event 1 at 1,000 ms"
    let text = ["misuse: a transaction is not of this simulation, \(at)"]
    #expect(try problems { $1.finish(strange) } == text)
    #expect(try problems { $1.tell(.failure, about: strange) } == text)
    #expect(try problems { $1.finish(TransactionID(6)) } == [])
    #expect(try problems { $1.tell(.failure, about: TransactionID(6)) } == [])
  }

  @Test("A product has its name; one that the catalogue does not have has none, and is misuse")
  func namesOfProducts() throws {
    var names: [String] = []
    let lines = try problems { _, phone in
      names = [phone.product(ProductID(1)).name, phone.product(ProductID(2)).name]
      #expect(phone.products == 0..<2)
      #expect((phone.number, phone.launches, phone.environment) == (0, 1, .production))
    }
    #expect(names == ["gems", ""])
    #expect(lines.count == 1)
    #expect(try problems { _ = $1.product(.none) }.count == 1)
  }

  @Test("A timer takes no less than no time, and ends within all time there is")
  func timers() throws {
    let hands = Probe.Hands()
    hands.tapped = { _, phone in
      phone.startTimer(after: -7, about: TransactionID(9))
      phone.startTimer(after: .max)
      phone.startTimer(after: 20)
    }
    hands.timerFired = { transaction, phone in
      hands.note("\(phone.now) \(transaction.isNone)")
    }
    try Probe.run(hands)
    #expect(hands.log == ["1000 true", "1020 true"])
  }

  @Test("What the app asks for once it is dead is nothing")
  func afterDeath() throws {
    let hands = Probe.Hands()
    hands.updated = { transaction, phone in
      phone.crash()
      hands.note("\(phone.newOrder(for: hands.tap).isNone) \(phone.history.count)")
      hands.note("\(phone.verifyLocally(Evidence(), about: transaction.id).isNone)")
      hands.note("\(phone.receipt().isNone) \(phone.nextTask(of: 4))")
      phone.crash()
    }
    let record = try Probe.run(hands)
    #expect(hands.log.prefix(3) == ["true 0", "true", "true 0"])
    #expect(record.times(.ended).first == 1051)
  }

  @Test("An app that dies while it is told that somebody logged in is not tapped any more")
  func deathAtLogin() throws {
    let hands = Probe.Hands()
    hands.tapped = { _, _ in hands.note("tapped") }
    let record = try Probe.run(hands, "crash app after login phone1 #1") { setup in
      setup.accounts = 2
      setup.steps[0].action = .buy(product: 0, quantity: 1, account: 1)
    }
    #expect(hands.log == [])
    #expect(record.times(.tapped) == [1000])
  }

  @Test("Of the ready tasks the one runs next that is named, and the last where it is beyond")
  func tasks() throws {
    let hands = Probe.Hands()
    hands.tapped = { _, phone in
      hands.note((1...4).map { "\(phone.nextTask(of: $0))" }.joined())
    }
    let plan = "reorder app.task phone1 #1 = 1, reorder app.task phone1 #2 = 2"
    let record = try Probe.run(hands, plan)
    #expect(hands.log == ["0120"])
    #expect(record.asked(.reorderTask, "phone1") == 3, "one task alone is no question")
  }
}

extension Probe.Hands {
  /// The first wish of a simulation.
  fileprivate var tap: Tap {
    Tap(intent: IntentID(0), product: ProductID(0), quantity: 1, account: AccountID(0))
  }
}
