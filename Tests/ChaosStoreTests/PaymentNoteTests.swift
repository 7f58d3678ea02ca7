import ChaosStore
import Invariants
import Testing

@Suite("When exactly-once asks for the password, with StoreKit 1")
struct PaymentNoteTests {
  /// When the person was asked in a run of one purchase, in seconds.
  private func prompts(_ plan: String, _ change: (inout Setup) -> Void = { _ in }) throws -> [Int64]
  {
    let scenario = try Stage.one("exactly-once", variant: "storekit1", change)
    let record = Simulation(scenario).record(seed: nil, plan: try Plan(parsing: plan))
    #expect(record.outcome.broken == 0)
    #expect(record.unmatched.isEmpty)
    return record.facts.filter { $0.kind == .asked }.map { $0.at.millis / 1000 }
  }

  @Test("A new installation asks once, and no later launch does")
  func newInstallation() throws { #expect(try prompts("") == [0]) }

  @Test("A process that ends while a payment is under way makes the next one ask, once")
  func died() throws {
    #expect(try prompts("crash app on callback tx1 #1").count == 2)
  }

  @Test("What was called back and credited makes nobody ask, if the process ends after the answer")
  func answered() throws {
    #expect(try prompts("crash app after reply tx1 #1") == [0])
  }

  @Test("A payment that does not come back in this launch makes the app ask when patience is over")
  func held() throws {
    let asked = try prompts("hold store.callback tx1 #1") {
      $0.reopenEveryMillis = nil
      $0.mix.allowWaits()
    }
    #expect(asked == [0, 31])
  }

  @Test("Who does not give their password is asked again after a minute, then after two")
  func refused() throws {
    let asked = try prompts("fail receipt.refresh phone1 #1, fail receipt.refresh phone1 #2") {
      $0.steps = []
      $0.reopenEveryMillis = nil
      $0.healMillis = 100_000
    }
    #expect(asked == [0, 60, 180])
  }

  @Test("A launch asks no second time for what the last one asked, if the receipt has come since")
  func cutShort() throws {
    let asked = try prompts("delay receipt.refresh phone1 #1 = 2000ms") {
      $0.steps = [.init(atMillis: 1000, .quit), .init(atMillis: 5000, .open)]
      $0.reopenEveryMillis = nil
    }
    #expect(asked == [0])
  }

  @Test("Who did not give their password is left alone in the next launches too, for as long")
  func refusedBefore() throws {
    let asked = try prompts(
      "fail receipt.refresh phone1 #1, fail receipt.refresh phone1 #2, fail receipt.refresh phone1 #3"
    ) {
      $0.steps = []
      $0.reopenEveryMillis = 20_000
      $0.healMillis = 200_000
      $0.horizonMillis = 600_000
    }
    #expect(asked == [0, 60, 180, 301])
  }

  @Test("However often somebody has refused, what they paid for comes soon once they do not")
  func refusedOften() throws {
    // prompts(_:_:) expects that nothing is broken.
    let asked = try prompts(
      "skip receipt.write tx1 #1, crash app after pay tx1 #1, swallow store.callback tx1 #1, "
        + (2...7).map { "fail receipt.refresh phone1 #\($0)" }.joined(separator: ", ")
    ) {
      $0.reopenEveryMillis = nil
      $0.healMillis = 600_000
      $0.horizonMillis = 810_000
    }
    #expect(asked.count == 8)
    #expect((600...750).contains(asked.last ?? 0))
  }

  @Test("Of a payment the note speaks anew: a receipt from before it answers nothing")
  func paidSince() throws {
    // Asked, refreshed, not answered, and then paid: the receipt on the disk is newer than the question, and
    // too old.
    let asked = try prompts(
      "drop verify.request phone1 #1, skip receipt.write tx1 #1, swallow store.callback tx1 #1, "
        + "crash app on callback tx1 #1"
    ) {
      $0.reopenEveryMillis = nil
    }
    #expect(asked.count == 2)
  }

  @Test("Where the note is lost a prompt is paid for it, and no purchase")
  func lost() throws {
    let asked = try prompts(
      "lose storage.write phone1 #1, swallow store.callback tx1 #1, skip receipt.write tx1 #1, "
        + "crash app on callback tx1 #1")
    #expect(asked.count >= 2)
  }
}
