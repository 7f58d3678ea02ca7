import ChaosStore
import Invariants
import Testing

@Suite("The simulated storage, case by case")
struct StorageCaseTests {
  /// What an app finds at each of its launches, as `key:payload`.
  private func found(
    _ plan: String = "", steps: [Setup.Step] = [],
    launched: @escaping (Phone) -> Void = { _ in }, tapped: @escaping (Phone) -> Void,
    timerFired: @escaping (Phone) -> Void = { _ in }
  ) throws -> [String] {
    let hands = Probe.Hands()
    hands.launched = { phone in
      hands.note(phone.records.map { "\($0.key):\($0.record.payload)" }.joined(separator: " "))
      launched(phone)
    }
    hands.tapped = { _, phone in tapped(phone) }
    hands.timerFired = { _, phone in timerFired(phone) }
    try Probe.run(hands, plan) { $0.steps += steps }
    return hands.log
  }

  private static func save(_ payload: UInt32, key: UInt64 = 1, _ phone: Phone) {
    phone.save(StoredRecord(transaction: .none, payload: payload), key: key)
  }

  /// Dies soon after its launch in one of its lives.
  private static func crash(inLife life: Int) -> (Phone) -> Void {
    { if $0.launches == life { $0.startTimer(after: 100) } }
  }

  @Test("What a backup brought back is on the disk, and outlives the next crash")
  func backupsAreDurable() throws {
    let lines = try found(
      steps: [.init(atMillis: 20_000, .reinstall), .init(atMillis: 40_000, .restoreBackup)],
      launched: Self.crash(inLife: 3), tapped: { Self.save(5, $0) },
      timerFired: { $0.crash() })
    #expect(lines == ["", "", "1:5", "1:5"])
  }

  @Test("What a reinstall took does not come back with the next crash")
  func reinstallsAreDurable() throws {
    let lines = try found(
      steps: [.init(atMillis: 20_000, .reinstall)],
      launched: Self.crash(inLife: 2), tapped: { Self.save(5, $0) },
      timerFired: { $0.crash() })
    #expect(lines == ["", "", ""])
  }

  @Test("An erasure reaches the disk with the next flush, as a write does")
  func erasuresReachTheDisk() throws {
    let lines = try found(
      tapped: { phone in
        Self.save(5, phone)
        Self.save(6, key: 2, phone)
        for wait in [100, 200] { phone.startTimer(after: Int64(wait)) }
      },
      timerFired: { phone in
        if phone.now == 1100 { phone.erase(key: 1) } else { phone.crash() }
      })
    #expect(lines == ["", "2:6"])
  }

  @Test("Between two flushes it is asked once how long a flush takes, however much is written")
  func oneFlush() throws {
    let hands = Probe.Hands()
    hands.tapped = { _, phone in
      Self.save(5, phone)
      Self.save(6, key: 2, phone)
      phone.erase(key: 1)
    }
    #expect(try Probe.run(hands).asked(.delayFlush, "phone1") == 1)
  }

  @Test("Only what is on the disk and still wanted can be found corrupt when the app ends")
  func corruptible() throws {
    let hands = Probe.Hands()
    hands.tapped = { _, phone in
      Self.save(1, key: 1, phone)
      Self.save(2, key: 2, phone)
      phone.flush()
      phone.erase(key: 2)
      Self.save(3, key: 3, phone)
      phone.crash()
    }
    #expect(try Probe.run(hands).asked(.corruptRecord, "phone1") == 1)
  }

  // MARK: - What the judge is told of records

  /// The facts about records of tx1 that this use of the storage leads to.
  private func told(
    _ plan: String = "", steps: [Setup.Step] = [],
    use: @escaping (TransactionID, Phone) -> Void,
    later: @escaping (TransactionID, Phone) -> Void = { _, _ in }
  ) throws -> [String] {
    let hands = Probe.Hands()
    hands.updated = { transaction, phone in
      guard phone.launches == 1 else { return }
      use(transaction.id, phone)
      phone.startTimer(after: 100, about: transaction.id)
    }
    hands.timerFired = later
    let kinds: [Fact.Kind] = [.saved, .erased, .recordLost]
    return try Probe.run(hands, plan) { $0.steps += steps }.facts
      .filter { kinds.contains($0.kind) }
      .map { "\($0.kind) \($0.transaction.index) phone\($0.device.index + 1)" }
  }

  private static func keep(_ transaction: TransactionID, _ phone: Phone) {
    phone.save(StoredRecord(transaction: transaction), key: 1)
  }

  @Test("A record that is written and removed is told with its transaction and its phone")
  func savedAndErased() throws {
    let facts = try told(use: Self.keep, later: { $1.erase(key: 1) })
    #expect(facts == ["saved 0 phone1", "erased 0 phone1"])
    let other = try told(use: Self.keep, later: { $1.erase(key: 2) })
    #expect(other == ["saved 0 phone1"], "another key's record stays")
    let twice = try told(
      use: Self.keep,
      later: {
        $1.erase(key: 1)
        $1.erase(key: 1)
      })
    #expect(twice == ["saved 0 phone1", "erased 0 phone1"])
  }

  @Test("A newer record of the same transaction under its key is no loss")
  func replaced() throws {
    let facts = try told(use: Self.keep, later: Self.keep)
    #expect(facts == ["saved 0 phone1", "saved 0 phone1"])
  }

  @Test("A record of the app's own affairs is no fact")
  func ownAffairs() throws {
    let facts = try told(use: { Self.save(5, $1) }, later: { $1.erase(key: 1) })
    #expect(facts == [])
  }

  @Test("An erasure that never reached the disk is told as a record that is there again")
  func backFromTheDisk() throws {
    let facts = try told(
      use: Self.keep,
      later: {
        $1.erase(key: 1)
        $1.crash()
      })
    #expect(facts == ["saved 0 phone1", "erased 0 phone1", "saved 0 phone1"])
  }

  @Test("A reinstall loses a record, and the backup brings it back")
  func lostAndBack() throws {
    let facts = try told(
      steps: [.init(atMillis: 20_000, .reinstall), .init(atMillis: 40_000, .restoreBackup)],
      use: Self.keep)
    #expect(facts == ["saved 0 phone1", "recordLost 0 phone1", "saved 0 phone1"])
  }

  @Test("A backup of what is there already changes nothing")
  func sameAsTheBackup() throws {
    let facts = try told(steps: [.init(atMillis: 20_000, .restoreBackup)], use: Self.keep)
    #expect(facts == ["saved 0 phone1"])
  }

  @Test("A lost write and a corrupt record are asked about their transaction, and told as lost")
  func lostByAFault() throws {
    for plan in ["lose storage.write tx1 #1", "corrupt storage.record tx1 #1"] {
      let facts = try told(plan, use: Self.keep, later: { $1.crash() })
      #expect(facts == ["saved 0 phone1", "recordLost 0 phone1"], "\(plan)")
    }
  }

  @Test("A record about a transaction that is not there is not kept")
  func madeUpTransactions() throws {
    let facts = try told(use: { Self.keep(TransactionID(7), $1) })
    #expect(facts == [])
    let lines = try found(
      tapped: {
        Self.keep(TransactionID(7), $0)
        $0.flush()
        $0.crash()
      })
    #expect(lines == ["", ""])
  }

  @Test("A fault at a launch reinstalls the app, or brings back the backup, before it runs")
  func atALaunch() throws {
    let steps: [Setup.Step] = [.init(atMillis: 9000, .quit), .init(atMillis: 9500, .open)]
    let gone = try found("reinstall app phone1 #1", steps: steps, tapped: { Self.save(5, $0) })
    #expect(gone == ["", ""])
    let back = try found(
      "restore backup phone1 #1", steps: steps,
      tapped: {
        Self.save(5, $0)
        $0.startTimer(after: 100)
      }, timerFired: { $0.erase(key: 1) })
    #expect(back == ["", "1:5"])
  }
}
