import Invariants
import Synchronization
import Testing

@testable import ChaosStore

@Suite("What a search runs, and when it ends")
struct SearchLimitTests {
  private func rule(_ name: String) throws -> Int {
    try #require(Catalogue.invariants.firstIndex { $0.name == name })
  }

  private func search(
    _ strategy: any Strategy, _ hands: Probe.Hands, _ budget: Budget = Budget(),
    _ change: (inout Setup) -> Void = { _ in }
  ) -> Findings {
    Probe.$hands.withValue(hands) { strategy.search(Turns.scenario(change), budget) }
  }

  // MARK: - Budgets

  @Test("A budget is reached when all that was looked for was seen, if that is anything")
  func reached() {
    var budget = Budget()
    #expect(!budget.isReached(.max))
    budget.until = 0b110
    #expect(!budget.isReached(0b010))
    #expect(!budget.isReached(0b101))
    #expect(budget.isReached(0b110))
    #expect(budget.isReached(0b111))
    #expect(Budget(jobs: 0).jobs == 1)
    #expect(Budget(jobs: 3).jobs == 3)
  }

  @Test(
    "A budget of time is a whole number above nothing, with its unit",
    arguments: [
      ("30s", 30_000), ("500ms", 500), ("5m", 300_000), ("2h", 7_200_000), ("1ms", 1), ("0s", nil),
      ("s", nil), ("+5s", nil), ("-5s", nil), ("1.5s", nil), ("5", nil), ("5d", 432_000_000),
      ("", nil),
      ("4294967296s", nil), (" 5s", nil),
    ] as [(String, Int?)])
  func times(text: String, millis: Int?) {
    #expect((try? TimeText.duration(text)) == millis.map { .milliseconds($0) })
  }

  @Test("A campaign has the scenario's own seeds, asks whether to go on, and hands on its jobs")
  func campaign() throws {
    var scenario = Turns.scenario()
    scenario.seeds = 300
    let hands = Turns.hands { _ in .fine }
    let (whole, ended) = Probe.$hands.withValue(hands) {
      (Campaign(scenario).run(), Campaign(scenario, seeds: 5..<2000).run { $0 < 300 })
    }
    #expect(whole.randomRuns == 300 && !whole.isInterrupted)
    #expect(ended.randomRuns == 512 && ended.isInterrupted)
    #expect(Campaign(scenario, jobs: 7).budget.jobs == 7)
  }

  // MARK: - Every small plan

  @Test("Fewer decisions than none are none")
  func negative() {
    let findings = search(Exhaustive(faults: -3), Turns.hands { _ in .fine })
    #expect(findings.runs == 1)
    #expect(findings.holdsUpTo == 0)
    let budget = search(Exhaustive(), Turns.hands { _ in .fine }, Budget(faults: 1))
    #expect(budget.proof?.plans == [1, 9], "the budget's number comes before the strategy's")
  }

  @Test("A fault whose chance is nothing is in no plan")
  func noChance() throws {
    let none = FaultMix.Entry(chance: try #require(Ratio(0, 1)))
    let findings = search(Exhaustive(faults: 1), Turns.hands { _ in .fine }) {
      $0.mix.entries[.taskOrder] = none
    }
    #expect(findings.proof?.plans == [1, 0])
  }

  @Test("How long something takes is in a plan once for each class that the mix allows")
  func classes() throws {
    let half = try #require(Ratio(1, 2))
    func plans(_ fault: Fault, _ site: Question) -> [Int]? {
      search(Exhaustive(faults: 1), Probe.Hands()) {
        $0.mix = FaultMix()
        $0.mix.entries[fault] = .init(chance: half, sites: [site])
      }.proof?.plans
    }
    #expect(plans(.delayedDelivery, .delayCallback) == [1, 2], "overtaken and late")
    #expect(plans(.lateResponse, .delayReply) == [1, 1], "late alone")
    #expect(plans(.delayedDelivery, .delayReply) == [1, 0])
  }

  @Test("The quiet run and the first plan that extends it are made twice, and what differs is told")
  func differing() {
    let count = Mutex(0)
    func fickle(_ isFickle: @escaping ([Int]) -> Bool) -> Probe.Hands {
      let hands = Probe.Hands()
      hands.tapped = { tap, phone in
        phone.tell(.pending, about: tap)
        guard isFickle((0..<3).map { _ in phone.nextTask(of: 4) }) else { return }
        let number = count.withLock { count in
          count += 1
          return count
        }
        phone.startTimer(after: Int64(number))
      }
      return hands
    }
    #expect(search(Exhaustive(faults: 0), fickle { _ in true }).differing == .quiet)
    #expect(
      search(Exhaustive(faults: 1), fickle { $0 != [0, 0, 0] }).differing
        == Origin(plan: Turns.plan([1: 1])))
    #expect(search(Exhaustive(faults: 1), fickle { $0 == [0, 2, 0] }).differing == nil)
  }

  @Test("A crash is left out only where one at the point before was a plan of its own")
  func skipping() throws {
    let half = try #require(Ratio(1, 2))
    func proof(_ sites: [Question]) -> Findings.Proof? {
      search(Exhaustive(faults: 1), Probe.Hands()) {
        $0.mix = FaultMix()
        $0.mix.entries[.appCrash] = .init(chance: half, sites: sites)
      }.proof
    }
    let both = try #require(proof([.crashOnReply, .crashBeforeFinish]))
    #expect(both.plans == [1, 1])
    #expect(both.skipped == [0, 1])
    let second = try #require(proof([.crashBeforeFinish]))
    #expect(second.plans == [1, 1])
    #expect(second.skipped == [0, 0])
  }

  @Test("Dying at two points comes to the same only in one event, with no effect in between")
  func samePoints() {
    func asking(_ question: Question, event: Int = 7) -> Asking {
      Asking(
        at: .start, event: event, question: question, subject: .phone(0), occurrence: 1)
    }
    func isSame(_ first: Asking, _ second: Asking) -> Bool { CrashPoint.isSame(first, second) }
    let after = asking(.crashAfterSend)
    #expect(isSame(after, asking(.crashInCallback)))
    #expect(!isSame(after, asking(.crashInCallback, event: 8)))
    #expect(!isSame(after, asking(.crashInCallback, event: 6)))
    #expect(!isSame(after, asking(.dropReply)), "the second is no crash of the app")
    #expect(!isSame(after, asking(.crashServerBeforeReply)), "nor is a server's")
    #expect(!isSame(asking(.dropReply), asking(.crashInCallback)), "the first is none")
    #expect(!isSame(asking(.crashBeforeSend), asking(.crashAfterSend)), "it is sent in between")
    #expect(!isSame(asking(.crashInCallback), asking(.crashOnCallback)), "a handler is over")
  }

  @Test("Where an app dies matters only before an effect and where a handler ends")
  func pointsWithoutEffect() {
    let next = Asking(
      at: .start, event: 1, question: .crashInTap, subject: .phone(0), occurrence: 1)
    let same = Question.allCases.filter { question in
      var first = next
      first.question = question
      return CrashPoint.isSame(first, next)
    }
    let read: Set<Question> = [.crashBeforeReceipt, .crashBeforeTimer]
    let entered: Set<Question> = [.crashOnReply]
    let app = Question.allCases.filter(CrashPoint.isOne)
    let after = app.filter { "\($0)".hasPrefix("crashAfter") }
    #expect(Set(same) == read.union(entered).union(after))
    #expect(after.count == 14)
  }

  // MARK: - Seeds

  @Test("A search of seeds that has run all of them was not interrupted, whatever it is told")
  func lastChunk() {
    var budget = Budget(seeds: 0..<256)
    budget.goesOn = { _ in false }
    let findings = search(RandomSearch(), Turns.hands { _ in .fine }, budget)
    #expect(findings.runs == 256)
    #expect(!findings.isInterrupted)
  }

  @Test("An open-ended search of seeds goes on after those that it was given")
  func openEnded() {
    var budget = Budget(seeds: 10..<20)
    budget.isOpenEnded = true
    budget.goesOn = { $0 < 1000 }
    let findings = search(RandomSearch(), Turns.hands { _ in .fine }, budget)
    #expect(findings.runs == 1024)
    #expect(findings.isInterrupted)
  }

  @Test("A run that was cut off has shown nothing of what was looked for, and the search goes on")
  func cutOff() {
    var budget = Budget(seeds: 0..<40)
    budget.until = 1 << UInt64(Turns.rule)
    let restless = search(RandomSearch(), Turns.hands { _ in .restless }, budget)
    #expect(restless.runs == 40)
    let liar = search(RandomSearch(), Turns.hands { _ in .lies }, budget)
    #expect(liar.runs == 1)
  }

  // MARK: - Both

  /// Lies where a turn says so, which no seed does, and credits twice what was charged late, which
  /// no plan of faults does.
  private var twoWays: Probe.Hands {
    let hands = Probe.Hands()
    hands.tapped = { tap, phone in
      if phone.nextTask(of: 4) == 1 { return phone.tell(.success, about: tap) }
      phone.tell(.pending, about: tap)
      phone.add(tap)
    }
    hands.updated = { transaction, phone in
      Probe.report(transaction.id, phone)
      if phone.now > 1300 { Probe.report(transaction.id, phone) }
    }
    return hands
  }

  @Test("The seeds of the default search need not break again what its plans have broken")
  func onlyTheRest() throws {
    let twice = try rule("no-double-credit")
    let rare = try #require(Ratio(1, 1 << 40))
    var budget = Budget(seeds: 0..<2000)
    budget.until = 1 << UInt64(Turns.rule) | 1 << UInt64(twice)
    let findings = search(Portfolio(), twoWays, budget) {
      $0.mix.entries[.taskOrder]?.chance = rare
    }
    #expect(findings.broken & budget.until == budget.until)
    #expect(findings.rules[Turns.rule].firstSeed == nil)
    #expect(findings.rules[twice].smallestPlan == nil)
    #expect((1...50).contains(findings.randomRuns), "\(findings.randomRuns)")
  }

  @Test("The default search counts the runs of its plans where it says how many there were")
  func counting() {
    let told = Mutex<[Int]>([])
    var budget = Budget(seeds: 0..<600)
    budget.goesOn = { runs in
      told.withLock { $0.append(runs) }
      return true
    }
    let findings = search(Portfolio(), Turns.hands { _ in .fine }, budget)
    #expect(findings.runs == 610)
    #expect(told.withLock { $0.max() } == 610)
  }

  @Test("With time left plans grow while there are larger ones, and then only seeds are drawn")
  func growth() {
    var budget = Budget(seeds: 0..<10)
    budget.isOpenEnded = true
    budget.goesOn = { $0 < 3000 }
    let findings = search(Portfolio(), Turns.hands { _ in .fine }, budget)
    #expect(findings.proof?.plans == [1, 9, 27, 27, 0])
    #expect(findings.proof?.isWhole == true)
    #expect(findings.isInterrupted)
    #expect(findings.randomRuns > 2000)
  }

  @Test("With time left the seeds that follow are new ones")
  func newSeeds() {
    let hands = Turns.hands { _ in .fine }
    var budget = Budget(seeds: 100..<110)
    budget.isOpenEnded = true
    budget.goesOn = { $0 < 2000 }
    let findings = search(Portfolio(), hands, budget)
    let last = UInt64(100 + findings.randomRuns - 1)
    let simulation = Probe.$hands.withValue(hands) { Simulation(Turns.scenario()) }
    #expect(findings.trace == simulation.run(seed: last).trace)
  }

  // MARK: - Sums

  @Test("What was found in seeds is told by a seed, else by a plan")
  func origins() {
    var found = RuleFindings()
    #expect(found.origin == nil)
    found.smallestPlan = Turns.plan([1: 1])
    #expect(found.origin == Origin(plan: Turns.plan([1: 1])))
    found.firstSeed = 3
    #expect(found.origin == Origin(seed: 3))
  }

  @Test("Plans leave the trace hash and the proof of what was added before as they are")
  func addingPlans() {
    let simulation = Probe.$hands.withValue(Turns.hands { _ in .fine }) {
      Simulation(Turns.scenario())
    }
    var seeds = Findings(simulation.scenario)
    let outcome = simulation.run(seed: 0)
    seeds.add(Origin(seed: 0), outcome, of: simulation)
    var plans = Findings(simulation.scenario)
    plans.add(.quiet, simulation.run(plan: Plan()), of: simulation)
    #expect(plans.trace == 0)
    plans.proof = Findings.Proof(plans: [1], skipped: [0], size: 0, isWhole: true)
    seeds.add(plans)
    #expect(seeds.trace == outcome.trace)
    #expect(seeds.proof == plans.proof)
    seeds.add(Findings(simulation.scenario))
    #expect(seeds.proof == plans.proof)
    var larger = plans
    larger.proof?.size = 1
    seeds.add(larger)
    #expect(seeds.proof?.size == 1)
    #expect(seeds.runs == 3 && seeds.randomRuns == 1)
  }

  @Test("What was left out is said once, and nothing is proved before the quiet run")
  func leftOut() {
    var findings = Findings(Turns.scenario())
    findings.leaveOut("one")
    findings.leaveOut("two")
    var other = findings
    other.leaveOut("three")
    findings.add(other)
    #expect(findings.leftOut == ["one", "two", "three"])
    findings.proof = Findings.Proof()
    #expect(findings.holdsUpTo == nil)
  }

  @Test("What was noted in a run is kept with its seed, and not replaced by a higher one")
  func notes() {
    let hands = Turns.hands { _ in .fine }
    let name = Mutex("")
    hands.launched = { phone in phone.note(leak: name.withLock { $0 }) }
    let simulation = Probe.$hands.withValue(hands) { Simulation(Turns.scenario()) }
    var findings = Findings(simulation.scenario)
    for seed in [4, 2, 9] as [UInt64] {
      name.withLock { $0 = "\(seed)" }
      findings.add(Origin(seed: seed), simulation.run(seed: seed), of: simulation)
    }
    #expect(findings.unfit == Origin(seed: 2))
    #expect(findings.problems.map(\.text) == ["2"])
  }

  @Test("Of two rules that broke the cause is the one with the smaller plan, then the first")
  func causes() {
    let names = ["no-charge-without-delivery", "no-double-credit", "queue-drains"]
    let scenario = Scenario(
      name: "any", system: AnySystem(ExactlyOnce.self),
      invariants: names.compactMap { Catalogue.invariant(named: $0) })
    var findings = Findings(scenario)
    for rule in findings.rules.indices { findings.rules[rule].runs = 5 }
    #expect(findings.brokenByCause(in: scenario) == [0, 1, 2])
    findings.rules[0].runs = 900
    findings.rules[0].smallestPlan = Turns.plan([1: 1, 2: 1])
    findings.rules[2].smallestPlan = Turns.plan([1: 1])
    #expect(findings.brokenByCause(in: scenario) == [2, 0, 1])
    findings.rules[0].runs = 0
    #expect(findings.brokenByCause(in: scenario) == [2, 1])
  }
}
