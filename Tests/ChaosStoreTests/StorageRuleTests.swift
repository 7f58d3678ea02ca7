import ChaosStore
import Invariants
import Testing

@Suite("The simulated storage of a phone")
struct StorageRuleTests {
  /// What an app finds at each of its launches, as `key:payload`.
  private func found(
    _ plan: String = "", change: (inout Setup) -> Void = { _ in },
    tapped: @escaping (Phone) -> Void, timerFired: @escaping (Phone) -> Void = { _ in }
  ) throws -> [String] {
    let hands = Probe.Hands()
    hands.launched = { phone in
      hands.note(phone.records.map { "\($0.key):\($0.record.payload)" }.joined(separator: " "))
    }
    hands.tapped = { _, phone in tapped(phone) }
    hands.timerFired = { _, phone in timerFired(phone) }
    try Probe.run(hands, plan, change)
    return hands.log
  }

  private static func save(_ payload: UInt32, key: UInt64 = 1, _ phone: Phone) {
    phone.save(StoredRecord(transaction: .none, payload: payload), key: key)
  }

  @Test("A record that was not on the disk when the app died is lost, and one that was is not")
  func onlyTheDiskStays() throws {
    let lost = try found("crash app after save phone1 #1", tapped: { Self.save(5, $0) })
    #expect(lost == ["", ""])
    let kept = try found(
      tapped: {
        Self.save(5, $0)
        $0.startTimer(after: 100)
      }, timerFired: { $0.crash() })
    #expect(kept == ["", "1:5"])
    let flushed = try found(
      tapped: {
        Self.save(5, $0)
        $0.flush()
        $0.crash()
      })
    #expect(flushed == ["", "1:5"])
  }

  @Test("A write takes as long to reach the disk as its flush")
  func slowFlush() throws {
    let early = try found(
      "delay storage.flush phone1 #1 = 500ms",
      tapped: {
        Self.save(5, $0)
        $0.startTimer(after: 499)
      }, timerFired: { $0.crash() })
    #expect(early == ["", ""])
    let late = try found(
      "delay storage.flush phone1 #1 = 500ms",
      tapped: {
        Self.save(5, $0)
        $0.startTimer(after: 501)
      }, timerFired: { $0.crash() })
    #expect(late == ["", "1:5"])
  }

  @Test("A record that was erased only in memory is back after the app has died")
  func unwrittenErasures() throws {
    let lines = try found(
      tapped: {
        Self.save(5, $0)
        $0.startTimer(after: 100)
      },
      timerFired: {
        $0.erase(key: 1)
        $0.crash()
      })
    #expect(lines == ["", "1:5"])
  }

  @Test("What is written after a first flush reaches the disk as well, and so in a later life")
  func laterWrites() throws {
    let lines = try found(
      tapped: {
        Self.save(5, $0)
        $0.startTimer(after: 100)
      },
      timerFired: { phone in
        if phone.records.contains(where: { $0.key == 2 }) { return phone.crash() }
        Self.save(6, key: 2, phone)
        phone.startTimer(after: 100)
      })
    #expect(lines == ["", "2:6 1:5"])
  }

  @Test("A crash between a write and its flush leaves the next life's writes as safe as any")
  func flushesAfterACrash() throws {
    let hands = Probe.Hands()
    hands.launched = { phone in
      hands.note(phone.records.map { "\($0.key)" }.joined(separator: " "))
      if phone.launches < 3 {
        Self.save(0, key: UInt64(phone.launches), phone)
        if phone.launches == 1 { phone.crash() } else { phone.startTimer(after: 100) }
      }
    }
    hands.timerFired = { _, phone in phone.crash() }
    try Probe.run(hands) { $0.steps = [] }
    #expect(hands.log == ["", "", "2"])
  }

  @Test("A record takes the place of the one under its key")
  func sameKey() throws {
    let lines = try found(
      tapped: {
        Self.save(5, $0)
        Self.save(6, $0)
        Self.save(7, key: 2, $0)
        $0.startTimer(after: 100)
      }, timerFired: { $0.crash() })
    #expect(lines == ["", "2:7 1:6"])
  }

  @Test("A lost write is there until the app ends, and a corrupt record is found by no later life")
  func lostAndCorrupt() throws {
    for plan in ["lose storage.write phone1 #1", "corrupt storage.record phone1 #1"] {
      var before: [UInt64] = []
      let lines = try found(
        plan,
        tapped: {
          Self.save(5, $0)
          $0.startTimer(after: 100)
        },
        timerFired: { phone in
          before = phone.records.map(\.key)
          phone.crash()
        })
      #expect(before == [1])
      #expect(lines == ["", ""], "\(plan)")
    }
  }

  @Test("An app that is closed on purpose, or from time to time, has written everything first")
  func closingFlushes() throws {
    let quit = try found(
      change: { setup in
        setup.steps += [.init(atMillis: 1000, .quit), .init(atMillis: 5000, .open)]
      }, tapped: { Self.save(5, $0) })
    #expect(quit == ["", "1:5"])
    let reopened = try found(
      change: { setup in
        setup.healMillis = 500
        setup.reopenEveryMillis = 500
        setup.horizonMillis = 5000
      }, tapped: { Self.save(5, $0) })
    #expect(reopened == ["", "1:5"])
  }

  @Test("A reinstalled app finds nothing, and a backup brings back what the disk last held")
  func reinstallAndBackup() throws {
    let lines = try found(
      change: { setup in
        setup.steps += [
          .init(atMillis: 20_000, .reinstall), .init(atMillis: 40_000, .restoreBackup),
        ]
      }, tapped: { Self.save(5, $0) })
    #expect(lines == ["", "", "1:5"])
  }

  @Test("A backup keeps the last state in which there was anything, and forgets what came after")
  func backups() throws {
    let emptied = try found(
      change: { $0.steps.append(.init(atMillis: 20_000, .restoreBackup)) },
      tapped: {
        Self.save(5, $0)
        $0.startTimer(after: 100)
      }, timerFired: { $0.erase(key: 1) })
    #expect(emptied == ["", "1:5"])
    let newer = try found(
      change: { $0.steps.append(.init(atMillis: 1150, .restoreBackup)) },
      tapped: {
        Self.save(5, $0)
        $0.startTimer(after: 100)
        $0.startTimer(after: 150)
      },
      timerFired: { phone in
        // In memory alone when the backup comes.
        if phone.now == 1150 { return }
        Self.save(6, key: 2, phone)
      })
    #expect(newer == ["", "2:6 1:5"])
  }

  @Test("A record that gives way to another transaction's, or dies with the app, is a lost record")
  func lostRecordsAreFacts() throws {
    let hands = Probe.Hands()
    hands.updated = { transaction, phone in
      phone.save(StoredRecord(transaction: transaction.id), key: 1)
      phone.finish(transaction.id)
    }
    let record = try Probe.run(hands) { setup in
      setup.steps.append(.init(atMillis: 9000, .buy(product: 0, quantity: 1, account: 0)))
    }
    let lost = record.facts.filter { $0.kind == .recordLost }
    #expect(lost.map(\.transaction) == [TransactionID(0)])
    #expect(record.broken(in: Probe.scenario()).contains("local-record-discipline"))
    let dead = try Probe.run(hands, "crash app after save tx1 #1")
    #expect(dead.facts.filter { $0.kind == .recordLost }.map(\.transaction) == [TransactionID(0)])
  }
}
