import Invariants
import Testing

@testable import ChaosStore

@Suite("What the shrinker takes for the same failure, and what it makes of it")
struct ShrinkingRuleTests {
  @Test("A run that was cut off is no failure, whatever broke before")
  func cutOffRuns() throws {
    let hands = Turns.hands { $0 == [1, 0, 0] ? .lies : $0 == [2, 0, 0] ? .restless : .fine }
    var shrinker = try Turns.shrinker(aim: Turns.plan([1: 1]), hands)
    let (lies, restless) = (
      shrinker.breaks(Turns.plan([1: 1])), shrinker.breaks(Turns.plan([1: 2]))
    )
    #expect(lies)
    #expect(!restless)
  }

  @Test("A rule that breaks by another kind of fact, or only at the end, is another failure")
  func otherKinds() throws {
    let hands = Turns.hands { $0 == [1, 0, 0] ? .lies : $0 == [2, 0, 0] ? .silent : .fine }
    for (aim, other) in [(1, 2), (2, 1)] {
      var shrinker = try Turns.shrinker(aim: Turns.plan([1: aim]), hands)
      let own = shrinker.breaks(Turns.plan([1: aim]))
      let another = shrinker.breaks(Turns.plan([1: other]))
      #expect(own)
      #expect(!another)
    }
  }

  @Test("Nothing is said about smaller plans where one of them was cut off")
  func unknownBelow() throws {
    let full = Turns.plan([1: 1, 2: 1])
    let calm = Turns.hands { $0 == [1, 1, 0] ? .lies : .fine }
    var certain = try Turns.shrinker(aim: full, calm)
    let smaller = Probe.$hands.withValue(calm) { certain.searchSmaller(than: full) }
    #expect(smaller == .noneBreaks(plans: 10))
    let restless = Turns.hands { $0 == [1, 1, 0] ? .lies : $0 == [3, 0, 0] ? .restless : .fine }
    var uncertain = try Turns.shrinker(aim: full, restless)
    let unknown = Probe.$hands.withValue(restless) { uncertain.searchSmaller(than: full) }
    #expect(unknown == .unknown)
  }

  @Test("A certificate says of each decision whether the plan breaks all the same without it")
  func certificates() throws {
    let hands = Turns.hands { $0[0] == 1 ? .lies : .fine }
    let plan = Turns.plan([1: 1, 2: 1])
    var shrinker = try Turns.shrinker(aim: plan, hands)
    let certificate = shrinker.certify(plan)
    #expect(certificate.entries.map(\.holdsWithout) == [true, false])
    #expect(!certificate.isMinimal)
    let minimal = shrinker.certify(Turns.plan([1: 1]))
    #expect(minimal.isMinimal)
  }

  @Test("Where fewer, other decisions of the failing run do it, they are what is left")
  func fewerDecisions() throws {
    // The third turn alone does it, unless the second hides that, and taken from the end it is
    // taken first.
    let hands = Turns.hands { turns in
      turns[2] > 0 && turns[1] == 0 || turns[0] > 0 && turns[1] > 0 ? .lies : .fine
    }
    let plan = Turns.plan([1: 1, 2: 1, 3: 1])
    var shrinker = try Turns.shrinker(aim: plan, hands)
    let result = shrinker.shrink(plan)
    #expect(result?.plan.size == 1)
  }

  @Test("The first value and the first time are taken where they do as well as any")
  func plainest() throws {
    let hands = Turns.hands { $0.contains { $0 > 0 } ? .lies : .fine }
    var shrinker = try Turns.shrinker(aim: Turns.plan([3: 3]), hands)
    let result = shrinker.shrink(Turns.plan([3: 3]))
    #expect(result?.plan == Turns.plan([1: 1]))
  }

  @Test("Milliseconds become the class that does the same, the earlier class before the later")
  func classes() throws {
    let hands = Probe.Hands()
    var patience: Int64 = 0
    hands.tapped = { tap, phone in
      phone.tell(.pending, about: tap)
      phone.add(tap)
    }
    hands.replied = { reply, phone in
      phone.finish(reply.transaction)
      // Finished long ago, and told nothing but that it failed.
      if phone.now > patience { phone.tell(.failure, about: reply.transaction) }
    }
    let scenario = Probe.scenario { $0.mix = FaultMix([.reordering, .lateResponse]) }
    for (limit, expected) in [(2000, "overtaken"), (7000, "late")] {
      patience = Int64(limit)
      let simulation = Probe.$hands.withValue(hands) { Simulation(scenario) }
      let plan = try Plan(parsing: "delay verify.reply tx1 #1 = 9137ms")
      let violation = try #require(
        simulation.record(seed: nil, plan: plan).violations.first { $0.rule == Turns.rule })
      var shrinker = Shrinker(simulation, aim: Shrinker.Aim(violation))
      let result = shrinker.shrink(plan)
      #expect(result?.plan.description == "delay verify.reply tx1 #1 = \(expected)")
    }
  }

  @Test("Steps and phones that a failure does not need are left out, and named last")
  func leftOut() throws {
    let hands = Turns.hands { $0[0] > 0 ? .lies : .fine }
    let scenario = Turns.scenario { setup in
      setup.devices = [.init(), .init()]
      setup.steps.append(
        .init(atMillis: 9000, device: 1, .buy(product: 0, quantity: 1, account: 0)))
    }
    let simulation = Probe.$hands.withValue(hands) { Simulation(scenario) }
    let plan = Turns.plan([1: 1])
    let violation = try #require(
      simulation.record(seed: nil, plan: plan).violations.first { $0.rule == Turns.rule })
    var shrinker = Shrinker(simulation, aim: Shrinker.Aim(violation))
    let text = shrinker.shrink(plan).map { "\($0.plan)" }
    #expect(
      text
        == "reorder app.task phone1 #1 = 1, omit person.step step2 #1, omit person.phone phone2 #1"
    )
  }
}
