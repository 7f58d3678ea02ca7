import ChaosRunner
import ChaosStore
import Invariants
import Testing

/// A format as somebody else would write it, with what is public alone.
private struct LinesReporter: Reporter {
  let name = "lines"
  let summary = "a line for each broken invariant"
  let kinds: Set<CommandResult.Kind> = [.campaign]

  func write(_ result: CommandResult, _ options: ReportOptions, to output: (String) -> Void) {
    guard case .campaign(let campaign) = result else { return }
    for result in campaign.scenarios {
      for finding in result.findings {
        let size = result.smallPlan(of: finding)?.size ?? -1
        output("\(result.scenario.name) \(finding.invariant.code) \(finding.standing) \(size)\n")
      }
    }
    output("\(campaign.verdict.rawValue) \(campaign.exitCode.rawValue)\n")
  }
}

@Suite struct ReporterTests {
  private static var bench: Bench {
    var bench = Bench()
    bench.reporters += [LinesReporter()]
    return bench
  }

  @Test func `A reporter of somebody's own is chosen by its name and writes the report`() {
    let output = Self.bench.run("--format", "lines", "--scenario", "hasty-replay-idempotent")
    #expect(output.code == 0)
    #expect(
      output.out == """
        hasty-replay-idempotent I03 expected 0
        as-expected 0

        """)
    let story = Self.bench.run("--format=lines", "--scenario", "hasty-replay", "--seed", "0")
    #expect(story.code == 1)
    #expect(story.out.contains("hasty-replay I02 expected 1\n"))
  }

  @Test func `A reporter is not asked for a kind of report that it cannot write`() {
    let output = Self.bench.run("trace", "--seeds", "1", "--format", "lines")
    #expect(output.code == 64)
    #expect(
      output.err == """
        chaos-runner: --format: 'lines' cannot write what 'trace' finds: expected text or json or jsonl
        See 'chaos-runner trace --help'.

        """)
  }

  @Test func `The formats that there are stand in the help and in the refusal of others`() {
    #expect(
      Self.bench.run("help", "run").out.contains("\n  lines               a line for each broken"))
    let output = Self.bench.run("--format", "line")
    #expect(output.code == 64)
    #expect(
      output.err.hasPrefix("chaos-runner: --format: 'line' is unknown; did you mean 'lines'?"))
  }

  @Test func `The first reporter is used where no format is asked for`() {
    var bench = Self.bench
    bench.reporters.reverse()
    #expect(bench.run("--scenario", "sound-lost").out == "as-expected 0\n")
  }

  @Test func `Strategies say whether seeds matter to them and whether they prove`() {
    let names = { (choose: (any Strategy) -> Bool) in
      Strategies.all.filter(choose).map(\.name)
    }
    #expect(names(\.dependsOnSeeds) == ["portfolio", "random"])
    #expect(names(\.isProof) == ["exhaustive"])
    #expect(Strategies.usual.name == "portfolio")
  }
}
