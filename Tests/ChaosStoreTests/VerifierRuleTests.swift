import Invariants
import Testing

@testable import ChaosStore

@Suite("The simulated verifier and the ledger")
struct VerifierRuleTests {
  /// Has the backend ask these questions about whatever it gets, and writes down each status.
  private func asking(_ questions: VerifierQuestion..., receipt: Bool = false) -> Probe.Hands {
    let hands = Probe.Hands()
    hands.received = { _, server, _ in server.verify(questions[0]) }
    hands.verified = { answer, _, server in
      hands.note("\(answer.question) \(answer.status)")
      let next = questions.firstIndex(of: answer.question).map { $0 + 1 } ?? questions.count
      if next < questions.count { server.verify(questions[next]) } else { server.reply(.retry) }
    }
    if receipt { hands.updated = { Probe.postReceipt(about: $0.id, $1) } }
    return hands
  }

  @Test("Each status that Apple documents is final, or says nothing, or names the other address")
  func classes() {
    func statuses(_ class: VerifierAnswer.Class) -> [Int32] {
      let known: [Int32] = [
        -1, 0, 503, 21000, 21001, 21002, 21003, 21004, 21005, 21006, 21007, 21008, 21009, 21010,
        21100, 401, -2, 4_000_006, 4_000_009, 4_000_183, 4_000_187, 4_030_004, 4_030_005, 4_040_001,
        4_040_002,
        4_040_010, 4_290_000, 5_000_001,
      ]
      return known.filter { status in
        VerifierAnswer(status: status, evidence: Evidence(), question: .transaction).class
          == `class`
      }
    }
    #expect(statuses(.valid) == [0])
    #expect(statuses(.otherEnvironment) == [21007, 21008])
    #expect(
      statuses(.permanent) == [
        21000, 21003, 21006, 21010, 4_000_006, 4_000_009, 4_000_183, 4_000_187, 4_030_004,
        4_030_005,
        4_040_001,
      ])
    #expect(statuses(.notFound) == [4_040_010])
    #expect(
      statuses(.retry) == [
        -1, 503, 21001, 21002, 21004, 21005, 21009, 21100, 401, -2, 4_040_002, 4_290_000, 5_000_001,
      ])
  }

  @Test("A receipt is valid at the address of its own environment, and sent on by the other")
  func environments() throws {
    let production = asking(.productionReceipt, .sandboxReceipt, receipt: true)
    try Probe.run(production)
    #expect(production.log == ["productionReceipt 0", "sandboxReceipt 21008"])
    let sandbox = asking(.productionReceipt, .sandboxReceipt, receipt: true)
    try Probe.run(sandbox) { $0.devices[0].environment = .sandbox }
    #expect(sandbox.log == ["productionReceipt 21007", "sandboxReceipt 0"])
  }

  @Test("A transaction is found at the address of its own environment, and unknown at the other")
  func lookUps() throws {
    let production = asking(.transaction, .sandboxTransaction)
    let record = try Probe.run(production)
    #expect(production.log == ["transaction 0", "sandboxTransaction 4040010"])
    #expect(record.asked(.refuseLookUp, "tx1") == 0)
    func sandbox(_ plan: String) throws -> [String] {
      let hands = asking(.transaction, .sandboxTransaction)
      try Probe.run(hands, plan) { $0.devices[0].environment = .sandbox }
      return hands.log
    }
    #expect(try sandbox("") == ["transaction 4040010", "sandboxTransaction 0"])
    let denied = try sandbox("refuse verifier.transaction tx1 #1")
    #expect(denied == ["transaction 401", "sandboxTransaction 0"])
  }

  @Test("A transaction may be unknown while it is seconds old, and not half a minute later")
  func freshTransactions() throws {
    let hands = asking(.transaction)
    hands.replied = { reply, phone in
      if phone.now < 60_000 { phone.startTimer(after: 28_000, about: reply.transaction) }
    }
    hands.timerFired = { Probe.report($0, $1) }
    let record = try Probe.run(hands, "hide verifier.transaction tx1 #2")
    #expect(
      hands.log == ["transaction 0", "transaction 4040010", "transaction 0", "transaction 0"])
    #expect(record.asked(.hideTransaction, "tx1") == 2)
    let verdicts = record.facts.filter { $0.kind == .verified }.map(\.verdict)
    #expect(verdicts == [.accepted, .inconclusive, .accepted, .accepted])
  }

  @Test("A look-up may find Apple busy, or bring a signature that cannot be checked; a receipt not")
  func lookUpsThatSayNothing() throws {
    let plans = ["limit verifier.request tx1 #1 = 4290000", "fail verifier.signature tx1 #1"]
    let hands = asking(.transaction)
    for plan in plans {
      let record = try Probe.run(hands, plan)
      #expect(record.facts.first { $0.kind == .verified }?.verdict == .inconclusive)
    }
    #expect(hands.log == ["transaction 4290000", "transaction -2"])
    let record = try Probe.run(asking(.productionReceipt, receipt: true))
    let asked = [Question.limitVerifier, .failSignature, .hideTransaction, .refuseLookUp]
      .filter { record.asked($0, "tx1") > 0 }
    #expect(asked == [])
    #expect(record.asked(.statusVerifier, "tx1") == 1)
    let lookUp = try Probe.run(asking(.transaction))
    #expect(lookUp.asked(.statusVerifier, "tx1") == 0)
  }

  @Test("No receipt is 21002, no transaction 4000006: neither says anything about a purchase")
  func nothingToVerify() throws {
    for (question, answer) in [
      (VerifierQuestion.productionReceipt, "productionReceipt 21002"),
      (.transaction, "transaction 4000006"),
    ] {
      let hands = asking(question)
      hands.updated = { transaction, phone in
        phone.send(
          Report(session: phone.account, evidence: Evidence()), about: transaction.id)
      }
      let record = try Probe.run(hands)
      #expect(hands.log == [answer])
      #expect(record.facts.first { $0.kind == .verified }?.verdict == .inconclusive)
    }
  }

  @Test("A forged receipt is 21003, and a look-up of another app's transaction is not found")
  func attacks() throws {
    let forged = asking(.productionReceipt, receipt: true)
    try Probe.run(forged, "forge attacker.evidence tx1 #1")
    #expect(forged.log == ["productionReceipt 0", "productionReceipt 21003"])
    let foreign = asking(.transaction)
    try Probe.run(foreign, "borrow attacker.evidence tx1 #1")
    #expect(foreign.log == ["transaction 0", "transaction 4040010"])
    let invented = asking(.transaction)
    try Probe.run(invented, "forge attacker.evidence tx1 #1")
    #expect(invented.log == ["transaction 0", "transaction 4040010"])
    let receipt = asking(.productionReceipt, receipt: true)
    try Probe.run(receipt, "borrow attacker.evidence tx1 #1")
    #expect(receipt.log == ["productionReceipt 0", "productionReceipt 0"])
  }

  @Test("A charge that the store voids is looked up as 4040001, for good")
  func voided() throws {
    let hands = asking(.transaction)
    hands.replied = { reply, phone in
      if phone.now < 2000 { Probe.report(reply.transaction, phone) }
    }
    let record = try Probe.run(hands, "void store.charge tx1 #1")
    #expect(Set(hands.log) == ["transaction 4040001"])
    #expect(hands.log.count > 2)
    #expect(record.count(.voided) == 1)
    #expect(record.facts.filter { $0.kind == .verified }.allSatisfy { $0.verdict == .refused })
  }

  @Test("A receipt that lists nothing but what was taken back is 21010, for good")
  func voidedReceipts() throws {
    let hands = asking(.productionReceipt, receipt: true)
    let record = try Probe.run(hands, "void store.charge tx1 #1")
    #expect(hands.log == ["productionReceipt 21010"])
    #expect(record.facts.first { $0.kind == .verified }?.verdict == .refused)
  }

  @Test("Beside purchases that stand, the receipt says which entry was cancelled")
  func cancelledEntries() throws {
    let hands = Probe.Hands()
    hands.received = { _, server, _ in server.verify(.productionReceipt) }
    hands.updated = { transaction, phone in
      phone.send(
        Report(
          session: phone.account, transaction: transaction.id, evidence: phone.receipt()),
        about: transaction.id)
    }
    hands.verified = { answer, report, server in
      let entries = Array(server.purchases(in: answer)).count
      let isCancelled = server.isCancelled(report.transaction, in: answer)
      hands.note("\(answer.status) \(entries) \(isCancelled)")
      server.reply(.retry)
    }
    try Probe.run(hands, "void store.charge tx2 #1") { setup in
      setup.products = [.init("map", isConsumable: false), .init("coins")]
      setup.steps.append(.init(atMillis: 9000, .buy(product: 1, quantity: 1, account: 0)))
    }
    #expect(hands.log == ["0 1 false", "0 1 true"])
  }

  @Test("The restored copy of a charge that was taken back is worth as little as the charge")
  func restoresOfVoidedCharges() throws {
    let hands = asking(.transaction)
    var copy = TransactionID.none
    hands.updated = { transaction, phone in
      guard transaction.state == .restored else { return phone.finish(transaction.id) }
      copy = transaction.id
      Probe.report(transaction.original, phone)
    }
    hands.replied = { reply, phone in
      if reply.transaction != copy { Probe.report(copy, phone) }
    }
    let record = try Probe.run(hands, "void store.charge tx1 #1") { setup in
      setup.products = [.init("map", isConsumable: false)]
      setup.steps.append(.init(atMillis: 20_000, .restore))
    }
    #expect(hands.log == ["transaction 4040001", "transaction 4040001"])
    #expect(record.facts.filter { $0.kind == .verified }.map(\.verdict) == [.refused, .refused])
  }

  @Test("When a transaction was first seen is written down once, and outlives the process")
  func firstSeen() throws {
    let hands = Probe.Hands()
    hands.verified = { answer, report, server in
      hands.note("\(server.firstSeen(report.transaction))")
      server.reply(.retry)
    }
    hands.replied = { reply, phone in
      if phone.now < 2000 { phone.startTimer(after: 9000, about: reply.transaction) }
    }
    hands.timerFired = { Probe.report($0, $1) }
    try Probe.run(hands, "crash server after reply tx1 #1")
    #expect(hands.log == ["1081", "1081"])
  }

  @Test("Whether a charge is voided is asked once, and never of one that was credited before")
  func voidingIsAskedOnce() throws {
    let hands = asking(.transaction)
    hands.replied = { reply, phone in
      if phone.now < 2000 { Probe.report(reply.transaction, phone) }
    }
    #expect(try Probe.run(hands).asked(.voidCharge, "tx1") == 1)
    let credulous = asking(.transaction)
    credulous.received = { report, server, _ in
      server.credit(server.purchase(report.transaction), to: report.session)
      server.verify(.transaction)
    }
    #expect(try Probe.run(credulous).asked(.voidCharge, "tx1") == 0)
  }

  @Test("An unanswered question to Apple times out after ten seconds and proves nothing")
  func timeOut() throws {
    let hands = Probe.Hands()
    hands.verified = { answer, _, server in
      hands.note("\(server.now): \(answer.status), \(Array(server.purchases(in: answer)).count)")
      server.reply(.retry)
    }
    try Probe.run(hands, "drop verifier.answer tx1 #1")
    try Probe.run(hands, "fail verifier.request tx1 #1")
    try Probe.run(hands, "limit verifier.request tx1 #1 = 5000001")
    try Probe.run(hands)
    #expect(hands.log == ["11061: -1, 0", "1081: 503, 0", "1081: 5000001, 0", "1081: 0, 1"])
  }

  @Test("A valid receipt of another store account decides nothing about a purchase")
  func receiptsOfOthers() throws {
    let hands = Probe.Hands()
    hands.received = { _, server, _ in server.verify(.productionReceipt) }
    hands.updated = { Probe.postReceipt(about: $0.id, $1) }
    func verdicts(_ plan: String) throws -> [Fact.Verdict] {
      try Probe.run(hands, plan) { $0.storeAccounts = 2 }
        .facts.filter { $0.kind == .verified }.map(\.verdict)
    }
    #expect(try verdicts("crash app on callback tx1 #1") == [.accepted])
    let swapped = try verdicts("crash app on callback tx1 #1, swap receipt.file phone1 #1")
    #expect(swapped == [.inconclusive])
  }

  // MARK: - The ledger

  private func creditsOfAMap(_ change: (inout Setup) -> Void) throws -> [UInt32] {
    try Probe.run { setup in
      setup.accounts = 2
      setup.products = [.init("map", isConsumable: false)]
      setup.steps += [
        .init(atMillis: 20_000, .logIn(account: 1)), .init(atMillis: 21_000, .restore),
      ]
      change(&setup)
    }.facts.filter { $0.kind == .credited }.map(\.account.raw)
  }

  @Test("A thing that moves with its restore is not credited a second time, to whomever it goes")
  func transfers() throws {
    #expect(try creditsOfAMap { $0.transfersOnRestore = true } == [0])
    #expect(try creditsOfAMap { $0.transfersOnRestore = false } == [0, 1])
  }

  @Test("Owning a thing twice is owning it once, and twice as many coins are twice as many")
  func owningTwice() throws {
    #expect(try creditsOfAMap { $0.steps[1] = .init(atMillis: 20_000, .logIn(account: 0)) } == [0])
    let coins = Probe.Hands()
    coins.verified = { answer, report, server in
      for purchase in server.purchases(in: answer) {
        server.credit(purchase, to: report.session)
        server.credit(purchase, to: report.session)
      }
      server.reply(.delivered)
    }
    #expect(try Probe.run(coins).count(.credited) == 2)
  }

  @Test("A receipt is recognised by its bytes: the same file again, and no later one")
  func seenReceipts() throws {
    let hands = Probe.Hands()
    hands.received = { report, server, _ in
      hands.note("\(server.hasSeen(report.evidence))")
      server.reply(.retry)
    }
    hands.updated = { transaction, phone in
      Probe.postReceipt(about: transaction.id, phone)
      Probe.postReceipt(about: transaction.id, phone)
    }
    try Probe.run(hands) { setup in
      setup.products = [.init("coins"), .init("gems")]
      setup.steps.append(.init(atMillis: 9000, .buy(product: 1, quantity: 1, account: 0)))
    }
    #expect(hands.log == ["false", "true", "false", "true"])
  }

  @Test("An order is delivered the first time it is closed, and was before at every other time")
  func orders() throws {
    let hands = Probe.Hands()
    var order = Token.none
    hands.tapped = { tap, phone in
      order = phone.newOrder(for: tap)
      phone.add(tap)
    }
    hands.received = { _, server, _ in
      hands.note("\(server.closeOrder(order)) \(server.closeOrder(order))")
      hands.note("\(server.owner(of: order))")
      server.reply(.retry)
    }
    try Probe.run(hands)
    #expect(hands.log == ["false true", "\(AccountID(0))"])
  }

  @Test("A commit enters a charge once, and its restore is the same charge")
  func commits() throws {
    let hands = Probe.Hands()
    hands.verified = { answer, report, server in
      for purchase in server.purchases(in: answer) {
        hands.note("\(server.commit(purchase, to: report.session))")
      }
      server.reply(.delivered)
    }
    let record = try Probe.run(hands) { setup in
      setup.products = [.init("map", isConsumable: false)]
      setup.steps.append(.init(atMillis: 20_000, .restore))
    }
    #expect(hands.log == ["credited", "alreadyThere"])
    #expect(record.count(.credited) == 1)
  }
}
