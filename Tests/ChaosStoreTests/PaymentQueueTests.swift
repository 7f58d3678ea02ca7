import ChaosStore
import Invariants
import Testing

@Suite("The simulated payment queue")
struct PaymentQueueTests {
  private static let map = Setup.Product("map", isConsumable: false)

  /// Writes down when and where each transaction is handed over, and leaves it unfinished.
  private func watching() -> Probe.Hands {
    let hands = Probe.Hands()
    hands.updated = { transaction, phone in
      hands.note("\(phone.now) phone\(phone.number + 1): \(transaction.state)")
    }
    return hands
  }

  // MARK: - When a transaction is handed over

  @Test("Who observes already is not handed everything again by observing once more (R2)")
  func observingTwice() throws {
    let hands = watching()
    hands.tapped = { tap, phone in
      phone.add(tap)
      phone.startTimer(after: 1000)
    }
    hands.timerFired = { _, phone in phone.observe() }
    try Probe.run(hands)
    #expect(hands.log == ["1051 phone1: purchased"])
    hands.timerFired = { _, phone in
      phone.unobserve()
      phone.observe()
    }
    try Probe.run(hands)
    #expect(hands.log.dropFirst() == ["1051 phone1: purchased", "2001 phone1: purchased"])
  }

  @Test("A charge that was announced before an observer came is handed to it once (R2)")
  func observingMeanwhile() throws {
    let hands = watching()
    hands.launched = { _ in }
    hands.tapped = { tap, phone in
      phone.add(tap)
      phone.startTimer(after: 60)
    }
    hands.timerFired = { _, phone in phone.observe() }
    try Probe.run(hands, "delay store.callback tx1 #1 = 20ms")
    #expect(hands.log == ["1061 phone1: purchased"])
  }

  @Test("What the result of a purchase handed over is not called back in the same session (R2)")
  func resultsCount() throws {
    let hands = watching()
    hands.launched = { _ in }
    hands.tapped = { tap, phone in
      phone.purchase(tap)
      phone.startTimer(after: 60)
    }
    hands.timerFired = { _, phone in phone.observe() }
    hands.purchaseEnded = { _, _, phone in hands.note("\(phone.now): result") }
    try Probe.run(
      hands, "delay store.result tx1 #1 = 15ms, delay store.callback tx1 #1 = 20ms")
    #expect(hands.log == ["1065: result"])
  }

  @Test("A callback while nobody observes is lost on the app, and the next observer gets it")
  func nobodyObserves() throws {
    let hands = watching()
    hands.tapped = { tap, phone in
      phone.add(tap)
      phone.unobserve()
      phone.startTimer(after: 500)
    }
    hands.timerFired = { _, phone in phone.observe() }
    let record = try Probe.run(hands)
    #expect(hands.log == ["1501 phone1: purchased"])
    #expect(record.count(.delivered) == 1)
  }

  @Test("A transaction that was finished before its callback arrives is not called back")
  func finishedMeanwhile() throws {
    let hands = watching()
    hands.tapped = { tap, phone in
      phone.add(tap)
      phone.startTimer(after: 100)
    }
    hands.timerFired = { _, phone in
      for transaction in phone.unfinished { phone.finish(transaction) }
    }
    let record = try Probe.run(hands, "delay store.callback tx1 #1 = late")
    #expect(record.times(.finished) == [1100])
    #expect(hands.log == [])
  }

  @Test("A held transaction comes with the next launch of its phone, and another phone has it now")
  func heldTransactions() throws {
    let hands = watching()
    hands.tapped = { tap, phone in
      phone.add(tap)
      phone.startTimer(after: 1000)
    }
    hands.timerFired = { _, phone in
      phone.unobserve()
      phone.observe()
    }
    try Probe.run(hands, "hold store.callback tx1 #1") { setup in
      setup.steps += [.init(atMillis: 9000, .quit), .init(atMillis: 10_000, .open)]
    }
    #expect(hands.log == ["10001 phone1: purchased"])
    let two = watching()
    two.launched = { phone in
      phone.observe()
      if phone.number == 1 { phone.startTimer(after: 3000) }
    }
    two.timerFired = hands.timerFired
    try Probe.run(two, "hold store.callback tx1 #1") { $0.devices = [.init(), .init()] }
    #expect(two.log == ["3001 phone2: purchased"])
  }

  @Test("A purchase that was said to fail and was charged comes with the next launch")
  func failedThoughCharged() throws {
    let hands = watching()
    hands.tapped = { tap, phone in
      phone.add(tap)
      phone.startTimer(after: 1000)
    }
    hands.timerFired = { _, phone in
      phone.unobserve()
      phone.observe()
    }
    try Probe.run(hands, "fail store.payment tx1 #1") { setup in
      setup.steps += [.init(atMillis: 9000, .quit), .init(atMillis: 10_000, .open)]
    }
    // What nobody finishes comes back with every observer, the failure as well.
    let failures = ["1051 phone1: failed", "2001 phone1: failed", "10001 phone1: failed"]
    #expect(hands.log == failures + ["10001 phone1: purchased"])
  }

  @Test("Whether a callback is swallowed is asked at the first observer of each launch, no later")
  func swallowingIsAskedOnce() throws {
    let hands = watching()
    hands.tapped = { tap, phone in
      phone.add(tap)
      phone.startTimer(after: 1000)
    }
    hands.timerFired = { _, phone in
      phone.unobserve()
      phone.observe()
    }
    let record = try Probe.run(hands) { setup in
      setup.steps += [.init(atMillis: 9000, .quit), .init(atMillis: 10_000, .open)]
    }
    #expect(record.asked(.swallowCallback, "tx1") == 1)
  }

  @Test(
    "An app that is installed again, also from a backup, is called back with what the old installation swallowed",
    arguments: [Setup.Step.Action.reinstall, .restoreBackup])
  func reinstalledApps(_ installation: Setup.Step.Action) throws {
    let record = try Probe.run(
      Probe.Hands(), "crash app on callback tx1 #1, swallow store.callback tx1 #1"
    ) { $0.steps.append(.init(atMillis: 30_000, installation)) }
    #expect(record.times(.withheld) == [2051])
    #expect(record.times(.delivered) == [1051, 35_001])
    #expect(record.count(.finished) == 1)
  }

  // MARK: - Finish

  @Test("A transaction is removed once, however often it is finished (R4)")
  func finishedTwice() throws {
    let hands = Probe.Hands()
    hands.replied = { reply, phone in
      phone.finish(reply.transaction)
      phone.finish(reply.transaction)
    }
    let record = try Probe.run(hands)
    #expect(record.count(.finishing) == 2)
    #expect(record.count(.finished) == 1)
  }

  @Test("A declined payment is no charge, and neither unfinished nor in anybody's history")
  func declined() throws {
    let hands = watching()
    hands.tapped = { tap, phone in
      phone.add(tap)
      phone.startTimer(after: 1000)
    }
    hands.timerFired = { _, phone in
      hands.note("\(Array(phone.unfinished).count) \(phone.history.count)")
    }
    let record = try Probe.run(hands, "decline store.payment tx1 #1")
    #expect(record.count(.charged) == 0)
    #expect(hands.log == ["1051 phone1: failed", "0 0"])
  }

  @Test("The unfinished end with their finish; the history keeps what is no consumable")
  func unfinishedAndHistory() throws {
    let hands = Probe.Hands()
    hands.launched = { phone in
      phone.observe()
      phone.startTimer(after: 1070)
      phone.startTimer(after: 20_000)
    }
    hands.timerFired = { _, phone in
      let unfinished = phone.unfinished.map { "\($0.product.raw)" }.joined()
      hands.note("\(unfinished), \(phone.history.map { "\($0.product.raw)" }.joined())")
    }
    try Probe.run(hands) { setup in
      setup.products = [.init("coins"), Self.map]
      setup.steps.append(.init(atMillis: 1000, .buy(product: 1, quantity: 1, account: 0)))
    }
    #expect(hands.log == ["10, 10", ", 1"])
  }

  // MARK: - What answers a purchase

  @Test("An unfinished transaction answers a purchase of its product, and of no other (R5)")
  func answersItsProduct() throws {
    for (product, charges) in [(0, 1), (1, 2)] {
      let record = try Probe.run(watching()) { setup in
        setup.products = [.init("coins"), .init("gems")]
        setup.steps.append(
          .init(atMillis: 9000, .buy(product: product, quantity: 1, account: 0)))
      }
      #expect(record.count(.charged) == charges)
      #expect(record.count(.returned) == 2 - charges)
    }
  }

  @Test("A non-consumable whose charge was voided is owned no more and can be bought again (R5)")
  func voidedIsNotOwned() throws {
    let hands = Probe.Hands()
    hands.replied = { reply, phone in phone.finish(reply.transaction) }
    for (plan, charges) in [("", 1), ("void store.charge tx1 #1", 2)] {
      let record = try Probe.run(hands, plan) { setup in
        setup.products = [Self.map]
        setup.steps.append(.init(atMillis: 9000, .buy(product: 0, quantity: 1, account: 0)))
      }
      #expect(record.count(.charged) == charges)
    }
  }

  // MARK: - Restore

  private func restores(_ hands: Probe.Hands, _ plan: String = "") throws -> [String] {
    let record = try Probe.run(hands, plan) { setup in
      setup.products = [Self.map]
      setup.steps += [.init(atMillis: 9000, .restore), .init(atMillis: 19_000, .restore)]
    }
    return record.timeline.entries.map(\.text).filter { $0.hasPrefix("restores ") }
  }

  @Test("Each restore makes one new transaction of a purchase, and none of an earlier restore")
  func restoringTwice() throws {
    #expect(try restores(Probe.Hands()) == ["restores tx1 as tx1/r1", "restores tx1 as tx1/r2"])
  }

  @Test("A restore leaves out what is unfinished, and what was voided")
  func notRestored() throws {
    #expect(try restores(watching()) == [])
    let hands = Probe.Hands()
    hands.replied = { reply, phone in phone.finish(reply.transaction) }
    #expect(try restores(hands).count == 2)
    #expect(try restores(hands, "void store.charge tx1 #1") == [])
  }

  @Test("A restored transaction is handed over in the session that was handed the original")
  func restoredInTheSession() throws {
    let hands = Probe.Hands()
    hands.updated = { transaction, phone in
      hands.note("\(phone.now): \(transaction.state) \(transaction.original.index)")
      phone.finish(transaction)
    }
    hands.restoreEnded = { hands.note("\($0.now): end") }
    try Probe.run(hands) { setup in
      setup.products = [Self.map]
      setup.steps.append(.init(atMillis: 9000, .restore))
    }
    #expect(hands.log == ["1051: purchased 0", "9200: restored 0", "9200: end"])
  }

  // MARK: - What a transaction says

  @Test("A purchase made outside the app has an owner, no token, and the time of its charge")
  func boughtOutside() throws {
    let hands = Probe.Hands()
    hands.updated = { transaction, _ in
      hands.note("\(transaction.chargedMillis) \(transaction.token.isNone)")
    }
    let record = try Probe.run(hands) { setup in
      setup.steps = [.init(atMillis: 3000, .buyOutside(product: 0, quantity: 2, account: 0))]
    }
    #expect(hands.log == ["3050 true"])
    let charge = record.facts.first { $0.kind == .charged }
    #expect(charge?.account == AccountID(0))
    #expect(charge?.quantity == 2)
  }

  @Test("A plain name given with a payment is on the device and does not reach the store")
  func names() throws {
    let hands = Probe.Hands()
    hands.tapped = { tap, phone in phone.add(tap, applicationUsername: .username(tap.account)) }
    hands.updated = { transaction, phone in
      hands.note("\(transaction.token.usernameNumber ?? 9)")
      Probe.report(transaction.id, phone)
    }
    hands.verified = { answer, _, server in
      for purchase in server.purchases(in: answer) {
        hands.note("\(purchase.token.isNone) \(server.token(of: purchase).isNone)")
      }
      server.reply(.retry)
    }
    try Probe.run(hands)
    #expect(hands.log == ["0", "true true"])
  }
}
