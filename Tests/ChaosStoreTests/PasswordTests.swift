import ChaosStore
import Invariants
import Testing

@Suite("Prompts for the password")
struct PasswordTests {
  /// Who was asked, when, and what came of it.
  private func prompts(
    _ hands: Probe.Hands, _ plan: String = "", _ change: (inout Setup) -> Void = { _ in }
  ) throws -> [String] {
    try Probe.run(hands, plan, change).facts.filter { $0.kind == .asked }.map {
      "\($0.at.millis) phone\($0.device.raw + 1) \($0.verdict)"
        + ($0.account.isNone ? "" : " user\($0.account.raw + 1)")
    }
  }

  @Test("A refresh of the receipt asks for the password at once")
  func refresh() throws {
    let hands = Probe.Hands()
    hands.launched = { $0.refreshReceipt() }
    #expect(try prompts(hands) == ["0 phone1 accepted"])
  }

  @Test("Who does not give their password has no fresh receipt")
  func refused() throws {
    let hands = Probe.Hands()
    hands.launched = { $0.refreshReceipt() }
    hands.refreshed = { hands.note("\($0), \($1.receipt().isNone ? "none" : "a receipt")") }
    #expect(try prompts(hands, "fail receipt.refresh phone1 #1") == ["0 phone1 refused"])
    #expect(hands.log == ["false, none"])
  }

  @Test("A refresh that ends after its app puts a receipt on the disk, and calls nobody back")
  func endsLater() throws {
    for isGiven in [true, false] {
      let hands = Probe.Hands()
      hands.launched = { phone in
        if phone.launches == 1 { phone.refreshReceipt() }
        hands.note("\(phone.launches): \(phone.receipt().isNone ? "none" : "a receipt")")
      }
      hands.refreshed = { succeeded, _ in hands.note("\(succeeded)") }
      let plan = "delay receipt.refresh phone1 #1 = 2000ms"
      try Probe.run(hands, isGiven ? plan : "fail receipt.refresh phone1 #1, " + plan) { setup in
        setup.steps = [.init(atMillis: 1000, .quit), .init(atMillis: 9000, .open)]
      }
      #expect(hands.log == ["1: none", isGiven ? "2: a receipt" : "2: none"])
    }
  }

  @Test("A receipt is newer than those of its phone before it, and than none")
  func newer() throws {
    let hands = Probe.Hands()
    var receipts = [Evidence()]
    hands.launched = { $0.refreshReceipt() }
    hands.refreshed = { _, phone in
      receipts.append(phone.receipt())
      if receipts.count < 4 { phone.refreshReceipt() }
    }
    try Probe.run(hands) { $0.steps = [] }
    #expect(receipts.count == 4)
    for (place, receipt) in receipts.enumerated() {
      for (other, earlier) in receipts.enumerated() {
        #expect(receipt.isNewer(than: earlier) == (place > other))
      }
    }
  }

  @Test("Without a network nobody is asked")
  func offline() throws {
    let hands = Probe.Hands()
    hands.launched = { phone in
      phone.send(Report(session: phone.account, evidence: Evidence()), about: .none)
      phone.refreshReceipt()
    }
    hands.refreshed = { succeeded, _ in hands.note("\(succeeded)") }
    #expect(try prompts(hands, "partition network phone1 #1") == [])
    #expect(hands.log == ["false"])
  }

  @Test("A restore asks as well: for whoever tapped it, or for nobody if the app began it")
  func restore() throws {
    let hands = Probe.Hands()
    hands.launched = { $0.restore() }
    let asked = try prompts(hands) { setup in
      setup.accounts = 2
      setup.steps = [
        .init(atMillis: 9000, .logIn(account: 1)), .init(atMillis: 9500, .restore),
      ]
    }
    #expect(asked == ["0 phone1 accepted", "9500 phone1 accepted user2"])
  }

  @Test("A restore that was tapped without a network asks when the phone is back")
  func restoreLater() throws {
    let hands = Probe.Hands()
    hands.launched = { phone in
      phone.send(Report(session: phone.account, evidence: Evidence()), about: .none)
    }
    let asked = try prompts(
      hands, "partition network phone1 #1, delay network.heal phone1 #1 = 12000ms"
    ) { setup in
      setup.steps = [.init(atMillis: 9000, .restore)]
    }
    #expect(asked == ["12000 phone1 accepted user1"])
  }

  @Test(
    "An app that refreshes the receipt at each launch breaks I26, and one that does it once holds")
  func judged() throws {
    let rule = try #require(Catalogue.invariants.firstIndex { $0.code == "I26" })
    for isEveryLaunch in [true, false] {
      let hands = Probe.Hands()
      hands.launched = { if isEveryLaunch || $0.launches == 1 { $0.refreshReceipt() } }
      let record = try Probe.run(hands) { setup in
        setup.steps = []
        setup.reopenEveryMillis = 20_000
      }
      #expect((record.outcome.broken >> UInt64(rule) & 1 == 1) == isEveryLaunch)
    }
  }

  @Test("What is called back in one millisecond comes as one array, which an observer gets whole")
  func array() throws {
    let hands = Probe.Hands()
    hands.updated = { transaction, phone in
      hands.note("\(phone.launches): tx\(transaction.id.raw + 1)")
      if phone.launches == 2 { phone.unobserve() }
    }
    try Probe.run(hands) { setup in
      setup.products = [.init("coins"), .init("gems")]
      setup.steps = [
        .init(atMillis: 1000, .buy(product: 0, quantity: 1, account: 0)),
        .init(atMillis: 2000, .buy(product: 1, quantity: 1, account: 0)),
        .init(atMillis: 9000, .quit), .init(atMillis: 10_000, .open),
      ]
    }
    #expect(hands.log == ["1: tx1", "1: tx2", "2: tx2", "2: tx1"])
  }

  @Test("What is called back after an observer has gone is lost on it")
  func later() throws {
    let hands = Probe.Hands()
    hands.updated = { transaction, phone in
      hands.note("\(phone.launches): tx\(transaction.id.raw + 1)")
      if phone.launches == 2 { phone.unobserve() }
    }
    try Probe.run(hands, "delay store.callback tx1 #2 = 2ms") { setup in
      setup.products = [.init("coins"), .init("gems")]
      setup.steps = [
        .init(atMillis: 1000, .buy(product: 0, quantity: 1, account: 0)),
        .init(atMillis: 2000, .buy(product: 1, quantity: 1, account: 0)),
        .init(atMillis: 9000, .quit), .init(atMillis: 10_000, .open),
      ]
    }
    #expect(hands.log == ["1: tx1", "1: tx2", "2: tx2"])
  }
}
