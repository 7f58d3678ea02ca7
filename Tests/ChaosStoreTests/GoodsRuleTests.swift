import ChaosStore
import Invariants
import Testing

@Suite("Goods on a device")
struct GoodsRuleTests {
  /// An app that hands out what it is called back with, and finishes it if it does so.
  private static func hands(
    writes: Bool = true, finishes: Bool = true, times: Int = 1
  ) -> Probe.Hands {
    let hands = Probe.Hands()
    hands.updated = { transaction, phone in
      for _ in 0..<times { phone.deliver(transaction.id) }
      if writes { phone.flush() }
      if finishes { phone.finish(transaction) }
    }
    return hands
  }

  private static func kinds(_ record: Record) -> [Fact.Kind] {
    record.facts.map(\.kind).filter { [.credited, .goodsLost, .finished].contains($0) }
  }

  @Test("They are credited to whoever paid, whoever is logged in when they come")
  func owners() throws {
    let record = try Probe.run(Self.hands(), "switch person.payment tx1 #1") { $0.accounts = 2 }
    let credit = try #require(record.facts.first { $0.kind == .credited })
    #expect(credit.account == AccountID(index: 0) && credit.device == DeviceID(index: 0))
    #expect(credit.quantity == 1)
  }

  @Test("A crash takes back what was not on the disk, and nothing that was")
  func crashes() throws {
    let lost = try Probe.run(Self.hands(writes: false), "crash app after finish tx1 #1")
    #expect(Self.kinds(lost) == [.credited, .finished, .goodsLost])
    let kept = try Probe.run(Self.hands(), "crash app after finish tx1 #1")
    #expect(Self.kinds(kept) == [.credited, .finished])
    let late = try Probe.run(Self.hands(writes: false)) {
      $0.steps.append(.init(atMillis: 9000, .quit))
    }
    #expect(Self.kinds(late) == [.credited, .finished], "flushed meanwhile")
  }

  @Test("A consumable is handed out as often as the app says, a non-consumable once")
  func twice() throws {
    #expect(try Probe.run(Self.hands(times: 2)).count(.credited) == 2)
    let map = try Probe.run(Self.hands(times: 2)) {
      $0.products = [.init("map", isConsumable: false)]
    }
    #expect(map.count(.credited) == 1)
  }

  @Test("Two phones of one account that hand out the same have one credit")
  func twoPhones() throws {
    let record = try Probe.run(Self.hands(finishes: false)) { setup in
      setup.devices.append(.init())
      setup.steps += [
        .init(atMillis: 2000, device: 1, .quit), .init(atMillis: 3000, device: 1, .open),
      ]
    }
    #expect(record.count(.delivered) == 2)
    #expect(record.count(.credited) == 1)
  }

  @Test("What one phone loses is not gone while another of the account has it")
  func otherPhone() throws {
    let hands = Self.hands(writes: false, finishes: false)
    // The second tap is too much for the app.
    hands.tapped = { tap, phone in
      if phone.now < 1500 { phone.add(tap) } else { phone.crash() }
    }
    let record = try Probe.run(hands, "delay storage.flush phone1 #1 = 1000ms") { setup in
      setup.devices.append(.init())
      setup.steps += [
        .init(atMillis: 1100, device: 1, .quit), .init(atMillis: 1400, device: 1, .open),
        .init(atMillis: 1600, .buy(product: 0, quantity: 1, account: 0)),
      ]
    }
    #expect(record.count(.delivered) >= 2)
    #expect(record.facts.contains { $0.kind == .ended && $0.at.millis == 1600 })
    #expect(record.count(.goodsLost) == 0)
  }

  @Test("What goes with the app stays in the books, and comes again without a second credit")
  func installations() throws {
    for action in [Setup.Step.Action.reinstall, .restoreBackup] {
      let record = try Probe.run(Self.hands(finishes: false)) {
        $0.steps.append(.init(atMillis: 20_000, action))
      }
      #expect(record.count(.delivered) == 2)
      // The backup has it: the app hands it out although it is there.
      #expect(record.count(.credited) == (action == .restoreBackup ? 2 : 1))
      #expect(record.count(.goodsLost) == 0)
    }
  }

  @Test("What the store shows of its own is neither written nor lost")
  func entitlements() throws {
    let hands = Probe.Hands()
    hands.updated = { transaction, phone in
      phone.deliver(transaction.id, isShownByStore: true)
      phone.crash()
    }
    let record = try Probe.run(hands) { $0.products = [.init("map", isConsumable: false)] }
    #expect(record.count(.credited) == 1)
    #expect(record.count(.goodsLost) == 0)
    #expect(record.asked(.crashBeforeSave, "tx1") == 0)
  }
}
