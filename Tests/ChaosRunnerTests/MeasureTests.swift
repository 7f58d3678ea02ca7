import Foundation
import Invariants
import Synchronization
import Testing

@testable import ChaosRunner
@testable import ChaosStore

/// Finds what a test says.
private struct Told: Strategy {
  let name = "told"
  let about = "finds what it is told"
  var isProof = false
  var change: @Sendable (inout Findings) -> Void = { _ in }

  func search(_ scenario: Scenario, _ budget: Budget) -> Findings {
    var findings = Findings(scenario)
    findings.runs = 50
    change(&findings)
    return findings
  }
}

@Suite struct MeasureTests {
  // MARK: - Campaigns

  private func campaign(
    seeds: Range<UInt64>? = nil, isProof: Bool = false,
    _ change: @escaping @Sendable (inout Findings) -> Void
  ) -> ScenarioResult {
    ScenarioRunner(Bench.usual[4])
      .campaign(Told(isProof: isProof, change: change), Budget(seeds: seeds))
  }

  @Test func `A campaign is full where it ran all seeds of its scenario, from the first on`() {
    #expect(campaign { $0.randomRuns = 40 }.isFull)
    #expect(campaign { $0.randomRuns = 41 }.isFull)
    #expect(!campaign { $0.randomRuns = 39 }.isFull)
    #expect(campaign(seeds: 0..<40) { $0.randomRuns = 40 }.isFull)
    #expect(!campaign(seeds: 1..<90) { $0.randomRuns = 89 }.isFull)
  }

  @Test func `A budget is spent where a campaign was ended before it was full`() {
    #expect(
      campaign {
        $0.randomRuns = 39
        $0.isInterrupted = true
      }.isSpent)
    #expect(
      !campaign {
        $0.randomRuns = 40
        $0.isInterrupted = true
      }.isSpent)
    #expect(!campaign { $0.randomRuns = 39 }.isSpent)
    #expect(campaign(isProof: true) { _ in }.isProof)
    #expect(!campaign { _ in }.isProof)
  }

  @Test func `A campaign says what broke of each rule, by a seed rather than a plan`() throws {
    let plan = try Plan(parsing: "drop verify.reply tx1 #1")
    let result = campaign { findings in
      findings.rules[0].runs = 3
      findings.rules[0].firstSeed = 7
      findings.rules[0].failingSeeds = [7, 9]
      findings.rules[0].smallestPlan = plan
      findings.rules[2].runs = 1
      findings.rules[2].smallestPlan = plan
    }
    #expect(result.findings.map(\.rule) == [0, 2])
    #expect(result.findings.map(\.origin) == [Origin(seed: 7), Origin(plan: plan)])
    #expect(result.findings.map(\.runs) == [3, 1])
    #expect(result.findings[0].failing == [7, 9])
    #expect(result.findings[0].smallest == plan)
    #expect(result.bugs.contains { $0.contains("does not when it is run again alone") })
  }

  @Test func `A run matches nothing where every decision of its plan is named in vain`() throws {
    let runner = ScenarioRunner(Bench.usual[4])
    let (asked, vain) = ("drop verify.request tx1 #1", "drop verify.reply tx9 #1")
    for (plan, nothing, count) in [
      ("", false, 0), (asked, false, 0), (vain, true, 1), ("\(asked), \(vain)", false, 1),
    ] {
      let result = runner.single(seed: nil, plan: try Plan(parsing: plan))
      #expect(result.matchesNothing == nothing, "\(plan)")
      #expect(result.unmatched.count == count, "\(plan)")
    }
  }

  // MARK: - Plans that failures come down to

  @Test func `Failures are told by the plan that most seeds come down to, then the first`() throws {
    let scenario = Bench.usual[0]
    let runner = ScenarioRunner(scenario)
    var finding = Finding(0, scenario, runs: 9, origin: Origin(seed: 0))
    let simulation = Simulation(scenario)
    finding.failing = (0..<40).filter { simulation.run(seed: $0).broken & 1 == 1 }
    let lost = try Plan(parsing: Kept.lost)
    finding.smallest = lost
    let told = Mutex<[Int]>([])
    var shrinker = FailureShrinker(finding, runner) { runs in told.withLock { $0.append(runs) } }
    shrinker.first()
    #expect(shrinker.finding.lookedAt == 1 && shrinker.finding.clusters.count == 1)
    shrinker.rest()
    finding = shrinker.finding
    #expect(shrinker.isWhole)
    let runs = told.withLock { $0 }
    #expect(runs == Array(1...runs.count) && runs.count > finding.failing.count)
    #expect(finding.lookedAt == finding.failing.count)
    let cluster = try #require(finding.clusters.first)
    #expect(finding.plan == cluster.plan)
    #expect(cluster.plan.size == 1)
    #expect(finding.clusters.map(\.seeds).reduce(0, +) == finding.failing.count)
    #expect(cluster.seeds == finding.clusters.map(\.seeds).max())
    #expect(cluster.firstSeed == finding.failing.first)
    #expect(runner.plan(for: finding) == cluster.plan)
  }

  @Test func `A failure that only a plan showed comes down to that plan, and to no seed`() throws {
    let scenario = Bench.usual[0]
    let runner = ScenarioRunner(scenario)
    let plan = try Plan(parsing: "\(Kept.lost), delay verify.reply tx1 #1 = 77ms")
    var finding = Finding(0, scenario, runs: 1, origin: Origin(plan: plan))
    #expect(runner.plan(for: finding)?.size == 1)
    var shrinker = FailureShrinker(finding, runner) { _ in }
    shrinker.rest()
    finding = shrinker.finding
    #expect(finding.clusters.map(\.seeds) == [0])
    #expect(finding.clusters.first?.firstSeed == nil)
    #expect(finding.clusters.first?.plan.size == 1)
    #expect(finding.clusters.first?.certificate.isMinimal == true)
    let sound = Finding(3, scenario, runs: 1, origin: Origin(plan: plan))
    #expect(runner.plan(for: sound) == nil)
    #expect(runner.searchSmaller(than: plan, sound, Budget()) == nil)
  }

  // MARK: - Power

  @Test func `The middle of several numbers is one of them, the lower of two`() {
    #expect(PowerTrial.median([5]) == 5)
    #expect(PowerTrial.median([4, 1]) == 1)
    #expect(PowerTrial.median([9, 1, 4]) == 4)
    #expect(PowerTrial.median([9, 1, 4, 7]) == 4)
  }

  /// A planted defect that random search finds after some thousand runs.
  private func rareBench() throws -> Bench {
    var scenario = Bench.usual[0]
    scenario.setup.mix.entries[.requestLost] = .init(chance: try #require(Ratio(1, 4000)), most: 1)
    var bench = Bench()
    bench.targets = [PowerTests.target(scenario, .lost)]
    return bench
  }

  @Test func `A search is worse that needs over thrice its runs and 2,000, or more decisions`()
    throws
  {
    let arguments = ["power", "random", "--starts", "1", "--budget", "60s"]
    var bench = try rareBench()
    let before = bench.run(arguments + ["--format", "json"]).out
    let document = try JSONDecoder().decode(PowerDocument.self, from: Data(before.utf8))
    let strategy = try #require(document.mutants.first?.strategies.first)
    let runs = strategy.medianRuns
    try #require(runs > 2100, "\(runs) runs")
    let enough = (runs - 2000 + 2) / 3
    func output(_ runs: Int, size: Int) -> Bench.Output {
      bench.files["power.json"] =
        before.replacing(
          "\"medianRuns\" : \(strategy.medianRuns)", with: "\"medianRuns\" : \(runs)"
        )
        .replacing("\"size\" : 1", with: "\"size\" : \(size)")
      return bench.run(arguments + ["--baseline", "power.json"])
    }
    #expect(output(enough, size: 1).code == 0)
    #expect(output(runs * 2, size: 2).code == 0, "better than before")
    let slow = output(enough - 1, size: 1)
    #expect(slow.code == 1)
    #expect(slow.out.contains("WORSE  hasty-lost by random: \(runs.grouped) runs to find it, was "))
    let large = output(enough, size: 0)
    #expect(large.code == 1)
    #expect(large.out.contains("WORSE  hasty-lost by random: shrunk to 1 decision, was 0"))
  }

  @Test func `What a baseline of power did not find from every start is not missed`() throws {
    var bench = Bench()
    bench.targets = [PowerTests.target(Bench.usual[5], .twice)]
    let arguments = ["power", "exhaustive", "--budget", "100ms", "--format", "json"]
    let none = bench.run(arguments).out
    bench.files["power.json"] = none
    #expect(!bench.run(arguments + ["--baseline", "power.json"]).out.contains("was by all"))
    bench.files["power.json"] = none.replacing("\"found\" : 0", with: "\"found\" : 1")
    #expect(bench.run(arguments + ["--baseline", "power.json"]).out.contains("was by all"))
  }

  // MARK: - Lines to paste

  @Test func `A line to paste names no file where the usual one was named with its folder`() {
    var bench = Bench()
    bench.files = ["./scenarios.json": "the bench's own"]
    let output = bench.run(
      "--scenarios", "./scenarios.json", "--scenario", "hasty-lost", "--seed", "0")
    #expect(output.out.contains("chaos-runner --scenario hasty-lost --seed 0x0\n"))
    #expect(!output.out.contains("--scenarios"))
  }

  // MARK: - Kept plan files

  private func replayed(
    _ expectation: PlanFile.Expectation, of system: AnySystem? = nil
  ) throws -> Regression {
    let scenarios = system.map { Kept.scenarios(of: $0) } ?? Bench.usual
    let file = try Kept.file(expecting: expectation)
    return Regression(path: "a.json", result: .replayed(Replay(file, among: scenarios)))
  }

  @Test func `A kept violation that is gone is missing, one that has come is unexpected`() throws {
    let lost = PlanFile.Expectation.violates("no-charge-without-delivery")
    let same = try replayed(lost)
    let gone = try replayed(lost, of: AnySystem(MendedShop.self))
    let come = try replayed(.holds)
    let unread = Regression(path: "b.json", result: .unreadable("it cannot be read"))
    #expect(
      [same, gone, come, unread].map(\.verdict) == [
        .asExpected, .missing, .unexpected, .noVerdict,
      ])
    #expect([same, gone, come, unread].map(\.isAsRecorded) == [true, false, false, false])
    #expect(unread.doubts == ["it cannot be read"])
    var all = Regressions(all: [same, unread])
    #expect(all.verdict == .noVerdict && all.noLongerMatch.count == 1)
    all.all.append(gone)
    #expect(all.verdict == .missing && all.different.count == 1)
    #expect((all.stillFail, all.hold) == (1, 0))
    var left = Regressions(all: [same])
    #expect(left.verdict == .asExpected && left.troubles(\.grouped) == [])
    left.left = 1
    #expect(left.verdict == .noVerdict && left.troubles(\.grouped) == ["1 not replayed"])
    #expect(Regressions().verdict == .asExpected && Regressions().isEmpty)
  }
}
