import Invariants
import Synchronization
import Testing

@testable import ChaosStore

@Suite struct `Work that is told to end` {
  /// A run of some twenty thousand events.
  private func long() throws -> Scenario {
    try Stage.one("exactly-once") {
      $0.reopenEveryMillis = 20
      $0.healMillis = 0
    }
  }

  @Test func `ends a long run within some thousand events, and the run says so`() throws {
    let scenario = try long()
    let whole = Simulation(scenario).run(seed: 1)
    #expect(whole.events > 10_000)
    #expect(!whole.isInterrupted)
    let simulation = Simulation(scenario, cancellation: Cancellation { $0 > 5000 })
    let outcome = simulation.run(seed: 1)
    #expect(outcome.isInterrupted)
    #expect(outcome.isCutOff)
    #expect((5000...9200).contains(outcome.events))
    #expect(Simulation(scenario, cancellation: Cancellation { _ in false }).run(seed: 1) == whole)
  }

  @Test func `is asked no more of a run that the event limit has ended`() throws {
    var scenario = try long()
    scenario.setup.eventLimit = 5000
    let simulation = Simulation(scenario, cancellation: Cancellation { $0 > 5000 })
    let outcome = simulation.run(seed: 1)
    #expect(outcome == Simulation(scenario).run(seed: 1))
    #expect(outcome.events == 5001)
    #expect(outcome.isCutOff && !outcome.isInterrupted)
  }

  @Test(arguments: Strategies.all.map(\.name))
  func `ends a search, which counts no run that was not whole`(name: String) throws {
    let strategy = try #require(Strategies.named(name))
    var budget = Budget(seeds: 0..<50)
    budget.cancellation = Cancellation { $0 > 5000 }
    let findings = strategy.search(try long(), budget)
    #expect(findings.isInterrupted)
    #expect(findings.runs == 0)
    #expect(!findings.isCutOff)
    #expect(findings.holdsUpTo == nil)
  }

  @Test func `ends a search between runs that are short, within a few of them`() throws {
    let scenario = try Stage.mixed("exactly-once")
    for strategy in Strategies.all {
      let asked = Atomic<Int>(0)
      var budget = Budget(seeds: 0..<100_000, faults: 3)
      budget.cancellation = Cancellation { _ in
        asked.wrappingAdd(1, ordering: .relaxed).newValue > 5
      }
      let findings = strategy.search(scenario, budget)
      #expect(findings.isInterrupted, "\(strategy.name)")
      #expect(findings.runs < 60, "\(strategy.name)")
    }
  }

  @Test func `ends an exhaustive search wherever it is, and the proof is never called whole`()
    throws
  {
    var scenario = try long()
    scenario.setup.healMillis = 5000
    scenario.setup.mix = FaultMix([.responseLost, .requestLost])
    let all = Exhaustive(faults: 1).search(scenario, Budget()).proof
    #expect(all?.isWhole == true)
    for count in 0..<30 {
      let asked = Atomic<Int>(0)
      var budget = Budget()
      budget.cancellation = Cancellation { _ in
        asked.wrappingAdd(1, ordering: .relaxed).newValue > count
      }
      let findings = Exhaustive(faults: 1).search(scenario, budget)
      let isWhole = findings.proof == all
      #expect(findings.isInterrupted != isWhole, "ended when asked for the \(count + 1)th time")
    }
  }

  @Test func `makes a second run that it ends no different from the first`() throws {
    let scenario = try long()
    let outcome = Simulation(scenario).run(seed: 1)
    for most in [0, 5000, .max] {
      let second = SecondOpinion(scenario, Cancellation { $0 > most })
      #expect(!second.differs(from: outcome, Origin(seed: 1)))
    }
    #expect(SecondOpinion(scenario).differs(from: outcome, Origin(seed: 2)))
  }

  @Test func `ends shrinking wherever it is, with a plan that breaks the aim and claims no more`()
    throws
  {
    let scenario = try Stage.mixed("observer-on-demand")
    let rule = try #require(scenario.invariants.firstIndex { $0.name == "no-double-credit" })
    let simulation = Simulation(scenario)
    let seed = try #require(
      (0..<2000).first { simulation.run(seed: $0).broken >> UInt64(rule) & 1 == 1 })
    let record = simulation.record(seed: seed)
    var (wasPartial, wasWhole) = (false, false)
    for count in stride(from: 0, to: 400, by: 7) {
      let asked = Atomic<Int>(0)
      let ended = Simulation(
        scenario,
        cancellation: Cancellation { _ in
          asked.wrappingAdd(1, ordering: .relaxed).newValue > count
        })
      guard
        let found = Shrinker.reduction(of: record, breaking: rule, in: ended)
      else { continue }
      let outcome = simulation.run(plan: found.plan)
      #expect(outcome.broken >> UInt64(rule) & 1 == 1)
      var shrinker = found.shrinker
      let certificate = shrinker.certify(found.plan)
      #expect(certificate.isWhole == !shrinker.isInterrupted)
      #expect(!certificate.isMinimal || certificate.isWhole)
      if shrinker.isInterrupted {
        wasPartial = true
        #expect(shrinker.searchSmaller(than: found.plan) == .unknown || found.plan.size <= 1)
      } else {
        wasWhole = true
      }
    }
    #expect(wasPartial)
    #expect(wasWhole)
  }

  @Test func `makes no two runs differ that would be the same`() throws {
    let scenario = try long()
    let count = Atomic<Int>(0)
    let late = Cancellation { _ in count.wrappingAdd(1, ordering: .relaxed).newValue > 3 }
    #expect(Repetition(of: scenario, Origin(seed: 1), cancellation: late).text == nil)
    let file = PlanFile(recording: scenario, Origin(seed: 1), expecting: .holds)
    let again = Atomic<Int>(0)
    let replay = Replay(
      file, among: [scenario],
      cancellation: Cancellation { _ in again.wrappingAdd(1, ordering: .relaxed).newValue > 3 })
    #expect(replay.doubts == ["it was interrupted"])
    #expect(replay.standing == .stale)
  }
}

@Suite struct `A large world` {
  @Test
  func `has its single decisions tried no longer than some seconds unasked, and that is said`()
    throws
  {
    let scenario = try Stage.mixed("exactly-once")
    let all = Exhaustive(faults: 1).search(scenario, Budget())
    let plans = try #require(all.proof?.plans)
    let some = Exhaustive(faults: 1, mostEvents: 1000).search(scenario, Budget())
    #expect(some.events > 700)
    #expect(some.events < 1300)
    #expect(!some.isInterrupted)
    #expect(some.proof?.size == 0)
    #expect(some.holdsUpTo == 0)
    let words = try #require(some.leftOut.first).split(separator: " ")
    let untried = try #require(Int(words[0]))
    let known = try #require(Int(words[4]))
    #expect(untried == known - (some.runs - 1) && known <= plans[1])
    let took = try #require(Int(words[16]))
    #expect(took > 900 && took < 1300)
    #expect(
      words[4..<16].joined(separator: " ")
        == "\(known) plans of 1 decision were not run, as those before took")
    #expect(some.leftOut[0].hasSuffix(" events; 'explore exhaustive --faults 1' runs them"))
    #expect(all.leftOut == [])
  }

  @Test func `of very many purchases has no plan tried unasked, and no run made a second time`()
    throws
  {
    var scenario = try Stage.one("checkout-benchmark")
    scenario.setup.steps = []
    scenario.setup.arrivals = Setup.Arrivals(count: 300_000, overMillis: 3_600_000)
    scenario.setup.eventLimit = 10_000_000
    var budget = Budget(seeds: 0..<1)
    budget.cancellation = Cancellation { _ in true }
    let findings = Portfolio().search(scenario, budget)
    #expect(findings.runs == 0)
    #expect(findings.proof == nil)
    #expect(
      findings.leftOut == [
        "no plan of 1 decision was run, as a run has more than 200,000 events; "
          + "'explore exhaustive --faults 1' runs them"
      ])
  }

  @Test func `has its runs made once, and that is said`() throws {
    let scenario = try Stage.one("exactly-once") {
      $0.reopenEveryMillis = 1
      $0.healMillis = 0
      $0.horizonMillis = 300_000
      $0.eventLimit = 10_000_000
    }
    let findings = RandomSearch().search(scenario, Budget(seeds: 0..<1))
    #expect(findings.events > SecondOpinion.mostEvents)
    #expect(
      findings.leftOut == [
        "no run was run a second time to see whether it comes out the same, as one has more than "
          + "200,000 events; 'verify-determinism' does that"
      ])
  }
}
