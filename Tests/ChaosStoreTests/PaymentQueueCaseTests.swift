import ChaosStore
import Invariants
import Testing

@Suite("The simulated payment queue, case by case")
struct PaymentQueueCaseTests {
  private static let map = Setup.Product("map", isConsumable: false)

  /// Writes down what is handed over when, and leaves it unfinished.
  private func watching(storeKit2: Bool = false) -> Probe.Hands {
    let hands = Probe.Hands()
    hands.updated = { hands.note("\($1.now): \($0.state)") }
    hands.purchaseEnded = { result, _, phone in
      switch result {
      case .success(let transaction): hands.note("\(phone.now): result \(transaction.state)")
      case .failed, .refused, .pending: hands.note("\(phone.now): result failed")
      }
    }
    if storeKit2 { hands.tapped = { tap, phone in phone.purchase(tap) } }
    return hands
  }

  private func log(
    _ hands: Probe.Hands, _ plan: String, _ change: (inout Setup) -> Void = { _ in }
  ) throws -> [String] {
    try Probe.run(hands, plan, change)
    return hands.log
  }

  private static func reopen(_ setup: inout Setup) {
    setup.steps += [.init(atMillis: 9000, .quit), .init(atMillis: 10_000, .open)]
  }

  // MARK: - Restored copies

  @Test("A restored copy of what this phone has swallowed is handed over on it")
  func copyOfASwallowedOne() throws {
    let hands = watching()
    hands.launched = { phone in
      phone.observe()
      guard phone.launches == 2 else { return }
      for transaction in phone.unfinished { phone.finish(transaction) }
    }
    let lines = try log(hands, "crash app on callback tx1 #1, swallow store.callback tx1 #1") {
      $0.products = [Self.map]
      $0.steps.append(.init(atMillis: 9000, .restore))
    }
    #expect(lines == ["9200: restored"])
  }

  @Test("A restored copy of what is held in this life is handed over again to who observes anew")
  func copyOfAHeldOne() throws {
    let hands = watching()
    hands.tapped = { tap, phone in
      phone.add(tap)
      for wait in [1000, 3000] { phone.startTimer(after: Int64(wait)) }
    }
    hands.timerFired = { _, phone in
      if phone.now == 2000 {
        for transaction in phone.unfinished { phone.finish(transaction) }
        return phone.restore()
      }
      phone.unobserve()
      phone.observe()
    }
    let lines = try log(hands, "hold store.callback tx1 #1") { $0.products = [Self.map] }
    #expect(lines == ["2200: restored", "4001: restored"])
  }

  @Test("What is asked about a restored copy is counted apart from what is asked about its charge")
  func copiesAreCountedApart() throws {
    let record = try Probe.run(Probe.Hands(), "crash app on callback tx1/r1 #1") {
      $0.products = [Self.map]
      $0.steps.append(.init(atMillis: 9000, .restore))
    }
    #expect(record.times(.ended) == [9200])
  }

  @Test("What is asked about a second payment for a wish is counted apart from the first")
  func paymentsAreCountedApart() throws {
    let hands = watching()
    hands.tapped = { tap, phone in
      phone.add(tap)
      phone.add(tap)
    }
    let record = try Probe.run(hands, "crash app on callback tx1/2 #1")
    #expect(record.count(.charged) == 2)
    #expect(record.times(.ended) == [1051])
    #expect(record.asked(.crashOnCallback, "tx1") >= 1)
  }

  @Test("A copy that answers a purchase stands for what was paid, also where a copy was owned last")
  func copiesOfCopies() throws {
    let record = try Probe.run { setup in
      setup.products = [Self.map]
      for at in [9000, 19_000] as [Int64] {
        setup.steps.append(.init(atMillis: at, .buy(product: 0, quantity: 1, account: 0)))
      }
    }
    #expect(record.facts.filter { $0.kind == .restored }.map(\.original.index) == [0, 0])
    #expect(record.asked(.crashOnCallback, "tx1/r2") == 1)
  }

  @Test("A restored transaction that is finished before its callback comes is not called back")
  func copiesFinishedMeanwhile() throws {
    for (observesAnew, last) in [(false, "9300: unfinished restored"), (true, "9301: restored")] {
      let hands = Probe.Hands()
      hands.tapped = { tap, phone in
        phone.add(tap)
        phone.startTimer(after: 8300)
      }
      hands.updated = { transaction, phone in
        hands.note("\(phone.now): \(transaction.state)")
        if transaction.state == .purchased { phone.finish(transaction) }
      }
      hands.timerFired = { _, phone in
        if observesAnew {
          phone.unobserve()
          return phone.observe()
        }
        for transaction in phone.unfinished {
          hands.note("\(phone.now): unfinished \(transaction.state)")
          phone.finish(transaction)
        }
      }
      let lines = try log(hands, "delay store.restore phone1 #1 = 500ms") {
        $0.products = [Self.map]
        $0.steps.append(.init(atMillis: 9000, .restore))
      }
      #expect(lines == ["1051: purchased", last])
    }
  }

  @Test("The end of a restore is told to the app that asked, and to no later life of it")
  func restoreEnds() throws {
    for (plan, ends) in [("", ["9200"]), ("crash app after restore phone1 #1", [])] {
      let hands = Probe.Hands()
      hands.restoreEnded = { hands.note("\($0.now)") }
      let late = plan.isEmpty ? "" : "\(plan), delay store.restore phone1 #1 = 2000ms"
      try Probe.run(hands, late) { $0.steps.append(.init(atMillis: 9000, .restore)) }
      #expect(hands.log == ends)
    }
  }

  // MARK: - What answers a purchase

  @Test("StoreKit 2 answers a purchase with what StoreKit 1 would never call back any more (R5)")
  func storeKit2KnowsWhatWasSwallowed() throws {
    let record = try Probe.run(
      watching(storeKit2: true), "crash app after result tx1 #1, swallow store.callback tx1 #1"
    ) { $0.steps.append(.init(atMillis: 9000, .buy(product: 0, quantity: 1, account: 0))) }
    #expect(record.count(.withheld) == 1)
    #expect(record.count(.charged) == 1)
    #expect(record.times(.returned) == [9000])
  }

  @Test("What one phone has swallowed answers a purchase on another phone of the account (R5)")
  func otherPhonesKnowWhatWasSwallowed() throws {
    let record = try Probe.run(
      watching(), "crash app on callback tx1 #1, swallow store.callback tx1 #1"
    ) {
      $0.devices = [.init(), .init()]
      $0.steps.append(
        .init(atMillis: 9000, device: 1, .buy(product: 0, quantity: 1, account: 0)))
    }
    #expect(record.count(.charged) == 1)
    #expect(record.times(.returned) == [9000])
  }

  @Test("What answers a purchase is handed over again, though this session had it before (R5)")
  func answersAreHandedOver() throws {
    func again(_ hands: Probe.Hands) throws -> [String] {
      try log(hands, "") {
        $0.steps.append(.init(atMillis: 9000, .buy(product: 0, quantity: 1, account: 0)))
      }
    }
    #expect(try again(watching()) == ["1051: purchased", "9001: purchased"])
    #expect(
      try again(watching(storeKit2: true)) == ["1051: result purchased", "9001: result purchased"])
    let hands = watching(storeKit2: true)
    hands.purchaseEnded = { result, tap, _ in
      guard case .success(let transaction) = result else { return }
      hands.note("wish \(tap.intent.index): \(transaction.id.index)")
    }
    #expect(try again(hands) == ["wish 0: 0", "wish 1: 0"])
  }

  // MARK: - How a payment ends

  @Test("An interrupted payment fails first and is handed over later, in both StoreKits")
  func interrupted() throws {
    let plan = "interrupt store.payment tx1 #1"
    #expect(try log(watching(), plan) == ["1051: failed", "2050: purchased"])
    #expect(
      try log(watching(storeKit2: true), plan) == ["1051: result failed", "2050: purchased"])
  }

  @Test("A purchase() that threw though it was charged comes with the next launch")
  func failedThoughCharged() throws {
    let lines = try log(
      watching(storeKit2: true), "fail store.payment tx1 #1", Self.reopen)
    #expect(lines == ["1051: result failed", "10001: purchased"])
  }

  @Test("A declined payment ends a purchase() with a failure, and nothing else comes")
  func declined() throws {
    let lines = try log(
      watching(storeKit2: true), "decline store.payment tx1 #1", Self.reopen)
    #expect(lines == ["1051: result failed"])
  }

  @Test("A duplicate comes beside the callback or beside the result, in the same session")
  func duplicates() throws {
    let plan = "duplicate store.callback tx1 #1"
    #expect(try log(watching(), plan) == ["1051: purchased", "1051: purchased"])
    #expect(
      try log(watching(storeKit2: true), plan) == ["1051: result purchased", "1051: purchased"])
  }

  @Test("What a launch is called back with anew can come twice as well")
  func duplicatesOfRedelivery() throws {
    let plan = "duplicate store.callback tx1 #2"
    #expect(
      try log(watching(), plan, Self.reopen)
        == ["1051: purchased", "10001: purchased", "10001: purchased"])
  }

  @Test("A held purchase() has no result, and is handed over at the next launch")
  func held() throws {
    let lines = try log(watching(storeKit2: true), "hold store.callback tx1 #1", Self.reopen)
    #expect(lines == ["10001: purchased"])
  }

  // MARK: - What is asked when somebody begins to observe

  @Test("A finished transaction is replayed to the first observer of a life only, as finished")
  func replays() throws {
    let hands = Probe.Hands()
    hands.tapped = { tap, phone in
      phone.add(tap)
      phone.startTimer(after: 2000)
    }
    hands.timerFired = { _, phone in
      phone.unobserve()
      phone.observe()
    }
    hands.updated = { transaction, phone in
      hands.note("\(phone.now): \(transaction.isFinished)")
      phone.finish(transaction)
    }
    let record = try Probe.run(hands, "replay store.finished tx1 #1", Self.reopen)
    #expect(hands.log == ["1051: false", "10001: true"])
    #expect(record.asked(.replayFinished, "tx1") == 1)
    #expect(record.asked(.buyAgain, "tx1") == 1, "nobody buys again what is finished")
  }

  @Test("A token is hidden from the first observer of a life on, and not before")
  func hiddenTokens() throws {
    let hands = Probe.Hands()
    hands.tapped = { tap, phone in
      phone.add(tap, applicationUsername: .account(tap.account))
      phone.startTimer(after: 2000)
    }
    hands.timerFired = { _, phone in
      phone.unobserve()
      phone.observe()
    }
    hands.updated = { transaction, phone in
      hands.note("\(phone.now): \(transaction.token.isNone)")
    }
    let lines = try log(hands, "hide store.token tx1 #1", Self.reopen)
    #expect(lines == ["1051: false", "3001: false", "10001: true"])
  }

  @Test("Of what is swallowed nothing more is asked on its phone")
  func swallowedIsSettled() throws {
    let record = try Probe.run(
      watching(), "crash app on callback tx1 #1, swallow store.callback tx1 #1", Self.reopen)
    #expect(record.asked(.swallowCallback, "tx1") == 1)
    #expect(record.asked(.hideToken, "tx1") == 0)
    #expect(record.asked(.delayCallback, "tx1") == 1)
  }

  @Test("What one phone has swallowed is handed to another, whose reinstall changes no other phone")
  func swallowedElsewhere() throws {
    let hands = watching()
    let record = try Probe.run(
      hands, "crash app on callback tx1 #1, swallow store.callback tx1 #1"
    ) { setup in
      setup.devices = [.init(), .init()]
      setup.steps += [
        .init(atMillis: 9000, device: 1, .quit), .init(atMillis: 10_000, device: 1, .open),
        .init(atMillis: 30_000, device: 1, .reinstall),
        .init(atMillis: 40_000, device: 0, .quit), .init(atMillis: 41_000, device: 0, .open),
      ]
    }
    #expect(hands.log == ["10001: purchased", "35001: purchased"])
    #expect(record.asked(.swallowCallback, "tx1") == 1)
  }

  // MARK: - What a transaction says

  @Test("A transaction says what was bought, how often, when, and for whom")
  func contents() throws {
    let hands = Probe.Hands()
    hands.tapped = { tap, phone in
      phone.add(tap, applicationUsername: .account(tap.account))
    }
    hands.updated = { transaction, phone in
      hands.note(
        "\(transaction.id.isNone ? "none" : "\(transaction.id.index)") "
          + "\(transaction.original.index) \(transaction.product.index) "
          + "\(transaction.quantity) \(transaction.chargedMillis) "
          + "\(transaction.token.accountNumber ?? 9) \(transaction.isFinished)")
    }
    for plan in ["", "decline store.payment tx1 #1"] {
      try Probe.run(hands, plan) { setup in
        setup.accounts = 2
        setup.products = [.init("coins"), .init("gems")]
        setup.steps = [.init(atMillis: 1000, .buy(product: 1, quantity: 3, account: 1))]
      }
    }
    #expect(hands.log == ["0 0 1 3 1050 1 false", "none 0 1 3 0 1 false"])
  }

  @Test("The history has what was taken back as well, and no restored copies")
  func history() throws {
    let hands = Probe.Hands()
    hands.replied = { _, phone in hands.note("\(phone.history.map(\.id.index))") }
    try Probe.run(hands)
    try Probe.run(hands, "void store.charge tx1 #1")
    #expect(hands.log == ["[0]", "[0]"], "what is unfinished is in it, even if it was voided")
    let owned = Probe.Hands()
    owned.replied = { reply, phone in
      phone.finish(reply.transaction)
      owned.note("\(phone.history.map { "\($0.id.index) \($0.state)" })")
    }
    let change: (inout Setup) -> Void = { setup in
      setup.products = [Self.map]
      setup.steps.append(.init(atMillis: 9000, .restore))
    }
    try Probe.run(owned, "", change)
    #expect(owned.log == [#"["0 purchased"]"#, #"["0 purchased"]"#])
    owned.log = []
    try Probe.run(owned, "void store.charge tx1 #1", change)
    #expect(owned.log == [#"["0 purchased"]"#])
  }
}
