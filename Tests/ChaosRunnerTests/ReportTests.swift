import ChaosStore
import Invariants
import Testing

@testable import ChaosRunner

@Suite struct `The report` {
  @Test func `is a table that a person can read`() {
    let text = Bench().run().out
    let end = text.firstRange(of: "\n\n6 scenarios")
    #expect(
      text[..<(end?.lowerBound ?? text.startIndex)] == """
        What goes wrong where: a row is a design with its backend, a column is what strikes it, a cell is
        what that does to money and goods.

                                        finished
                                        one is    report
                                        replayed  lost
        hasty-shop          naive       DE        LE
                            idempotent  E         LE
        checkout-benchmark  idempotent  ok        ok

          L  money lost          somebody paid, and the goods never came or came too late
          D  delivered twice     one payment was credited more than once
          E  finished too early  taken from the store's queue while the goods are not there yet
          ok nothing goes wrong

        Backends
          naive       does what the published server does, with no memory of earlier reports
          idempotent  credits each transaction once, committed together with the balance

        Designs
          hasty-shop          Finishes first, reports once, credits every report.
          checkout-benchmark  Report, retry every five seconds, finish on ok: the work the speed is measured
                              on.

        Money is lost (L) when
          hasty-shop          report lost

        Goods are delivered twice (D) when
          hasty-shop          finished one is replayed (naive backend only)

        Neither happens to: checkout-benchmark
        """)
  }

  @Test func `ends with the verdict and a line to paste`() {
    let lines = Bench().run().out.split(separator: "\n").suffix(4)
    #expect(lines.first?.hasPrefix("6 scenarios, 252 runs, ") == true)
    #expect(
      lines.dropFirst().joined(separator: "\n") == """
        As expected: all of 6 scenarios.
        More: --details for counts and first seeds; the story of one run:
          swift run -c release chaos-runner --scenario hasty-lost --seed 0x0
        """)
  }

  @Test func `is one line when it is to be quiet and nothing is red`() {
    #expect(Bench().run("--quiet").out == "As expected: all of 6 scenarios.\n")
  }

  @Test func `has a line for each invariant when details are asked for`() {
    let text = Bench().run("--details", "--scenario", "hasty-replay").out
    #expect(text.contains("hasty-replay: as-expected, 42 runs, "))
    #expect(
      text.contains("  I03  finish-only-after-credit  expected, in 42 runs, first under seed"))
  }

  @Test func `fits the terminal and leaves out colours where there are none`() {
    var bench = Bench()
    bench.scenarios = Fault.allCases.flatMap { fault in
      BackendKind.allCases.map { backend in
        Bench.hasty(
          "\(fault.name)/\(backend.rawValue)", backend, [fault], fault.code, seeds: 5)
      }
    }
    for width in [80, 100, 120] {
      bench.width = width
      let table = Table(Matrix(Self.trials(bench.scenarios)), width: width, ink: Ink(isOn: false))
      #expect(table.lines.allSatisfy { $0.count <= width })
      #expect(table.lines.filter { $0.hasPrefix("hasty-shop") }.count > 1, "in several blocks")
    }
    #expect(!bench.run("--seeds", "1").out.contains("\u{1B}"))
    bench.hasColor = true
    #expect(bench.run("--seeds", "1").out.contains("\u{1B}[1;31m"))
  }

  @Test func `names the faults of a mix that never struck`() {
    var bench = Bench()
    bench.scenarios = [
      Bench.hasty("shop", .naive, [.requestLost, .lateObserver], "F40", expects: [.lost, .early])
    ]
    bench.scenarios[0].allows = ["conservation"]
    #expect(bench.run().out.contains("  F02  late-observer: shop\n"))
    #expect(!bench.run("--seeds", "5").out.contains("never struck"))
  }

  @Test func `does not depend on the number of threads`() throws {
    var bench = Bench()
    bench.scenarios = Bench.usual.map { scenario in
      var scenario = scenario
      scenario.seeds = 3000
      return scenario
    }
    var one = try JSONOutput(bench.run("--format", "json", "--jobs", "1"))
    var two = try JSONOutput(bench.run("--format", "json", "--jobs", "2"))
    one.seconds = 0
    two.seconds = 0
    #expect(one == two)
    #expect(one.runs == 18_012)
  }

  @Test func `has everything in JSON, and a trace hash under one seed`() throws {
    let many = try JSONOutput(Bench().run("--format", "json"))
    #expect(many.version == Runner.version)
    #expect(many.verdict == "as-expected")
    #expect(many.scenarios.count == 6)
    #expect(many.scenarios.allSatisfy { $0.traceHash == nil })
    let one = try JSONOutput(
      Bench().run("--format", "json", "--seed", "3", "--scenario", "hasty-lost"))
    let scenario = one.scenarios[0]
    #expect(scenario.traceHash?.count == 18)
    #expect(scenario.runs == 1)
    #expect(scenario.expected == ["no-charge-without-delivery", "finish-only-after-credit"])
    #expect(
      (scenario.system, scenario.backend, scenario.variant) == ("hasty-shop", "naive", "hasty"))
    let again = try JSONOutput(
      Bench().run("--format", "json", "--seed", "3", "--scenario", "hasty-lost"))
    #expect(again.scenarios == one.scenarios)
  }

  static func trials(_ scenarios: [Scenario]) -> [Trial] {
    scenarios.map { scenario in
      var trial = Trial(scenario: scenario)
      var finding = Finding(0, scenario, runs: 1, origin: Origin(seed: 0))
      finding.standing = .allowed
      trial.findings = [finding]
      return trial
    }
  }
}
