import Invariants
import Testing

@testable import ChaosStore

@Suite("Payments that fail, and payments for what is owned")
struct FailedPaymentTests {
  /// Notes what it is handed, and finishes a failure only if it is told to.
  private func hands(finishing: Bool) -> Probe.Hands {
    let hands = Probe.Hands()
    hands.updated = { transaction, phone in
      hands.note("\(transaction.state) at \(phone.now)")
      if finishing { phone.finish(transaction) }
    }
    return hands
  }

  private static let reopening: [Setup.Step] = [
    .init(atMillis: 10_000, .quit), .init(atMillis: 15_000, .open),
    .init(atMillis: 20_000, .quit), .init(atMillis: 25_000, .open),
  ]

  @Test("A failed transaction comes back at each launch until it is finished")
  func failuresStay() throws {
    let careless = hands(finishing: false)
    try Probe.run(careless, "decline store.payment tx1 #1") { $0.steps += Self.reopening }
    #expect(careless.log == ["failed at 1051", "failed at 15001", "failed at 25001"])
    let tidy = hands(finishing: true)
    try Probe.run(tidy, "decline store.payment tx1 #1") { $0.steps += Self.reopening }
    #expect(tidy.log == ["failed at 1051"])
  }

  @Test("A failure that nobody heard is called back when the observer is there again, once")
  func unheardFailures() throws {
    let hands = hands(finishing: false)
    hands.tapped = { tap, phone in
      phone.add(tap)
      phone.unobserve()
      phone.startTimer(after: 5000)
    }
    hands.timerFired = { _, phone in phone.observe() }
    try Probe.run(hands, "decline store.payment tx1 #1")
    #expect(hands.log == ["failed at 6001"])
  }

  @Test("Failed though charged: the failure and the purchase are two transactions of one queue")
  func failedAndPurchased() throws {
    let hands = hands(finishing: false)
    try Probe.run(hands, "fail store.payment tx1 #1") {
      $0.steps += Self.reopening.prefix(2)
    }
    #expect(hands.log == ["failed at 1051", "failed at 15001", "purchased at 15001"])
  }

  @Test("StoreKit 2 keeps no failed transaction", arguments: [true, false])
  func storeKit2(_ finishes: Bool) throws {
    let hands = hands(finishing: finishes)
    hands.tapped = { tap, phone in phone.purchase(tap) }
    hands.purchaseEnded = { result, _, phone in
      if case .failed = result { hands.note("error at \(phone.now)") }
    }
    try Probe.run(hands, "decline store.payment tx1 #1") { $0.steps += Self.reopening }
    #expect(hands.log == ["error at 1051"])
  }

  // MARK: - What is owned

  private func bothBuy(isConsumable: Bool, usesStoreKit2: Bool, _ plan: String = "") throws
    -> Record
  {
    let hands = Probe.Hands()
    if usesStoreKit2 { hands.tapped = { tap, phone in phone.purchase(tap) } }
    return try Probe.run(hands, plan) { setup in
      setup.devices = [.init(), .init()]
      setup.products = [.init("map", isConsumable: isConsumable)]
      setup.steps.append(
        .init(atMillis: 1010, device: 1, .buy(product: 0, quantity: 1, account: 0)))
    }
  }

  @Test(
    "Two phones that buy a thing at once pay for it once, and both are handed it",
    arguments: [true, false])
  func ownedAtTheCharge(_ usesStoreKit2: Bool) throws {
    let things = try bothBuy(isConsumable: false, usesStoreKit2: usesStoreKit2)
    #expect(things.count(.charged) == 1)
    #expect(things.facts.first { $0.kind == .returned }?.intent == IntentID(1))
    #expect(Set(things.facts.filter { $0.kind == .delivered }.map(\.device.index)) == [0, 1])
    let coins = try bothBuy(isConsumable: true, usesStoreKit2: usesStoreKit2)
    #expect(coins.count(.charged) == 2)
  }

  @Test("What the first payment did not come to is charged to the second")
  func notOwnedAtTheCharge() throws {
    let record = try bothBuy(
      isConsumable: false, usesStoreKit2: true, "decline store.payment tx1 #1")
    #expect(record.count(.charged) == 1)
    #expect(record.count(.returned) == 0)
  }

  @Test("A thing that is not called back any more comes as a new transaction, and costs nothing")
  func swallowedThings() throws {
    let hands = Probe.Hands()
    hands.updated = { transaction, phone in hands.note("\(transaction.state)") }
    let record = try Probe.run(
      hands, "crash app on callback tx1 #1, swallow store.callback tx1 #1"
    ) { setup in
      setup.products = [.init("map", isConsumable: false)]
      setup.steps.append(.init(atMillis: 20_000, .buy(product: 0, quantity: 1, account: 0)))
    }
    #expect(record.count(.charged) == 1)
    #expect(hands.log == ["restored"])
  }

  @Test("What was taken back is in the history, with when, whether it is finished or not")
  func revoked() throws {
    let hands = Probe.Hands()
    hands.replied = { reply, phone in
      hands.note("\(phone.history.map(\.revokedMillis))")
      phone.finish(reply.transaction)
      hands.note("\(phone.history.map(\.revokedMillis)) \(Array(phone.unfinished).count)")
    }
    try Probe.run(hands, "void store.charge tx1 #1")
    #expect(hands.log == ["[Optional(1081)]", "[Optional(1081)] 0"])
    let standing = Probe.Hands()
    standing.replied = { _, phone in standing.note("\(phone.history.map(\.revokedMillis))") }
    try Probe.run(standing)
    #expect(standing.log == ["[nil]"])
  }
}
