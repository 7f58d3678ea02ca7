import Testing

@testable import ChaosStore

/// Until when what has struck goes on, for whoever judges what happens without a fault.
@Suite struct `What strikes goes on` {
  /// The last moment of it, in milliseconds; -1 where nothing struck.
  private func end(_ plan: String, variant: String = "storekit2") throws -> Int64 {
    var scenario = try Stage.mixed("exactly-once", variant: variant, backend: .idempotent)
    scenario.setup.healMillis = 100_000
    let record = Simulation(scenario).record(seed: nil, plan: try Plan(parsing: plan))
    #expect(record.unmatched == [] && record.disturbances.count == record.facts.count)
    return record.disturbances.last ?? -1
  }

  @Test func `for no time where nothing strikes`() throws {
    #expect(try end("") == -1)
    // What is late within its usual time is no fault.
    #expect(try end("delay verify.reply tx1 #1 = 200ms") == -1)
  }

  @Test(
    arguments: [
      ("drop verify.reply tx1 #1", 0),
      ("delay verify.reply tx1 #1 = 7000ms", 7000),
      ("partition network phone1 #1, delay network.heal phone1 #1 = 30000ms", 30_000),
      ("crash server before commit tx1 #1, delay server.start tx1 #1 = 5000ms", 5000),
      ("background app tx1 #1, delay app.foreground phone1 #1 = 20000ms", 20_000),
    ])
  func `until it is over`(plan: String, lasts: Int64) throws {
    // Each strikes within the first seconds.
    let began = try end(plan) - lasts
    #expect(began > 0 && began < 10_000, "\(plan)")
  }

  @Test func `until the heal where a receipt is another Apple ID's`() throws {
    let plan = "crash app after send tx1 #1, swap receipt.file phone1 #1"
    #expect(try end(plan, variant: "storekit1") == 100_000)
  }
}
