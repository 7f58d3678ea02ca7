import ChaosStore
import Invariants
import Synchronization
import Testing

@testable import ChaosRunner

/// What an executable of somebody's own hands over, in a folder with nothing in it.
@Suite struct OwnProgramTests {
  private func run(
    _ arguments: [String], files: [String: String] = [:],
    _ change: (inout RunnerEnvironment) -> Void = { _ in }
  ) -> (code: Int32, out: String, err: String) {
    let out = Mutex("")
    let err = Mutex("")
    let console = Console(
      out: { text in out.withLock { $0 += text } }, err: { text in err.withLock { $0 += text } },
      isInterrupted: { false }, read: { files[$0] }, list: { _ in nil }, write: { _, _ in })
    var environment = RunnerEnvironment(systems: [AnySystem(HastyShop.self)], targets: [])
    change(&environment)
    let code = Runner.run(arguments: arguments, in: environment, on: console)
    return (code, out.withLock { $0 }, err.withLock { $0 })
  }

  @Test func `A program of a system of one's own alone needs no scenario file`() {
    let list = run(["list", "scenarios"])
    #expect(list.code == 0, "\(list.err)")
    #expect(list.out.contains("hasty-shop/naive"))
    #expect(!list.out.contains("exactly-once"))
    #expect(!list.err.contains("these are the scenarios that come with"))
    let single = run(["--seed", "1"])
    #expect(single.out.contains("default world"), "\(single.err)")
  }

  @Test func `The built-in scenarios are those of the systems that were handed over`() {
    let list = run(["list", "scenarios"]) { $0.systems += BuiltIn.systems.prefix(1) }
    #expect(list.code == 0, "\(list.err)")
    #expect(list.out.contains("observer-on-demand/"))
    #expect(!list.out.contains("exactly-once/"))
    #expect(list.err.contains("these are the scenarios that come with"))
  }

  @Test func `What is chosen by its name has one of its own`() {
    func error(_ change: (inout RunnerEnvironment) -> Void) -> String {
      let output = run(["list", "systems"], change)
      #expect(output.code == 64)
      return output.err
    }
    #expect(
      error { $0.systems += $0.systems }.contains(
        "found a second system called 'hasty-shop', expected a name of its own for each"))
    #expect(error { $0.strategies.append(RandomSearch()) }.contains("second strategy called 'rand"))
    #expect(error { $0.reporters += Reporters.builtIn }.contains("second reporter called 'text'"))
    #expect(error { $0.strategies = [] }.contains("found no strategy, expected at least one"))
    #expect(error { $0.reporters = [] }.contains("found no reporter, expected at least one"))
  }

  @Test func `A plan file that is taken for one of scenarios is said to be one`() throws {
    let path = "kept plans/one.json"
    let text = try Kept.text()
    for arguments in [["check", path], ["--scenarios", path]] {
      let output = run(arguments, files: [path: text])
      #expect(output.code == 2)
      #expect(
        output.err.contains(
          "kept plans/one.json: this is a plan file, not one of scenarios; to run it: "),
        "\(output.err)")
      #expect(output.err.hasSuffix(" replay 'kept plans/one.json'\n"), "\(output.err)")
    }
  }

  // MARK: - What a strategy returns

  private struct Claims: Strategy {
    let name = "claims"
    let about = "Returns what it is told to, and runs nothing."
    var change: @Sendable (inout Findings) -> Void = { _ in }

    func search(_ scenario: Scenario, _ budget: Budget) -> Findings {
      var findings = Findings(scenario)
      change(&findings)
      return findings
    }
  }

  /// Findings that no search can have come to, and what is said of them.
  private static let impossible: [(String, @Sendable (inout Findings) -> Void)] = [
    ("rules: found 0, expected", { $0.rules = [] }),
    ("reached: found 2, expected", { $0.reached = [1, 1] }),
    ("runs: found -5, expected 0 or more", { $0.runs = -5 }),
    ("events: found -1, expected 0 or more", { $0.events = -1 }),
    ("randomRuns: found -1, expected 0 or more", { $0.randomRuns = -1 }),
    ("simulatedMillis: found -1, expected 0 or more", { $0.simulatedMillis = -1 }),
    (
      "runs of a rule: found 3, expected no more than the 2 runs there were",
      {
        $0.runs = 2
        $0.rules[1].runs = 3
      }
    ),
    (
      "runs of a rule: found -1, expected no more than the 2 runs there were",
      {
        $0.runs = 2
        $0.rules[0].runs = -1
      }
    ),
  ]

  @Test func `Findings that no search can have come to are no verdict, and say what is wrong`() {
    for (text, change) in Self.impossible {
      let output = run(["explore", "claims"]) { $0.strategies = [Claims(change: change)] }
      #expect(output.code == 2, "\(text)")
      let flat = output.out.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(flat.contains(text), "\(output.out)")
      #expect(flat.contains("the strategy 'claims' returned findings that cannot be those"))
      let error = #expect(throws: PropertyError.self) {
        try PropertyTest.check(HastyShop.self, strategy: Claims(change: change))
      }
      #expect(error?.message.contains(text) == true)
    }
  }

  @Test func `A strategy that runs nothing shows nothing`() {
    let output = run(["explore", "claims"]) { $0.strategies = [Claims()] }
    #expect(output.code == 2)
    #expect(output.out.contains("the strategy 'claims' ran nothing, so nothing is shown"))
  }
}
