import ChaosStore
import Foundation
import Testing

@testable import ChaosRunner

@Suite struct PowerTests {
  static func target(_ scenario: Scenario, _ rule: Bench.Rule) -> Target {
    Target(
      name: scenario.name, about: scenario.about, invariant: rule.rawValue, coinciding: 1,
      scenario: scenario)
  }

  private static func bench() -> Bench {
    var bench = Bench()
    bench.targets = [target(Bench.usual[0], .lost), target(Bench.usual[1], .twice)]
    return bench
  }

  @Test func `The power of each strategy is how soon it finds each planted defect`() throws {
    let output = Self.bench().run("power", "--starts", "3")
    #expect(output.code == 0)
    #expect(output.out.contains("hasty-replay  no-double-credit"))
    for strategy in Strategies.all {
      #expect(output.out.contains("\(strategy.name): 2 of 2 planted defects found, 2 within"))
    }
    #expect(output.out.contains("median size 1"))
  }

  @Test func `A planted defect that the usual search misses is red`() {
    var bench = Self.bench()
    bench.targets.append(Self.target(Bench.usual[4], .twice))
    let output = bench.run("power", "portfolio", "--starts", "1", "--budget", "200ms")
    #expect(output.code == 1)
    #expect(output.out.contains("NOT FOUND  sound-lost: by portfolio, within its time"))
    #expect(output.out.contains("portfolio: 2 of 3 planted defects found"))
  }

  @Test func `What got worse than a baseline of power is red`() throws {
    var bench = Self.bench()
    let before = bench.run("power", "--starts", "3", "--format", "json")
    #expect(before.code == 0)
    bench.files["power.json"] = before.out
    #expect(bench.run("power", "--starts", "3", "--baseline", "power.json").code == 0)

    // The same names, and nothing to be found behind one of them.
    bench.targets[1].scenario = Bench.usual[5]
    let missed = bench.run(
      "power", "exhaustive", "--budget", "200ms", "--baseline", "power.json", "--quiet")
    #expect(missed.code == 1)
    #expect(
      missed.out.contains(
        "WORSE  hasty-replay by exhaustive: found by 0 of 1 starts, was by all"))
    bench.targets.removeLast()
    let gone = bench.run("power", "--starts", "3", "--baseline", "power.json")
    #expect(gone.code == 1)
    #expect(gone.out.contains("WORSE  hasty-replay was not run"))
  }

  @Test func `The power of a strategy is written as JSON`() throws {
    let output = Self.bench().run("power", "random", "--starts", "2", "--format", "json")
    let document = try JSONDecoder().decode(
      PowerDocument.self, from: Data(output.out.utf8))
    #expect(document.mutants.map(\.name) == ["hasty-lost", "hasty-replay"])
    let strategy = try #require(document.mutants[0].strategies.first)
    #expect((strategy.name, strategy.starts, strategy.found) == ("random", 2, 2))
    #expect(strategy.size == 1)
    #expect(try Plan(parsing: #require(strategy.plan)).size == 1)
  }

  // MARK: - Sound twins

  private static func bench(control: Scenario) -> Bench {
    var bench = Bench()
    bench.targets = [target(Bench.usual[0], .lost)]
    bench.targets[0].control = control
    return bench
  }

  @Test func `A sound twin is searched for as many runs as its defect, and is not blamed`() throws {
    let bench = Self.bench(control: Bench.usual[4])
    let output = bench.run("power", "--starts", "2", "--format", "json")
    #expect(output.code == 0)
    let document = try JSONDecoder().decode(PowerDocument.self, from: Data(output.out.utf8))
    let twin = try #require(document.twins?.first)
    #expect(document.twins?.count == 1)
    #expect((twin.name, twin.alarms.count) == ("sound-lost", 0))
    // Two starts of each strategy, but for the one that knows no seeds.
    let taken = document.mutants[0].strategies.reduce(0) { $0 + $1.medianRuns * $1.starts }
    #expect(twin.runs >= taken)
    let text = bench.run("power", "--starts", "2")
    #expect(text.out.contains("sound twins: none of 1 blamed in \(twin.runs.of("run"))\n"))
    #expect(!text.out.contains("FALSE ALARM"))
  }

  @Test func `Sound twins are searched in as many runs as are asked for`() throws {
    var bench = Self.bench(control: Bench.usual[4])
    bench.targets.append(Self.target(Bench.usual[1], .twice))
    bench.targets[1].control = Bench.usual[5]
    let output = bench.run(
      "power", "portfolio", "--starts", "2", "--controls", "5000", "--format", "json")
    #expect(output.code == 0)
    let document = try JSONDecoder().decode(PowerDocument.self, from: Data(output.out.utf8))
    let twins = try #require(document.twins)
    #expect(twins.map(\.name) == [Bench.usual[4].name, Bench.usual[5].name])
    #expect(twins.allSatisfy { $0.runs >= 2500 })
  }

  @Test func `What breaks where nothing is planted is a false alarm, and red`() throws {
    let bench = Self.bench(control: Bench.usual[0])
    let output = bench.run("power", "portfolio", "--starts", "1")
    #expect(output.code == 1)
    #expect(
      output.out.contains("FALSE ALARM  hasty-lost: no-charge-without-delivery with 'drop "))
    #expect(output.out.contains("sound twins: 1 of 1 blamed in "))
    #expect(output.out.contains("portfolio: 1 of 1 planted defect found"))
    let json = bench.run("power", "random", "--starts", "1", "--format", "json")
    let document = try JSONDecoder().decode(PowerDocument.self, from: Data(json.out.utf8))
    let alarm = try #require(document.twins?.first?.alarms.first)
    #expect(alarm.invariant == "no-charge-without-delivery")
    #expect(try Plan(parsing: #require(alarm.plan)).size == 1)
    #expect(alarm.seed?.hasPrefix("0x") == true)
  }

  @Test func `What measures no sound twin says nothing of any`() {
    #expect(!Self.bench().run("power", "--starts", "1").out.contains("sound twins"))
  }

  @Test func `Each planted defect has a sound twin in its own world`() {
    for target in MutantBank.mutants.map(Target.init) {
      #expect(target.control?.setup.steps == target.scenario.setup.steps, "\(target.name)")
      #expect(target.control?.variant != target.scenario.variant, "\(target.name)")
    }
  }

  @Test func `Measuring power is refused where there is nothing to measure or to compare with`() {
    for (arguments, code, message) in [
      (["power", "--scenario", "nothing"], 2, "no planted defect is called 'nothing'"),
      (["power", "--baseline", "none.json"], 2, "there is no file 'none.json'"),
      (
        ["power", "--baseline", "scenarios.json"], 2,
        "scenarios.json is not what 'power --format json' prints"
      ), (["power", "luck"], 64, "'power' knows no strategy 'luck'"),
      (["power", "--starts", "0"], 64, "--starts: '0' is no number of starts"),
      (["power", "--controls", "0"], 64, "--controls: '0' is no number of runs"),
    ] {
      let output = Self.bench().run(arguments)
      #expect(output.code == Int32(code), "\(arguments)")
      #expect(output.err.contains(message), "\(output.err)")
    }
  }
}
