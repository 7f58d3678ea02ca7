import Invariants
import TestSupport
import Testing

@testable import ChaosStore

/// A step of a purchase that stands in the books once it was made.
enum Mark: String, CaseIterable {
  case charged, reported, verified, credited, answered, finishing

  var kind: Fact.Kind {
    switch self {
    case .charged: .charged
    case .reported: .reported
    case .verified: .verified
    case .credited: .credited
    case .answered: .answered
    case .finishing: .finishing
    }
  }

  func isMade(_ purchase: Int, _ books: borrowing Books) -> Bool {
    let charge = books.transaction(TransactionID(index: purchase))
    return switch self {
    case .charged: charge.isCharged
    case .reported: charge.isReported
    case .verified: charge.verified != .none
    case .credited: charge.credits > 0
    case .answered: charge.answered != .none
    case .finishing: charge.isFinishing
    }
  }
}

/// A bug that shows where steps of two purchases come in this order: `step` after all of `before`, and
/// before any of `after`.
struct OrderBug: Invariant {
  var step: (mark: Mark, purchase: Int)
  var before: [(mark: Mark, purchase: Int)] = []
  var after: [(mark: Mark, purchase: Int)] = []

  var name: String {
    let steps = before + [step] + after
    return steps.map { "\($0.mark.rawValue)-\($0.purchase + 1)" }.joined(separator: "-then-")
  }
  var code: String { "X-" + name }
  var summary: String { "These steps come in another order." }
  var meaning: String { "For these tests." }
  var listensTo: [Fact.Kind] { [step.mark.kind] }

  func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool {
    guard fact.transaction == TransactionID(index: step.purchase) else { return false }
    for (mark, purchase) in before where !mark.isMade(purchase, books) { return false }
    for (mark, purchase) in after {
      // Somebody wants it, and it is not there yet.
      if books.intent(IntentID(index: purchase)).device.isNone { return false }
      if mark.isMade(purchase, books) { return false }
    }
    return true
  }

  /// Each step of one purchase before each of the other.
  static var pairs: [OrderBug] {
    Mark.allCases.flatMap { first in
      Mark.allCases.flatMap { second in
        [(0, 1), (1, 0)].map { one, other in
          OrderBug(step: (first, one), after: [(second, other)])
        }
      }
    }
  }

  /// Each step of one purchase between two of the other.
  static var triples: [OrderBug] {
    Mark.allCases.flatMap { step in
      Mark.allCases.indices.flatMap { first in
        Mark.allCases[(first + 1)...].flatMap { last in
          [(0, 1), (1, 0)].map { one, other in
            OrderBug(
              step: (step, one), before: [(Mark.allCases[first], other)], after: [(last, other)])
          }
        }
      }
    }
  }
}

/// The order of messages is searched: what can overtake what, and nothing else.
@Suite("The order of messages")
struct OrderTests {
  /// Two purchases of two products, a moment apart.
  static func scenario(
    _ system: String, variant: String? = nil, _ rules: [any Invariant], heal: Int64 = 15_000,
    faults: [Fault] = []
  ) throws -> Scenario {
    var scenario = try Stage.one(system, variant: variant) { setup in
      setup.products = [.init("coins"), .init("gems")]
      setup.steps = [
        .init(atMillis: 1000, .buy(product: 0, quantity: 1, account: 0)),
        .init(atMillis: 1003, .buy(product: 1, quantity: 1, account: 0)),
      ]
      setup.horizonMillis = 20_000
      setup.healMillis = heal
      setup.reopenEveryMillis = nil
      setup.mix = FaultMix(faults)
    }
    scenario.invariants = rules
    return scenario
  }

  /// At most so many bugs at once as a run can tell apart.
  static func banks(_ bugs: [OrderBug]) -> [[OrderBug]] {
    stride(from: 0, to: bugs.count, by: 60).map { Array(bugs[$0..<min($0 + 60, bugs.count)]) }
  }

  /// What each bug takes, by the exhaustive search of plans of up to so many decisions.
  private static func sizes(_ scenario: Scenario, decisions: Int) -> [Int?] {
    Exhaustive(faults: decisions).search(scenario, Budget()).rules.map { rule in
      rule.smallestPlan?.size ?? (rule.runs > 0 ? 0 : nil)
    }
  }

  /// A plan of so many decisions: faults of the mix, and delays by any milliseconds of their usual range.
  static func anyPlan(
    _ count: Int, _ simulation: Simulation, _ random: inout some RandomNumberGenerator
  ) -> Plan {
    let setup = simulation.scenario.setup
    var plan = Plan()
    for _ in 0..<count {
      var decisions: [Decision] = []
      for asking in simulation.list(plan).askings
      where !plan.decisions.contains(where: asking.isAnswered) {
        switch asking.question.shape {
        case .delay(let delay):
          let late = delay.classes.filter {
            setup.mix.threshold(of: $0.fault, at: asking.question) > 0
              && asking.at.millis < setup.healMillis
          }
          let usual = delay.range.count > 1 ? [delay.range] : []
          for range in usual + late.map(\.range) {
            let millis = Int64.random(in: range, using: &random)
            decisions.append(
              Decision(asking.question, asking.subject, asking.occurrence, .millis(millis)))
          }
        case .strike(let fault)
        where setup.mix.threshold(of: fault, at: asking.question) > 0
          && asking.at.millis < setup.healMillis:
          decisions.append(Decision(asking.question, asking.subject, asking.occurrence, .strike))
        default: break
        }
      }
      guard let decision = decisions.randomElement(using: &random) else { return plan }
      plan.decisions.append(decision)
    }
    return plan
  }

  @Test("An order is stood for by the least delay at which one event comes after another")
  func leastDelays() {
    // A message is sent at 1,000 ms and takes 10 ms; what it brings about comes 10 ms later. Another
    // message, which was sent before it or after it, arrives at 1,100 ms.
    func millis(otherIsOlder: Bool, _ range: ClosedRange<Int64>, meets: Bool = true) -> [Int64] {
      let (message, other): (UInt64, UInt64) = otherIsOlder ? (3, 2) : (2, 3)
      let events = [
        Handled(millis: 1000, order: otherIsOlder ? 1 : 0, scheduled: message),
        Handled(millis: 1000, order: otherIsOlder ? 0 : 1, scheduled: other),
      ].sorted { $0.order < $1.order }
      let rest = [
        Handled(millis: 1010, order: message, scheduled: 4),
        Handled(millis: 1020, order: 4, scheduled: 5),
        Handled(millis: 1100, order: other, scheduled: 5),
      ]
      let asking = Asking(
        at: Instant(millis: 1000), event: otherIsOlder ? 2 : 1, question: .delayRequest,
        subject: .transaction(0), occurrence: 1)
      var footprint = Footprint()
      footprint.write(1)
      var footprints = [Footprint](repeating: footprint, count: 5)
      if !meets { footprints[4] = Footprint() }
      var mix = FaultMix()
      mix.delays[.delayRequest] = 10...1000
      let outcome = Outcome(
        broken: 0, events: 5, endMillis: 1100, trace: 0, isCutOff: false, hasProblems: false)
      let listing = Listing(
        plan: Plan(), outcome: outcome, askings: [asking], events: events + rest,
        footprints: footprints, course: 0)
      let delays = Orders(listing, mix).delays(of: 0, in: range)
      #expect(meets ? delays.skipped.isEmpty : delays.millis.isEmpty)
      return meets ? delays.millis : delays.skipped.sorted()
    }
    #expect(millis(otherIsOlder: true, 10...200) == [90, 100])
    #expect(millis(otherIsOlder: false, 10...200) == [90, 101])
    #expect(millis(otherIsOlder: true, 10...100) == [90, 100])
    #expect(millis(otherIsOlder: true, 10...99) == [90])
    #expect(millis(otherIsOlder: true, 90...100) == [100])
    #expect(millis(otherIsOlder: true, 10...200, meets: false) == [90, 100])
  }

  @Test("What waits for the end of a delay comes later with it, and is overtaken by nothing")
  func ties() {
    // A phone is without a network from 1,000 ms to 1,010 ms. What it is called back with meanwhile waits
    // until then, and what that brings about comes after it.
    let events = [
      Handled(millis: 1000, order: 0, scheduled: 2), Handled(millis: 1005, order: 1, scheduled: 3),
      Handled(millis: 1010, order: 2, scheduled: 4), Handled(millis: 1010, order: 3, scheduled: 4),
      Handled(millis: 1020, order: 4, scheduled: 5),
    ]
    let asking = Asking(
      at: Instant(millis: 1000), event: 1, question: .delayNetworkHeal, subject: .phone(0),
      occurrence: 1)
    var mix = FaultMix()
    mix.delays[.delayNetworkHeal] = 10...1000
    func delays(_ ties: [Tie]) -> [Int64] {
      let listing = Listing(
        plan: Plan(),
        outcome: Outcome(
          broken: 0, events: 5, endMillis: 1020, trace: 0, isCutOff: false, hasProblems: false),
        askings: [asking], events: events, ties: ties,
        footprints: [Footprint](repeating: .everything, count: 5), course: 0)
      return Orders(listing, mix).delays(of: 0, in: 10...1000).millis
    }
    #expect(delays([]) == [11, 21])
    let tie = Tie(order: 3, question: .delayNetworkHeal, subject: .phone(0), end: 1010)
    #expect(delays([tie]) == [])
    let other = Tie(order: 3, question: .delayNetworkHeal, subject: .phone(1), end: 1010)
    #expect(delays([other]) == [11, 21])
  }

  @Test("A timer that ends in the millisecond of a delayed message is not taken for it")
  func timers() throws {
    // A message that is sent at 1,000 ms arrives with the timer that was started after it.
    let listing = Listing(
      plan: Plan(),
      outcome: Outcome(
        broken: 0, events: 3, endMillis: 1010, trace: 0, isCutOff: false, hasProblems: false),
      askings: [
        Asking(
          at: Instant(millis: 1000), event: 1, question: .delayRequest, subject: .transaction(0),
          occurrence: 1)
      ],
      events: [
        Handled(millis: 1000, order: 0, scheduled: 1),
        Handled(millis: 1010, order: 1, scheduled: 3),
        Handled(millis: 1010, order: 2, scheduled: 3, isTimer: true),
      ],
      footprints: [Footprint](repeating: .everything, count: 3), course: 0)
    var mix = FaultMix()
    mix.delays[.delayRequest] = 10...1000
    #expect(Orders(listing, mix).delays(of: 0, in: 10...1000).millis == [11])
  }

  private static let systems = whereOptimised(
    ["exactly-once", "observe-at-launch"], otherwise: ["exactly-once"])

  @Test(
    "Every order of two steps that so many moves can bring about is found by an exhaustive search",
    arguments: systems)
  func pairs(_ system: String) throws {
    try hold(system, OrderBug.pairs)
    try hold(system, OrderBug.pairs, heal: 0)
  }

  @Test(
    "Every order of three steps that so many moves can bring about is found by an exhaustive search",
    arguments: systems)
  func triples(_ system: String) throws {
    try hold(system, OrderBug.triples)
  }

  @Test("Every order of two steps that a fault and a move can bring about is found as well")
  func withFaults() throws {
    let faults: [Fault] = [.responseLost, .duplicateCallback, .appCrash, .concurrentDuplicate]
    try hold("exactly-once", OrderBug.pairs, faults: faults)
  }

  @Test("What seeds bring about comes down to as few moves as an exhaustive search takes for it")
  func shrunk() throws {
    var compared = 0
    for bank in Self.banks(OrderBug.pairs) {
      let scenario = try Self.scenario("observe-at-launch", bank)
      let sizes = Self.sizes(scenario, decisions: 2)
      let simulation = Simulation(scenario)
      var seen: UInt64 = 0
      for seed in 0..<300 as Range<UInt64> {
        let broken = simulation.run(seed: seed).broken & ~seen
        for rule in bank.indices where broken >> UInt64(rule) & 1 == 1 {
          seen |= 1 << UInt64(rule)
          let record = simulation.record(seed: seed)
          let found = try #require(Shrinker.reduction(of: record, breaking: rule, in: simulation))
          guard let size = sizes[rule] else {
            #expect(found.plan.size > 2, "\(bank[rule].name): \(found.plan)")
            continue
          }
          #expect(found.plan.size == size, "\(bank[rule].name): \(found.plan)")
          compared += 1
        }
      }
    }
    #expect(compared > 30, "\(compared)")
  }

  @Test(
    "Of one product that is bought twice exactly-once makes no third charge, whatever overtakes what"
  )
  func oneProductTwice() throws {
    for (variant, moves) in [("storekit1", 3), ("storekit2", 4)] {
      let scenario = try Stage.one("exactly-once", variant: variant) { setup in
        setup.steps = [1000, 4000].map {
          .init(atMillis: $0, .buy(product: 0, quantity: 1, account: 0))
        }
        setup.healMillis = 60_000
        setup.mix = FaultMix([.duplicateCallback, .doubleTap])
      }
      let findings = Exhaustive(faults: 2, moves: moves).search(scenario, Budget())
      #expect(findings.holdsUpTo == moves)
    }
  }

  @Test(
    "Plans that differ in milliseconds alone are one failure where the order of events is the same")
  func sameOrder() throws {
    let scenario = try Stage.one("exactly-once", variant: "storekit2") { setup in
      setup.steps = [1000, 1100].map {
        .init(atMillis: $0, .buy(product: 0, quantity: 1, account: 0))
      }
    }
    let simulation = Simulation(scenario)
    func order(_ plan: String) throws -> PlanOrder {
      simulation.planOrder(of: try Plan(parsing: plan))
    }
    let soon = try order("delay store.charge tx1 #1 = 51ms")
    #expect(try soon == order("delay store.charge tx1 #1 = 52ms"))
    #expect(try soon != order("delay store.charge tx1 #1 = 80ms"), "its answer comes after a tap")
    #expect(try soon != order("delay store.charge tx1 #1 = 51ms, drop verify.reply tx1 #1"))
    #expect(try soon != order("delay verify.request tx1 #1 = 11ms"))
  }

  /// Tries to refute the exhaustive searches of up to two decisions by plans of any milliseconds.
  private func hold(
    _ system: String, _ bugs: [OrderBug], heal: Int64 = 15_000, faults: [Fault] = []
  ) throws {
    var found = 0
    for bank in Self.banks(bugs) {
      let scenario = try Self.scenario(system, bank, heal: heal, faults: faults)
      let sizes = Self.sizes(scenario, decisions: 2)
      found += sizes.count { $0 ?? 0 > 0 }
      let simulation = Simulation(scenario)
      var random = SplitMix(seed: 1)
      var refuted: [String] = []
      for count in 1...2 {
        for _ in 0..<whereOptimised(2000, otherwise: 500) {
          let plan = Self.anyPlan(count, simulation, &random)
          let outcome = simulation.run(plan: plan)
          for index in bank.indices
          where outcome.broken >> UInt64(index) & 1 == 1 && sizes[index] ?? .max > plan.size {
            refuted.append("\(bank[index].name): \(plan)")
          }
        }
      }
      #expect(refuted.prefix(3) == [], "\(refuted.count)")
    }
    #expect(found > 20, "\(found) take a move")
  }
}

struct SplitMix: RandomNumberGenerator {
  var seed: UInt64

  mutating func next() -> UInt64 {
    seed &+= 0x9e37_79b9_7f4a_7c15
    var z = seed
    z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
    return z ^ z >> 31
  }
}
