import ChaosStore
import Invariants
import Testing

@testable import ChaosRunner

@Suite struct ReportTests {
  @Test func `Details are told in words, the costliest first, then in a table below its key`() {
    let text = Bench().run("--details").out
    let end = text.firstRange(of: "\n\nDesigns\n")
    #expect(
      text[..<(end?.lowerBound ?? text.startIndex)] == """
        What goes wrong, the costliest first
        All of it is what the scenarios expect of these designs.

        L  money lost: a customer paid, and the goods came too late or never
           hasty-shop  report lost (F40)

        D  delivered twice: one payment was credited more than once
           hasty-shop/naive  finished one is replayed (F11)

        E  finished early: taken from the store's queue while the goods are not there yet
           hasty-shop  finished one is replayed (F11), report lost (F40)

        Nothing breaks in: checkout-benchmark

        What goes wrong where: a row is a design with its backend, a column is what strikes it, a cell is
        what that does to money and goods.
          naive       does what the published server does, with no memory of earlier reports
          idempotent  credits each transaction once, committed together with the balance

        L money lost · D delivered twice · E finished early · ok nothing breaks

                                        finished
                                        one is    report
                                        replayed  lost
                                        F11       F40
        hasty-shop          naive       D,E       L,E
                            idempotent  E         L,E
        checkout-benchmark  idempotent  ok        ok

        The story of a cell: 'explain' with its row and the code above its column, such as
          swift run -c release chaos-runner explain hasty-shop/naive F40
        """)
  }

  @Test func `A report ends with the verdict and where there is more`() {
    let lines = Bench().run().out.split(separator: "\n").suffix(3)
    #expect(lines.first?.hasPrefix("6 scenarios, 259 runs, ") == true)
    #expect(
      lines.dropFirst().joined(separator: "\n") == """
        As expected: all of 6 scenarios.
        Details: --details prints the table, every scenario and every fault.
        """)
  }

  @Test func `A quiet report is one line where nothing is red`() {
    #expect(Bench().run("--quiet").out == "As expected: all of 6 scenarios.\n")
  }

  @Test func `A report with details has a line for each invariant`() {
    let text = Bench().run("--details", "--scenario", "hasty-replay").out
    #expect(text.contains("hasty-replay: as-expected, 45 runs, "))
    #expect(
      text.contains("  I03  finish-only-after-credit  expected, in 45 runs, first under seed"))
  }

  @Test func `A table fits the terminal and has no colours where there are none`() {
    var bench = Bench()
    bench.scenarios = Fault.allCases.flatMap { fault in
      BackendKind.allCases.map { backend in
        Bench.hasty(
          "\(fault.name)/\(backend.rawValue)", backend, [fault], fault.code, seeds: 5)
      }
    }
    for width in [80, 100, 120] {
      bench.width = width
      let table = Table(
        Matrix(Self.trials(bench.scenarios)), width: width, style: Style(isOn: false))
      #expect(table.lines.allSatisfy { $0.count <= width })
      #expect(table.lines.filter { $0.hasPrefix("hasty-shop") }.count > 1, "in several blocks")
    }
    #expect(!bench.run("--seeds", "1").out.contains("\u{1B}"))
    bench.hasColor = true
    #expect(bench.run("--seeds", "1").out.contains("\u{1B}[1;31m"))
  }

  @Test func `Details name the faults of a mix that never struck`() {
    var bench = Bench()
    bench.scenarios = [
      Bench.hasty("shop", .naive, [.requestLost, .lateObserver], "F40", expects: [.lost, .early])
    ]
    bench.scenarios[0].allows = ["conservation"]
    #expect(bench.run("--details").out.contains("  F02  late-observer: shop\n"))
    #expect(!bench.run("--details", "--seeds", "5").out.contains("never struck"))
    #expect(!bench.run().out.contains("never struck"))
  }

  @Test func `A report does not depend on the number of threads`() throws {
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
    #expect(one.runs == 18_019)
  }

  @Test func `A JSON report has everything, and a trace hash under one seed`() throws {
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

  static func trials(_ scenarios: [Scenario]) -> [ScenarioResult] {
    scenarios.map { scenario in
      var trial = ScenarioResult(scenario: scenario)
      var finding = Finding(0, scenario, runs: 1, origin: Origin(seed: 0))
      finding.standing = .allowed
      trial.findings = [finding]
      return trial
    }
  }
}
