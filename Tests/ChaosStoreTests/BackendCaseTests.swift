import Invariants
import Testing

@testable import ChaosStore

@Suite("The simulated backend, case by case")
struct BackendCaseTests {
  /// Writes down how each report was answered.
  private func answering() -> Probe.Hands {
    let hands = Probe.Hands()
    hands.replied = { reply, phone in
      hands.note("\(phone.now): \(reply.outcome) \(reply.status)")
    }
    return hands
  }

  // MARK: - On the way

  @Test("A report reaches the backend as it was sent, and its answer the app with tag and number")
  func contents() throws {
    let hands = Probe.Hands()
    hands.updated = { transaction, phone in
      for names in [true, false] {
        phone.send(
          Report(
            session: phone.account, transaction: names ? transaction.id : .none,
            token: .username(AccountID(1)), product: ProductID(1), purpose: .probe,
            evidence: phone.evidence(for: transaction.id), payload: 17),
          about: transaction.id, tag: names ? 4 : 5)
      }
    }
    hands.received = { report, server, _ in
      hands.note(
        "user\(report.session.index + 1) \(report.transaction.isNone) "
          + "\(report.token.usernameNumber ?? 9) \(report.product.index) \(report.purpose) "
          + "\(report.evidence.transaction.index) \(report.payload)")
      server.reply(.refused, payload: 99)
    }
    hands.replied = { reply, _ in
      hands.note("\(reply.transaction.index) \(reply.purpose) \(reply.tag) \(reply.payload)")
    }
    try Probe.run(hands) { setup in
      setup.accounts = 2
      setup.products = [.init("coins"), .init("gems")]
      setup.steps[0].action = .buy(product: 0, quantity: 1, account: 1)
    }
    #expect(
      hands.log == [
        "user2 false 1 1 probe 0 17", "user2 true 1 1 probe 0 17", "0 probe 4 99", "0 probe 5 99",
      ])
  }

  @Test("A backend that fails, has no session or an error of its own answers 503, 401 or 200")
  func failures() throws {
    let hands = answering()
    hands.received = { _, server, _ in
      hands.note("received")
      server.reply(.refused)
    }
    for fault in ["fail server.request", "expire server.session", "refuse server.request"] {
      try Probe.run(hands, "\(fault) tx1 #1")
    }
    #expect(
      hands.log == ["1071: serverError 503", "1071: unauthorized 401", "1071: businessError 200"])
  }

  @Test("What the backend says has a status, and a meaning for the purchase")
  func outcomes() {
    let all: [Reply.Outcome] = [
      .delivered, .alreadyDelivered, .refused, .retry, .businessError, .unauthorized, .serverError,
    ]
    #expect(all.map(\.status) == [200, 200, 200, 200, 200, 401, 500])
    #expect(
      all.map(\.verdict) == [
        .accepted, .accepted, .refused, .inconclusive, .inconclusive, .inconclusive, .inconclusive,
      ])
    func reply(_ outcome: Reply.Outcome) -> Reply {
      Reply(
        outcome: outcome, status: 0, transaction: .none, purpose: .deliver, tag: 0, payload: 0)
    }
    #expect(all.map { reply($0).isDelivered } == [true, true] + Array(repeating: false, count: 5))
  }

  @Test("An answer that comes twice is handled twice, and one that is lost never")
  func replies() throws {
    func replies(_ plan: String) throws -> [String] {
      let hands = answering()
      try Probe.run(hands, plan)
      return hands.log
    }
    #expect(try replies("") == ["1091: delivered 200"])
    #expect(try replies("drop verify.reply tx1 #1") == [])
    #expect(
      try replies("duplicate verify.reply tx1 #1, delay verify.reply tx1 #2 = 100ms")
        == ["1091: delivered 200", "1181: delivered 200"])
  }

  @Test("A report that is lost reaches no backend, and one that is sent twice has two delays")
  func requests() throws {
    func received(_ plan: String) throws -> [String] {
      let hands = Probe.Hands()
      hands.received = { _, server, _ in
        hands.note("\(server.now)")
        server.drop()
      }
      try Probe.run(hands, plan)
      return hands.log
    }
    #expect(try received("drop verify.request tx1 #1") == [])
    #expect(
      try received("duplicate verify.request tx1 #1, delay verify.request tx1 #2 = 100ms")
        == ["1061", "1151"])
  }

  @Test("A report that finds no process of the backend is never answered")
  func nobodyServes() throws {
    let hands = answering()
    hands.updated = { transaction, phone in
      Probe.report(transaction.id, phone)
      for wait in [100, 200] { phone.startTimer(after: Int64(wait), about: transaction.id) }
    }
    hands.timerFired = Probe.report
    hands.received = { _, server, number in
      hands.note("process \(number)")
      server.verify(.transaction)
    }
    try Probe.run(
      hands,
      "crash server before verify tx1 #1, crash server before verify tx1 #2")
    #expect(hands.log == ["process 2", "process 3"])
  }

  @Test("While a phone is offline nobody asks whether it goes offline, and what is sent is lost")
  func offlineOnce() throws {
    let hands = answering()
    hands.updated = { transaction, phone in
      for _ in 0..<3 { Probe.report(transaction.id, phone) }
    }
    let record = try Probe.run(hands, "partition network phone1 #1")
    #expect(hands.log == [])
    #expect(record.count(.reported) == 0)
    #expect(record.asked(.partitionPhone, "phone1") == 1)
    #expect(record.asked(.dropRequest, "tx1") == 0)
  }

  // MARK: - Where a process of the backend can die

  @Test(
    "A process of the backend that dies before a step has not taken it, and after it has",
    arguments: [
      ("verify", 0), ("credit", 1), ("record", 2), ("commit", 3), ("reply", 4),
    ])
  func deaths(step: String, number: Int) throws {
    for (place, done) in [("before", false), ("after", true)] {
      let hands = Probe.Hands()
      hands.received = { report, server, _ in
        let purchase = server.purchase(report.transaction)
        switch number {
        case 0: server.verify(.transaction)
        case 1: server.credit(purchase, to: report.session)
        case 2: server.record(purchase)
        case 3: server.commit(purchase, to: report.session)
        default: server.reply(.retry)
        }
        if number == 4 { return }
        hands.note("alive: \(server.isAlive)")
        // Of what it does now nothing comes.
        server.credit(purchase, to: report.session)
        server.reply(.retry)
      }
      hands.replied = { reply, _ in hands.note("replied: \(reply.outcome)") }
      let record = try Probe.run(hands, "crash server \(place) \(step) tx1 #1")
      #expect(record.count(.credited) == (done && [1, 3].contains(number) ? 1 : 0))
      let lines = number == 4 ? (done ? ["replied: retry"] : []) : ["alive: false"]
      #expect(hands.log == lines, "\(place)")
      #expect(record.asked(.delayServerStart, "tx1") == 1)
    }
  }

  @Test("A process that dies before it has answered forgets that a charge was refused")
  func forgottenRefusals() throws {
    func forgotten(_ plan: String) throws -> Int {
      try Probe.run(Probe.Hands(), plan).count(.forgotten)
    }
    let void = "void store.charge tx1 #1, "
    #expect(try forgotten(void + "crash server before reply tx1 #1") == 1)
    #expect(try forgotten(void + "crash server after reply tx1 #1") == 0)
    #expect(try forgotten("crash server before reply tx1 #1") == 0)
  }

  @Test("What was entered before the process died is in the table, for the other process")
  func tablesOutliveProcesses() throws {
    for (place, isThere) in [("before", "false"), ("after", "true")] {
      let hands = Probe.Hands()
      hands.received = { report, server, _ in
        let purchase = server.purchase(report.transaction)
        hands.note("\(server.isRecorded(purchase))")
        server.record(purchase)
      }
      hands.updated = { transaction, phone in
        Probe.report(transaction.id, phone)
        phone.startTimer(after: 100, about: transaction.id)
      }
      hands.timerFired = Probe.report
      try Probe.run(hands, "crash server \(place) record tx1 #1")
      #expect(hands.log == ["false", isThere])
    }
  }

  // MARK: - The ledger and the tables

  @Test("A database that is down enters no credit and no commit, and says so")
  func unavailable() throws {
    for commits in [true, false] {
      let hands = Probe.Hands()
      hands.received = { report, server, _ in
        let purchase = server.purchase(report.transaction)
        for _ in 0..<2 {
          let done =
            commits
            ? server.commit(purchase, to: report.session)
            : server.credit(purchase, to: report.session)
          hands.note("\(done)")
        }
        server.reply(.delivered)
      }
      let record = try Probe.run(hands, "fail server.commit tx1 #1")
      #expect(hands.log == ["unavailable", "credited"])
      #expect(record.count(.credited) == 1)
    }
  }

  @Test("A commit without a transaction is not made, and one of what is no purchase is misuse")
  func madeUpPurchases() throws {
    let hands = Probe.Hands()
    hands.received = { report, server, _ in
      hands.note("\(server.commit(.none, to: report.session))")
      var strange = VerifiedPurchase.none
      strange.transaction = TransactionID(9)
      hands.note("\(server.credit(strange, to: report.session))")
      strange.transaction = .none
      strange.product = ProductID(7)
      hands.note("\(server.credit(strange, to: report.session))")
      strange.product = ProductID(0)
      hands.note("\(server.credit(strange, to: report.session))")
      server.reply(.retry)
    }
    let record = try Probe.run(hands)
    #expect(hands.log == ["unavailable", "unavailable", "unavailable", "credited"])
    #expect(record.facts.filter { $0.kind == .credited }.map(\.transaction) == [.none])
    #expect(record.problems.map(\.kind) == [.misuse, .misuse])
    #expect(record.outcome.hasProblems)
  }

  @Test("An answer after a commit can fail, and then has no number of the backend's")
  func failedAnswers() throws {
    let hands = Probe.Hands()
    hands.received = { report, server, _ in
      server.commit(server.purchase(report.transaction), to: report.session)
      server.reply(.delivered, payload: 7)
    }
    hands.replied = { reply, _ in hands.note("\(reply.outcome) \(reply.payload)") }
    try Probe.run(hands)
    try Probe.run(hands, "fail server.reply tx1 #1")
    #expect(hands.log == ["delivered 7", "serverError 0"])
  }

  @Test("A second report of what was committed commits nothing, and so cannot fail after a commit")
  func nothingCommitted() throws {
    let hands = Probe.Hands()
    hands.received = { report, server, _ in
      hands.note("\(server.commit(server.purchase(report.transaction), to: report.session))")
      server.reply(.delivered)
    }
    hands.updated = { transaction, phone in
      for _ in 0..<2 { Probe.report(transaction.id, phone) }
    }
    let record = try Probe.run(hands)
    #expect(hands.log == ["credited", "alreadyThere"])
    #expect(record.asked(.failAfterCommit, "tx1") == 1)
  }

  @Test("Each table has what was put into it, and no other table has it")
  func tables() throws {
    let hands = Probe.Hands()
    hands.received = { report, server, _ in
      let purchase = server.purchase(report.transaction)
      func state() -> String {
        [server.isRecorded(purchase), server.isUnclaimed(purchase), server.isCached(purchase)]
          .map { $0 ? "1" : "0" }.joined()
      }
      var states = [state()]
      server.addUnclaimed(purchase)
      states.append(state())
      server.cache(purchase)
      states.append(state())
      server.removeUnclaimed(purchase)
      states.append(state())
      server.record(purchase)
      states.append(state())
      hands.note(states.joined(separator: " "))
      hands.note("\(server.isRecorded(.none)) \(server.isCached(.none))")
      server.reply(.retry)
    }
    try Probe.run(hands)
    #expect(hands.log == ["000 010 011 001 101", "false false"])
    hands.log = []
    try Probe.run(hands, "prune server.dedupe tx1 #1")
    #expect(hands.log.first == "000 010 010 001 101", "the cache forgets it for once")
  }

  @Test("Whose purchase it is is written down for its charge, and only for somebody")
  func attributions() throws {
    let hands = Probe.Hands()
    hands.received = { report, server, _ in
      let purchase = server.purchase(report.transaction)
      server.attribute(purchase, to: .none)
      server.attribute(.none, to: report.session)
      server.attribute(purchase, to: report.session)
      server.reply(.delivered)
    }
    let record = try Probe.run(hands) { setup in
      setup.products = [.init("map", isConsumable: false)]
      setup.steps.append(.init(atMillis: 9000, .restore))
    }
    let facts = record.facts.filter { $0.kind == .attributed }
    #expect(facts.map(\.transaction.index) == [0, 0])
    #expect(facts.map(\.account.index) == [0, 0])
  }

  @Test("A restored transaction and its charge are the same, two charges are not")
  func same() throws {
    let hands = Probe.Hands()
    hands.received = { report, server, _ in
      let first = TransactionID(0)
      hands.note(
        "\(report.transaction.index): \(server.isSame(first, report.transaction)) "
          + "\(server.isSame(.none, first)) \(server.isSame(.none, .none))")
      server.reply(.delivered)
    }
    try Probe.run(hands) { setup in
      setup.products = [.init("map", isConsumable: false), .init("coins")]
      setup.steps += [
        .init(atMillis: 5000, .buy(product: 1, quantity: 1, account: 0)),
        .init(atMillis: 9000, .restore),
      ]
    }
    #expect(
      hands.log == ["0: true false true", "1: false false true", "2: true false true"])
  }

  @Test("Two requests that are open at once have different numbers, and a later one another")
  func requestNumbers() throws {
    let hands = Probe.Hands()
    hands.received = { report, server, _ in
      hands.note("\(server.request)")
      server.reply(.retry)
    }
    hands.updated = { transaction, phone in
      for _ in 0..<2 { Probe.report(transaction.id, phone) }
      phone.startTimer(after: 1000, about: transaction.id)
    }
    hands.timerFired = Probe.report
    try Probe.run(hands)
    #expect(hands.log.count == 3)
    #expect(Set(hands.log).count == 3)
  }

  @Test("A handler that waits for the database goes on at its step, unless it was dropped")
  func pauses() throws {
    for drops in [false, true] {
      let hands = Probe.Hands()
      hands.received = { report, server, _ in
        server.pause(9, about: server.purchase(report.transaction))
        if drops { server.drop() }
      }
      hands.resumed = { step, report, server in
        hands.note("\(server.now): \(step) \(report.transaction.index)")
        server.reply(.retry)
      }
      try Probe.run(hands, "delay database.answer tx1 #1 = 7ms")
      #expect(hands.log == (drops ? [] : ["1068: 9 0"]))
    }
  }

  // MARK: - Tokens and orders

  @Test("A token says which kind it is; the store keeps the two that are UUIDs")
  func tokens() {
    let all: [Token] = [
      .none, .account(AccountID(3)), .username(AccountID(4)), .order(number: 5),
    ]
    #expect(all.map(\.isNone) == [true, false, false, false])
    #expect(all.map(\.isUUID) == [false, true, false, true])
    #expect(all.map(\.accountNumber) == [nil, 3, nil, nil])
    #expect(all.map(\.usernameNumber) == [nil, nil, 4, nil])
    #expect(all.map(\.orderNumber) == [nil, nil, nil, 5])
    #expect(Token.order(IntentID(5)) == .order(number: 5))
  }

  @Test("A token is an account's own, or that of whoever opened the order")
  func owners() throws {
    let hands = Probe.Hands()
    hands.tapped = { tap, phone in
      hands.note("order \(phone.newOrder(for: tap).orderNumber ?? 9)")
      hands.note("\(phone.newOrder(for: .none).isNone)")
      phone.add(tap, applicationUsername: phone.newOrder(for: tap))
    }
    hands.received = { report, server, _ in
      let tokens: [Token] = [
        .none, .account(AccountID(3)), .username(AccountID(4)), .order(number: 0),
        .order(number: 70),
      ]
      hands.note(
        tokens.map { server.owner(of: $0) }.map { $0.isNone ? "-" : "\($0.index)" }.joined())
      let purchase = server.purchase(report.transaction)
      hands.note("order \(server.token(of: purchase).orderNumber ?? 9)")
      hands.note("\(server.token(of: .none).isNone) \(purchase.token.orderNumber ?? 9)")
      hands.note("\(server.closeOrder(.account(AccountID(0)))) \(server.closeOrder(.none))")
      server.reply(.retry)
    }
    try Probe.run(hands) { setup in
      setup.accounts = 2
      setup.steps[0].action = .buy(product: 0, quantity: 1, account: 1)
    }
    #expect(hands.log == ["order 0", "true", "-341-", "order 0", "true 0", "false false"])
  }

  @Test("Reports are known by their bytes: whose, when, of which transaction, and how genuine")
  func bytes() throws {
    let hands = Probe.Hands()
    hands.received = { report, server, _ in
      var all = [report.evidence]
      func add(_ change: (inout Evidence) -> Void) {
        var evidence = report.evidence
        change(&evidence)
        all.append(evidence)
      }
      add { $0.storeAccount = StoreAccountID(1) }
      add { $0.asOf += 1 }
      add { $0.transaction = TransactionID(1) }
      add { $0.kind = .receipt }
      add { $0.environment = .sandbox }
      add { $0.isForged = true }
      add { $0.isForeign = true }
      hands.note(all.map { server.hasSeen($0) ? "1" : "0" }.joined())
      hands.note(all.map { server.hasSeen($0) ? "1" : "0" }.joined())
      server.drop()
      hands.note("\(server.hasSeen(report.evidence))")
    }
    try Probe.run(hands)
    #expect(hands.log == ["00000000", "11111111", "false"])
  }
}
