import ChaosStore
import Testing

@testable import ChaosRunner

@Suite struct SourceTests {
  @Test func `The built-in scenarios are used where there is no file, and that is said`() throws {
    let shell = try Shell("exec \"$RUNNER\" check")
    #expect(shell.code == 0)
    #expect(
      shell.err
        == "There is no ./scenarios.json: these are the scenarios that come with chaos-runner.\n")
    let quiet = try Shell(
      "exec \"$RUNNER\" trace --quiet --seed 1 --scenario storekit2-order-token/naive/mixed")
    #expect(quiet.code == 0)
    #expect(quiet.err == "")
  }

  @Test(
    arguments: [
      ("ln -s nowhere scenarios.json", "it is a link to 'nowhere', which is not there"),
      ("ln -s scenarios.json scenarios.json", "Too many levels of symbolic links"),
      ("mkdir scenarios.json", "Is a directory"),
      (#"printf '{"a": "\xff"}' >scenarios.json"#, "it cannot be read as text: it is not UTF-8"),
    ])
  func `The built-in scenarios are never used in place of a file that is there`(
    line: String, reason: String
  ) throws {
    let shell = try Shell("\(line); exec \"$RUNNER\" list scenarios")
    #expect(shell.code == 2)
    #expect(shell.out == "")
    #expect(shell.err == "chaos-runner: scenarios.json cannot be read: \(reason)\n")
  }

  @Test(
    arguments: [
      "cat s.json | \"$RUNNER\" check -", "\"$RUNNER\" check - <s.json",
      "\"$RUNNER\" check /dev/stdin <s.json", "cat s.json | \"$RUNNER\" check /dev/stdin",
      "\"$RUNNER\" check <(cat s.json)",
      "mkfifo pipe; cat s.json >pipe & \"$RUNNER\" check pipe",
    ])
  func `Scenarios come from a pipe as well`(line: String) throws {
    let shell = try Shell(line, files: ["s.json": Shell.unexpected])
    #expect(shell.code == 0)
    #expect(shell.out.contains("1 scenario of 1 system, all in order"))
    #expect(shell.err == "")
  }

  @Test func `Scenarios of a pipe are handed to the second process, and plans are kept here`()
    throws
  {
    let verified = try Shell(
      "cat s.json | \"$RUNNER\" verify-determinism --seeds 3 --scenarios -",
      files: ["s.json": Shell.unexpected])
    #expect(verified.code == 0)
    #expect(verified.out.contains("in a second process     3 runs"))
    let saved = try Shell(
      "\"$RUNNER\" --save --scenarios /dev/stdin <s.json", files: ["s.json": Shell.unexpected])
    #expect(saved.code == 1)
    #expect(saved.files.keys.contains { $0.hasPrefix("regressions/s.") })
  }

  @Test func `Scenarios are not read without end`() throws {
    let shell = try Shell("exec \"$RUNNER\" check /dev/zero")
    #expect(shell.code == 2)
    #expect(
      shell.err
        == "chaos-runner: /dev/zero cannot be read: it is larger than 64 MiB, the most that is read\n"
    )
  }
}

@Suite struct PowerBaselineTests {
  private static func file(_ change: (String) -> String) -> String {
    change(
      """
      {"version": "0", "missed": [], "worse": [], "mutants": [
        {"name": "a", "about": "", "invariant": "", "coinciding": 1, "strategies": [
          {"name": "random", "starts": 5, "found": 5, "medianRuns": 10, "medianMillis": 1, "size": 2},
          {"name": "exhaustive", "starts": 1, "found": 1, "medianRuns": 9, "medianMillis": 1}
        ]}
      ]}
      """)
  }

  @Test(
    arguments: [
      (
        "\"size\": 2", "\"size\": -2", "mutants[0].strategies[0].size: found -2, expected 0 or more"
      ),
      (
        "\"medianRuns\": 9", "\"medianRuns\": -9",
        "mutants[0].strategies[1].medianRuns: found -9, expected 0 or more"
      ),
      (
        "\"found\": 1", "\"found\": 2",
        "mutants[0].strategies[1].found: found 2, expected 0 to 1"
      ),
      (
        "\"exhaustive\"", "\"random\"",
        "mutants[0].strategies[1].name: found 'random' a second time, expected each strategy once; "
          + "strategies[0] has it"
      ),
      (
        "\"exhaustive\"", "\"exhausting\"",
        "mutants[0].strategies[1].name: found 'exhausting', expected one of portfolio, random, "
          + "exhaustive; did you mean 'exhaustive'?"
      ),
      (
        "\"medianRuns\": 9", "\"medianRuns\": \"many\"",
        "mutants[0].strategies[1].medianRuns: found another type, expected Int"
      ),
      (
        "\"medianRuns\": 9, ", "",
        "mutants[0].strategies[1].medianRuns: found nothing, expected a value"
      ),
      (
        "\"mutants\": [",
        "\"mutants\": [{\"name\": \"a\", \"about\": \"\", \"invariant\": \"\", \"coinciding\": 1, "
          + "\"strategies\": []}, ",
        "mutants[1].name: found 'a', expected a name that no other has; mutants[0] has it"
      ),
    ])
  func `A baseline of power that nobody can have measured is refused, with its place`(
    old: String, new: String, message: String
  ) {
    var bench = Bench()
    bench.files["power.json"] = Self.file { $0.replacing(old, with: new) }
    let output = bench.run("power", "--baseline", "power.json")
    #expect(output.code == 2)
    #expect(output.err.contains(message), "\(output.err)")
  }

  @Test func `A baseline of power is taken where it makes sense`() {
    var bench = Bench()
    bench.files["power.json"] = Self.file { $0 }
    let output = bench.run("power", "--baseline", "power.json", "--scenario", "none")
    #expect(output.err.contains("no planted defect is called 'none'"))
  }
}
