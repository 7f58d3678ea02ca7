import Invariants
import Testing

@testable import ChaosStore

@Suite struct `Jobs and replicas of a backend` {
  private static let table = Server.Table("jobs")

  /// Has a job credit what was verified, and writes down by which process and when.
  private func queueing(_ job: @escaping (Server) -> Void = { _ in }) -> Probe.Hands {
    let hands = Probe.Hands()
    hands.verified = { answer, report, server in
      server.enqueue(7, about: report.transaction, payload: 5, after: 1000)
      server.reply(.retry)
    }
    hands.resumed = { step, report, server in
      hands.note("\(step) \(report.transaction.raw) \(report.payload) on \(server.number)")
      server.commit(server.purchase(report.transaction), to: AccountID(index: 0))
      job(server)
    }
    return hands
  }

  @Test func `A job is done once, with what it was handed over with`() throws {
    let hands = queueing()
    let record = try Probe.run(hands)
    #expect(hands.log == ["7 0 5 on 0"] && record.count(.credited) == 1)
  }

  @Test func `A queue that hands a job out twice has the other process do it, half a minute later`()
    throws
  {
    let hands = queueing()
    let record = try Probe.run(hands, "repeat server.job tx1 #1")
    #expect(hands.log == ["7 0 5 on 0", "7 0 5 on 1"] && record.count(.credited) == 1)
  }

  @Test func `A job is handed out again where its process dies before it is done`() throws {
    let hands = queueing()
    let record = try Probe.run(hands, "crash server before commit server1 #1")
    #expect(hands.log == ["7 0 5 on 0", "7 0 5 on 1"] && record.count(.credited) == 1)
    let waiting = queueing { $0.verify(.transaction) }
    waiting.verified = { answer, report, server in
      guard report.session.isNone else {
        server.enqueue(7, about: report.transaction, payload: 5)
        return server.reply(.retry)
      }
    }
    try Probe.run(waiting, "crash server after verify server1 #1")
    #expect(waiting.log == ["7 0 5 on 0", "7 0 5 on 1"])
  }

  @Test func `A job outlives the process that has handed it over`() throws {
    let hands = queueing()
    let record = try Probe.run(hands, "crash server after record tx1 #1")
    #expect(hands.log == ["7 0 5 on 0"] && record.count(.credited) == 1)
  }

  @Test func `A job waits until a process runs`() throws {
    let hands = queueing()
    hands.started = { server, number in
      if number < 2, server.number == 1 { server.enqueue(3, about: .none) }
    }
    let deaths = "crash server after record tx1 #1, crash server before record server2 #1"
    let delays = "delay server.start tx1 #1 = 9000ms, delay server.start server2 #1 = 5000ms"
    let record = try Probe.run(hands, "\(deaths), \(delays)")
    #expect(hands.log == ["7 0 5 on 1"])
    #expect(record.times(.credited).allSatisfy { $0 > 5000 } && record.count(.credited) == 1)
  }

  /// Writes, looks, and writes down what it has seen in both copies.
  private func looking(after millis: Int64) -> Probe.Hands {
    let hands = Probe.Hands()
    hands.verified = { answer, report, server in
      let purchase = server.purchase(report.transaction)
      server.write(1, to: Self.table, at: 1)
      server.write(2, to: Self.table, at: 1)
      server.commit(purchase, to: report.session)
      server.wake(after: millis, 1, about: purchase)
      server.reply(.delivered)
    }
    hands.resumed = { _, report, server in
      let purchase = server.purchase(report.transaction)
      for copy in [Server.Copy.primary, .replica] {
        let value = server.read(1, from: Self.table, in: copy)
        hands.note("\(copy): \(value ?? 0), \(server.isRecorded(purchase, in: copy))")
      }
    }
    return hands
  }

  @Test func `A replica may lack the last commit, and no other`() throws {
    let sound = looking(after: 1000)
    try Probe.run(sound)
    #expect(sound.log == ["primary: 2, true", "replica: 2, true"])
    let stale = looking(after: 1000)
    try Probe.run(stale, "skip database.replica tx1 #1, skip database.replica tx1 #2")
    #expect(stale.log == ["primary: 2, true", "replica: 1, false"])
  }

  @Test func `After a minute it has it`() throws {
    let plan = "skip database.replica tx1 #1, skip database.replica tx1 #2"
    let change: (inout Setup) -> Void = {
      $0.healMillis = 200_000
      $0.horizonMillis = 400_000
    }
    let late = looking(after: 59_000)
    try Probe.run(late, plan, change)
    #expect(late.log.last == "replica: 1, false")
    let later = looking(after: 61_000)
    try Probe.run(later, plan, vain: 2, change)
    #expect(later.log.last == "replica: 2, true")
  }
}
