import Invariants
import Testing

@testable import ChaosStore

@Suite("The simulated attacker and what Apple says, case by case")
struct AttackerCaseTests {
  /// Writes down who reports what, and what the look-up of it says.
  private func reading(_ question: VerifierQuestion = .transaction) -> Probe.Hands {
    let hands = Probe.Hands()
    hands.received = { _, server, _ in server.verify(question) }
    hands.verified = { answer, report, server in
      let purchases = server.purchases(in: answer).map { purchase in
        let number = purchase.transaction.isNone ? "-" : "\(purchase.transaction.index)"
        return "\(number) x\(purchase.quantity) of \(purchase.product.index) "
          + "\(purchase.environment) \(purchase.isOurs) \(purchase.token.accountNumber ?? 9)"
      }
      hands.note(
        "\(server.now) user\(report.session.index + 1): \(answer.status) \(purchases)")
      server.reply(.retry)
    }
    return hands
  }

  private static func gems(_ setup: inout Setup) {
    setup.products = [.init("coins"), .init("gems"), .init("map")]
    setup.steps = [.init(atMillis: 1000, .buy(product: 1, quantity: 3, account: 0))]
  }

  // MARK: - Attacks

  @Test("Stolen evidence is reported by somebody else, and proves the same purchase")
  func stolen() throws {
    let hands = reading()
    try Probe.run(hands, "steal attacker.evidence tx1 #1", Self.gems)
    #expect(
      hands.log == [
        #"1081 user1: 0 ["0 x3 of 1 production true 9"]"#,
        #"1271 user2: 0 ["0 x3 of 1 production true 9"]"#,
      ])
  }

  @Test("A borrowed receipt is genuine, and its one purchase is not of this app")
  func borrowed() throws {
    let hands = reading(.productionReceipt)
    hands.updated = { Probe.postReceipt(about: $0.id, $1) }
    try Probe.run(hands, "borrow attacker.evidence tx1 #1", Self.gems)
    #expect(hands.log.last == #"1271 user2: 0 ["- x1 of 0 production false 9"]"#)
  }

  @Test("A purchase in the sandbox is charged to the attacker, and like the one it follows")
  func sandbox() throws {
    let hands = reading(.sandboxTransaction)
    let record = try Probe.run(hands, "sandbox attacker.evidence tx1 #1", Self.gems)
    #expect(hands.log.last == #"1271 user2: 0 ["1 x3 of 1 sandbox true 1"]"#)
    let charge = try #require(record.facts.last { $0.kind == .charged })
    #expect((charge.account, charge.storeAccount) == (AccountID(1), StoreAccountID(1)))
    #expect((charge.environment, charge.product, charge.quantity) == (.sandbox, ProductID(1), 3))
    #expect(charge.intent == .none)
    #expect(charge.at.millis == 1051)
    let posted = reading(.sandboxReceipt)
    posted.updated = { Probe.postReceipt(about: $0.id, $1) }
    try Probe.run(posted, "sandbox attacker.evidence tx1 #1", Self.gems)
    #expect(posted.log.last == #"1271 user2: 0 ["1 x3 of 1 sandbox true 9"]"#)
  }

  @Test("A purchase in the sandbox is new, though the one it follows was committed and finished")
  func sandboxIsNew() throws {
    let hands = Probe.Hands()
    hands.received = { report, server, _ in
      server.verify(report.transaction.isNone ? .sandboxReceipt : .transaction)
    }
    hands.verified = { answer, report, server in
      for purchase in server.purchases(in: answer) {
        hands.note("\(server.now): \(server.commit(purchase, to: report.session))")
      }
      server.reply(.delivered)
    }
    hands.updated = { transaction, phone in
      Probe.report(transaction.id, phone)
      phone.startTimer(after: 1000, about: transaction.id)
    }
    hands.timerFired = { transaction, phone in
      Probe.postReceipt(about: transaction, phone)
    }
    try Probe.run(hands, "sandbox attacker.evidence tx1 #2")
    #expect(hands.log == ["1081: credited", "2271: credited"])
  }

  @Test("The attacker's purchases are counted from the first one in every run")
  func countedAnew() throws {
    let plan = try Plan(parsing: "sandbox attacker.evidence tx1 #1")
    let scenario = Probe.scenario()
    let records = Probe.$hands.withValue(reading()) {
      let simulation = Simulation(scenario)
      return (1...3).map { _ in
        simulation.record(seed: nil, plan: plan, listsQuestions: true)
      }
    }
    let stories = records.map { Story($0, of: scenario).text }
    #expect(stories[0].contains("attacker/2"))
    #expect(stories == [stories[0], stories[0], stories[0]])
    #expect(records[0].questions == records[2].questions)
  }

  @Test("A report can name the last product instead of what was paid for, by the same user")
  func substituted() throws {
    let hands = Probe.Hands()
    hands.received = { report, server, _ in
      hands.note("user\(report.session.index + 1): \(report.product.index)")
      server.drop()
    }
    hands.updated = { transaction, phone in
      phone.send(
        Report(
          session: phone.account, product: transaction.product,
          evidence: phone.evidence(for: transaction.id)), about: transaction.id)
    }
    try Probe.run(hands, "substitute attacker.product tx1 #1", Self.gems)
    #expect(hands.log == ["user1: 1", "user1: 2"])
    #expect(try Probe.run().asked(.substituteProduct, "tx1") == 0, "there is one product only")
  }

  @Test("An attacker puts their own name where an account's stood, and leaves an order alone")
  func tokens() throws {
    for (token, stolen) in [
      (Token.account(AccountID(0)), Token.account(AccountID(1))),
      (.username(AccountID(0)), .username(AccountID(1))),
      (.order(number: 0), .order(number: 0)), (.none, .none),
    ] as [(Token, Token)] {
      let hands = Probe.Hands()
      var seen: [Token] = []
      hands.received = { report, server, _ in
        seen.append(report.token)
        server.drop()
      }
      hands.updated = { transaction, phone in
        phone.send(
          Report(
            session: phone.account, token: token, evidence: phone.evidence(for: transaction.id)),
          about: transaction.id)
      }
      try Probe.run(hands, "steal attacker.evidence tx1 #1")
      #expect(seen == [token, stolen])
    }
  }

  @Test("Nobody attacks with a report that has no evidence")
  func nothingToCopy() throws {
    let hands = Probe.Hands()
    hands.updated = { transaction, phone in
      phone.send(Report(session: phone.account, evidence: Evidence()), about: transaction.id)
    }
    let record = try Probe.run(hands)
    for question in [Question.forgeReceipt, .stealEvidence, .foreignReceipt, .sandboxEvidence] {
      #expect(record.asked(question, "tx1") == 0)
    }
  }

  @Test("A report about no purchase can be followed by none in the sandbox")
  func nothingToFollow() throws {
    let hands = Probe.Hands()
    hands.updated = { _, phone in Probe.postReceipt(phone) }
    hands.received = { _, server, _ in
      hands.note("\(server.now)")
      server.drop()
    }
    let record = try Probe.run(hands, "sandbox attacker.evidence phone1 #1")
    #expect(hands.log == ["1061"])
    #expect(record.count(.charged) == 1)
  }

  @Test("Each fault of an attacker makes reports be followed by dishonest ones, and no other does")
  func attackers() {
    let attacks: [Fault] = [
      .forgedReceipt, .stolenEvidence, .foreignAppEvidence, .sandboxEvidence, .productSubstituted,
    ]
    #expect(Fault.allCases.filter { FaultMix([$0]).hasAttacker } == attacks)
  }

  @Test("A look-up by an attacker voids no charge, and is no fact about it")
  func lookUpsOfOthers() throws {
    let hands = reading()
    let record = try Probe.run(
      hands,
      "delay verify.request tx1 #1 = 1000ms, steal attacker.evidence tx1 #1, void store.charge tx1 #1"
    )
    #expect(
      hands.log == [
        #"1271 user2: 0 ["0 x1 of 0 production true 9"]"#, "2071 user1: 4040001 []",
      ])
    #expect(record.count(.verified) == 1)
  }

  // MARK: - What Apple says

  @Test("A transaction of the sandbox is looked up there, and is not known to production")
  func sandboxLookUps() throws {
    let hands = reading(.sandboxTransaction)
    try Probe.run(hands) { $0.devices[0].environment = .sandbox }
    #expect(hands.log == [#"1081 user1: 0 ["0 x1 of 0 sandbox true 9"]"#])
    let elsewhere = reading()
    try Probe.run(elsewhere) { $0.devices[0].environment = .sandbox }
    #expect(elsewhere.log == ["1081 user1: 4040010 []"])
  }

  @Test("A look-up has the token of the charge, a receipt has none, also of a restored copy")
  func tokensOfApple() throws {
    for (question, token) in [(.transaction, "1"), (.productionReceipt, "9")]
      as [(VerifierQuestion, String)]
    {
      let hands = reading(question)
      hands.tapped = { tap, phone in phone.add(tap, applicationUsername: .account(AccountID(1))) }
      hands.updated = { transaction, phone in
        if question == .transaction {
          Probe.report(transaction.id, phone)
        } else {
          Probe.postReceipt(about: transaction.id, phone)
        }
        phone.finish(transaction)
      }
      try Probe.run(hands) { setup in
        setup.products = [.init("map", isConsumable: false)]
        setup.steps.append(.init(atMillis: 9000, .restore))
      }
      let restored = question == .transaction ? 1 : 0
      #expect(
        hands.log == [
          #"1081 user1: 0 ["0 x1 of 0 production true \#(token)"]"#,
          #"9230 user1: 0 ["\#(restored) x1 of 0 production true \#(token)"]"#,
        ])
    }
  }

  @Test("Of a voided charge a valid receipt decides that it is refused; of a stale one, nothing")
  func verdictsOfReceipts() throws {
    func verdicts(_ plan: String) throws -> [Fact.Verdict] {
      let hands = Probe.Hands()
      hands.received = { _, server, _ in server.verify(.productionReceipt) }
      hands.updated = { Probe.postReceipt(about: $0.id, $1) }
      return try Probe.run(hands, plan) { setup in
        setup.products = [.init("coins"), .init("gems")]
        setup.steps.append(.init(atMillis: 5000, .buy(product: 1, quantity: 1, account: 0)))
      }.facts.filter { $0.kind == .verified }.map(\.verdict)
    }
    #expect(try verdicts("") == [.accepted, .accepted])
    #expect(try verdicts("void store.charge tx1 #1") == [.refused, .accepted])
    #expect(try verdicts("skip receipt.write tx2 #1") == [.accepted, .inconclusive])
    #expect(try verdicts("fail verifier.status tx1 #1 = 21005") == [.inconclusive, .accepted])
  }

  @Test("A receipt that shows the charge proves its restored copy")
  func receiptsOfCopies() throws {
    let hands = Probe.Hands()
    hands.received = { _, server, _ in server.verify(.productionReceipt) }
    hands.updated = { transaction, phone in
      Probe.postReceipt(about: transaction.id, phone)
      phone.finish(transaction)
    }
    let record = try Probe.run(hands) { setup in
      setup.products = [.init("map", isConsumable: false)]
      setup.steps.append(.init(atMillis: 9000, .restore))
    }
    #expect(record.facts.filter { $0.kind == .verified }.map(\.verdict) == [.accepted, .accepted])
  }

  @Test("Nobody asks whether a restored copy is voided")
  func copiesAreNotVoided() throws {
    let hands = reading()
    hands.updated = { transaction, phone in
      if transaction.state == .restored { Probe.report(transaction.id, phone) }
      phone.finish(transaction)
    }
    let record = try Probe.run(hands) { setup in
      setup.products = [.init("map", isConsumable: false)]
      setup.steps.append(.init(atMillis: 9000, .restore))
    }
    #expect(hands.log.count == 1)
    #expect(record.asked(.voidCharge, "tx1/r1") == 0)
  }

  @Test("What the phone was told by Apple is a verdict, and by somebody else a forgery")
  func localVerdicts() throws {
    let hands = Probe.Hands()
    hands.updated = { transaction, phone in
      let verdict = phone.verifyLocally(phone.receipt(), about: transaction.id)
      hands.note("\(verdict.kind) \(verdict.transaction.isNone) \(verdict.isForged)")
      let nothing = phone.verifyLocally(phone.receipt(), about: TransactionID(7))
      hands.note("\(nothing.isNone)")
      phone.send(Report(session: phone.account, evidence: verdict), about: transaction.id)
    }
    hands.received = { report, server, _ in
      let claim = server.claim(report)
      hands.note("\(claim.transaction.isNone) \(claim.isOurs) \(claim.quantity)")
      server.verify(.productionReceipt)
    }
    hands.verified = { answer, _, server in
      hands.note("\(answer.status)")
      server.reply(.retry)
    }
    let change: (inout Setup) -> Void = {
      $0.steps = [.init(atMillis: 1000, .buy(product: 0, quantity: 2, account: 0))]
    }
    let honest = try Probe.run(hands, "", change)
    let spoofed = try Probe.run(hands, "spoof attacker.verifier tx1 #1", change)
    #expect(
      hands.log == [
        "verdict false false", "true", "false true 2", "0",
        "verdict true true", "true", "true true 1", "21003",
      ])
    #expect(honest.facts.first { $0.kind == .verified }?.verdict == .accepted)
    #expect(spoofed.facts.first { $0.kind == .verified }?.verdict == .inconclusive)
  }

  @Test("What a report claims of itself is its own product where it proves nothing")
  func claims() throws {
    let hands = Probe.Hands()
    hands.received = { report, server, _ in
      func claim(_ change: (inout Report) -> Void) -> String {
        var changed = report
        change(&changed)
        let claim = server.claim(changed)
        return "\(claim.product.index) x\(claim.quantity) \(claim.transaction.isNone)"
      }
      hands.note(claim { _ in })
      hands.note(claim { $0.evidence.isForged = true })
      hands.note(claim { $0.evidence.isOutside = true })
      hands.note(claim { $0.evidence.transaction = .none })
      server.drop()
    }
    hands.updated = { transaction, phone in
      phone.send(
        Report(
          session: phone.account, product: ProductID(2),
          evidence: phone.evidence(for: transaction.id)), about: transaction.id)
    }
    try Probe.run(hands, "", Self.gems)
    #expect(hands.log == ["1 x3 false", "2 x1 true", "2 x1 true", "2 x1 true"])
  }
}
