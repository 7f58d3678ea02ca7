import ChaosStore
import Testing

@testable import ChaosRunner

@Suite struct ExploreTests {
  @Test
  func `An exhaustive search counts the plans that were run and shows the small ones that break`() {
    let output = Bench().run(
      "explore", "exhaustive", "--faults", "1", "--scenario", "hasty-lost")
    #expect(output.code == 0)
    #expect(
      output.out.contains(
        """
        ✗ no-charge-without-delivery (I01) broke in 1 run, expected
          comes down to 1 decision:
            drop verify.request tx1 #1  without it: holds
            (step2, step3 can be left out)
            swift run -c release chaos-runner --scenario hasty-lost --plan
        """.trimmingEnd))
    #expect(output.out.contains("no-double-credit") == false)
  }

  @Test func `An exhaustive search states what it proved where nothing breaks`() {
    let output = Bench().run(
      "explore", "exhaustive", "--faults", "2", "--scenario", "sound-*")
    #expect(output.code == 0)
    #expect(
      output.out.contains(
        "  holds  every plan of up to 2 decisions, with one delay moved at a time: 3 plans, none breaks an"
      ))
    #expect(output.out.contains("\n  not covered: orders that need two delays together; "))
  }

  @Test func `A search by seeds gives a bound on how often a system fails`() {
    let output = Bench().run("explore", "random", "--scenario", "sound-lost", "--seeds", "3000")
    #expect(output.out.contains("  seeds  3,000 run"))
    #expect(
      output.out.contains(
        "  rate   fewer than 1 run in 1,001 breaks anything, with 95 % confidence"))
  }

  @Test func `Failures that come down to one plan are one entry`() throws {
    let output = Bench().run("explore", "random", "--scenario", "hasty-lost", "--format", "json")
    let scenario = try #require(try JSONOutput(output).scenarios.first)
    let lost = try #require(
      scenario.violations.first { $0.invariant == "no-charge-without-delivery" })
    let clusters = try #require(lost.clusters)
    #expect(clusters.count == 1)
    #expect(clusters[0].seeds == lost.runs)
    #expect(clusters[0].size == 1)
    #expect(clusters[0].isMinimal)
    #expect(clusters[0].smaller == nil)
  }

  @Test func `It is proved on request that no smaller plan breaks the rule`() throws {
    let output = Bench().run(
      "explore", "random", "--prove", "--scenario", "hasty-lost", "--format", "json")
    let scenario = try #require(try JSONOutput(output).scenarios.first)
    let cluster = try #require(scenario.violations.first?.clusters?.first)
    #expect(cluster.smaller == "none")
    #expect(cluster.smallerPlansRun == 1)
    let text = Bench().run("explore", "random", "--prove", "--scenario", "hasty-lost").out
    #expect(text.contains("no smaller plan does it: all 1 were run"))
  }

  @Test func `An exhaustive search that runs out of budget has proved nothing, and says so`() {
    var bench = Bench()
    bench.scenarios = [
      Bench.sound(
        "sound", [.requestLost, .responseLost, .lateResponse, .reordering, .slowServer], "F40")
    ]
    let output = bench.run("explore", "exhaustive", "--faults", "8", "--budget", "50ms")
    #expect(output.code == 2)
    // How many were run says where lines end.
    let text = output.onOneLine
    #expect(text.contains("NO VERDICT the budget was spent before every plan was run"))
    #expect(text.contains("give it a longer --budget or fewer --faults"))
  }

  @Test func `Exploring is refused without a strategy that there is`() {
    for (arguments, message) in [
      (["explore"], "'explore' needs a strategy: portfolio, random, exhaustive"),
      (["explore", "exhaustiv"], "did you mean 'exhaustive'?"),
      (["explore", "random", "--faults", "x"], "--faults: 'x' is no number of faults"),
      (["explore", "exhaustive", "--moves", "9"], "--moves: '9' is no number of moves"),
      (
        ["explore", "random", "--budget", "soon"], "--budget: 'soon' is no time: expected one such"
      ),
      (["run", "--seed", "1", "--budget", "1s"], "--seed and --budget contradict each other"),
    ] {
      let output = Bench().run(arguments)
      #expect(output.code == 64, "\(arguments)")
      #expect(output.err.contains(message), "\(output.err)")
    }
  }
}

@Suite struct CampaignTests {
  @Test func `A campaign that never reaches a goal of its scenario is vacuous, which is no pass`()
    throws
  {
    var bench = Bench()
    bench.scenarios = [Bench.sound("sound", [.requestLost], "F40")]
    bench.scenarios[0].goals = try ["credited", "credited + replay-finished"].map {
      try #require(Goal(parsing: $0))
    }
    let output = bench.run()
    #expect(output.code == 2)
    #expect(
      output.out.contains(
        "VACUOUS  sound: no run reached 'credited + replay-finished', so it has shown nothing"))
    #expect(output.out.contains("NOT as expected: 1 scenario that showed nothing"))
    let details = bench.run("--details").out
    #expect(details.contains("checkout-benchmark  idempotent  vacuous\n"))
    #expect(!details.contains("idempotent  ok"))
    // A part of the seeds may not come to it; that says nothing yet.
    #expect(bench.run("--seeds", "5").code == 0)
  }

  @Test func `Coverage shows at which steps which fault struck, and names where none did`() {
    var bench = Bench()
    bench.scenarios = [Bench.sound("sound", [], "all")]
    bench.scenarios[0].setup.mix.entries[.requestLost] = .init(chance: Ratio(1, 2)!)
    bench.scenarios[0].setup.mix.entries[.recordLost] = .init(chance: Ratio(1, 2)!)
    let output = bench.run("--coverage").out
    #expect(output.contains("How often each fault struck, by step of a purchase"))
    #expect(output.contains("F40 request-lost"))
    #expect(output.contains("Allowed and never struck\n  record-lost at storage"))
    #expect(bench.run("--seed", "1", "--coverage").code == 64)
  }

  @Test func `A campaign with a budget is over in about that time, whatever the number of seeds`() {
    var bench = Bench()
    bench.scenarios = [Bench.sound("sound", [.requestLost], "F40", seeds: 1_000_000_000)]
    let start = ContinuousClock.now
    let output = bench.run("--budget", "200ms")
    #expect(ContinuousClock.now - start < .seconds(20))
    #expect(output.code == 0)
    #expect(output.out.contains("The budget was spent before the seeds that 1 scenario asks for"))
  }

  @Test func `A budget that is spent before an expected violation came leaves no verdict`() {
    var bench = Bench()
    bench.scenarios = [
      Bench.hasty("never", .idempotent, [.replayFinished], "F11", expects: [.early, .twice])
    ]
    bench.scenarios[0].seeds = 1_000_000_000
    let output = bench.run("--budget", "100ms")
    #expect(output.code == 2)
    #expect(
      output.out.contains(
        "NO VERDICT  never: the budget was spent before no-double-credit was seen"))
  }
}
