import ChaosStore
import Invariants
import Synchronization
import Testing

@testable import ChaosRunner

@Suite struct ExitCodeTests {
  @Test func `The exit code is 0 when everything is as expected`() {
    let output = Bench().run()
    #expect(output.code == 0)
    #expect(output.out.contains("As expected: all of 6 scenarios."))
    #expect(output.err == "")
  }

  @Test func `The exit code is 1 for a violation that was not expected, which tells its story`() {
    let output = Self.bench(expects: [.lost]).run()
    #expect(output.code == 1)
    #expect(Self.bench(expects: [.lost]).run("--details").out.contains("L,E!"))
    #expect(
      output.out.contains(
        "NOT EXPECTED  shop: finish-only-after-credit (I03) broke in 42 of 42 runs"))
    #expect(output.out.contains("What happened"))
    #expect(output.out.contains("NOT as expected: 1 scenario with an unexpected violation"))
  }

  @Test
  func `The exit code is 2, after one run, for a hosted app that sells nothing in a quiet run`()
    throws
  {
    var bench = Bench()
    bench.scenarios = [try PropertyTest.scenario(for: DeafShop.self)]
    let output = bench.run()
    #expect(output.code == 2)
    #expect(
      output.onOneLine.contains(
        "deaf-shop/naive: a quiet run, with no fault at all, shows no purchase. A campaign would show nothing."
      ))
    #expect(output.onOneLine.contains("Likely cause: the app has no products."))
    // The same in the default worlds, where no scenario names the system.
    bench.scenarios = []
    bench.systems = [AnySystem(DeafShop.self)]
    let worlds = bench.run("run", "--scenario", "deaf-shop*")
    #expect(worlds.code == 2)
    #expect(worlds.onOneLine.contains("Likely cause: the app has no products."))
    // One run that is asked for is made.
    bench.scenarios = [try PropertyTest.scenario(for: DeafShop.self)]
    #expect(bench.run("--seed", "1").code == 0)
  }

  @Test func `The exit code is 1 for an expected violation that a full campaign never finds`() {
    let output = Self.bench(expects: [.lost, .early, .twice]).run("--details")
    #expect(output.code == 1)
    #expect(output.out.contains("L,D?,E"))
    #expect(
      output.out.contains("MISSING  shop: no-double-credit was to break in 40 runs, and never did"))
  }

  @Test func `The exit code is 0 for an expected violation that a small campaign has not seen yet`()
  {
    let output = Self.bench(expects: [.lost, .early, .twice]).run("--seeds", "10")
    #expect(output.code == 0)
    #expect(output.out.contains("not yet seen"))
    #expect(!output.out.contains("MISSING"))
    let later = Self.bench(expects: [.lost, .early, .twice]).run("--seeds", "40..<80")
    #expect(later.code == 0, "seeds other than the scenario's own prove nothing missing")
  }

  @Test func `The exit code is 1 for any violation under one seed, expected or not`() {
    #expect(Bench().run("--scenario", "hasty-lost", "--seed", "0").code == 1)
    #expect(Bench().run("--scenario", "sound-lost", "--seed", "0").code == 0)
  }

  @Test func `The exit code is 2 when no scenario is chosen`() {
    let output = Bench().run("--scenario", "hasty-lsot")
    #expect(output.code == 2)
    #expect(
      output.err == "chaos-runner: no scenario of scenarios.json is called 'hasty-lsot'; "
        + "did you mean 'hasty-lost'?\n")
  }

  @Test
  func `The exit code is 2 for a bad scenario file, whose error has the file and the key path`() {
    var bench = Bench()
    bench.files = ["mine.json": "broken"]
    let output = bench.run("--scenarios", "mine.json")
    #expect(output.code == 2)
    #expect(
      output.err == "chaos-runner: mine.json: scenarios[0].sistem: found 'sistem', "
        + "expected 'system'\n")
    #expect(bench.run("check", "mine.json").code == 2)
    #expect(bench.run("--scenarios", "other.json").code == 2)
  }

  @Test func `The exit code is 2 when a system never comes to rest`() {
    var bench = Bench()
    var setup = Bench.setup(.naive, [])
    setup.eventLimit = 500
    bench.scenarios = [
      Scenario(
        name: "restless", system: AnySystem(RestlessShop.self), setup: setup,
        invariants: Bench.rules, seeds: 3)
    ]
    let output = bench.run()
    #expect(output.code == 2)
    #expect(output.out.contains("NO VERDICT  restless: a run was cut off after 500 events"))
    #expect(bench.run("--seed", "1").code == 2)
  }

  @Test func `The exit code is 2 when a run comes out differently the second time`() {
    var bench = Bench()
    bench.scenarios = [FickleShop.scenario]
    let output = bench.run()
    #expect(output.code == 2)
    #expect(output.out.contains("NO VERDICT  fickle: seed 0x0 came out differently"))
    let words = output.onOneLine
    #expect(words.contains("they part at event 13, which is '13 2"))
  }

  @Test
  func `The exit code is 2 when something leaves the simulation, with the event and its effect`() {
    for (variant, words) in [
      (
        "harmless",
        "seed 0x0 is nondeterministic: a thread came in, first noticed in event 1 at 100 ms, which "
          + "is '1 100 ms step phone1 0x"
      ), ("harmless", "run 8 more times it came out the same; no event came before that"),
      ("harmful", "; run again it came out differently: they part at event 2, which is '2 "),
      ("misuse", "seed 0x0: an exception, first noticed in event 1 at 100 ms"),
    ] {
      var bench = Bench()
      bench.scenarios = [LeakyShop.scenario(variant)]
      for arguments in [["explore", "random"], ["--seed", "0"]] {
        let output = bench.run(arguments)
        #expect(output.code == 2)
        let text = output.onOneLine
        #expect(text.contains(words), "\(text)")
      }
    }
  }

  @Test func `The exit code is 2 when something left the simulation once, and never again`() {
    var bench = Bench()
    bench.scenarios = [LeakyShop.scenario("once")]
    let output = bench.run("explore", "random")
    #expect(output.code == 2)
    let text = output.onOneLine
    #expect(
      text.contains(
        "seed 0x0 is nondeterministic: a thread came in, first noticed in event 1 at 100 ms; run 8 "
          + "more times it came out the same and without that; no event "), "\(text)")
  }

  @Test func `The exit code is 2 when something leaves the simulation under a plan only`() {
    var bench = Bench()
    bench.scenarios = [LeakyShop.scenario("harmless")]
    for arguments in [["explore", "exhaustive"], ["--plan", ""]] {
      let output = bench.run(arguments)
      #expect(output.code == 2)
      #expect(output.out.contains("the quiet run is nondeterministic: a thread came in"))
    }
  }

  @Test func `The exit code is 2 after an interrupt, and what is known is printed`() {
    let asked = Mutex(0)
    var bench = Bench()
    bench.isInterrupted = {
      asked.withLock { count in
        count += 1
        return count > 4
      }
    }
    let output = bench.run("--jobs", "1")
    #expect(output.code == 2)
    #expect(output.out.contains("hasty-shop"))
    #expect(output.out.contains("Interrupted, "))
  }

  /// A shop that loses money and finishes early when reports get lost.
  static func bench(expects: [Bench.Rule]) -> Bench {
    var bench = Bench()
    bench.scenarios = [
      Bench.hasty("shop", .naive, [.requestLost], "F40", expects: expects, allows: [.books])
    ]
    return bench
  }
}

@Suite struct VerdictTests {
  @Test func `An unexpected violation outranks a missing one, and no verdict only what is green`() {
    #expect(
      Verdict.allCases.sorted() == [
        .asExpected, .notYetSeen, .noVerdict, .vacuous, .missing, .unexpected,
      ])
  }

  @Test func `The headline of a failure is what takes fewest decisions, then what is gravest`() {
    let scenario = Bench.usual[0]
    func finding(_ rule: Int, runs: Int, decisions: Int?) throws -> Finding {
      var finding = Finding(rule, scenario, runs: runs, origin: Origin(seed: 0))
      let names = (1...3).map { "drop verify.reply tx1 #\($0)" }
      finding.smallest = try decisions.map {
        try Plan(parsing: names.prefix($0).joined(separator: ","))
      }
      return finding
    }
    let findings = [
      try? finding(0, runs: 2, decisions: 2), try? finding(1, runs: 3, decisions: 1),
      try? finding(2, runs: 700, decisions: 1), try? finding(3, runs: 900, decisions: nil),
    ].compactMap { $0 }
    #expect(findings.byCause.map(\.rule) == [1, 2, 0, 3])
  }

  @Test func `What broke besides the likely cause is told after it`() throws {
    var bench = Bench()
    bench.scenarios = [Bench.hasty("shop", .naive, [.requestLost], "F40")]
    let lines = bench.run("--details").out.split(separator: "\n").map(String.init)
    let headline = try #require(lines.first { $0.hasPrefix("NOT EXPECTED") })
    // It finishes early in every run, and loses money only where the report is lost.
    #expect(headline.hasPrefix("NOT EXPECTED  shop: finish-only-after-credit (I03) broke in 42 of"))
    #expect(
      lines.filter { $0.contains(") broke in ") }.dropFirst()
        .map { $0.split(separator: "(")[0] } == [
          "  also: no-charge-without-delivery ", "  with it: conservation ",
        ])
  }

  @Test func `A bug of the harness outranks what was seen with it`() {
    var trial = ScenarioResult(scenario: Bench.usual[0])
    var finding = Finding(0, trial.scenario, runs: 1, origin: Origin(seed: 0))
    finding.standing = .unexpected
    trial.findings = [finding]
    #expect(trial.verdict == .unexpected)
    trial.bugs = ["R1"]
    #expect(trial.verdict == .noVerdict)
  }
}
