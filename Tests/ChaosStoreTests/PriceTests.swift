import Invariants
import Testing

@testable import ChaosStore

@Suite struct `A subscription that is to cost more` {
  private static let day: Int64 = 86_400_000

  private func setup() -> Setup {
    var setup = Setup()
    setup.products = [.init("pro", .autoRenewable(.init(Period(1, .month))))]
    setup.steps = [.init(atMillis: 1000, .buy(product: 0, quantity: 1, account: 0))]
    setup.reopenEveryMillis = nil
    setup.sittings = .init(everyMillis: 3 * Self.day, forMillis: 300_000)
    setup.healMillis = 60 * Self.day
    setup.horizonMillis = 100 * Self.day
    setup.backend = .idempotent
    return setup
  }

  private func news(_ plan: String) throws -> [String] {
    let hands = Probe.Hands()
    hands.notified = { message, server in
      let consent = message.status.map { "\($0.priceConsent)" } ?? ""
      hands.note("\(message.kind.name) \(message.subtype?.name ?? "-") \(consent)")
      server.reply(.alreadyDelivered)
    }
    try Probe.run(hands, plan) {
      $0 = self.setup()
      $0.horizonMillis = 40 * Self.day
      $0.healMillis = 30 * Self.day
    }
    return hands.log
  }

  @Test func `Who agrees goes on, and who says nothing has what is paid for`() throws {
    #expect(
      try news("raise store.price tx1 #1, delay person.consent tx1 #1 = 86400000ms") == [
        "SUBSCRIBED INITIAL_BUY none", "PRICE_INCREASE PENDING pending",
        "PRICE_INCREASE ACCEPTED agreed", "DID_RENEW - none",
      ])
    #expect(
      try news("raise store.price tx1 #1, withhold person.consent tx1 #1") == [
        "SUBSCRIBED INITIAL_BUY none", "PRICE_INCREASE PENDING pending",
        "EXPIRED PRICE_INCREASE pending",
      ])
  }

  @Test func `Who agrees too late has agreed to nothing`() throws {
    // The question comes in the middle of 29 days.
    let log = try news("raise store.price tx1 #1, delay person.consent tx1 #1 = 1296000000ms")
    #expect(
      log == [
        "SUBSCRIBED INITIAL_BUY none", "PRICE_INCREASE PENDING pending",
        "EXPIRED PRICE_INCREASE pending",
      ])
  }

  @Test(arguments: ["storekit2", "storekit1"])
  func `The corrected design lets nobody in who has not agreed`(variant: String) throws {
    let scenario = Scenario(
      name: "price", system: try Stage.system("exactly-once"), variant: variant, setup: setup())
    let record = Simulation(scenario).record(
      seed: nil,
      plan: try Plan(
        parsing: "raise store.price tx1/n1 #1, withhold person.consent tx1/n1 #1"))
    #expect(record.unmatched == [] && record.outcome.broken == 0)
    #expect(record.count(.renewed) == 1 && record.count(.expired) == 1)
  }
}
