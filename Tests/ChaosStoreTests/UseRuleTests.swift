import Invariants
import Testing

@testable import ChaosStore

@Suite("What people do of their own accord, and what meets them")
struct UseRuleTests {
  // MARK: - Uses

  @Test("A person closes the app after a tap or after being told, and opens it a second later")
  func reopening() throws {
    let record = try Probe.run(Probe.Hands(), "reopen app tx1 #1")
    #expect(record.times(.ended) == [1000])
    #expect(record.times(.launched) == [0, 2000])
    let told = try Probe.run(Probe.Hands(), "reopen app tx1 #2, delay person.quit tx1 #1 = 700ms")
    #expect(told.times(.told) == [1091])
    #expect(told.times(.ended) == [1791])
  }

  @Test("An app that a person closes has written what it stored")
  func closingWrites() throws {
    let hands = Probe.Hands()
    hands.tapped = { _, phone in phone.save(StoredRecord(transaction: .none), key: 7) }
    hands.launched = { phone in hands.note("\(phone.records.reduce(0) { $0 + Int($1.key) })") }
    try Probe.run(hands, "reopen app tx1 #1, delay storage.flush phone1 #1 = 1000ms")
    #expect(hands.log == ["0", "7"])
  }

  @Test("Nobody closes an app that nobody would open again, and none that has ended by then")
  func notClosing() throws {
    try Probe.run(Probe.Hands(), "reopen app tx1 #1", vain: 1) { $0.relaunches = false }
    let record = try Probe.run(
      Probe.Hands(), "reopen app tx1 #1, delay person.quit tx1 #1 = 3000ms"
    ) { $0.steps += [.init(atMillis: 1500, .quit), .init(atMillis: 2500, .open)] }
    #expect(record.times(.ended) == [1500])
  }

  @Test("Nothing of an app in the background runs until it is back, and in its order then")
  func background() throws {
    let hands = Probe.Hands()
    hands.tapped = { tap, phone in
      phone.add(tap, applicationUsername: .account(tap.account))
      phone.startTimer(after: 300)
      phone.startTimer(after: 9000)
    }
    hands.updated = { hands.note("\($1.now) called back with tx\($0.id.raw + 1)") }
    hands.timerFired = { hands.note("\($1.now) timer") }
    let record = try Probe.run(
      hands, "background app tx1 #1, delay app.foreground phone1 #1 = 5000ms")
    #expect(record.times(.charged) == [1050])
    #expect(hands.log == ["6000 called back with tx1", "6000 timer", "10000 timer"])
  }

  @Test("People tap in an app that is there: what the scenario has them tap meanwhile comes after")
  func tapsAfterBackground() throws {
    let record = try Probe.run(
      Probe.Hands(), "background app tx1 #1, delay app.foreground phone1 #1 = 5000ms"
    ) { $0.steps.append(.init(atMillis: 2000, .buy(product: 0, quantity: 1, account: 0))) }
    #expect(record.times(.tapped) == [1000, 6000])
  }

  @Test("An app that ends in the background is not there any more when it is opened again")
  func endsInBackground() throws {
    let record = try Probe.run(
      Probe.Hands(), "background app tx1 #1, delay app.foreground phone1 #1 = 20000ms"
    ) { $0.steps += [.init(atMillis: 2000, .quit), .init(atMillis: 3000, .open)] }
    #expect(record.times(.launched).contains(3000))
    #expect(record.times(.delivered).contains { $0 < 10_000 })
  }

  @Test("What was held back in the background comes in its order, after the heal as well")
  func backgroundAtTheHeal() throws {
    let hands = Probe.Hands()
    hands.tapped = { tap, phone in
      for millis: Int64 in [500, 3000, 9000] { phone.startTimer(after: millis) }
    }
    hands.timerFired = { hands.note("\($1.now)") }
    try Probe.run(
      hands, "background app tx1 #1, delay app.foreground phone1 #1 = 7000ms"
    ) { $0.healMillis = 2000 }
    #expect(hands.log == ["8000", "8000", "10000"])
  }

  @Test("A person who was told something wants the same once more, as a wish of its own")
  func buyingMore() throws {
    let plan = "buy person.more tx1 #1, buy person.more tx1/a2 #1"
    let record = try Probe.run(Probe.Hands(), plan, vain: 1)
    #expect(record.times(.tapped) == [1000, 2091])
    #expect(record.count(.charged) == 2)
    #expect(record.asked(.buyMore, "tx1/a2") == 0)
  }

  @Test("After the heal people do what the scenario says and no more")
  func afterTheHeal() throws {
    try Probe.run(Probe.Hands(), "reopen app tx1 #1", vain: 1) { $0.healMillis = 500 }
  }

  @Test("A seed asks for uses only where the mix names them, and a plan may name any")
  func mixes() throws {
    func uses(_ mix: FaultMix) -> Int {
      let scenario = Probe.scenario { $0.mix = mix }
      let simulation = Probe.$hands.withValue(Probe.Hands()) { Simulation(scenario) }
      return (0..<300 as Range<UInt64>).count { seed in
        simulation.record(seed: seed).full.decisions.contains { $0.question == .reopenApp }
      }
    }
    #expect(uses(FaultMix([.responseLost])) == 0)
    #expect(uses(FaultMix([.responseLost, .reopen])) > 0)
    #expect(uses(FaultMix(Fault.allCases)) > 0, "every mix of all faults has a few")
    #expect(Fault.allCases.filter(\.isUse) == [.reopen, .visitAgain, .buyMore, .background])
  }

  // MARK: - Uses in a search

  /// Loses what is swallowed at a launch; so it breaks where there is one.
  private func swallowing() throws -> Scenario {
    try Stage.one("observe-at-launch") { $0.mix = FaultMix([.missingRedelivery]) }
  }

  @Test("What strikes only at a launch is found by one fault and one use, and by no fault alone")
  func searching() throws {
    let scenario = try swallowing()
    let none = Exhaustive(faults: 2, relaunches: 0).search(scenario, Budget())
    #expect(none.holdsUpTo == 2)
    let found = Exhaustive(faults: 1, moves: 0, uses: 1).search(scenario, Budget())
    #expect(found.broken != 0)
    #expect(found.proof?.mostUses == 1)
    #expect(found.proof?.plans.count == 3, "a use is counted beside the faults")
  }

  @Test(
    "A fault that strikes only at a launch gets one, which does not count, unless none is wanted")
  func relaunch() throws {
    let scenario = try swallowing()
    for faults in 1...2 {
      let found = Exhaustive(faults: faults).search(scenario, Budget())
      #expect(found.broken != 0)
      #expect(found.proof?.plans.count == faults + 1)
      let gaps = found.proof?.leavesOut(upTo: faults, readsClock: false) ?? []
      #expect(gaps.contains { $0.contains("but for one launch that a fault needs") })
      let rule = try #require(found.rules.first { $0.runs > 0 })
      #expect(
        rule.smallestPlan?.decisions.map(\.question) == [.reopenApp, .swallowCallback],
        "\(rule.smallestPlan?.description ?? "none")")
    }
    #expect(Exhaustive(faults: 1).search(scenario, Budget(relaunches: 0)).broken == 0)
    let portfolio = Portfolio().search(scenario, Budget(seeds: 0..<1))
    #expect(portfolio.broken != 0, "so it is found where nobody asks for it")
  }

  @Test(
    "An app is opened again for a fault at a launch alone, once a plan, as far as it is allowed")
  func relaunchBounds() throws {
    let faults: [Fault] = [.missingRedelivery, .replayFinished, .responseLost]
    let scenario = try Stage.one("observe-at-launch") { $0.mix = FaultMix(faults) }
    var budget = Budget()
    budget.listsPlans = true
    func ran(_ relaunches: Int) throws -> [Plan] {
      let found = Exhaustive(faults: 2, relaunches: relaunches).search(scenario, budget)
      return try #require(found.proof).ran
    }
    let plans = try ran(2)
    #expect(plans.count == Set(plans).count, "each is run once")
    let reopened = plans.filter { $0.decisions.contains(where: \.isUse) }
    for plan in reopened {
      #expect(plan.decisions.count(where: \.isUse) == 1)
      let after = plan.decisions.drop { !$0.isUse }
      #expect(after.contains { $0.question.strikesAtLaunch }, "\(plan)")
      #expect(plan.decisions.count { !$0.isUse } <= 2)
    }
    #expect(Set(reopened.map(\.size)) == [2, 3])
    // Those without it are the same, however many there are with it.
    let none = try ran(0)
    #expect(none.allSatisfy { !$0.decisions.contains(where: \.isUse) })
    #expect(plans.filter { !$0.decisions.contains(where: \.isUse) } == none)
    let one = try ran(1).filter { $0.decisions.contains(where: \.isUse) }
    #expect(Set(one) == Set(reopened.filter { $0.size == 2 }))
    // Wherever a fault stands, before the app is opened again or while it is closed.
    #expect(reopened.contains { $0.decisions.map(\.isUse) == [false, true, false] })
    #expect(reopened.contains { $0.decisions.map(\.isUse) == [true, false, false] })
  }

  @Test("No plan of a search has more uses, faults or moves than it is allowed")
  func bounds() throws {
    let scenario = try swallowing()
    let findings = Exhaustive(faults: 0, moves: 0, uses: 2).search(scenario, Budget())
    let all = Exhaustive(faults: 1, moves: 1, uses: 1).search(scenario, Budget())
    #expect(findings.proof?.plans.count == 3)
    #expect(all.proof?.plans.count == 3)
    #expect(Exhaustive(faults: 1).search(scenario, Budget(uses: 1)).proof?.mostUses == 1)
    #expect(Exhaustive(faults: 1).search(scenario, Budget()).proof?.mostUses == 0)
  }

  @Test(
    "The corrected design holds with a use beside each fault",
    arguments: ["storekit2", "storekit1"])
  func exactlyOnce(variant: String) throws {
    let scenario = try Stage.one("exactly-once", variant: variant, backend: .idempotent) {
      $0.mix = FaultMix(Fault.allCases.filter { !$0.needsHostedApp })
      $0.healMillis = 30_000
    }
    let findings = Exhaustive(faults: 1, moves: 0, uses: 1).search(scenario, Budget(jobs: 2))
    #expect(findings.holdsUpTo == 2)
  }

  // MARK: - Products

  @Test("Products that are asked for do not come, or come late, for a tap and for none")
  func products() throws {
    func answers(_ plan: String) throws -> [String] {
      let hands = Probe.Hands()
      hands.launched = { phone in phone.loadProducts() }
      hands.tapped = { tap, phone in phone.loadProducts(for: tap) }
      hands.products = { hands.note("\($2.now) \($1.isNone ? "launch" : "tap"): \($0)") }
      try Probe.run(hands, plan)
      return hands.log
    }
    #expect(try answers("") == ["50 launch: true", "1050 tap: true"])
    #expect(
      try answers("fail store.products phone1 #1") == ["50 launch: false", "1050 tap: true"])
    #expect(try answers("fail store.products tx1 #1") == ["50 launch: true", "1050 tap: false"])
    #expect(
      try answers("delay store.products tx1 #1 = late") == ["50 launch: true", "11000 tap: true"])
  }

  @Test("A person whose tap led to no product list is told so, and taps again three seconds later")
  func tappingAgain() throws {
    for system in ["observer-on-demand", "white-black-tables"] {
      let scenario = try Stage.one(system) { $0.retaps = 1 }
      let record = Simulation(scenario).record(
        seed: nil, plan: try Plan(parsing: "fail store.products tx1 #1"))
      #expect(record.times(.tapped) == [1000, 4050], "\(system)")
      #expect(record.count(.charged) == 1, "\(system)")
    }
  }

  // MARK: - Who is logged in

  @Test("Another user logs in soon after each step of a purchase")
  func switching() throws {
    func sessions(_ plan: String) throws -> [String] {
      let hands = Probe.Hands()
      hands.sessionChanged = { hands.note("\($0.now): user\($0.account.index + 1)") }
      try Probe.run(hands, plan) { $0.accounts = 2 }
      return hands.log
    }
    #expect(try sessions("switch person.payment tx1 #1") == ["1000: user2", "21000: user1"])
    #expect(try sessions("switch person.callback tx1 #1") == ["1051: user2", "21051: user1"])
    #expect(try sessions("switch person.report tx1 #1") == ["1051: user2", "21051: user1"])
    let answered = try sessions("switch person.reply tx1 #1")
    #expect(answered == ["1091: user2", "21091: user1"])
    #expect(try Probe.run().asked(.switchAtPay, "tx1") == 0, "there is one user")
  }
}
