import Foundation
import Invariants
import Testing

@testable import ChaosStore

@Suite struct `Subscriptions` {
  private static let day: Int64 = 86_400_000

  /// A subscription by the month that is bought at once, and an app that is opened once a week.
  private func setup(graceDays: Int = 0, healDays: Int64 = 300, days: Int64 = 400) -> Setup {
    var setup = Setup()
    setup.products = [.init("pro", .autoRenewable(.init(Period(1, .month), graceDays: graceDays)))]
    setup.steps = [.init(atMillis: 1000, .buy(product: 0, quantity: 1, account: 0))]
    setup.reopenEveryMillis = nil
    setup.sittings = .init(everyMillis: 7 * Self.day, forMillis: 300_000)
    setup.healMillis = healDays * Self.day
    setup.horizonMillis = days * Self.day
    setup.backend = .idempotent
    return setup
  }

  private func scenario(_ setup: Setup) throws -> Scenario {
    Scenario(name: "year", system: try Stage.system("exactly-once"), setup: setup)
  }

  private func record(_ setup: Setup, _ plan: String = "") throws -> Record {
    let record = Simulation(try scenario(setup)).record(seed: nil, plan: try Plan(parsing: plan))
    #expect(record.unmatched == [])
    #expect(record.outcome.broken == 0, "\(plan)")
    return record
  }

  /// On which days a kind of fact happened, rounded down.
  private func days(_ kind: Fact.Kind, _ record: Record) -> [Int64] {
    record.facts.filter { $0.kind == kind }.map { $0.at.millis / Self.day }
  }

  @Test func `A year is paid for month by month, a day before each month is over`() throws {
    let record = try record(setup())
    // 14 November 2023, 22:13: months of the calendar, in a leap year.
    #expect(
      days(.renewed, record) == [29, 60, 91, 120, 151, 181, 212, 242, 273, 304, 334, 365, 395])
    #expect(record.count(.charged) == 1 && record.count(.expired) == 0)
    #expect(record.count(.credited) == 1, "a renewal is no credit of its own")
  }

  @Test func `Who turns the renewal off has what was paid for, and no more`() throws {
    let record = try record(setup(), "cancel person.renewal tx1 #1")
    #expect(days(.expired, record) == [30] && record.count(.renewed) == 0)
  }

  @Test func `A renewal that cannot be charged leaves the grace period, and then nothing`() throws {
    let plan = "fail store.renewal tx1 #1, abandon store.renewal tx1 #1"
    #expect(try days(.expired, record(setup(), plan)) == [30])
    #expect(try days(.expired, record(setup(graceDays: 16), plan)) == [46])
  }

  @Test func `A renewal that can be charged later begins a period where the last one was over`()
    throws
  {
    let failing = "fail store.renewal tx1 #1"
    let soon = try record(setup(), failing)
    #expect(soon.count(.expired) == 0 && days(.renewed, soon).prefix(2) == [29, 60])
    let later = failing + ", delay store.recovery tx1 #1 = \(5 * Self.day)ms"
    let record = try record(setup(), later)
    #expect(days(.expired, record) == [30] && days(.renewed, record).prefix(2) == [34, 64])
    let inGrace = try self.record(setup(graceDays: 16), later)
    #expect(inGrace.count(.expired) == 0 && days(.renewed, inGrace).prefix(2) == [34, 60])
  }

  @Test func `A refund of the last charge ends it, and one of an earlier charge does not`() throws {
    let record = try record(setup(), "refund store.charge tx1/n2 #1")
    #expect(days(.refunded, record) == [60] && record.count(.renewed) == 2)
    let late = "refund store.charge tx1 #1, delay store.refund tx1 #1 = \(40 * Self.day)ms"
    let earlier = try self.record(setup(), late)
    #expect(days(.refunded, earlier) == [40] && earlier.count(.renewed) == 13)
  }

  @Test func `Who buys what is over again has one subscription, and pays for another time`() throws
  {
    var setup = setup()
    setup.steps.append(
      .init(atMillis: 50 * Self.day, .buy(product: 0, quantity: 1, account: 0)))
    let record = try record(setup, "cancel person.renewal tx1 #1")
    #expect(days(.charged, record) == [0, 50])
    let again = try #require(record.facts.last { $0.kind == .charged })
    #expect(again.original == record.facts.first { $0.kind == .charged }?.transaction)
    #expect(days(.renewed, record).first == 80)
    // Who has it is asked for no money.
    let twice = try self.record(setup)
    #expect(twice.count(.charged) == 1 && twice.count(.returned) == 1)
  }

  @Test func `Who has not finished what is over is charged again all the same`() throws {
    let hands = Probe.Hands()
    hands.replied = { _, _ in }
    let record = try Probe.run(hands, "cancel person.renewal tx1 #1") {
      $0 = self.setup()
      $0.steps.append(.init(atMillis: 50 * Self.day, .buy(product: 0, quantity: 1, account: 0)))
    }
    #expect(days(.charged, record) == [0, 50])
  }

  @Test func `In the sandbox a month takes five minutes, and twelve renewals are the most`() throws
  {
    var setup = setup(healDays: 1, days: 2)
    setup.devices[0].environment = .sandbox
    let record = try record(setup)
    let renewed = record.facts.filter { $0.kind == .renewed }
    #expect(renewed.count == 12)
    #expect(zip(renewed, renewed.dropFirst()).allSatisfy { $1.at.millis - $0.at.millis == 300_000 })
    #expect(record.count(.expired) == 1)
  }

  @Test func `Apple sends six times in production and once in the sandbox until it is answered`()
    throws
  {
    func arrivals(_ environment: Environment, failing: Int) throws -> [Int64] {
      let hands = Probe.Hands()
      var seen: [Int64] = []
      hands.notified = { message, server in
        guard message.kind == .subscribed else { return server.reply(.alreadyDelivered) }
        seen.append(server.now / 3_600_000)
        server.reply(seen.count <= failing ? .serverError : .alreadyDelivered)
      }
      try Probe.run(hands) {
        $0 = self.setup(healDays: 20, days: 25)
        $0.devices[0].environment = environment
      }
      return seen
    }
    #expect(try arrivals(.production, failing: 9) == [0, 1, 13, 37, 85, 157])
    #expect(try arrivals(.production, failing: 2) == [0, 1, 13])
    #expect(try arrivals(.production, failing: 0) == [0])
    #expect(try arrivals(.sandbox, failing: 9) == [0])
  }

  @Test func `A notification is lost, comes twice, late, or under another number`() throws {
    func arrivals(_ plan: String) throws -> [String] {
      let hands = Probe.Hands()
      hands.notified = { message, server in
        hands.note("\(message.kind) \(message.number) after \((server.now - 1000) / 60_000) min")
        server.reply(.alreadyDelivered)
      }
      try Probe.run(hands, plan) { $0 = self.setup(healDays: 20, days: 25) }
      return hands.log
    }
    #expect(try arrivals("") == ["subscribed 0 after 0 min"])
    #expect(try arrivals("drop store.notification tx1 #1") == ["subscribed 0 after 60 min"])
    #expect(
      try arrivals("duplicate store.notification tx1 #1")
        == ["subscribed 0 after 0 min", "subscribed 0 after 0 min"])
    #expect(
      try arrivals("repeat store.notification tx1 #1")
        == ["subscribed 0 after 0 min", "subscribed 1 after 0 min"])
    // It is on its way for longer than Apple waits for an answer, so that it comes once more.
    #expect(
      try arrivals("delay store.notification tx1 #1 = late")
        == ["subscribed 0 after 60 min", "subscribed 0 after 66 min"])
  }

  /// An app that reports what it is handed, and a backend that lets its account use what Apple says.
  private func hands(hearing: Bool) -> Probe.Hands {
    let hands = Probe.Hands()
    hands.received = { _, server, _ in server.verify(.subscriptions) }
    hands.verified = { answer, report, server in
      guard let status = server.subscription(in: answer) else { return server.reply(.retry) }
      let purchase = server.purchase(status.latest)
      let owner = report.session.isNone ? AccountID(0) : report.session
      server.entitle(purchase, to: owner, until: status.untilMillis)
      server.reply(.delivered)
    }
    hands.replied = { reply, phone in phone.finish(reply.transaction) }
    hands.notified = { message, server in
      if hearing { server.verify(.subscriptions) } else { server.reply(.alreadyDelivered) }
    }
    return hands
  }

  private func broken(_ hands: Probe.Hands, _ plan: String, healDays: Int64 = 20) throws -> Bool {
    let record = try Probe.run(hands, plan) {
      $0 = self.setup(healDays: healDays, days: 80)
    }
    return record.violations.contains { Catalogue.invariants[$0.rule].code == "I09" }
  }

  @Test func `Who is not told of a refund and does not ask gives away what nobody pays for`() throws
  {
    let refund = "refund store.charge tx1 #1, delay store.refund tx1 #1 = \(18 * Self.day)ms"
    #expect(try !broken(hands(hearing: true), refund))
    #expect(try broken(hands(hearing: false), refund))
    // All attempts at both notifications are lost, and nobody asks.
    let lost = (1...12).map { "drop store.notification tx1 #\($0)" }.joined(separator: ", ")
    #expect(try broken(hands(hearing: true), refund + ", " + lost, healDays: 25))
  }

  @Test func `Who forgets that a subscription goes on locks out who has paid`() throws {
    let deaf = hands(hearing: false)
    deaf.updated = { transaction, phone in
      if transaction.renewalOf.isNone { Probe.report(transaction.id, phone) }
    }
    #expect(try broken(deaf, ""))
    #expect(try !broken(hands(hearing: false), ""))
  }

  @Test func `What somebody may use is counted before the heal too, and not while no app runs`()
    throws
  {
    let refund = "refund store.charge tx1 #1, delay store.refund tx1 #1 = \(18 * Self.day)ms"
    #expect(try broken(hands(hearing: false), refund, healDays: 60))
    let closed = try Probe.run(hands(hearing: false), refund) {
      $0 = self.setup(healDays: 60, days: 80)
      $0.sittings = nil
      $0.reopenEveryMillis = nil
      $0.steps.append(.init(atMillis: 17 * Self.day, .quit))
    }
    #expect(!closed.violations.contains { Catalogue.invariants[$0.rule].code == "I09" })
  }

  @Test func `Of a run that was cut off nobody knows who could use what until the horizon`() throws
  {
    for limit in 1...30 {
      let record = try Probe.run(hands(hearing: true)) {
        $0 = self.setup(healDays: 20, days: 80)
        $0.eventLimit = limit
      }
      #expect(record.outcome.isCutOff && record.violations == [], "after \(limit) events")
    }
  }

  @Test func `A story says for how long somebody used what nobody paid for`() throws {
    let refund = "refund store.charge tx1 #1, delay store.refund tx1 #1 = \(18 * Self.day)ms"
    func change(_ setup: inout Setup) { setup = self.setup(healDays: 60, days: 80) }
    let record = try Probe.run(hands(hearing: false), refund, change)
    let text = Story(record, of: Probe.scenario(change)).text.split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    #expect(
      text.contains(
        "tx1: it could be used for 10 min without being paid for, while an app ran and nothing struck."
      ), "\(text)")
    #expect(text.contains("18d 00:00:01.050 gives the money of tx1 back"), "\(text)")
    #expect(text.contains("lets user1 use pro until 30d 00:00:02, for tx1"), "\(text)")
  }

  @Test func `A run of days says the day and the time of day, and a shorter one seconds`() {
    let long = Moments(setup(healDays: 60, days: 80))
    #expect(long.words(Instant(millis: 3_639_661_051)) == "42d 03:01:01.051")
    #expect(long.text(seconds: 59) == "0d 00:00:59")
    var setup = Setup()
    setup.horizonMillis = 2 * Self.day - 1
    let short = Moments(setup)
    #expect(short.words(Instant(millis: 90_051)) == "90.051 s")
    #expect(short.text(seconds: 59) == "59 s")
  }

  @Test(arguments: [0, 16])
  func `The corrected design keeps to it under every fault`(graceDays: Int) throws {
    var setup = setup(graceDays: graceDays, healDays: 31, days: 80)
    setup.mix = FaultMix(Fault.allCases)
    let simulation = Simulation(try scenario(setup))
    for seed in UInt64(0)..<150 {
      let outcome = simulation.run(seed: seed)
      #expect(outcome.broken == 0 && !outcome.isCutOff && !outcome.hasProblems, "seed \(seed)")
    }
  }

  @Test func `A scenario file says what is subscribed to, and is written as it was read`() throws {
    let read = try ScenarioText.scenario(
      #"""
      "products": [{"name": "coins", "kind": "auto-renewable", "period": "P3M", "graceDays": 16}],
      "sittings": {"every": "7d", "for": "5m"}, "faults": {"mix": "all"}
      """#)
    #expect(
      read.setup.products == [
        .init("coins", .autoRenewable(.init(Period(3, .month), graceDays: 16)))
      ])
    #expect(read.setup.sittings == .init(everyMillis: 604_800_000, forMillis: 300_000))
    #expect(read.setup.reopenEveryMillis == nil)
    #expect(read.setup.mix.faults.contains(.refund))
    let again = try #require(ScenarioText.scenarios(read.json).first)
    #expect(again.setup == read.setup && Model(of: again) == Model(of: read))
    let coins = try ScenarioText.scenario(#""faults": {"mix": "all", "refund": "1/2"}"#)
    #expect(coins.setup.mix.faults.filter(\.needsWholeStore) == [.refund])
  }

  @Test func `A world that sells no subscription has the decisions and the model it had`() throws {
    var setup = Setup()
    setup.steps = [.init(atMillis: 1000, .buy(product: 0, quantity: 1, account: 0))]
    setup.horizonMillis = 270_000
    setup.backend = .idempotent
    setup.mix = FaultMix(Fault.allCases)
    let all = try scenario(setup)
    setup.mix = FaultMix(Fault.allCases.filter { !$0.needsWholeStore })
    let without = try scenario(setup)
    #expect(Model(of: all) == Model(of: without))
    let (one, other) = (Simulation(all), Simulation(without))
    for seed in UInt64(0)..<200 { #expect(one.run(seed: seed) == other.run(seed: seed)) }
  }
}

@Suite struct `Periods` {
  @Test func `They end when the calendar says so`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    let units: [(Period.Unit, Calendar.Component, Int)] = [
      (.day, .day, 1), (.week, .day, 7), (.month, .month, 1), (.year, .year, 1),
    ]
    var random = UInt64(7)
    for _ in 0..<4000 {
      random = Hashing.fold(random, 0x9e37_79b9_7f4a_7c15)
      let begin = Int64(random % 3_000_000_000)
      let (unit, component, factor) = units[Int(random >> 40 % 4)]
      let (count, number) = (Int(random >> 44 % 12) + 1, Int(random >> 50 % 24))
      let expected = calendar.date(
        byAdding: component, value: count * number * factor,
        to: Date(timeIntervalSince1970: TimeInterval(begin)))
      let found = Period(count, unit).end(of: number, from: begin)
      #expect(
        found == expected.map { Int64($0.timeIntervalSince1970) }, "\(begin) + \(number) P\(count)")
    }
  }

  @Test func `They are read as they are written, and nothing else is`() {
    for text in ["P1W", "P3D", "P1M", "P12M", "P1Y"] {
      #expect(Period(parsing: text)?.description == text)
    }
    for text in ["", "P", "P0M", "P01M", "1M", "P1H", "P-1M", "P+1M", "P1000D", "p1m", "P1"] {
      #expect(Period(parsing: text) == nil, "\(text)")
    }
  }

  @Test func `What was over is not prolonged by a refund`() throws {
    let hands = Probe.Hands()
    hands.tapped = { tap, phone in phone.purchase(tap) }
    var ends: [Int64] = []
    hands.notified = { notification, server in
      if let status = notification.status { ends.append(status.untilMillis / Self.dayMillis) }
      server.reply(.alreadyDelivered)
    }
    try Probe.run(
      hands,
      "cancel person.renewal tx1 #1, refund store.charge tx1 #1, delay store.refund tx1 #1 = 691200000ms"
    ) {
      $0.products = [.init("pro", .autoRenewable(.init(Period(1, .week))))]
      $0.isWholeStore = true
      $0.healMillis = 10 * Self.dayMillis
      $0.horizonMillis = 12 * Self.dayMillis
    }
    // Subscribed, no more renewed, expired, refunded on the eighth day.
    #expect(ends == [7, 7, 7, 7])
  }

  private static let dayMillis: Int64 = 86_400_000

  @Test func `What begins again within sixty days goes on for Apple, and later it begins anew`()
    throws
  {
    func start(_ day: Int64) throws -> Int64? {
      let hands = Probe.Hands()
      hands.tapped = { tap, phone in phone.purchase(tap) }
      var last: Int64?
      hands.timerFired = { _, phone in
        last = phone.subscriptions.first.map { $0.status.recentStartMillis / Self.dayMillis }
      }
      let launched = hands.launched
      hands.launched = { phone in
        launched(phone)
        phone.startTimer(after: 119 * Self.dayMillis)
      }
      try Probe.run(hands, "cancel person.renewal tx1 #1") {
        $0.products = [.init("pro", .autoRenewable(.init(Period(1, .month))))]
        $0.steps.append(
          .init(atMillis: day * Self.dayMillis, .buy(product: 0, quantity: 1, account: 0)))
        $0.healMillis = 100 * Self.dayMillis
        $0.horizonMillis = 120 * Self.dayMillis
      }
      return last
    }
    // Over on the thirtieth.
    #expect(try start(60) == 0)
    #expect(try start(95) == 95)
  }
}
