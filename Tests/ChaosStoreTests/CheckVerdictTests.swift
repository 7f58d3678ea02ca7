import Invariants
import Synchronization
import Testing

@testable import ChaosStore

/// Finds what a test says, and remembers what it was asked for.
private struct Told: Strategy {
  final class Memory: Sendable {
    let budgets = Mutex<[Budget]>([])
  }

  let name = "told"
  let about = "finds what it is told"
  let memory = Memory()
  var change: @Sendable (inout Findings) -> Void = { _ in }

  func search(_ scenario: Scenario, _ budget: Budget) -> Findings {
    memory.budgets.withLock { $0.append(budget) }
    var findings = Findings(scenario)
    findings.runs = 300
    findings.randomRuns = 300
    findings.reached = findings.reached.map { _ in 1 }
    change(&findings)
    return findings
  }
}

@Suite("What a property test makes of what a search found")
struct CheckVerdictTests {
  private func scenario(_ faults: [Fault] = [.responseLost]) throws -> Scenario {
    try PropertyTest.scenario(for: ForgetfulShop.self, faults: faults)
  }

  @discardableResult
  private func check(
    _ scenario: Scenario, _ environment: [String: String] = [:], seeds: Range<UInt64>? = 0..<300,
    strategy: any Strategy
  ) throws -> Findings {
    let place = TestPlace(
      filePath: "Tests/ShopTests/ShopTests.swift", fileID: "ShopTests/ShopTests.swift",
      function: "sellsOnce()", line: 12)
    return try Check(
      scenario, strategy: strategy, seeds: seeds, environment: CheckEnvironment(environment),
      place: place
    ).run()
  }

  private func check(
    _ scenario: Scenario, _ environment: [String: String] = [:],
    _ change: @escaping @Sendable (inout Findings) -> Void
  ) throws {
    try check(scenario, environment, strategy: Told(change: change))
  }

  private func failure(
    _ scenario: Scenario, _ environment: [String: String] = [:],
    _ change: @escaping @Sendable (inout Findings) -> Void = { _ in }
  ) throws -> PropertyFailure {
    try #require(
      #expect(throws: PropertyFailure.self) { try check(scenario, environment, change) })
  }

  private func rule(_ name: String, _ scenario: Scenario) throws -> Int {
    try #require(scenario.invariants.firstIndex { $0.name == name })
  }

  // MARK: - Which seeds

  @Test("Seeds of the environment come before those of the call, and those before the scenario's")
  func chosenSeeds() throws {
    var scenario = try scenario()
    scenario.seeds = 70
    for (environment, seeds, expected) in [
      ([:], nil, 0..<70), ([:], 5..<9, 5..<9), (["CHAOS_SEEDS": "20..<30"], 5..<9, 20..<30),
      (["CHAOS_SEEDS": "8"], nil, 0..<8),
    ] as [([String: String], Range<UInt64>?, Range<UInt64>)] {
      let told = Told()
      try check(scenario, environment, seeds: seeds, strategy: told)
      let budget = try #require(told.memory.budgets.withLock { $0.first })
      #expect(budget.seeds == expected)
      #expect(!budget.isOpenEnded)
      #expect(budget.jobs >= 1 && budget.faults == nil)
      #expect(budget.goesOn(.max))
    }
  }

  @Test("With a budget of time a search is open-ended, and told to go on until the time is over")
  func time() throws {
    let told = Told()
    try check(scenario(), ["CHAOS_BUDGET": "1h"], strategy: told)
    let long = try #require(told.memory.budgets.withLock { $0.first })
    #expect(long.isOpenEnded && long.seeds == 0..<300)
    #expect(long.goesOn(1))
    let short = Told()
    try check(scenario(), ["CHAOS_BUDGET": "1ms"], strategy: short)
    let over = try #require(short.memory.budgets.withLock { $0.first })
    #expect(eventually { !over.goesOn(1) })
  }

  private func eventually(_ condition: () -> Bool) -> Bool {
    let end = ContinuousClock.now + .seconds(10)
    while ContinuousClock.now < end { if condition() { return true } }
    return false
  }

  @Test("The first seed that is chosen is run twice before the search, and a difference is named")
  func firstSeed() throws {
    let count = Mutex(0)
    let hands = Probe.Hands()
    hands.tapped = { tap, phone in
      let number = count.withLock { count in
        count += 1
        return count
      }
      phone.startTimer(after: Int64(number))
      phone.add(tap)
    }
    let failure = try Probe.$hands.withValue(hands) {
      try self.failure(Probe.scenario(), ["CHAOS_SEEDS": "5..<9"])
    }
    #expect(failure.kind == .nondeterministic)
    #expect(failure.seed == 5)
    #expect(failure.plan == nil)
  }

  // MARK: - What is demanded

  @Test("Later seeds than the test's own need not reach goals that take a fault")
  func laterSeeds() throws {
    var scenario = try scenario()
    scenario.goals = [try #require(Goal(parsing: "credited + response-lost"))]
    scenario.expects = ["no-double-credit"]
    let later = ["CHAOS_SEEDS": "300..<900"]
    try check(scenario, later) { $0.reached = [0] }
    try check(scenario, ["CHAOS_SEEDS": "1..<900"]) { $0.reached = [0] }
    try check(scenario, ["CHAOS_SEEDS": "0..<299"]) { $0.reached = [0] }
    #expect(throws: PropertyFailure.self) {
      try check(scenario, ["CHAOS_SEEDS": "0..<300"]) { $0.reached = [0] }
    }
    scenario.expects = []
    let failure = try failure(scenario) { $0.reached = [0] }
    #expect(failure.kind == .vacuous(["credited + response-lost"]))
  }

  @Test("A hundred runs of any seeds reach a goal that takes no fault, or have shown nothing")
  func plainGoals() throws {
    var scenario = try scenario()
    scenario.goals = try ["voided", "credited + response-lost"].map {
      try #require(Goal(parsing: $0))
    }
    let later = ["CHAOS_SEEDS": "300..<900"]
    try check(scenario, later) {
      $0.runs = 99
      $0.reached = [0, 0]
    }
    let failure = try failure(scenario, later) {
      $0.runs = 100
      $0.reached = [0, 0]
    }
    #expect(failure.kind == .vacuous(["voided"]))
    #expect("\(failure)".contains("no run of 100 reached 'voided', so they have shown nothing"))
    try check(scenario, later) { $0.reached = [1, 0] }
  }

  @Test("A search that its time ended must show what it was to, once it has run all its seeds")
  func spentTime() throws {
    var scenario = try scenario()
    scenario.expects = ["no-double-credit"]
    try check(scenario) {
      $0.isInterrupted = true
      $0.randomRuns = 299
    }
    let failure = try failure(scenario) { $0.isInterrupted = true }
    #expect(failure.kind == .missing(["no-double-credit"]))
    #expect(throws: PropertyFailure.self, "one that was not interrupted has run all there is") {
      try check(scenario) { $0.randomRuns = 0 }
    }
  }

  @Test("A search of small plans alone that its time ended has no verdict")
  func spentProof() throws {
    let spent: @Sendable (inout Findings) -> Void = {
      $0.isInterrupted = true
      $0.randomRuns = 0
      $0.runs = 5
      $0.proof = Findings.Proof()
    }
    let error = try #require(
      #expect(throws: PropertyError.self) { try check(scenario(), [:], spent) })
    #expect(error.kind == .noVerdict)
    #expect(
      error.message
        == "forgetful-shop: the budget was spent after 5 runs, before every plan was run: "
        + "give it a longer CHAOS_BUDGET or fewer faults")
    try check(scenario()) {
      spent(&$0)
      $0.randomRuns = 1
    }
    try check(scenario()) {
      spent(&$0)
      $0.proof = nil
    }
    try check(scenario()) {
      spent(&$0)
      $0.isInterrupted = false
    }
  }

  @Test("A search that ran nothing has shown nothing")
  func nothing() throws {
    let failure = try failure(scenario()) {
      $0.runs = 0
      $0.reached = $0.reached.map { _ in 0 }
    }
    #expect(failure.kind == .vacuous(["charged"]))
    #expect("\(failure)".contains("nothing was run, so nothing is shown"))
  }

  @Test("An expected violation counts as seen by name or code, and each that is missing is named")
  func expectations() throws {
    var scenario = try scenario()
    scenario.expects = ["I02", "conservation", "queue-drains"]
    let (twice, sums) = (try rule("no-double-credit", scenario), try rule("conservation", scenario))
    let failure = try failure(scenario) {
      $0.rules[twice].runs = 1
      $0.rules[sums].runs = 0
    }
    #expect(failure.kind == .missing(["conservation", "queue-drains"]))
  }

  // MARK: - What is told

  @Test("What broke is told before a run that was cut off")
  func brokenBeforeCutOff() throws {
    let scenario = try scenario()
    let twice = try rule("no-double-credit", scenario)
    let plan = try Plan(parsing: "drop verify.reply tx1 #1")
    let failure = try failure(scenario) {
      $0.rules[twice].runs = 1
      $0.rules[twice].smallestPlan = plan
      $0.cutOff = Origin(seed: 4)
    }
    #expect(failure.kind == .violation("no-double-credit"))
    #expect(failure.seed == nil)
    #expect("\(failure)".contains("broke in 1 of 300 runs (ShopTests.swift:12)\n"))
    let cutOff = try self.failure(scenario) { $0.cutOff = Origin(plan: plan) }
    #expect(cutOff.kind == .cutOff)
    #expect(cutOff.plan == plan && cutOff.seed == nil)
    let seed = try self.failure(scenario) { $0.cutOff = Origin(seed: 4) }
    #expect(seed.plan == nil && seed.seed == 4)
  }

  @Test("What is allowed to break is neither the failure nor told beside it")
  func allowed() throws {
    var scenario = try scenario()
    scenario.allows = ["right-account", "conservation"]
    let plan = try Plan(parsing: "drop verify.reply tx1 #1")
    let names = ["no-double-credit", "conservation", "right-account"]
    let rules = try names.map { try rule($0, scenario) }
    let failure = try failure(scenario) {
      for rule in rules {
        $0.rules[rule].runs = 9
        $0.rules[rule].smallestPlan = plan
      }
    }
    #expect(failure.kind == .violation("no-double-credit"))
    #expect(!"\(failure)".contains("also: ") && !"\(failure)".contains("with it: "))
    let single = ["CHAOS_PLAN": plan.description]
    #expect(!"\(try self.failure(scenario, single))".contains("with it: "))
    scenario.allows.append("no-double-credit")
    try check(scenario, single) { _ in }
    scenario.allows = []
    #expect("\(try self.failure(scenario, single))".contains("with it: conservation (I"))
  }

  @Test("A rule that broke among other runs, and not by itself, is a sign of nondeterminism")
  func onlyAmongOthers() throws {
    let scenario = try scenario([])
    let twice = try rule("no-double-credit", scenario)
    let failure = try failure(scenario) {
      $0.rules[twice].runs = 1
      $0.rules[twice].firstSeed = 3
    }
    #expect(failure.kind == .nondeterministic)
    #expect(failure.seed == 3)
    #expect(
      "\(failure)".contains(
        "seed 0x3 came out differently when it was run again: it broke no-double-credit among "
          + "other runs, and does not by itself"))
  }

  @Test("A run that came out differently once, and by itself no more, is told as such")
  func onceDifferent() throws {
    let failure = try failure(scenario([])) { $0.differing = Origin(seed: 2) }
    #expect(failure.kind == .nondeterministic)
    #expect(
      "\(failure)".contains(
        "seed 0x2 came out differently when it was run a second time among others, and the same "
          + "in 9 runs by itself"))
  }

  @Test("The plan with the fewest decisions is told, with the first seed that breaks the same")
  func smallerPlan() throws {
    // Four turns do it, and three others: too many for the shrinker to try all of.
    let hands = Turns.hands(turns: 5) { turns in
      turns[..<4].allSatisfy { $0 > 0 } || turns == [0, 0, 2, 2, 2] ? .lies : .fine
    }
    try Probe.$hands.withValue(hands) {
      let scenario = Turns.scenario()
      let simulation = Simulation(scenario)
      let seed = try #require(
        (0..<20_000 as Range<UInt64>).first { seed in
          let turns = simulation.record(seed: seed).faults.decisions
          return turns.map(\.occurrence) == [1, 2, 3, 4]
        })
      let small = Turns.plan([3: 2, 4: 2, 5: 2])
      let failure = try failure(scenario) {
        $0.rules[Turns.rule].runs = 2
        $0.rules[Turns.rule].firstSeed = seed
        $0.rules[Turns.rule].smallestPlan = small
      }
      #expect(failure.plan == small)
      #expect(failure.seed == seed)
      let found = try self.failure(scenario) {
        $0.rules[Turns.rule].runs = 2
        $0.rules[Turns.rule].firstSeed = seed
      }
      #expect(found.plan == Turns.plan([1: 1, 2: 1, 3: 1, 4: 1]))
    }
  }

  // MARK: - One run

  @Test("One run that is cut off fails, with the plan or the seed it was asked for")
  func oneCutOff() throws {
    var scenario = try scenario([])
    scenario.setup.eventLimit = 10
    let byPlan = try failure(scenario, ["CHAOS_PLAN": "[]"])
    #expect(byPlan.kind == .cutOff)
    #expect(byPlan.plan == Plan() && byPlan.seed == nil)
    #expect("\(byPlan)".contains("\n  CHAOS_PLAN='[]' swift test --filter "))
    let bySeed = try failure(scenario, ["CHAOS_SEED": "6"])
    #expect(bySeed.kind == .cutOff && bySeed.seed == 6 && bySeed.plan == nil)
  }

  @Test("Where the first seed is cut off no other is run, unless it broke something before")
  func firstCutOff() throws {
    var scenario = try scenario([])
    scenario.setup.eventLimit = 10
    let told = Told()
    let cutOff = #expect(throws: PropertyFailure.self) { try check(scenario, strategy: told) }
    #expect(cutOff?.kind == .cutOff && cutOff?.seed == 0)
    #expect(told.memory.budgets.withLock(\.count) == 0)
  }

  @Test("One run of a plan over a seed is told with a line that has both")
  func bothToPaste() throws {
    let text = "drop verify.reply tx1 #1"
    let failure = try failure(scenario([]), ["CHAOS_SEED": "0x9", "CHAOS_PLAN": text])
    #expect(failure.seed == 9)
    #expect("\(failure)".contains("\n  CHAOS_SEED=0x9 CHAOS_PLAN='\(text)' swift test --filter "))
    #expect("\(failure)".contains(" broke under CHAOS_SEED=0x9 CHAOS_PLAN='\(text)' ("))
  }

  // MARK: - The environment

  @Test("The environment says one run, or which seeds and how long, and whether plans are kept")
  func environment() throws {
    let many = try CheckEnvironment([
      "CHAOS_SEEDS": "10..<20", "CHAOS_BUDGET": "2s", "CHAOS_SAVE": "1",
    ])
    #expect(many.single == nil)
    #expect(many.seeds == 10..<20)
    #expect(many.budget == .seconds(2))
    #expect(many.saves)
    let one = try CheckEnvironment([
      "CHAOS_SEED": "7", "CHAOS_PLAN": "drop verify.reply tx1", "CHAOS_SAVE": "0",
    ])
    #expect(!one.saves)
    #expect(one.single?.seed == 7)
    #expect(one.single?.origin.plan.size == 1)
    let plan = try CheckEnvironment(["CHAOS_PLAN": " [] "])
    #expect(plan.single?.origin == .quiet)
    #expect(try CheckEnvironment([:]) == CheckEnvironment())
    for one in ["CHAOS_SEED", "CHAOS_PLAN"] {
      for many in [("CHAOS_SEEDS", "3"), ("CHAOS_BUDGET", "3s")] {
        let environment = [one: one == "CHAOS_SEED" ? "1" : "[]", many.0: many.1]
        #expect(throws: PropertyError.self) { try CheckEnvironment(environment) }
      }
    }
  }
}
