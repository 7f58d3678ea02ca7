import ChaosStore
import Invariants
import Testing

@Suite("The simulated receipt file")
struct ReceiptRuleTests {
  /// Posts the receipt once a delivery was answered, and writes down what it then proves.
  private func posting(after wait: Int64 = 100) -> Probe.Hands {
    let hands = Probe.Hands()
    hands.received = { report, server, _ in
      server.verify(report.transaction.isNone ? .productionReceipt : .transaction)
    }
    hands.verified = { answer, report, server in
      guard report.transaction.isNone else {
        for purchase in server.purchases(in: answer) {
          server.credit(purchase, to: report.session)
        }
        return server.reply(.delivered)
      }
      let numbers = server.purchases(in: answer).map { "tx\($0.transaction.index + 1)" }
      hands.note(numbers.joined(separator: " "))
      server.reply(.retry)
    }
    hands.replied = { reply, phone in
      guard reply.isDelivered else { return }
      phone.finish(reply.transaction)
      phone.startTimer(after: wait)
    }
    hands.timerFired = { _, phone in Probe.postReceipt(phone) }
    return hands
  }

  @Test("A receipt that is rewritten at the finish omits the consumable that was finished")
  func rewrittenAtTheFinish() throws {
    let hands = posting()
    try Probe.run(hands, "rewrite receipt.file tx1 #1")
    #expect(hands.log == [""])
  }

  @Test("A receipt that was written before the finish goes on showing the consumable")
  func writtenBefore() throws {
    let hands = posting()
    try Probe.run(hands)
    #expect(hands.log == ["tx1"])
  }

  @Test("A receipt shows a non-consumable for good, and none of its restores beside it")
  func nonConsumables() throws {
    let hands = posting()
    let record = try Probe.run(hands, "rewrite receipt.file tx1 #1") { setup in
      setup.products = [.init("map", isConsumable: false)]
      setup.steps.append(.init(atMillis: 20_000, .restore))
    }
    #expect(record.count(.restored) == 1)
    #expect(hands.log == ["tx1", "tx1"])
  }

  @Test("A receipt lists what is unfinished, the newest first")
  func newestFirst() throws {
    let hands = posting()
    hands.replied = { _, _ in }
    hands.updated = { transaction, phone in
      if transaction.product == ProductID(1) { phone.startTimer(after: 100) }
    }
    try Probe.run(hands) { setup in
      setup.products = [.init("coins"), .init("gems")]
      setup.steps.append(.init(atMillis: 5000, .buy(product: 1, quantity: 1, account: 0)))
    }
    #expect(hands.log == ["tx2 tx1"])
  }

  @Test("A charge that was voided is in no receipt")
  func voided() throws {
    let hands = posting()
    hands.replied = { _, phone in phone.refreshReceipt() }
    hands.refreshed = { _, phone in Probe.postReceipt(phone) }
    hands.verified = { answer, report, server in
      if report.transaction.isNone {
        hands.note("\(server.purchases(in: answer).map(\.transaction.index))")
        return server.drop()
      }
      server.reply(.refused)
    }
    try Probe.run(hands, "void store.charge tx1 #1")
    try Probe.run(hands)
    #expect(hands.log == ["[]", "[0]"])
    // What is owned for good goes from the receipt when the charge does, and not when it is finished.
    hands.log = []
    let map: (inout Setup) -> Void = { $0.products = [.init("map", isConsumable: false)] }
    try Probe.run(hands, "void store.charge tx1 #1", map)
    try Probe.run(hands, "", map)
    #expect(hands.log == ["[]", "[0]"])
  }

  @Test(
    "An app that is installed anew, also from a backup, has no receipt until it asks for one, and offline it gets none",
    arguments: [Setup.Step.Action.reinstall, .restoreBackup])
  func refreshing(_ installation: Setup.Step.Action) throws {
    let hands = Probe.Hands()
    hands.launched = { phone in
      phone.observe()
      guard phone.launches > 1 else { return }
      hands.note(phone.receipt().isNone ? "none" : "a receipt")
      phone.refreshReceipt()
    }
    hands.refreshed = { succeeded, phone in
      hands.note("\(succeeded), \(phone.receipt().isNone ? "none" : "a receipt")")
      // Whatever is sent while the phone loses its network is lost.
      guard hands.log.count < 3 else { return }
      phone.send(Report(session: phone.account, evidence: Evidence()), about: .none)
      phone.refreshReceipt()
    }
    try Probe.run(hands, "partition network phone1 #2") { setup in
      setup.steps.append(.init(atMillis: 20_000, installation))
    }
    #expect(hands.log == ["none", "true, a receipt", "false, a receipt"])
    let failing = Probe.Hands()
    failing.launched = { $0.refreshReceipt() }
    failing.refreshed = { succeeded, _ in failing.note("\(succeeded)") }
    try Probe.run(failing, "fail receipt.refresh phone1 #1")
    #expect(failing.log == ["false"])
  }

  @Test("A restore writes the receipt anew")
  func restoreWrites() throws {
    let hands = Probe.Hands()
    hands.restoreEnded = { hands.note($0.receipt().isNone ? "none" : "a receipt") }
    hands.launched = { phone in
      phone.observe()
      if phone.launches > 1 { hands.note(phone.receipt().isNone ? "none" : "a receipt") }
    }
    try Probe.run(hands, "crash app on callback tx1 #1, lose receipt.file phone1 #1") {
      $0.steps.append(.init(atMillis: 20_000, .restore))
    }
    #expect(hands.log == ["none", "a receipt"])
  }

  @Test("A receipt holds the purchases of one store account and no other's")
  func oneStoreAccount() throws {
    let hands = posting()
    try Probe.run(hands) { setup in
      setup.accounts = 2
      setup.storeAccounts = 2
      setup.devices = [.init(), .init(storeAccount: 1, account: 1)]
      setup.steps.append(
        .init(atMillis: 5000, device: 1, .buy(product: 0, quantity: 1, account: 1)))
    }
    #expect(hands.log == ["tx1", "tx2"])
  }
}
