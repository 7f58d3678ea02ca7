import ChaosStore
import Invariants
import Testing

@Suite("Tables of a backend's own, and commits of which nobody knows")
struct BackendTableTests {
  private static let orders = Server.Table("orders")
  static let outbox = Server.Table("outbox")

  @Test("Rows are found by table and key, in the order in which they were entered")
  func rows() throws {
    let hands = Probe.Hands()
    hands.received = { _, server, _ in
      server.write(7, to: Self.orders, at: 2)
      server.write(8, to: Self.orders, at: 1)
      server.write(9, to: Self.outbox, at: 1)
      server.write(6, to: Self.orders, at: 2)
      hands.note("\(server.insert(5, into: Self.orders, at: 1))")
      hands.note("\(server.insert(5, into: Self.orders, at: 3))")
      server.remove(1, from: Self.outbox)
      server.remove(4, from: Self.outbox)
      hands.note(
        server.rows(of: Self.orders).map { "\($0.key)=\($0.value)" }.joined(separator: " "))
      hands.note("\(server.rows(of: Self.outbox).count) \(server.read(1, from: Self.outbox) ?? 0)")
      hands.note("\(server.insert(4, into: Self.outbox, at: 1))")
      hands.note("\(server.read(1, from: Self.outbox) ?? 0)")
      server.reply(.retry)
    }
    try Probe.run(hands)
    #expect(hands.log == ["alreadyThere", "written", "2=6 1=8 3=5", "0 0", "written", "4"])
    // The next run begins with empty tables.
    try Probe.run(hands)
    #expect(hands.log.count == 12)
    #expect(hands.log.suffix(6) == hands.log.prefix(6))
  }

  @Test("A row outlives the process that wrote it, and what it kept in memory does not")
  func crash() throws {
    for (plan, rows) in [
      ("crash server before record tx1 #1", 0), ("crash server after record tx1 #1", 1),
    ] {
      let hands = Probe.Hands()
      hands.received = { _, server, _ in
        server.write(1, to: Self.orders, at: 1)
        hands.note("\(server.isAlive) \(server.rows(of: Self.orders).count)")
        server.reply(.retry)
      }
      hands.started = { server, number in
        hands.note("process \(number): \(server.rows(of: Self.orders).count)")
      }
      hands.replied = { _, _ in hands.note("answered") }
      try Probe.run(hands, plan)
      #expect(hands.log == ["process 0: 0", "process 1: 0", "false 0", "process 2: \(rows)"])
    }
  }

  @Test("A transaction happens as a whole, or not at all")
  func transactions() throws {
    func log(_ plan: String, _ body: @escaping (inout Server.Transaction, VerifiedPurchase) -> Void)
      throws -> [String]
    {
      let hands = Probe.Hands()
      hands.received = { report, server, _ in
        guard server.rows(of: Self.orders).isEmpty else { return server.drop() }
        server.write(1, to: Self.orders, at: 1)
        let purchase = server.purchase(report.transaction)
        let write = server.transaction {
          $0.remove(1, from: Self.orders)
          body(&$0, purchase)
        }
        if server.isAlive { hands.note("\(write)") }
      }
      hands.updated = { transaction, phone in
        Probe.report(transaction.id, phone)
        phone.startTimer(after: 30_000, about: transaction.id)
      }
      hands.started = { server, number in
        guard number > 1 else { return }
        hands.note("\(server.rows(of: Self.orders).map(\.key))")
      }
      hands.timerFired = { transaction, phone in Probe.report(transaction, phone) }
      let record = try Probe.run(hands, plan)
      return hands.log + ["\(record.count(.credited)) credited"]
    }
    func credit(_ transaction: inout Server.Transaction, _ purchase: VerifiedPurchase) {
      transaction.commit(purchase, to: AccountID(0))
      transaction.insert(2, into: Self.orders, at: 2)
    }
    #expect(try log("", credit) == ["written", "1 credited"])
    #expect(try log("crash server before commit tx1 #1", credit) == ["[1]", "0 credited"])
    #expect(try log("crash server after commit tx1 #1", credit) == ["[2]", "1 credited"])
    #expect(try log("fail server.commit tx1 #2", credit) == ["unavailable", "0 credited"])
    #expect(try log("drop database.commit tx1 #2", credit) == ["unknown", "0 credited"])
    #expect(try log("drop database.answer tx1 #2", credit) == ["unknown", "1 credited"])
    // Twice the same key, and twice the same purchase.
    #expect(
      try log("") {
        credit(&$0, $1)
        $0.insert(3, into: Self.orders, at: 2)
      } == ["alreadyThere", "0 credited"])
    #expect(
      try log("") {
        credit(&$0, $1)
        $0.commit($1, to: AccountID(0))
      } == ["alreadyThere", "0 credited"])
    #expect(
      try log("") {
        credit(&$0, $1)
        $0.credit($1, to: AccountID(0))
        $0.insert(1, into: Self.orders, at: 1)
      } == ["written", "2 credited"])
  }

  @Test("What an outbox holds when its process dies is delivered by the one that comes after")
  func outboxAfterCrash() throws {
    func deliver(_ order: UInt64, to owner: AccountID, _ server: Server) {
      let purchase = server.purchase(TransactionID(UInt32(order)))
      server.transaction {
        $0.commit(purchase, to: owner)
        $0.remove(order, from: Self.outbox)
      }
    }
    let hands = Probe.Hands()
    hands.started = { server, _ in
      for row in server.rows(of: Self.outbox) {
        hands.note("\(row.key)")
        deliver(row.key, to: AccountID(UInt32(row.value)), server)
      }
    }
    hands.verified = { answer, report, server in
      for purchase in server.purchases(in: answer) {
        let order = UInt64(purchase.transaction.raw)
        server.write(UInt64(report.session.raw), to: Self.outbox, at: order)
        server.reply(.retry)
        deliver(order, to: report.session, server)
        hands.note("\(server.isAlive) \(server.rows(of: Self.outbox).count)")
      }
    }
    #expect(try Probe.run(hands).count(.credited) == 1)
    #expect(hands.log == ["true 0"])
    let record = try Probe.run(hands, "crash server after record tx1 #1")
    #expect(record.count(.credited) == 1)
    #expect(hands.log == ["true 0", "false 0", "0"])
  }

  @Test(
    "After a lost answer the goods are there, after a lost commit they are not, and both look alike"
  )
  func unknown() throws {
    for (plan, credits) in [
      ("drop database.answer tx1 #1", 1), ("drop database.commit tx1 #1", 0),
    ] {
      for isKeyed in [false, true] {
        let hands = Probe.Hands()
        hands.verified = { answer, report, server in
          for purchase in server.purchases(in: answer) {
            let commit =
              isKeyed
              ? server.commit(purchase, to: report.session)
              : server.credit(purchase, to: report.session)
            hands.note("\(commit) \(commit.isThere)")
          }
          server.reply(.retry)
        }
        let record = try Probe.run(hands, plan)
        #expect(hands.log == ["unknown false"])
        #expect(record.count(.credited) == credits)
      }
    }
  }

  @Test("Who takes an unknown outcome for a failure, and tries again without a key, credits twice")
  func unknownAsFailure() throws {
    func credits(_ enter: @escaping (VerifiedPurchase, Server) -> Server.Commit) throws -> Int {
      let hands = Probe.Hands()
      hands.verified = { answer, report, server in
        for purchase in server.purchases(in: answer) {
          while !enter(purchase, server).isThere {}
        }
        server.reply(.delivered)
      }
      return try Probe.run(hands, "drop database.answer tx1 #1").count(.credited)
    }
    #expect(try credits { $1.credit($0, to: AccountID(0)) } == 2)
    #expect(try credits { $1.commit($0, to: AccountID(0)) } == 1)
  }

  @Test("Commits of unknown outcome are asked for only where there is something to commit")
  func asked() throws {
    let record = try Probe.run(Probe.Hands())
    #expect(record.asked(.dropCommit, "tx1") == 1)
    #expect(record.asked(.dropCommitted, "tx1") == 1)
    let hands = Probe.Hands()
    hands.verified = { answer, report, server in
      for purchase in server.purchases(in: answer) {
        for _ in 0..<3 { server.commit(purchase, to: report.session) }
      }
      server.reply(.delivered)
    }
    let again = try Probe.run(hands)
    #expect(again.asked(.dropCommitted, "tx1") == 1)
  }
}
