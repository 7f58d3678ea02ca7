import ChaosStore
import Foundation
import Invariants
import Synchronization
import Testing

@testable import ChaosRunner

@Suite struct DeterminismCommandTests {
  @Test func `Verifying determinism says that all is equal, and what was compared`() {
    var bench = Bench()
    bench.secondProcess = { Bench().run($0).out }
    let output = bench.run("verify-determinism", "--jobs", "3")
    #expect(output.code == 0)
    #expect(
      output.out == """
        6 scenarios under 20 seeds, 0x0 to 0x13; each run was compared with the same run
          again in this process   240 runs, and 120 pairs of recordings event by event
          in a second process     120 runs
          on 3 threads            120 runs

        All equal: each run is decided by its seed.

        """)
  }

  @Test func `A system that remembers earlier runs is found in each of the three ways`() throws {
    let bench = Self.fickle
    let output = bench.run("verify-determinism", "--format", "json", "--jobs", "2")
    #expect(output.code == 2)
    let report = try Report(output)
    #expect(report.verdict == "different")
    #expect(report.deviations.map(\.way) == ["again", "process", "threads"])
    // The timer of the first launch comes after everything else, and its moment is never the same.
    let listing = TraceListing(
      Simulation(FickleShop.scenario).record(seed: 0), of: FickleShop.scenario)
    let timer = try #require(listing.lines.first { $0.text.contains(" timer ") })
    let decided = listing.lines.filter { line in
      if case .decision = line.content { line.event < timer.event } else { false }
    }
    #expect(timer.event > 4)
    #expect(decided.count > 2)
    for deviation in report.deviations {
      #expect(deviation.seed == "0x0")
      #expect(deviation.event == timer.event)
      #expect(deviation.one?.contains(" ms timer phone1 0x") == true)
      #expect(deviation.other?.contains(" ms timer phone1 0x") == true)
      #expect(deviation.one != deviation.other)
      #expect(
        deviation.decidedBefore
          == decided.suffix(8).compactMap { line in
            guard case .decision(let decision) = line.content else { return nil }
            return "event \(line.event) at \(line.at.millis) ms: \(decision)"
          })
    }
  }

  @Test func `A person is told where two runs differ first, and what to look at`() throws {
    let output = Self.fickle.run("verify-determinism", "--jobs", "2", "--seeds", "7..<9")
    #expect(output.code == 2)
    let lines = output.out.split(separator: "\n").map(String.init)
    let start = try #require(lines.firstIndex { $0.hasPrefix("DIFFERENT") })
    #expect(
      lines[start].hasPrefix("DIFFERENT  fickle under seed 0x7, again in this process, at event "))
    #expect(lines[start + 1].hasPrefix("  one    "))
    #expect(lines[start + 2].hasPrefix("  other  "))
    #expect(lines[start + 3] == "  Decided before it, the latest last")
    #expect(lines[start + 4].hasPrefix("    event "))
    #expect(
      lines.contains("  swift run -c release chaos-runner trace --scenario fickle --seed 0x7"))
    #expect(output.out.contains("Runs came out differently in 1 of 1 scenario."))
    #expect(output.out.contains("Look for what is gone through in no"))
    #expect(lines.allSatisfy { $0.count <= 100 })
  }

  @Test func `What runs share only while they go on at the same time is found`() throws {
    var bench = Bench()
    bench.scenarios = [CrowdedShop.scenario]
    let shared = bench
    bench.secondProcess = { shared.run($0).out }
    let output = bench.run("verify-determinism", "--format", "json", "--jobs", "2")
    #expect(output.code == 2)
    let report = try Report(output)
    #expect(report.deviations.map(\.way) == ["threads"])
    #expect(report.deviations[0].other?.contains(" ms timer phone1 0x") == true)
    #expect(report.deviations[0].decidedBefore?.isEmpty == false)
  }

  @Test func `The event is named at which a second process tells another story`() throws {
    let scenario = try #require(Bench.usual.first { $0.name == "hasty-lost" })
    let simulation = Simulation(scenario)
    let seed = try #require((0..<20).first { simulation.record(seed: $0).faults.isEmpty })
    let listing = TraceListing(simulation.record(seed: seed), of: scenario)
    let place = try #require(listing.lines.firstIndex { $0.text.contains(" request ") })
    let text = listing.lines[place].text
    let start = TraceCommand.hashLine(scenario, seed: seed, hash: "0x")
    let report = try Report(
      Self.lying { answer in
        answer.replacing(start, with: start + "f")
          .replacing(text, with: text.replacing("request", with: "reply"))
      }.run("verify-determinism", "--format", "json"))
    #expect(report.deviations.map(\.way) == ["process"])
    #expect(report.deviations[0].scenario == "hasty-lost")
    #expect(report.deviations[0].seed == SeedText.text(seed))
    #expect(report.deviations[0].event == listing.lines[place].event)
    #expect(report.deviations[0].one?.contains("request tx1") == true)
    #expect(report.deviations[0].other?.contains("reply tx1") == true)
  }

  @Test func `It is said where only the hashes of a second process differ`() throws {
    let trace = TraceListing.text(hash: Simulation(Bench.usual[0]).run(seed: 0).trace)
    let output = Self.lying { answer in
      answer.hasPrefix("trace of ")
        ? answer : answer.replacing(" 0x0 \(trace)", with: " 0x0 0x0000000000000001")
    }.run("verify-determinism", "--scenario", Bench.usual[0].name)
    #expect(output.code == 2)
    #expect(
      output.out.contains(
        "the trace hash \(trace) here, and 0x0000000000000001 there"))
    #expect(output.out.contains("Recordings do not show where."))
  }

  @Test(
    arguments: [
      (nil, "there is no second process here"), ("", "it printed 0 lines for 40 runs"),
      (
        String(repeating: "help\n", count: 40),
        "it printed 'help' where 'hasty-lost 0x0 ' was to be"
      ),
    ] as [(String?, String)])
  func `There is no verdict on determinism without a second process that answers`(
    answer: String?, why: String
  ) {
    var bench = Bench()
    if let answer { bench.secondProcess = { _ in answer } }
    let output = bench.run("verify-determinism", "--scenario", "hasty-lost*")
    #expect(output.code == 2)
    #expect(output.out.contains("NOT COMPARED  the second process: \(why)"))
    #expect(output.out.contains("No two runs differ, but not all were compared."))
    bench.secondProcess = { _ in nil }
    #expect(bench.run("verify-determinism").out.contains("could not be started, or it failed"))
  }

  @Test func `There is no verdict on determinism after an interrupt`() {
    var bench = Bench()
    bench.secondProcess = { Bench().run($0).out }
    bench.isInterrupted = { true }
    let output = bench.run("verify-determinism")
    #expect(output.code == 2)
    #expect(output.out.contains("Interrupted."))
  }

  @Test func `The second process is given the scenario file and the scenarios`() {
    var bench = Bench()
    bench.files = ["mine.json": "the bench's own"]
    let other = bench
    bench.secondProcess = { arguments in
      arguments.contains("--scenarios=mine.json") ? other.run(arguments).out : nil
    }
    let output = bench.run(
      "verify-determinism", "--scenarios", "mine.json", "--scenario", "sound*", "--scenario",
      "hasty-lost")
    #expect(output.code == 0)
    #expect(output.out.hasPrefix("3 scenarios under 20 seeds"))
  }

  static var fickle: Bench {
    var bench = Bench()
    bench.scenarios = [FickleShop.scenario]
    let other = bench
    bench.secondProcess = { other.run($0).out }
    return bench
  }

  /// A second process whose answers are changed.
  private static func lying(_ change: @escaping (String) -> String) -> Bench {
    var bench = Bench()
    bench.secondProcess = { change(Bench().run($0).out) }
    return bench
  }

  private struct Report: Decodable {
    struct Deviation: Decodable {
      var scenario: String
      var seed: String
      var way: String
      var event: Int?
      var one: String?
      var other: String?
      var decidedBefore: [String]?
    }

    var verdict: String
    var deviations: [Deviation]

    init(_ output: Bench.Output) throws {
      self = try JSONDecoder().decode(Report.self, from: Data(output.out.utf8))
    }
  }
}

@Suite struct FailingSeedTests {
  @Test
  func `A run that comes out differently is reported with the event and what was decided before`() {
    var bench = Bench()
    bench.scenarios = [FickleShop.scenario]
    for arguments in [[], ["--seed", "0"], ["--plan", ""]] {
      let output = bench.run(arguments)
      #expect(output.code == 2)
      let words = output.onOneLine
      #expect(words.contains("came out differently when it was run again: they part at event "))
      #expect(words.contains(" ms timer phone1 0x"))
      #expect(words.contains("in the other; decided before it: "))
    }
  }

  @Test func `A failing seed that nobody expected is run in a second process too`() throws {
    let asked = Mutex<[[String]]>([])
    var bench = Self.unexpected
    let honest = bench
    bench.secondProcess = { arguments in
      asked.withLock { $0.append(arguments) }
      return honest.run(arguments).out
    }
    #expect(bench.run().code == 1, "the violation stays one")
    #expect(
      asked.withLock { $0 } == [["trace", "--scenario=shop", "--quiet", "--seed=0x0"]])
  }

  @Test func `A failing seed is no verdict where a second process tells another story`() throws {
    let scenario = try #require(Self.unexpected.scenarios.first)
    let listing = TraceListing(Simulation(scenario).record(seed: 0), of: scenario)
    let fact = try #require(listing.lines.first { $0.text.contains("fact finished") })
    var bench = Self.unexpected
    let honest = bench
    bench.secondProcess = { arguments in
      honest.run(arguments).out.replacing(fact.text, with: "fact nothing")
        .replacing("0x0 0x", with: "0x0 0xf")
    }
    let output = bench.run()
    #expect(output.code == 2)
    let words = output.onOneLine
    #expect(
      words.contains(
        "seed 0x0 came out differently in a second process: they part at event \(fact.event), "
          + "which is 'fact finished: transaction tx1' in one run and 'fact nothing' in the other"
      ))
  }

  @Test func `A failing seed has to break the same rule when it is run again alone`() {
    let scenario = Bench.usual[0]
    let simulation = Simulation(scenario)
    let broken = simulation.run(seed: 0).broken
    let rules = scenario.invariants.indices
    let kept = rules.filter { broken >> UInt64($0) & 1 == 0 }
    #expect(
      Recheck().problems(
        of: simulation, Origin(seed: 0), breaking: rules.filter { !kept.contains($0) }) == [])
    let problems = Recheck().problems(of: simulation, Origin(seed: 0), breaking: kept)
    #expect(problems.count == kept.count)
    #expect(problems[0].contains("in the campaign, and does not when it is run again alone"))
  }

  /// A shop that finishes early in every run, which its scenario neither expects nor allows.
  private static var unexpected: Bench {
    var bench = Bench()
    bench.scenarios = [
      Bench.hasty("shop", .naive, [.requestLost], "F40", expects: [.lost], allows: [.books])
    ]
    return bench
  }
}
