import Invariants
import Testing

@testable import ChaosStore

@Suite struct `Subscriptions that are not renewed` {
  private static let day: Int64 = 86_400_000

  private func setup(_ days: [Int64], _ steps: [Setup.Step] = []) -> Setup {
    var setup = Setup()
    setup.products = [.init("season", .nonRenewing)]
    setup.steps =
      days.map {
        .init(atMillis: $0 * Self.day + 1000, .buy(product: 0, quantity: 1, account: 0))
      } + steps
    setup.reopenEveryMillis = nil
    setup.sittings = .init(everyMillis: 3 * Self.day, forMillis: 300_000)
    setup.healMillis = 30 * Self.day
    setup.horizonMillis = 60 * Self.day
    setup.backend = .idempotent
    return setup
  }

  @Test(arguments: ["storekit2", "storekit1"])
  func `Each is bought for itself and credited for itself`(variant: String) throws {
    let scenario = Scenario(
      name: "season", system: try Stage.system("exactly-once"), variant: variant,
      setup: setup([0, 10, 20]))
    let record = Simulation(scenario).record(seed: nil)
    #expect(record.outcome.broken == 0)
    #expect(record.count(.charged) == 3 && record.count(.credited) == 3)
  }

  @Test func `The store goes on showing them, finished or not, and restores none`() throws {
    let hands = Probe.Hands()
    hands.launched = { phone in
      phone.observe()
      hands.note("\(phone.entitlements.count) of \(phone.history.count)")
    }
    let restore = Setup.Step(atMillis: 12 * Self.day + 5000, .restore)
    let record = try Probe.run(hands) { $0 = self.setup([0, 10], [restore]) }
    #expect(hands.log.prefix(2) == ["0 of 0", "1 of 1"])
    #expect(hands.log.last == "2 of 2")
    #expect(record.count(.restored) == 0)
  }

  @Test func `A receipt goes on listing them`() throws {
    let hands = Probe.Hands()
    hands.launched = { phone in
      phone.observe()
      if phone.now > 15 * Self.day { Probe.postReceipt(phone) }
    }
    hands.received = { report, server, _ in
      server.verify(report.evidence.isReceipt ? .productionReceipt : .transaction)
    }
    hands.verified = { answer, report, server in
      if report.evidence.isReceipt {
        hands.note("\(Array(server.purchases(in: answer)).count)")
      } else {
        for purchase in server.purchases(in: answer) {
          server.credit(purchase, to: report.session)
        }
      }
      server.reply(.delivered)
    }
    try Probe.run(hands) { $0 = self.setup([0, 10]) }
    #expect(Set(hands.log) == ["2"])
  }

  @Test func `Who credits one twice is found`() throws {
    let hands = Probe.Hands()
    hands.verified = { answer, report, server in
      for purchase in server.purchases(in: answer) {
        server.credit(purchase, to: report.session)
        server.credit(purchase, to: report.session)
      }
      server.reply(.delivered)
    }
    let record = try Probe.run(hands) { $0 = self.setup([0]) }
    #expect(record.violations.contains { Catalogue.invariants[$0.rule].code == "I02" })
  }
}
