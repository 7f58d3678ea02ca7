import Invariants
import Testing

@testable import ChaosStore

@Suite("How far the shrinker goes")
struct ShrinkingLimitTests {
  /// A shop that credits twice what was charged late, and what its backend is told of in this turn.
  private func lateHands() -> Probe.Hands {
    let hands = Probe.Hands()
    hands.updated = { transaction, phone in
      Probe.report(transaction.id, phone)
      if phone.now % 10_000 > 1300 || phone.nextTask(of: 4) == 1 {
        Probe.report(transaction.id, phone)
      }
    }
    return hands
  }

  private let twice = Catalogue.invariants.firstIndex { $0.name == "no-double-credit" } ?? -1

  private func simulation(
    _ hands: Probe.Hands, _ change: (inout Setup) -> Void = { _ in }
  ) -> Simulation {
    Probe.$hands.withValue(hands) { Simulation(Probe.scenario(change)) }
  }

  private func plan(of record: Record, _ simulation: Simulation) -> String? {
    Shrinker.reduction(of: record, breaking: twice, in: simulation).map { "\($0.plan)" }
  }

  @Test("A failure that only usual delays bring about comes down to such a delay")
  func usualDelays() throws {
    let simulation = simulation(lateHands())
    let seed = try #require(
      (0..<100).first { simulation.run(seed: $0).broken >> UInt64(twice) & 1 == 1 })
    let record = simulation.record(seed: seed)
    #expect(record.faults.isEmpty)
    let text = try #require(plan(of: record, simulation))
    #expect(text.wholeMatch(of: /delay store\.charge tx1 #1 = \d+ms/) != nil, "\(text)")
  }

  @Test("Where faults alone bring it about, no usual delay is in what it comes down to")
  func faultsFirst() throws {
    let hands = Probe.Hands()
    hands.updated = { transaction, phone in
      let turn = phone.nextTask(of: 4)
      Probe.report(transaction.id, phone)
      if phone.now > 1300 || turn == 1 { Probe.report(transaction.id, phone) }
    }
    let simulation = simulation(hands)
    // The late charge comes first, and would be what is left.
    let record = simulation.record(
      seed: nil,
      plan: try Plan(
        parsing: "delay store.charge tx1 #1 = 400ms, reorder app.task phone1 #1 = 1"))
    #expect(record.faults.size == 1 && record.full.size == 2)
    #expect(plan(of: record, simulation) == "reorder app.task phone1 #1 = 1")
    let quiet = simulation.record(seed: nil)
    #expect(plan(of: quiet, simulation) == nil, "what does not break comes down to nothing")
  }

  @Test("What any purchase brings about is told of the first one, and the other is left out")
  func firstPurchase() throws {
    let simulation = simulation(lateHands()) { setup in
      setup.steps.append(.init(atMillis: 11_000, .buy(product: 0, quantity: 1, account: 0)))
    }
    let record = simulation.record(
      seed: nil, plan: try Plan(parsing: "delay store.charge tx2 #1 = 400ms"))
    #expect(
      plan(of: record, simulation)
        == "delay store.charge tx1 #1 = 400ms, omit person.step step2 #1")
  }

  @Test("Sets of three other decisions are tried where four are left")
  func threeForFour() throws {
    // Four early ones do it, or the three last ones, unless the fourth hides that.
    let hands = Turns.hands(turns: 7) { turns in
      let early = turns[0...3].allSatisfy { $0 > 0 }
      let late = turns[4...6].allSatisfy { $0 > 0 } && turns[3] == 0
      return early || late ? .lies : .fine
    }
    let whole = Turns.plan([1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1])
    var shrinker = try Turns.shrinker(aim: whole, hands)
    let result = shrinker.shrink(whole)
    #expect(result?.plan == Turns.plan([5: 1, 6: 1, 7: 1]))
  }

  @Test("Where each of several decisions is needed, two others that do are found")
  func twoOthers() throws {
    let hands = Turns.hands { turns in
      turns.allSatisfy { $0 > 0 } || turns == [0, 3, 2] ? .lies : .fine
    }
    let whole = Turns.plan([1: 1, 2: 1, 3: 1])
    var shrinker = try Turns.shrinker(aim: whole, hands)
    let found = Probe.$hands.withValue(hands) { shrinker.shrink(whole) }
    #expect(found?.plan == Turns.plan([2: 3, 3: 2]))
    let three = Turns.hands { turns in turns.allSatisfy { $0 > 0 } ? .lies : .fine }
    var other = try Turns.shrinker(aim: whole, three)
    let none = Probe.$hands.withValue(three) { other.shrink(whole) }
    #expect(none?.plan == whole)
  }

  @Test("Not so many other sets are tried that shrinking takes long")
  func fewSets() throws {
    let hands = Turns.hands(turns: 60) { turns in
      turns[0...3].allSatisfy { $0 > 0 } ? .lies : .fine
    }
    let whole = Plan((1...60).map { Decision(.reorderTask, .phone(0), $0, .value(1)) })
    var shrinker = try Turns.shrinker(aim: whole, hands)
    let shrunk = shrinker.shrink(whole)
    let result = try #require(shrunk)
    #expect(result.plan == Turns.plan([1: 1, 2: 1, 3: 1, 4: 1]))
    #expect(result.runs < 400)
    #expect(shrinker.certify(result.plan).mostRuns == nil)
  }

  @Test(
    "After so many runs nothing smaller is looked for, and no decision can be left out of what there is",
    arguments: [1, 3, 10, 40])
  func mostRuns(most: Int) throws {
    let hands = Turns.hands(turns: 60) { turns in
      turns[20...23].allSatisfy { $0 > 0 } ? .lies : .fine
    }
    let whole = Plan((1...60).map { Decision(.reorderTask, .phone(0), $0, .value(1)) })
    var shrinker = try Turns.shrinker(aim: whole, hands)
    shrinker.mostRuns = most
    let shrunk = shrinker.shrink(whole)
    let result = try #require(shrunk)
    #expect(result.plan == Turns.plan([21: 1, 22: 1, 23: 1, 24: 1]))
    let certificate = shrinker.certify(result.plan)
    #expect(certificate.mostRuns == most)
    #expect(certificate.isMinimal && certificate.entries.count == 4)
  }

  @Test("Of up to 64 steps those not needed are left out, of more none", arguments: [64, 65])
  func manySteps(count: Int) throws {
    let hands = Turns.hands { $0 == [1, 0, 0] ? .lies : .fine }
    let scenario = Turns.scenario { setup in
      setup.steps = (0..<count).map {
        .init(atMillis: 1000 + Int64($0), .buy(product: 0, quantity: 1, account: 0))
      }
      setup.eventLimit = 5000
    }
    let simulation = Probe.$hands.withValue(hands) { Simulation(scenario) }
    let aim = Turns.plan([1: 1])
    let violation = try #require(
      simulation.record(seed: nil, plan: aim).violations.first { $0.rule == Turns.rule })
    var shrinker = Shrinker(simulation, aim: Shrinker.Aim(violation))
    let result = shrinker.shrink(aim)
    let left = try #require(result).plan.decisions.filter(\.question.isOmission)
    #expect(left.count == (count == 64 ? 63 : 0))
  }
}
