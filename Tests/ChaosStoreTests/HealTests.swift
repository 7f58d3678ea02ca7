import ChaosStore
import Invariants
import Testing

@Suite("The heal and the horizon")
struct HealTests {
  @Test("After the heal a planned delay beyond the usual range is not obeyed, and named in vain")
  func longDelaysAfterTheHeal() throws {
    for answer in ["20000ms", "501ms"] {
      let record = try Probe.run(
        Probe.Hands(), "delay store.charge tx1 #1 = \(answer)", vain: 1
      ) { $0.healMillis = 500 }
      #expect(record.times(.charged) == [1050])
    }
    let late = try Probe.run(
      Probe.Hands(), "delay verify.reply tx1 #1 = late", vain: 1
    ) { $0.healMillis = 500 }
    #expect(late.times(.finished) == [1091])
  }

  @Test("After the heal a planned delay within the usual range is obeyed, as it is no fault")
  func usualDelaysAfterTheHeal() throws {
    let record = try Probe.run(
      Probe.Hands(), "delay store.charge tx1 #1 = 500ms"
    ) { $0.healMillis = 500 }
    #expect(record.times(.charged) == [1500])
  }

  @Test("At the heal a server process that died runs again, however long its start was to take")
  func serversRunAtTheHeal() throws {
    let hands = Probe.Hands()
    hands.received = { _, server, number in
      hands.note("\(server.now): process \(number)")
      server.verify(.transaction)
    }
    hands.tapped = { tap, phone in
      phone.add(tap)
      phone.startTimer(after: 1500)
    }
    hands.timerFired = { _, phone in Probe.report(TransactionID(0), phone) }
    try Probe.run(
      hands, "crash server before verify tx1 #1, delay server.start tx1 #1 = 5000ms"
    ) { $0.healMillis = 2000 }
    // Two of each simulation stand for none yet; those of the run are 2 and 3, the restarted one 4.
    #expect(hands.log == ["1061: process 2", "2510: process 4"])
  }

  @Test("The heal brings every phone back to the network, however long it was to be away")
  func phonesAreOnlineAtTheHeal() throws {
    let hands = Probe.Hands()
    hands.tapped = { tap, phone in
      phone.add(tap)
      for wait in [3000, 5000] { phone.startTimer(after: Int64(wait)) }
    }
    hands.timerFired = { _, phone in Probe.report(TransactionID(0), phone) }
    let plan = "partition network phone1 #1, delay network.heal phone1 #1 = 30000ms"
    let record = try Probe.run(hands, plan) { $0.healMillis = 5000 }
    #expect(record.times(.reported) == [6010])
    #expect(record.times(.credited) == [6030])
    #expect(record.times(.finished) == [6040])
  }

  @Test("No fault strikes at the very millisecond of the heal, and one may strike just before")
  func firstHealedMillisecond() throws {
    let plan = "crash app after pay tx1 #1"
    let healed = try Probe.run(Probe.Hands(), plan, vain: 1) { $0.healMillis = 1000 }
    #expect(healed.count(.ended) == 0)
    let ill = try Probe.run(Probe.Hands(), plan) { $0.healMillis = 1001 }
    #expect(ill.count(.ended) == 1)
  }

  @Test("The last millisecond of the horizon belongs to the history, and the next does not")
  func lastMillisecond() throws {
    for (at, taps) in [(5000, 1), (5001, 0)] as [(Int64, Int)] {
      let record = try Probe.run { setup in
        setup.steps[0].atMillis = at
        setup.healMillis = 5000
        setup.horizonMillis = 5000
      }
      #expect(record.count(.tapped) == taps, "a tap at \(at)")
    }
  }

  @Test("Apps are closed one interval after the heal, then each interval while there is time left")
  func reopening() throws {
    for (horizon, times) in [(60_000, [30_000, 50_000]), (59_999, [30_000])]
      as [(Int64, [Int64])]
    {
      let record = try Probe.run { setup in
        setup.healMillis = 10_000
        setup.reopenEveryMillis = 20_000
        setup.horizonMillis = horizon
      }
      #expect(record.times(.ended) == times)
      #expect(record.times(.launched) == [0] + times.map { $0 + 1000 })
    }
  }

  @Test("A run that handles as many events as it may is a run; with one more it is cut off")
  func eventLimit() throws {
    let events = try Probe.run().outcome.events
    #expect(events > 5)
    #expect(try !Probe.run { $0.eventLimit = events }.outcome.isCutOff)
    #expect(try Probe.run { $0.eventLimit = events - 1 }.outcome.isCutOff)
  }

  @Test("A simulation's second run strikes where its first one did, though that was healed")
  func secondRun() throws {
    var scenario = try Stage.mixed("exactly-once")
    scenario.setup.mix.isSwarmed = false
    let simulation = Simulation(scenario)
    let runs = (0..<3).map { _ in simulation.run(seed: 3) }
    #expect(runs[1] == runs[0] && runs[2] == runs[0])
    #expect(!simulation.record(seed: 3).faults.isEmpty)
  }
}
