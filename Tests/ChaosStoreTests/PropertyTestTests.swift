import Invariants
import Synchronization
import Testing

@testable import ChaosStore

@Suite("A property test")
struct PropertyTestTests {
  /// A check as it is called, with an environment of its own.
  private func check(
    _ scenario: Scenario, strategy: any Strategy = Portfolio(), seeds: Range<UInt64>? = 0..<300,
    _ environment: [String: String] = [:], function: String = "sellsOnce()"
  ) throws -> Findings {
    let place = TestPlace(
      filePath: "Tests/ShopTests/ShopTests.swift", fileID: "ShopTests/ShopTests.swift",
      function: function, line: 12)
    return try Check(
      scenario, strategy: strategy, seeds: seeds, environment: CheckEnvironment(environment),
      place: place
    ).run()
  }

  /// The failure that a check ends with.
  private func failure(
    _ scenario: Scenario, strategy: any Strategy = Portfolio(), seeds: Range<UInt64>? = 0..<300,
    _ environment: [String: String] = [:]
  ) throws -> PropertyFailure {
    try #require(
      #expect(throws: PropertyFailure.self) {
        try check(scenario, strategy: strategy, seeds: seeds, environment)
      })
  }

  private func error(
    _ scenario: Scenario, seeds: Range<UInt64>? = 0..<300, _ environment: [String: String] = [:]
  ) throws -> PropertyError {
    try #require(
      #expect(throws: PropertyError.self) { try check(scenario, seeds: seeds, environment) })
  }

  private func forgetful(_ faults: [Fault] = [.responseLost]) throws -> Scenario {
    try PropertyTest.scenario(for: ForgetfulShop.self, faults: faults)
  }

  // MARK: - What passes

  @Test("A property test of a sound system passes under every fault, and says how much was run")
  func sound() throws {
    let findings = try PropertyTest.check(
      PropertyTest.scenario(for: ExactlyOnce.self), seeds: 0..<300)
    #expect(findings.randomRuns == 300)
    #expect(findings.runs > 400, "every plan of one decision is run as well")
    #expect(findings.broken == 0)
  }

  @Test("A property test has two purchases of two customers, unless told otherwise")
  func usualScenario() throws {
    let usual = try PropertyTest.scenario(for: ReceiptStore.self)
    #expect(usual.name == "receipt-store/naive")
    #expect(usual.setup.steps.count == 2)
    #expect(usual.setup.accounts == 2)
    #expect(usual.setup.mix == FaultMix(Fault.byDefault.filter { !$0.needsWholeStore }))
    #expect(usual.invariants.count == Catalogue.invariants.count)
    let other = try PropertyTest.scenario(
      for: ExactlyOnce.self, variant: .storeKit1, faults: [.appCrash])
    #expect(other.name == "exactly-once/storekit1")
    #expect(other.setup.variant == 1)
    #expect(other.setup.mix == FaultMix([.appCrash]))
  }

  @Test("A property test passes where what breaks is allowed, or expected and seen")
  func permitted() throws {
    var scenario = try forgetful()
    scenario.allows = ["I02", "right-account", "conservation"]
    let findings = try check(scenario)
    #expect(findings.broken != 0)
    scenario.allows = ["right-account", "conservation"]
    scenario.expects = ["no-double-credit"]
    _ = try check(scenario)
  }

  // MARK: - What fails

  @Test(
    "A property test fails with what broke, the seed, a small plan, the story, and lines to paste")
  func violation() throws {
    let scenario = try forgetful()
    let failure = try failure(scenario)
    #expect(failure.kind == .violation("no-double-credit"))
    let plan = try #require(failure.plan)
    #expect(
      "\(plan)"
        == "drop verify.reply tx1 #1, omit person.step step2 #1, omit person.phone phone2 #1"
    )
    #expect(failure.certificate?.isMinimal == true)
    let seed = try #require(failure.seed)
    #expect(Simulation(scenario).run(seed: seed).broken != 0)
    #expect(failure.timeline?.entries.contains { $0.text.contains("credits user1") } == true)
    let text = "\(failure)"
    #expect(
      text.hasPrefix("forgetful-shop: no-double-credit (I02) broke in "), "\(text)")
    #expect(text.contains("first under seed \(SeedText.text(seed)) (ShopTests.swift:12)\n"))
    #expect(
      text.contains(
        """

        It takes 1 decision
          drop verify.reply tx1 #1  without it: holds
          (step2, phone2 can be left out)

        forgetful-shop under a plan, without a seed: 2 invariants broken
        """), "\(text)")
    #expect(text.contains("✗ no-double-credit (I02), at"))
    #expect(
      text.hasSuffix(
        #"""

        To see it again, paste
          CHAOS_PLAN='\#(plan)' swift test --filter 'ShopTests[./](.*[./])?`?sellsOnce`?(\(|$)'
        or, for all that happens under seed \#(SeedText.text(seed))
          CHAOS_SEED=\#(SeedText.text(seed)) swift test --filter 'ShopTests[./](.*[./])?`?sellsOnce`?(\(|$)'

        CHAOS_SAVE=1 keeps the plan beside the test, where every run replays it first.
        """#), "\(text)")
  }

  @Test("A failed property test fails again by the plan and by the seed it names, as one run")
  func reproduction() throws {
    let scenario = try forgetful()
    let first = try failure(scenario)
    let plan = try #require(first.plan)
    let byPlan = try failure(scenario, ["CHAOS_PLAN": plan.description])
    #expect(byPlan.plan == plan)
    #expect(byPlan.kind == first.kind)
    #expect(byPlan.seed == nil)
    #expect(
      "\(byPlan)".hasPrefix("forgetful-shop: no-double-credit (I02) broke under CHAOS_PLAN='"))
    #expect(try failure(scenario, ["CHAOS_PLAN": plan.json]).plan == plan)
    let seed = SeedText.text(try #require(first.seed))
    let bySeed = try failure(scenario, ["CHAOS_SEED": seed])
    #expect(bySeed.seed == first.seed)
    #expect("\(bySeed)".contains("broke under CHAOS_SEED=\(seed) (ShopTests.swift:12)"))
    let both = try failure(scenario, ["CHAOS_SEED": "0", "CHAOS_PLAN": plan.description])
    #expect("\(both)".contains("broke under CHAOS_SEED=0x0 CHAOS_PLAN='"))
  }

  @Test("A property test names every other invariant that broke, and where")
  func others() throws {
    let text = "\(try failure(forgetful(Fault.allCases)))"
    #expect(text.contains("\n  with it: finish-only-after-credit (I03) broke in "), "\(text)")
    #expect(text.contains(" runs, first under seed 0x"))
  }

  @Test("A property test tells the quiet run where it takes no fault at all")
  func withoutFaults() throws {
    let failure = try failure(PropertyTest.scenario(for: ReceiptStore.self), ["CHAOS_PLAN": "[]"])
    #expect(failure.plan?.size == 0)
    #expect("\(failure)".contains("\nIt takes no fault at all\n"))
    let quiet = try forgetful([])
    #expect(try check(quiet, ["CHAOS_PLAN": "[]"]).runs == 1)
  }

  @Test("A property test that runs small plans only fails with a plan and without a seed")
  func exhaustive() throws {
    let failure = try failure(forgetful(), strategy: Exhaustive(faults: 1))
    #expect(failure.seed == nil)
    #expect(failure.plan?.size == 1)
    #expect(!"\(failure)".contains("CHAOS_SEED="))
  }

  @Test(
    "A property test fails where a whole campaign misses an expected violation, not a part of one")
  func missing() throws {
    var scenario = try forgetful([])
    scenario.expects = ["no-double-credit"]
    let failure = try failure(scenario)
    #expect(failure.kind == .missing(["no-double-credit"]))
    #expect(
      "\(failure)" == "forgetful-shop: no-double-credit was to break in 301 runs, and never did "
        + "(ShopTests.swift:12)")
    _ = try check(scenario, ["CHAOS_SEEDS": "100"])
    _ = try check(scenario, ["CHAOS_SEEDS": "300..<900"])
    #expect(throws: PropertyFailure.self) { try check(scenario, ["CHAOS_SEEDS": "400"]) }
  }

  @Test("A property test fails where no run reached a goal")
  func vacuous() throws {
    var scenario = try forgetful([])
    scenario.goals = [try #require(Goal(parsing: "credited + response-lost"))]
    let failure = try failure(scenario)
    #expect(failure.kind == .vacuous(["credited + response-lost"]))
    #expect(
      "\(failure)".contains("no run of 301 reached 'credited + response-lost', so they have shown"))
  }

  @Test("A property test fails where a run does not end, with a line that runs it again")
  func cutOff() throws {
    var scenario = try forgetful([])
    scenario.setup.eventLimit = 10
    let failure = try failure(scenario, strategy: RandomSearch(), seeds: 3..<5)
    #expect(failure.kind == .cutOff)
    #expect(failure.seed == 3)
    #expect("\(failure)".contains("a run was cut off after 10 events"))
    #expect("\(failure)".contains("\n  CHAOS_SEED=0x3 swift test --filter "))
  }

  @Test("A property test fails where the same seed does not give the same history")
  func nondeterministic() throws {
    let failure = try failure(PropertyTest.scenario(for: Moody.self))
    #expect(failure.kind == .nondeterministic)
    #expect(
      "\(failure)".hasPrefix(
        "moody: the system is nondeterministic: seed 0x0 came out differently when it was run again: "
      ), "\(failure)")
  }

  // MARK: - What cannot be judged

  @Test("A property test says which decisions of CHAOS_PLAN are never asked in its scenario")
  func otherPlan() throws {
    let scenario = try forgetful()
    let none = try error(scenario, ["CHAOS_PLAN": "drop verify.reply tx9 #1"])
    #expect(none.kind == .noVerdict)
    #expect("\(none)".contains("forgetful-shop: nothing that CHAOS_PLAN names was ever asked here"))
    let part = try error(
      scenario, ["CHAOS_PLAN": "delay verify.reply tx1 #1 = 90ms, drop verify.reply tx9 #1"])
    #expect("\(part)".contains("'drop verify.reply tx9 #1' of CHAOS_PLAN was never asked here"))
    let breaking = try failure(
      scenario, ["CHAOS_PLAN": "drop verify.reply tx1 #1, drop verify.reply tx9 #1"])
    #expect(breaking.plan?.size == 1)
  }

  @Test("With CHAOS_BUDGET a property test goes on until its time is over, as a whole campaign")
  func budget() throws {
    let findings = try check(forgetful([]), seeds: 0..<10, ["CHAOS_BUDGET": "300ms"])
    #expect(findings.isInterrupted)
    var scenario = try forgetful([])
    scenario.expects = ["no-double-credit"]
    let failure = try failure(scenario, seeds: 0..<10, ["CHAOS_BUDGET": "300ms"])
    #expect(failure.kind == .missing(["no-double-credit"]))
  }

  @Test(
    "A property test refuses a variable without sense: which, what was found, what was expected",
    arguments: [
      (
        ["CHAOS_SEEDS": "oops"],
        "CHAOS_SEEDS: 'oops' is no number of seeds: expected N, or A..<B such as 2000..<4000"
      ),
      (
        ["CHAOS_SEED": "2a"],
        "CHAOS_SEED: '2a' is no seed: expected a decimal number below 2^64, 0x and at most 16 hex "
          + "digits, or the 40 hex digits of a commit; did you mean '0x2a'?"
      ),
      (
        ["CHAOS_PLAN": "drop verify.repyl tx1"],
        "CHAOS_PLAN: 'drop verify.repyl' is not a question of this simulator; "
          + "did you mean 'drop verify.reply'?"
      ),
      (
        ["CHAOS_BUDGET": "soon"],
        "CHAOS_BUDGET: 'soon' is no time: expected one such as 30s, 500ms, 5m or 2h"
      ),
      (["CHAOS_SAVE": "yes"], "CHAOS_SAVE: 'yes' is neither yes nor no: expected 1 or 0"),
      (
        ["CHAOS_SEED": "1", "CHAOS_SEEDS": "2"],
        "CHAOS_SEED and CHAOS_SEEDS contradict each other: one run or many, not both"
      ),
      (
        ["CHAOS_PLAN": "[]", "CHAOS_BUDGET": "2s"],
        "CHAOS_PLAN and CHAOS_BUDGET contradict each other: one run or many, not both"
      ),
    ])
  func variables(environment: [String: String], message: String) throws {
    let error = try error(forgetful(), environment)
    #expect(error == PropertyError(kind: .usage, message: message))
  }

  @Test("A property test refuses a variable that there is not, and says which was meant")
  func misspeltVariables() throws {
    let error = try #require(
      #expect(throws: PropertyError.self) {
        try CheckEnvironment(["CHAOS_SED": "3", "CHAOSSTORE": "1"])
      })
    #expect(error.message == "CHAOS_SED: there is no such variable; did you mean 'CHAOS_SEED'?")
    #expect(throws: PropertyError.self) { try CheckEnvironment(["CHAOS_WHATEVER": "3"]) }
    #expect(
      try CheckEnvironment(["CHAOS_SED": "", "CHAOSSTORE_HOSTED_APP": "x"]) == CheckEnvironment())
  }

  @Test("A property test takes a variable that is empty as one that is not set")
  func emptyVariables() throws {
    #expect(
      try CheckEnvironment(["CHAOS_SEED": "", "CHAOS_PLAN": "", "CHAOS_SEEDS": ""])
        == CheckEnvironment())
    let commit = "0000000000000001000000000000000200000004"
    #expect(try CheckEnvironment(["CHAOS_SEED": commit]).single?.seed == 7)
  }

  /// A change that leaves a scenario without sense, and what is said of it.
  struct Nonsense: Sendable {
    var message: String
    var change: @Sendable (inout Scenario) -> Void

    init(_ message: String, _ change: @escaping @Sendable (inout Scenario) -> Void) {
      self.message = message
      self.change = change
    }
  }

  @Test(
    "A property test refuses a scenario that makes no sense",
    arguments: [
      Nonsense("steps[1].device: found 5, expected one of 2 devices, counted from 0") {
        $0.setup.steps[1].device = 5
      },
      Nonsense("steps[0].product: found 7, expected one of 2 products, counted from 0") {
        $0.setup.steps[0].action = .buy(product: 7, quantity: 1, account: 0)
      },
      Nonsense("expected at least one step, or arrivals") { $0.setup.steps = [] },
      Nonsense("accounts: found 0, expected a whole number from 1 to 1000000") {
        $0.setup.accounts = 0
      },
      Nonsense("allows[0]: found 'no-duoble-credit', expected an invariant") {
        $0.allows = ["no-duoble-credit"]
      },
      Nonsense("variant: found 'best', expected") { $0.variant = "best" },
      Nonsense("setup.variant: found 3, expected 0 for 'published'") { $0.setup.variant = 3 },
      Nonsense("backend: found 'idempotent', expected") { $0.setup.backend = .idempotent },
      Nonsense("invariants: found an empty list, expected at least one invariant") {
        $0.invariants = []
      },
    ])
  func nonsense(_ nonsense: Nonsense) throws {
    var scenario = try forgetful()
    nonsense.change(&scenario)
    let error = try error(scenario)
    #expect(error.kind == .usage)
    #expect("\(error)".hasPrefix("the scenario 'forgetful-shop': "))
    #expect("\(error)".contains(nonsense.message), "\(error)")
  }

  @Test("A property test refuses seeds that are none or too many")
  func seeds() throws {
    #expect("\(try error(forgetful(), seeds: 4..<4))" == "seeds: 4..<4 is empty")
    #expect("\(try error(forgetful(), seeds: 0..<(.max)))".contains("is more than can be run"))
  }

  @Test("A property test judges invariants of somebody's own as it does those of the catalogue")
  func ownInvariant() throws {
    var scenario = try forgetful([])
    scenario.invariants.append(NeverRich())
    let failure = try failure(scenario)
    #expect(failure.kind == .violation("never-rich"))
  }

  @Test(
    "The line to paste finds its test again by name, whatever the name is made of",
    arguments: [
      ("sells()", #"'ShopTests[./](.*[./])?`?sells`?(\(|$)'"#),
      ("sells(kind:)", #"'ShopTests[./](.*[./])?`?sells`?(\(|$)'"#),
      ("sells (at once)()", #"'ShopTests[./](.*[./])?`?sells \(at once\)`?(\(|$)'"#),
    ])
  func filter(function: String, pattern: String) throws {
    let place = TestPlace(
      filePath: "ShopTests.swift", fileID: "ShopTests/ShopTests.swift", function: function, line: 1)
    #expect(place.command("A=1") == "A=1 swift test --filter \(pattern)")
  }

  @Test("The line to paste finds tests in suites, in classes and by themselves, and no others")
  func found() throws {
    let place = TestPlace(
      filePath: "ShopTests.swift", fileID: "ShopTests/ShopTests.swift", function: "sells()", line: 1
    )
    let quoted = try #require(place.command("A=1").split(separator: " ").last)
    let pattern = try Regex(String(quoted.dropFirst().dropLast()))
    for name in [
      "ShopTests.sells()", "ShopTests.sells()/ShopTests.swift:9:4", "ShopTests.Coins/sells()",
      "ShopTests.Coins/sells(kind:)/ShopTests.swift:9:4", "ShopTests.CoinTests/sells",
      "ShopTests.Shop.Coins/sells()", "ShopTests.`sells`()/ShopTests.swift:9:4",
    ] {
      #expect(name.firstMatch(of: pattern) != nil, "\(name)")
    }
    for name in ["ShopTests.resells()", "ShopTests.Coins/sellsOnce()", "OtherTests.Coins/sells()"] {
      #expect(name.firstMatch(of: pattern) == nil, "\(name)")
    }
  }
}

/// Lets nobody be credited.
private struct NeverRich: Invariant {
  let name = "never-rich"
  let code = "X01"
  let summary = "Nobody is credited."
  let meaning = "A rule of these tests' own."
  let evidence: [String] = []
  let listensTo: [Fact.Kind] = [.credited]
  func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool { true }
}

/// Remembers earlier runs, as no system may.
private enum Moody: PurchaseSystem {
  typealias Backend = ForgetfulShop.Backend
  static let entry = SystemEntry(
    name: "moody", summary: "Never does the same thing twice.", backends: [.naive])
  static let launches = Atomic<Int>(0)

  struct App: PurchaseApp {
    init(_ launch: Launch) {}
    mutating func launched(_ phone: Phone) {
      phone.startTimer(
        after: Int64(Moody.launches.wrappingAdd(1, ordering: .relaxed).newValue))
    }
    mutating func tapped(_ tap: Tap, _ phone: Phone) { phone.add(tap) }
  }
}
