import ChaosStore
import Invariants
import Testing

@Suite("The simulated network and the backend's processes")
struct NetworkRuleTests {
  @Test("A reply that comes after the app has died reaches no later life of it")
  func repliesAreForOneLife() throws {
    let record = try Probe.run(
      Probe.Hands(), "crash app after send tx1 #1, delay verify.reply tx1 #1 = 30000ms")
    // The second life was handed the transaction again, asked again, and was answered.
    #expect(record.times(.answered) == [1081, 2082])
    #expect(record.times(.told) == [2092])
  }

  @Test("A reply that arrives while the phone is offline is lost, and so is what it sends then")
  func offline() throws {
    let hands = Probe.Hands()
    hands.updated = { transaction, phone in
      Probe.report(transaction.id, phone)
      for wait in [5, 1000, 3000] { phone.startTimer(after: Int64(wait)) }
    }
    hands.timerFired = { _, phone in Probe.report(TransactionID(0), phone) }
    hands.replied = { _, phone in hands.note("\(phone.now): answered") }
    // At home again 2 s after the second report, which is the first that is lost.
    let record = try Probe.run(hands, "partition network phone1 #2")
    #expect(record.times(.reported) == [1061, 4061])
    #expect(record.times(.answered) == [1081, 4081])
    #expect(hands.log == ["4091: answered"])
  }

  @Test("A request that is sent twice is handled by two processes at once")
  func duplicatesGoToBoth() throws {
    let hands = Probe.Hands()
    hands.received = { _, server, number in
      hands.note("\(server.now): process \(number)")
      server.verify(.transaction)
    }
    try Probe.run(hands, "duplicate verify.request tx1 #1")
    #expect(hands.log == ["1061: process 2", "1061: process 3"])
  }

  @Test("While one process of the backend is down the other serves, until it is started anew")
  func theOtherProcessServes() throws {
    let hands = Probe.Hands()
    hands.received = { _, server, number in
      hands.note("\(server.now): process \(number)")
      server.verify(.transaction)
    }
    hands.updated = { transaction, phone in
      Probe.report(transaction.id, phone)
      for wait in [100, 1000] { phone.startTimer(after: Int64(wait), about: transaction.id) }
    }
    hands.timerFired = Probe.report
    try Probe.run(hands, "crash server before verify tx1 #1")
    #expect(hands.log == ["1061: process 2", "1161: process 3", "2061: process 4"])
  }

  @Test("What a process of the backend was doing when it died is never done, though it runs again")
  func workDiesWithItsProcess() throws {
    let record = try Probe.run(
      Probe.Hands(), "drop verifier.answer tx1 #1, crash server after verify tx1 #1")
    #expect(record.count(.verified) == 0)
    #expect(record.count(.answered) == 0)
  }

  @Test("The answer to a dishonest report reaches no app")
  func attackersAreAnsweredElsewhere() throws {
    let hands = Probe.Hands()
    hands.replied = { _, phone in hands.note("\(phone.now): answered") }
    let record = try Probe.run(hands, "steal attacker.evidence tx1 #1")
    #expect(hands.log == ["1091: answered"])
    #expect(record.count(.credited) == 2)
    #expect(record.count(.answered) == 1, "what the attacker is told is no fact about a purchase")
  }

  @Test("An attack asks nothing about the purchase it copies that was not asked without it")
  func attacksMoveNothing() throws {
    func asked(_ plan: String) throws -> [String] {
      try Probe.run(Probe.Hands(), plan).questions
        .filter { $0.question != .delayAttack && $0.subject.name != "attacker" }
        .map { "\($0.question.name) \($0.subject.name) #\($0.occurrence)" }
    }
    let quiet = try asked("")
    #expect(quiet.contains("drop verify.reply tx1 #1"))
    #expect(try asked("steal attacker.evidence tx1 #1") == quiet)
  }

  @Test("A pause that outlives its answer goes on with its own request, and not with a later one's")
  func pausesBelongToOneRequest() throws {
    let hands = Probe.Hands()
    hands.received = { report, server, _ in
      if hands.log.isEmpty {
        server.pause(1, about: .none)
        server.reply(.retry)
      } else {
        // The database takes its time, so that the first pause would end in here.
        server.pause(2, about: .none)
      }
      hands.note("received")
    }
    hands.resumed = { step, _, server in
      hands.note("\(server.now): step \(step)")
      server.reply(.delivered)
    }
    hands.replied = { reply, phone in hands.note("\(phone.now): \(reply.outcome)") }
    hands.updated = { transaction, phone in
      Probe.report(transaction.id, phone)
      phone.startTimer(after: 60, about: transaction.id)
    }
    hands.timerFired = Probe.report
    try Probe.run(
      hands,
      "delay database.answer tx1 #1 = 80ms, delay database.answer tx1 #2 = 200ms")
    #expect(
      hands.log == [
        "received", "1071: retry", "received", "1141: step 1", "1321: step 2", "1331: delivered",
      ])
  }

  @Test("A request is answered once, and what the backend goes on with has its effect")
  func oneAnswer() throws {
    let hands = Probe.Hands()
    hands.received = { _, server, _ in
      server.reply(.refused)
      server.reply(.delivered)
      server.verify(.transaction)
    }
    hands.replied = { reply, _ in hands.note("\(reply.outcome)") }
    let record = try Probe.run(hands)
    #expect(hands.log == ["refused"])
    #expect(record.count(.verified) == 1)
    #expect(record.count(.credited) == 1)
    #expect(record.count(.answered) == 1)
  }

  @Test("A request that the backend drops is never answered")
  func droppedRequests() throws {
    let hands = Probe.Hands()
    hands.received = { _, server, _ in
      server.drop()
      server.reply(.delivered)
    }
    #expect(try Probe.run(hands).count(.answered) == 0)
  }

  @Test("An error after a commit strikes only where something was committed")
  func errorsAfterCommit() throws {
    let hands = Probe.Hands()
    hands.received = { _, server, _ in server.reply(.refused) }
    hands.replied = { reply, _ in hands.note("\(reply.outcome)") }
    try Probe.run(hands, "fail server.reply tx1 #1", vain: 1)
    let committing = Probe.Hands()
    committing.replied = { reply, _ in committing.note("\(reply.outcome) \(reply.status)") }
    try Probe.run(committing, "fail server.reply tx1 #1")
    #expect(hands.log == ["refused"])
    #expect(committing.log == ["serverError 500"])
  }
}
