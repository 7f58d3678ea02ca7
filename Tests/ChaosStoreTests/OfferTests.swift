import Invariants
import Testing

@testable import ChaosStore

@Suite struct `Offers of a subscription` {
  private typealias Offer = Setup.Product.Offer
  private static let day: Int64 = 86_400_000

  private static let offers = [
    Offer(nil, .introductory, .freeTrial, Period(1, .week)),
    Offer("friend", .promotional, .payUpFront, Period(2, .month)),
    Offer("spring", .code, .payAsYouGo, Period(1, .month), periods: 3),
    Offer("back", .winBack, .freeTrial, Period(3, .day)),
  ]

  /// A step that buys, on such a day, with such an offer.
  private static func buy(_ day: Int64, offer: Int? = nil, product: Int = 0) -> Setup.Step {
    .init(
      atMillis: day * Self.day + 1000, .buy(product: product, quantity: 1, account: 0), offer: offer
    )
  }

  private func run(
    _ steps: [Setup.Step], offers: [Setup.Product.Offer], _ plan: String = ""
  ) throws -> Record {
    var setup = Setup()
    setup.products = [
      .init("pro", .autoRenewable(.init(Period(1, .month), group: "tv", level: 1, offers: offers))),
      .init("basic", .autoRenewable(.init(Period(1, .month), group: "tv", level: 2))),
    ]
    setup.steps = steps
    setup.reopenEveryMillis = nil
    setup.sittings = .init(everyMillis: 7 * Self.day, forMillis: 300_000)
    setup.healMillis = 150 * Self.day
    setup.horizonMillis = 200 * Self.day
    setup.backend = .idempotent
    let scenario = Scenario(name: "offers", system: try Stage.system("exactly-once"), setup: setup)
    let record = Simulation(scenario).record(seed: nil, plan: try Plan(parsing: plan))
    #expect(record.unmatched == [] && record.ruleBreaks == [])
    #expect(record.outcome.broken == 0)
    return record
  }

  /// On which day each charge was made, and with which kind of offer.
  private func charges(_ record: Record) -> [String] {
    record.facts.filter { $0.kind == .charged || $0.kind == .renewed }.map { fact in
      let kind = Offer.Kind(rawValue: UInt8(fact.amount))
      return "\(fact.at.millis / Self.day)" + (kind.map { " \($0.name)" } ?? "")
    }
  }

  @Test func `A free week comes by itself, and months of the calendar are counted from its end`()
    throws
  {
    let record = try run([Self.buy(0)], offers: Self.offers)
    // 14 November; from 21 November on each month is paid for a day before the last is over.
    #expect(
      charges(record) == ["0 introductory", "6", "36", "67", "98", "127", "158", "188"])
  }

  @Test func `Each group has one introduction, and none for who is subscribed there`() throws {
    let again = try run(
      [Self.buy(0), Self.buy(20)], offers: Self.offers, "cancel person.renewal tx1 #1")
    #expect(charges(again).prefix(2) == ["0 introductory", "20"])
    let upgrade = try run([Self.buy(0, product: 1), Self.buy(10)], offers: Self.offers)
    #expect(charges(upgrade).prefix(2) == ["0", "10"])
  }

  @Test func `What is paid as one goes is paid for in so many periods, and then as usual`() throws {
    let record = try run([Self.buy(0, offer: 2)], offers: Self.offers)
    #expect(
      charges(record).prefix(5) == ["0 code", "29 code", "60 code", "91", "120"])
  }

  @Test func `Who asks for an offer that is not for them is not charged`() throws {
    for offer in [1, 3] {
      #expect(try charges(run([Self.buy(0, offer: offer)], offers: Self.offers)) == [])
    }
    let subscribed = try run([Self.buy(0), Self.buy(20, offer: 3)], offers: Self.offers)
    #expect(!charges(subscribed).contains { $0.hasSuffix("win-back") })
  }

  @Test func `Who left is won back, and pays as usual after that`() throws {
    let record = try run(
      [Self.buy(0), Self.buy(20, offer: 3)], offers: Self.offers, "cancel person.renewal tx1 #1")
    #expect(charges(record).prefix(3) == ["0 introductory", "20 win-back", "22"])
  }

  @Test func `Who is subscribed redeems an offer for the next period`() throws {
    let record = try run([Self.buy(0), Self.buy(10, offer: 1)], offers: Self.offers)
    // 7 days for nothing, a month, two months at once, and months again.
    #expect(
      charges(record).prefix(5) == ["0 introductory", "6", "36 promotional", "98", "127"])
  }

  @Test func `An offer for a better plan is redeemed at once`() throws {
    let record = try run(
      [Self.buy(0, product: 1), Self.buy(10, offer: 1)], offers: Self.offers)
    #expect(charges(record).prefix(3) == ["0", "10 promotional", "70"])
  }
}
