import ChaosStore
import Invariants
import Testing

@Suite("A phone without a network")
struct OfflineRuleTests {
  /// The phone is away from 1000 to 21000, and the app writes down what it hears.
  private static let away =
    "partition store.payment tx1 #1, "
    + "delay network.heal phone1 #1 = 20000ms"

  private func listening(usesStoreKit2: Bool = false) -> Probe.Hands {
    let hands = Probe.Hands()
    hands.tapped = { tap, phone in usesStoreKit2 ? phone.purchase(tap) : phone.add(tap) }
    hands.updated = { transaction, phone in
      hands.note("\(phone.now): \(transaction.state)")
      if transaction.state == .failed { return phone.finish(transaction) }
      Probe.report(transaction.id, phone)
    }
    hands.purchaseEnded = { result, _, phone in
      if case .success = result {
        hands.note("\(phone.now): bought")
      } else {
        hands.note("\(phone.now): thrown")
      }
    }
    return hands
  }

  @Test("A payment that is asked for fails on the phone, and the store never hears of it")
  func payments() throws {
    for usesStoreKit2 in [false, true] {
      let hands = listening(usesStoreKit2: usesStoreKit2)
      let record = try Probe.run(hands, Self.away)
      #expect(hands.log == [usesStoreKit2 ? "1001: thrown" : "1001: failed"])
      #expect(record.count(.charged) == 0)
      #expect(record.asked(.delayCharge, "tx1") == 0)
    }
  }

  @Test("Nor is an unfinished transaction of the product handed over instead")
  func standing() throws {
    let hands = listening()
    let record = try Probe.run(hands, "partition store.payment tx2 #1") { setup in
      setup.steps.append(.init(atMillis: 2000, .buy(product: 0, quantity: 1, account: 0)))
      hands.replied = { _, _ in }
    }
    #expect(hands.log == ["1051: purchased", "2001: failed"])
    #expect(record.count(.returned) == 0)
  }

  /// A purchase of gems whose payment was sent before the phone is cut off by that of coins.
  private func sentBefore(
    _ hands: Probe.Hands, _ plan: String = "", _ change: @escaping (inout Setup) -> Void = { _ in }
  ) throws -> Record {
    try Probe.run(
      hands,
      "delay store.charge tx1 #1 = 500ms, partition store.payment tx2 #1, "
        + "delay network.heal phone1 #1 = 10000ms, \(plan)"
    ) { setup in
      setup.products = [.init("coins"), .init("gems"), .init("map", isConsumable: false)]
      setup.steps = [
        .init(atMillis: 1000, .buy(product: 1, quantity: 1, account: 0)),
        .init(atMillis: 1200, .buy(product: 0, quantity: 1, account: 0)),
      ]
      change(&setup)
    }
  }

  @Test("A payment that was sent before is charged meanwhile, and called back when it is online")
  func charges() throws {
    for usesStoreKit2 in [false, true] {
      let hands = listening(usesStoreKit2: usesStoreKit2)
      let record = try sentBefore(hands)
      #expect(record.times(.charged) == [1500])
      #expect(
        hands.log
          == (usesStoreKit2
            ? ["1201: thrown", "11200: bought"] : ["1201: failed", "11200: purchased"]))
    }
  }

  @Test("A payment that was sent before and is declined is heard of when the phone is online")
  func declined() throws {
    let hands = listening()
    _ = try sentBefore(hands, "decline store.payment tx1 #1")
    #expect(hands.log == ["1201: failed", "11200: failed"])
  }

  @Test("What waits for the network is handed over at the heal, however long it was to be away")
  func heal() throws {
    let hands = listening()
    _ = try sentBefore(hands) { $0.healMillis = 5000 }
    #expect(hands.log == ["1201: failed", "5000: purchased"])
  }

  @Test("An app that is opened without a network is called back when there is one")
  func launches() throws {
    let hands = listening()
    _ = try sentBefore(hands) {
      $0.steps += [.init(atMillis: 2000, .quit), .init(atMillis: 2500, .open)]
    }
    #expect(hands.log == ["1201: failed", "11200: purchased"])
  }

  @Test("A charge that is made meanwhile is in no snapshot and in no receipt before it is online")
  func snapshots() throws {
    let hands = listening(usesStoreKit2: true)
    hands.tapped = { tap, phone in
      phone.purchase(tap)
      if tap.product.index == 0 {
        for wait in [1000, 11_000] { phone.startTimer(after: Int64(wait)) }
      }
    }
    hands.timerFired = { _, phone in
      hands.note(
        "\(phone.now): \(Array(phone.unfinished).count) unfinished, \(phone.history.count) in all, "
          + (phone.receipt().isNone ? "no receipt" : "a receipt"))
    }
    _ = try sentBefore(hands)
    #expect(
      hands.log == [
        "1201: thrown", "2200: 0 unfinished, 0 in all, no receipt", "11200: bought",
        "12200: 1 unfinished, 1 in all, a receipt",
      ])
  }

  @Test("A finish waits for the network")
  func finishes() throws {
    let hands = Probe.Hands()
    hands.replied = { reply, phone in phone.startTimer(after: 500, about: reply.transaction) }
    hands.timerFired = { transaction, phone in phone.finish(transaction) }
    let record = try Probe.run(
      hands, "partition store.payment tx2 #1, delay network.heal phone1 #1 = 10000ms"
    ) { setup in
      setup.products = [.init("coins"), .init("gems")]
      setup.steps.append(.init(atMillis: 1200, .buy(product: 1, quantity: 1, account: 0)))
    }
    #expect(record.times(.finished) == [11_200])
  }

  @Test("A restore begins when the phone is online, unless the app has ended by then")
  func restores() throws {
    func ends(_ steps: [Setup.Step]) throws -> [String] {
      let hands = listening()
      hands.updated = { transaction, phone in
        hands.note("\(phone.now): \(transaction.state)")
        if transaction.state != .restored { phone.finish(transaction) }
      }
      hands.restoreEnded = { hands.note("\($0.now): end") }
      _ = try sentBefore(hands) { setup in
        setup.steps[0].atMillis = 100
        setup.steps[0].action = .buy(product: 2, quantity: 1, account: 0)
        setup.steps += steps
      }
      return hands.log
    }
    #expect(
      try ends([.init(atMillis: 3000, .restore)]) == [
        "601: purchased", "1201: failed", "11400: restored", "11400: end",
      ])
    #expect(
      try ends([
        .init(atMillis: 3000, .restore), .init(atMillis: 4000, .quit),
        .init(atMillis: 4500, .open),
      ]) == ["601: purchased", "1201: failed"])
  }

  @Test("There is no product list")
  func products() throws {
    let hands = Probe.Hands()
    hands.tapped = { tap, phone in
      phone.add(tap)
      phone.loadProducts(for: tap)
      phone.loadProducts()
    }
    hands.updated = { _, _ in }
    hands.products = {
      hands.note("\($2.now): \($0 ? "products" : "none") \($1.isNone ? "" : "tx1")")
    }
    try Probe.run(hands, Self.away)
    #expect(hands.log == ["1050: none tx1", "1050: none "])
  }
}
