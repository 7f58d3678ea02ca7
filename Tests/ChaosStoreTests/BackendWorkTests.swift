import ChaosStore
import Invariants
import Testing

@Suite("What a backend does after its answer, and without a request")
struct BackendWorkTests {
  /// Answers at once that it has accepted a report, and looks into it later; the app asks again.
  private func accepting(_ later: @escaping (Report, Server) -> Void) -> Probe.Hands {
    let hands = Probe.Hands()
    hands.received = { report, server, _ in
      let purchase = server.purchase(report.transaction)
      if server.isRecorded(purchase) { return server.reply(.delivered) }
      server.reply(.retry)
      later(report, server)
    }
    hands.verified = { answer, report, server in
      for purchase in server.purchases(in: answer) { server.commit(purchase, to: report.session) }
    }
    hands.updated = { transaction, phone in
      guard transaction.state != .failed else { return phone.finish(transaction) }
      Probe.report(transaction.id, phone)
    }
    hands.replied = { reply, phone in
      hands.note("\(phone.now): \(reply.outcome)")
      guard reply.isDelivered else {
        return phone.startTimer(after: 5000, about: reply.transaction)
      }
      phone.finish(reply.transaction)
      phone.tell(.success, about: reply.transaction)
    }
    hands.timerFired = Probe.report
    return hands
  }

  @Test("A backend that accepts first and credits after its answer keeps money and goods together")
  func accepted() throws {
    let hands = accepting { _, server in server.verify(.transaction) }
    let record = try Probe.run(hands)
    #expect(hands.log.map { $0.split(separator: " ").last } == ["retry", "delivered"])
    #expect(record.count(.credited) == 1)
    #expect(record.violations.isEmpty)
  }

  @Test(
    "What was to be done after the answer dies with its process, and a second report brings it back"
  )
  func diesBetween() throws {
    let hands = accepting { _, server in server.verify(.transaction) }
    let record = try Probe.run(hands, "crash server after verify tx1 #1")
    #expect(hands.log.map { $0.split(separator: " ").last } == ["retry", "retry", "delivered"])
    #expect(record.count(.credited) == 1)
    #expect(record.violations.isEmpty)
  }

  @Test("A commit, a row and a pause after the answer have their effect")
  func afterTheAnswer() throws {
    let table = Server.Table("done")
    let hands = accepting { report, server in
      server.write(1, to: table, at: 1)
      server.pause(3, about: server.purchase(report.transaction))
      server.wake(after: 100, 4)
    }
    hands.resumed = { step, report, server in
      hands.note("step \(step) \(report.transaction.index) \(server.read(1, from: table) ?? 0)")
      server.commit(server.purchase(report.transaction), to: report.session)
      server.reply(.refused)
    }
    let record = try Probe.run(hands)
    #expect(
      hands.log == [
        "step 3 0 1", "1071: retry", "step 4 0 1", "6091: delivered",
      ])
    #expect(record.count(.credited) == 1)
  }

  @Test("Requests that come meanwhile get no row in which an earlier one still works")
  func rowsAreKept() throws {
    let hands = Probe.Hands()
    hands.received = { report, server, number in
      server.pause(1, about: .none)
      server.wake(after: 300, 2)
      server.reply(.retry)
    }
    hands.resumed = { step, report, server in hands.note("\(report.payload).\(step)") }
    hands.updated = { transaction, phone in
      for number in 1...4 as ClosedRange<UInt32> {
        phone.send(
          Report(
            session: phone.account, transaction: transaction.id,
            evidence: phone.evidence(for: transaction.id), payload: number),
          about: transaction.id)
      }
    }
    try Probe.run(
      hands, "crash server after reply tx1 #2, delay verify.request tx1 #3 = 150ms")
    // The second's process, which is the first's as well, has died; the fourth went to the other one.
    #expect(hands.log.sorted() == ["3.1", "3.2", "4.1", "4.2"])
  }

  @Test("Each process is told that it runs, and works without a request for as long as it lives")
  func ownWork() throws {
    let hands = Probe.Hands()
    hands.started = { server, number in
      hands.note("\(server.now): process \(number)")
      server.wake(after: 30_000, UInt8(number))
      server.reply(.delivered)
    }
    hands.resumed = { step, report, server in
      hands.note("\(server.now): step \(step), \(report.evidence.isNone)")
      server.write(1, to: Server.Table("seen"), at: UInt64(step))
    }
    let record = try Probe.run(
      hands, "crash server before credit tx1 #1, delay server.start tx1 #1 = 2000ms")
    #expect(
      hands.log == [
        "0: process 0", "0: process 1", "3081: process 2", "30000: step 1, true",
        "33081: step 2, true",
      ])
    #expect(record.asked(.crashServerBeforeRecord, "server1") == 1)
    #expect(record.asked(.crashServerBeforeRecord, "server2") == 1)
    let dead = Probe.Hands()
    dead.started = { server, number in
      dead.note("process \(number): \(server.rows(of: Server.Table("seen")).count)")
      server.write(1, to: Server.Table("seen"), at: UInt64(number))
    }
    try Probe.run(dead, "crash server after record server2 #1")
    #expect(dead.log == ["process 0: 0", "process 1: 1", "process 2: 2"])
  }

  @Test(
    "What a plain backend does in one step is named, unless it is one commit or waits in between")
  func stepsAsOne() throws {
    func steps(_ handle: @escaping (VerifiedPurchase, Server) -> Void) throws -> [String] {
      let hands = Probe.Hands()
      hands.verified = { answer, report, server in
        for purchase in server.purchases(in: answer) { handle(purchase, server) }
        server.reply(.retry)
      }
      hands.resumed = { _, report, server in
        server.credit(server.purchase(report.transaction), to: report.session)
      }
      return Probe.$hands.withValue(hands) {
        let simulation = Simulation(Probe.scenario())
        _ = simulation.run(plan: Plan())
        return simulation.stepsAsOne.names
      }
    }
    let account = AccountID(0)
    #expect(
      try steps { purchase, server in
        guard !server.isRecorded(purchase) else { return }
        server.credit(purchase, to: account)
        server.record(purchase)
      } == ["isRecorded", "credit", "record"])
    #expect(
      try steps { purchase, server in
        server.insert(1, into: Server.Table("keys"), at: 1)
        server.credit(purchase, to: account)
      } == ["credit", "write"])
    #expect(
      try steps { purchase, server in
        server.commit(purchase, to: account)
        _ = server.creditedAccount(of: purchase)
      } == [])
    #expect(
      try steps { purchase, server in
        server.transaction {
          $0.insert(1, into: Server.Table("keys"), at: 1)
          $0.credit(purchase, to: account)
        }
      } == [])
    #expect(
      try steps { purchase, server in
        guard !server.isRecorded(purchase) else { return }
        server.pause(1, about: purchase)
      } == [])
  }
}
