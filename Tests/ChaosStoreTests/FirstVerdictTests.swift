import Invariants
import Testing

@testable import ChaosStore

/// What a person is told first: the cause, what was not looked at, and no more than was shown.
@Suite("The first verdict")
struct FirstVerdictTests {
  // MARK: - What waits for a launch

  /// True if the quiet run of a world asks these questions.
  private func asks(_ question: Question, _ change: (inout Setup) -> Void) throws -> Bool {
    let record = try Probe.run { setup in
      setup.mix = FaultMix()
      change(&setup)
    }
    return record.questions.contains { $0.question == question }
  }

  @Test(
    "What comes only in the next session strikes where a launch still comes",
    arguments: [Question.holdCallback, .failThoughCharged])
  func launches(question: Question) throws {
    #expect(try !asks(question) { _ in })
    #expect(try asks(question) { $0.reopenEveryMillis = 60_000 })
    #expect(try !asks(question) { $0.reopenEveryMillis = 211_000 }, "after the end")
    #expect(try asks(question) { $0.sittings = .init(everyMillis: 100_000, forMillis: 1000) })
    let quit = Setup.Step(atMillis: 20_000, .quit)
    let open = Setup.Step(atMillis: 90_000, .open)
    #expect(try asks(question) { $0.steps += [quit, open] })
    #expect(try !asks(question) { $0.steps += [open] }, "the app runs")
    #expect(
      try asks(question) { setup in
        guard let fault = question.fault else { return }
        setup.mix.entries[fault] = FaultMix.Entry(chance: .one, sites: [question])
      }, "the scenario names it")
  }

  // MARK: - The headline

  @Test("The gravest rule that the smallest plan breaks is the headline")
  func gravest() throws {
    let hands = Probe.Hands()
    hands.updated = { transaction, phone in
      phone.finish(transaction)
      phone.tell(.success, about: transaction.id)
    }
    let failure = try #require(
      #expect(throws: PropertyFailure.self) { try check(hands) })
    #expect(failure.kind == .violation("no-charge-without-delivery"))
    #expect(failure.plan?.size == 0)
    #expect("\(failure)".contains("with it: finish-only-after-credit (I03)"))
  }

  @Test("An app that says nothing heads no failure that breaks anything else")
  func waits() throws {
    let hands = Probe.Hands()
    hands.replied = { reply, phone in
      if reply.isDelivered { phone.finish(reply.transaction) }
    }
    let silent = try #require(
      #expect(throws: PropertyFailure.self) { try check(hands, faults: []) })
    #expect(silent.kind == .violation("no-endless-wait"))
    let both = try #require(#expect(throws: PropertyFailure.self) { try check(hands) })
    #expect(both.kind == .violation("no-double-credit"))
    #expect(both.plan?.size == 1)
    #expect("\(both)".contains("no-endless-wait (I27)"))
  }

  private func check(_ hands: Probe.Hands, faults: [Fault] = [.responseLost, .duplicateCallback])
    throws
  {
    let scenario = Probe.scenario { $0.mix = FaultMix(faults) }
    try Probe.$hands.withValue(hands) {
      _ = try PropertyTest.check(scenario, seeds: 0..<20)
    }
  }

  // MARK: - What was not judged

  @Test("A refund behind the end counts as not struck, and its rule as not judged")
  func refundsBehindTheEnd() throws {
    let scenario = Probe.scenario { setup in
      setup.isWholeStore = true
      setup.mix = FaultMix([.refund])
      setup.horizonMillis = 600_000
    }
    let found = Campaign(scenario, seeds: 0..<200).run()
    #expect(found.coverage[.refund] == 0)
    var unjudged = Unjudged()
    unjudged.add(found, of: scenario)
    let text = unjudged.sentences.joined(separator: "\n")
    #expect(text.contains("I07: nothing was refunded 7 days before the end"))
    #expect(text.contains("Never struck: F80: no run gave them anything to strike before the end"))
  }

  @Test("A refund less than seven days before the end gives its rule nothing to judge")
  func lateRefunds() throws {
    let day: Int64 = 86_400_000
    for (horizon, judged) in [(day * 4, 0), (day * 100, 1)] {
      var scenario = Probe.scenario { setup in
        setup.isWholeStore = true
        setup.horizonMillis = horizon
        setup.mix.delays[.delayRefund] = day...day
      }
      scenario.setup.mix.entries = FaultMix([.refund]).entries
      let simulation = Simulation(scenario)
      let plan = try Plan(parsing: "refund store.charge tx1 #1")
      let outcome = simulation.run(plan: plan)
      let rule = try #require(scenario.invariants.firstIndex { $0.code == "I07" })
      #expect(outcome.idle >> UInt64(rule) & 1 == UInt64(1 - judged), "\(horizon)")
    }
  }

  @Test("Rules and faults that could not matter are named with the reason, in groups")
  func groups() throws {
    let scenario = Probe.scenario { $0.mix = FaultMix(Fault.common.filter { !$0.needsWholeStore }) }
    var unjudged = Unjudged()
    #expect(unjudged.sentences == [], "nothing was run")
    unjudged.add(Campaign(scenario, seeds: 0..<300).run(), of: scenario, expecting: Fault.common)
    let text = unjudged.sentences.joined(separator: "\n")
    #expect(
      text.contains("I07, I09, I10, I12: this world has no refunds, renewals and notifications"))
    #expect(text.contains("F32: no app refreshed its receipt"))
    #expect(text.contains("they need a hosted app"))
  }

  // MARK: - What a search covers

  private func proof(_ hands: Probe.Hands = Probe.Hands()) -> Findings {
    Probe.$hands.withValue(hands) {
      Exhaustive(faults: 1).search(Probe.scenario { $0.mix = FaultMix([.requestLost]) }, Budget())
    }
  }

  @Test("A search says which orders and which durations it does not cover")
  func gaps() throws {
    let found = proof()
    let proof = try #require(found.proof)
    #expect(!found.readsClock)
    #expect(
      proof.covered(upTo: 1) == "every plan of up to 1 decision, with one delay moved at a time")
    #expect(
      proof.leavesOut(upTo: 1, readsClock: false).first == "orders that need two delays together")
    #expect(
      proof.leavesOut(upTo: 1, readsClock: true).last == "durations, since the code read the clock")
  }

  @Test("Code that reads a clock is noticed, in the app and in the backend")
  func clocks() {
    let app = Probe.Hands()
    app.tapped = { tap, phone in if phone.now >= 0 { phone.add(tap) } }
    #expect(proof(app).readsClock)
    let backend = Probe.Hands()
    backend.received = { _, server, _ in if server.now >= 0 { server.verify(.transaction) } }
    #expect(proof(backend).readsClock)
  }

  @Test("A plan of delays alone is no quiet run and takes no fault")
  func delaysAlone() throws {
    let scenario = Probe.scenario()
    let plan = try Plan(parsing: "delay store.charge tx1 #1 = 300ms")
    let simulation = Simulation(scenario)
    let text = Story(simulation.record(seed: nil, plan: plan), of: scenario).text
    #expect(text.hasPrefix("probe under a plan of delays alone, without a seed"))
    #expect(text.contains("none: messages take longer, within their usual time"))
    #expect(plan.cost == "1 delay and no fault")
    let quiet = Story(simulation.record(seed: nil, plan: Plan()), of: scenario).text
    #expect(quiet.hasPrefix("probe in a quiet run"))
    #expect(Plan().cost == "no fault at all")
  }

  // MARK: - Shrinking

  @Test("Holds without a decision is said only where the very rule holds without it")
  func otherBreaks() throws {
    let hands = Turns.hands { $0 == [1, 1, 0] ? .lies : $0 == [1, 0, 0] ? .silent : .fine }
    let plan = Turns.plan([1: 1, 2: 1])
    var shrinker = try Turns.shrinker(aim: plan, hands)
    let certificate = shrinker.certify(plan)
    #expect(
      certificate.entries.map(\.remark) == [
        "without it: holds", "without it: another break of the same rule stays",
      ])
    #expect(certificate.isMinimal)
  }

  @Test("A delay within the scenario's usual time shrinks to no fault")
  func shrinksWithinTheMix() throws {
    // An app that says something wrong if its answer comes after 300 ms, where that is usual.
    let hands = Probe.Hands()
    hands.tapped = { tap, phone in
      phone.add(tap)
      phone.startTimer(after: 900)
    }
    hands.timerFired = { _, phone in
      hands.note("over")
    }
    hands.replied = { reply, phone in
      phone.finish(reply.transaction)
      phone.tell(hands.log.isEmpty ? .success : .failure, about: reply.transaction)
    }
    hands.launched = { phone in
      hands.log = []
      phone.observe()
    }
    let scenario = Probe.scenario { setup in
      setup.mix.delays[.delayRequest] = 10...1400
    }
    try Probe.$hands.withValue(hands) {
      let found = Campaign(scenario, seeds: 0..<100).run()
      let rule = try #require(scenario.invariants.firstIndex { $0.code == "I14" })
      let seed = try #require(found.rules[rule].firstSeed)
      let simulation = Simulation(scenario)
      let record = simulation.record(seed: seed)
      let (_, plan) = try #require(
        Shrinker.reduction(of: record, breaking: rule, in: simulation))
      #expect(
        plan.decisions.allSatisfy { decision in
          if case .millis = decision.answer { true } else { false }
        }, "\(plan)")
      #expect(Simulation(scenario).record(seed: nil, plan: plan).faults.isEmpty, "\(plan)")
    }
  }
}
