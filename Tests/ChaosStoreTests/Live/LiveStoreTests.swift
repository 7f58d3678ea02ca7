import ChaosStore
import Invariants
import Testing

@Suite("A store that somebody drives")
struct LiveStoreTests {
  private static let coins = ProductID(index: 0)
  private static let pro = ProductID(index: 1)
  private static let max = ProductID(index: 2)
  private static let day: Int64 = 86_400_000

  private func founded(
    seed: UInt64 = 0, people: Int = 4, families: [[Int]] = []
  ) throws -> LiveStore {
    var shared = Setup.Product("max", .autoRenewable(.init(Period(1, .year), level: 1)))
    shared.isFamilyShareable = true
    return try LiveStore(
      LiveStore.Terms(
        products: [
          Setup.Product("coins"),
          Setup.Product("pro", .autoRenewable(.init(Period(1, .month), graceDays: 16))), shared,
        ], people: people, families: families, seed: seed))
  }

  /// Lets time pass, and answers everything with a status; what was said, in order.
  @discardableResult
  private func pass(
    _ store: LiveStore, days: Int64 = 0, answer: LiveStore.Answer = .status(200)
  ) -> [String] {
    var said: [String] = []
    let end = store.now + days * Self.day
    while let delivery = store.pass(to: end) {
      let message = delivery.notification
      said.append(message.kind.name + (message.subtype.map { ".\($0.name)" } ?? ""))
      store.answered(delivery, answer)
    }
    return said
  }

  private func charged(_ purchase: LiveStore.Purchase) throws -> TransactionID {
    guard case .charged(let transaction) = purchase else {
      Issue.record("not charged: \(purchase)")
      throw CancellationError()
    }
    return transaction
  }

  @Test("charges at once, and tells the backend at the same moment")
  func charges() throws {
    let store = try founded()
    let row = try charged(store.buy(Self.coins, by: 2, in: .production, quantity: 3))
    let charge = try #require(store.books.charge(row))
    #expect(charge.account == 2)
    #expect(charge.purchase.quantity == 3)
    #expect(charge.expiresMillis == nil)
    #expect(pass(store) == ["ONE_TIME_CHARGE"])
    #expect(store.now == 0)
    #expect(store.transactions(of: 2, in: .production) == [row])
    #expect(store.transactions(of: 2, in: .sandbox).isEmpty)
  }

  @Test("sends a notification six times where nobody answers, and no more once one has")
  func retries() throws {
    let store = try founded()
    _ = try charged(store.buy(Self.coins, by: 0, in: .production))
    #expect(pass(store, days: 30, answer: .timedOut).count == 6)
    _ = try charged(store.buy(Self.coins, by: 0, in: .sandbox))
    #expect(pass(store, days: 30, answer: .status(500)).count == 1)
    _ = try charged(store.buy(Self.coins, by: 1, in: .production))
    #expect(pass(store, days: 30).count == 1)
  }

  @Test("renews, ends and begins again as time passes")
  func renews() throws {
    let store = try founded()
    let row = try charged(store.buy(Self.pro, by: 0, in: .production))
    #expect(pass(store) == ["SUBSCRIBED.INITIAL_BUY"])
    #expect(pass(store, days: 31) == ["DID_RENEW"])
    #expect(store.setRenews(false, ofSubscription: row))
    #expect(!store.setRenews(false, ofSubscription: row))
    #expect(pass(store) == ["DID_CHANGE_RENEWAL_STATUS.AUTO_RENEW_DISABLED"])
    #expect(store.setRenews(true, ofSubscription: row))
    #expect(store.setRenews(false, ofSubscription: row))
    #expect(pass(store).count == 2)
    #expect(pass(store, days: 31) == ["EXPIRED.VOLUNTARY"])
    #expect(store.books.subscription(of: row)?.state == .expired)
    let again = try charged(store.buy(Self.pro, by: 0, in: .production))
    #expect(store.books.charge(again)?.original == row)
    #expect(pass(store) == ["SUBSCRIBED.RESUBSCRIBE"])
  }

  @Test("a renewal that is on again is charged for as if it had never been off")
  func turnsRenewalOnAgain() throws {
    let store = try founded()
    let row = try charged(store.buy(Self.pro, by: 0, in: .production))
    pass(store, days: 3)
    #expect(store.setRenews(false, ofSubscription: row))
    pass(store, days: 3)
    #expect(store.setRenews(true, ofSubscription: row))
    pass(store)
    #expect(pass(store, days: 26) == ["DID_RENEW"])
  }

  @Test("gives money back, in whole or in part, and takes it again")
  func refunds() throws {
    let store = try founded()
    let row = try charged(store.buy(Self.coins, by: 0, in: .production))
    pass(store)
    #expect(store.refund(row, thousandths: 250))
    #expect(!store.refund(row))
    #expect(store.books.charge(row)?.purchase.refunded == 250)
    #expect(store.books.charge(row)?.revokedMillis == 0)
    #expect(store.reverseRefund(of: row))
    #expect(!store.reverseRefund(of: row))
    #expect(pass(store) == ["REFUND", "REFUND_REVERSED"])
    #expect(store.requestRefund(of: row) == .taken)
    #expect(store.requestRefund(of: row) == .duplicate)
    #expect(pass(store, days: 3) == ["CONSUMPTION_REQUEST", "REFUND"])
  }

  @Test("answers what a backend asks, at once, and lets no time pass for it")
  func answers() throws {
    let store = try founded()
    let row = try charged(store.buy(Self.coins, by: 0, in: .production))
    let known = try #require(store.ask { $0.verify(.transaction, about: row) })
    #expect(known.answer.status == 0)
    #expect(known.server.purchases(in: known.answer).map(\.transaction) == [row])
    let elsewhere = try #require(store.ask { $0.verify(.sandboxTransaction, about: row) })
    #expect(elsewhere.answer.status == 4_040_010)
    let unknown = try #require(store.ask { $0.verify(.transaction, about: TransactionID(77)) })
    #expect(unknown.answer.status == 4_040_010)
    let page = try #require(store.ask { $0.history(of: row) })
    #expect(page.server.historyPage(in: page.answer).purchases.count == 1)
    #expect(store.now == 0)
  }

  @Test("a fault that is armed strikes as often as it may, and the history has a line of it")
  func faults() throws {
    let store = try founded()
    let row = try charged(store.buy(Self.coins, by: 0, in: .production))
    let always = try #require(Ratio(1, 1))
    #expect(store.arm(.verifierOutage, chance: always, most: 2, at: .dropVerifier))
    var statuses: [Int32] = []
    for _ in 0..<3 {
      statuses.append(
        try #require(store.ask { $0.verify(.transaction, about: row) }).answer.status)
    }
    #expect(statuses == [VerifierAnswer.timedOut, VerifierAnswer.timedOut, 0])
    #expect(store.strikes(of: .verifierOutage) == 2)
    #expect(!store.arm(.appCrash, chance: always))
    #expect(store.history().lines.contains { $0.note.hasPrefix("F61") })
    #expect(store.arm(.notificationTwice, chance: always))
    pass(store)
    _ = try charged(store.buy(Self.coins, by: 1, in: .production))
    #expect(pass(store) == ["ONE_TIME_CHARGE", "ONE_TIME_CHARGE"])
    store.disarm(.notificationTwice)
    _ = try charged(store.buy(Self.coins, by: 2, in: .production))
    #expect(pass(store) == ["ONE_TIME_CHARGE"])
    #expect(store.arm(.billingProblem, chance: always, at: .failRenewal))
    _ = try charged(store.buy(Self.pro, by: 1, in: .production))
    #expect(pass(store, days: 31).contains("DID_FAIL_TO_RENEW.GRACE_PERIOD"))
  }

  @Test("an overtaken notification comes a minute late, and only where that is armed")
  func overtaken() throws {
    let store = try founded()
    let always = try #require(Ratio(1, 1))
    #expect(store.arm(.notificationDelayed, chance: always, most: 1))
    _ = try charged(store.buy(Self.coins, by: 0, in: .production))
    #expect(pass(store).isEmpty)
    #expect(store.nextMillis != nil)
    _ = try charged(store.buy(Self.coins, by: 1, in: .production))
    #expect(pass(store).count == 1)
    #expect(pass(store, days: 1).count >= 1)
  }

  @Test("what others of a family have bought is theirs, until they leave it")
  func families() throws {
    let store = try founded(families: [[0, 1]])
    let row = try charged(store.buy(Self.max, by: 0, in: .production))
    pass(store)
    let share = try #require(store.transactions(of: 1, in: .production).first)
    #expect(share != row)
    #expect(store.books.charge(share)?.purchase.isShared == true)
    store.leaveFamily(1)
    #expect(pass(store) == ["REVOKE"])
  }

  @Test("the verdict knows what was credited, and of what nobody has said anything")
  func verdict() throws {
    let store = try founded()
    #expect(store.verdict().isEmpty)
    let first = try charged(store.buy(Self.coins, by: 0, in: .production))
    pass(store)
    #expect(!store.knowsCredits)
    // People wait for a moment before they miss anything.
    #expect(store.verdict().isEmpty)
    pass(store, days: 1)
    #expect(store.verdict().map(\.code).contains("I01"))
    store.ledger.credited(first, to: 0)
    #expect(store.verdict().isEmpty)
    store.ledger.credited(first, to: 0)
    let broken = store.verdict()
    #expect(broken.map(\.code).contains("I02"))
    #expect(broken.first { $0.code == "I02" }?.subject == first)
    #expect(store.knowsCredits)
  }

  @Test("who has paid for a subscription and is let in has nothing to complain of")
  func entitlements() throws {
    let store = try founded()
    let row = try charged(store.buy(Self.pro, by: 0, in: .production))
    let until = try #require(store.books.charge(row)?.expiresMillis)
    store.ledger.entitled(row, 0, until: until)
    pass(store, days: 20)
    #expect(store.verdict().isEmpty)
    pass(store, days: 20)
    #expect(store.verdict().map(\.code).contains("I09"))
  }

  @Test("the same calls have the same history under one seed")
  func repeats() throws {
    func told(_ seed: UInt64) throws -> [String] {
      let store = try founded(seed: seed)
      let often = try #require(Ratio(1, 2))
      for fault in LiveStore.faults { store.arm(fault, chance: often) }
      for person in 0..<4 {
        _ = store.buy(Self.coins, by: person, in: .production)
        _ = store.buy(Self.pro, by: person, in: .production)
        pass(store, days: 40)
      }
      return store.history().lines.map { "\($0.at.millis) \($0.text)" }
    }
    #expect(try told(1) == told(1))
    #expect(try told(1) != told(2))
  }

  @Test("terms that make no sense are refused with their place")
  func refuses() {
    #expect(throws: ScenarioError.self) {
      try LiveStore(LiveStore.Terms(products: [], people: 1))
    }
    #expect(throws: ScenarioError.self) {
      try LiveStore(LiveStore.Terms(products: [Setup.Product("a")], people: 0))
    }
  }

  @Test("lines are forgotten from the first on, and keep their numbers")
  func forgets() throws {
    var terms = LiveStore.Terms(products: [Setup.Product("coins")])
    terms.linesKept = 10
    let store = try LiveStore(terms)
    for _ in 0..<50 {
      store.finish(try charged(store.buy(Self.coins, by: 0, in: .production)))
      pass(store)
    }
    let (first, lines) = store.history()
    #expect((10...20).contains(lines.count))
    #expect(first > 50)
    #expect(store.history(from: first + 3).first == first + 3)
    #expect(store.history(from: first + 3).lines.count == lines.count - 3)
  }
}
