import ChaosStore
import Testing

@testable import ChaosRunner

@Suite struct `The command line` {
  @Test(arguments: [
    (["--sede", "1"], "unknown option '--sede'; did you mean '--seed'?"),
    (["-x"], "unknown option '-x'"),
    (["lits"], "unknown command 'lits'; did you mean 'list'?"),
    (
      ["hasty-lost"],
      "unknown command 'hasty-lost'; the commands are \(Command.allCases.map(\.rawValue).joined(separator: ", "))"
        + " (a scenario is chosen with --scenario NAME)"
    ),
    (["run", "all"], "'run' does not know what to do with 'all'; did you mean --scenario?"),
    (["--seed"], "--seed needs a value: --seed S"),
    (["--seed", "--quiet"], "--seed needs a value: --seed S"),
    (["--quiet=yes"], "--quiet takes no value, found 'yes'"),
    (["--seed", "1", "--seed=2"], "--seed is given twice"),
    (
      ["--seed", "1", "--seeds", "2"],
      "--seed and --seeds contradict each other: one seed or many, not both"
    ),
    (
      ["--plan", "", "--seeds", "2"],
      "--plan and --seeds contradict each other: a plan is one run; give it one --seed or none"
    ),
    (
      ["--details", "--quiet"],
      "--details and --quiet contradict each other: more or less, not both"
    ),
    (
      ["--seed", "2a"],
      "--seed: '2a' is no seed: expected a decimal number below 2^64, 0x and at most 16 hex digits, "
        + "or the 40 hex digits of a commit; did you mean '0x2a'?"
    ),
    (
      ["--seed", "-1"],
      "--seed: '-1' is no seed: expected a decimal number below 2^64, 0x and at most 16 hex digits, "
        + "or the 40 hex digits of a commit"
    ),
    (
      ["--seeds", "many"],
      "--seeds: 'many' is no number of seeds: expected N, or A..<B such as 2000..<4000"
    ),
    (
      ["--seeds", "0"],
      "--seeds: '0' is no number of seeds: expected N, or A..<B such as 2000..<4000"
    ),
    (["--seeds", "9..<9"], "--seeds: '9..<9' is empty: expected A below B"),
    (["--jobs", "0"], "--jobs: '0' is no number of threads: expected 1 to 1024"),
    (["--format", "xml"], "--format: 'xml' is unknown: expected text or json"),
    (
      ["--plan", "drop verify.repyl tx1"],
      "--plan: 'drop verify.repyl' is not a question of this simulator; "
        + "did you mean 'drop verify.reply'?"
    ),
    (["list"], "'list' needs to know what: scenarios, systems, faults, invariants, decisions"),
    (["list", "fautls"], "'list' knows no 'fautls'; did you mean 'faults'?"),
    (
      ["list", "decisions"],
      "'list decisions' needs exactly one --scenario NAME: the questions are those of its quiet run"
    ),
    (
      ["list", "decisions", "--scenario", "hasty*"],
      "'list decisions' needs one scenario, and 'hasty*' matches 4"
    ),
    (
      ["list", "faults", "--seed", "1"],
      "--seed means nothing to 'list'; it belongs to 'run', 'trace'"
    ),
    (
      ["trace", "--scenario", "hasty-lost"],
      "'trace' needs to know which runs: --seed S or --plan TEXT for one, line by line; "
        + "--seeds N|A..<B for the hashes of many"
    ),
    (["trace", "x"], "'trace' does not know what to do with 'x'; did you mean --scenario?"),
    (
      ["verify-determinism", "--seed", "1"],
      "--seed means nothing to 'verify-determinism'; it belongs to 'run', 'trace'"
    ),
    (
      ["verify-determinism", "x"],
      "'verify-determinism' does not know what to do with 'x'; did you mean --scenario?"
    ),
    (
      ["verify-determinism", "--jobs", "1"],
      "--jobs: '1' is no comparison: 'verify-determinism' compares one thread with 2 to 1024"
    ),
    (["explain"], "'explain' needs the name of a fault, invariant, system or scenario"),
    (
      ["explain", "responce-lost"],
      "there is no fault, invariant, system or scenario called 'responce-lost'; "
        + "did you mean 'response-lost'?"
    ),
    (["check", "a", "b"], "'check' does not know what to do with 'b'"),
  ])
  func `says what is wrong with bad usage`(arguments: [String], message: String) {
    let output = Bench().run(arguments)
    #expect(output.code == 64)
    #expect(output.out == "")
    #expect(output.err == "chaos-runner: \(message)\nSee 'chaos-runner --help'.\n")
  }

  @Test(
    arguments: [
      ("0", 0), ("18446744073709551615", .max), ("0x2a", 42), ("0XFF", 255),
      ("0000000000000000000000000000000000000000", 0),
      ("0000000000000001000000000000000200000004", 7),
    ] as [(String, UInt64)])
  func `reads a seed as decimal, hex, or a commit folded to 64 bits`(text: String, seed: UInt64)
    throws
  {
    #expect(try SeedText.seed(text) == seed)
  }

  @Test(
    arguments: [
      "", "+1", "-1", "1.0", "0x", "0x10000000000000000", "0x00000000000000001", "0x\u{ff11}",
      String(repeating: "\u{ff11}", count: 40), "0x" + String(repeating: "1", count: 38),
    ])
  func `takes no other text for a seed, digits of other scripts included`(text: String) {
    #expect(throws: TextError.self) { try SeedText.seed(text) }
  }

  @Test(arguments: ["+1s", "-1s", "0s", "1", "1 s", "4294967296s", "\u{661}s"])
  func `takes no other text for a stretch of time`(text: String) {
    #expect(throws: TextError.self) { try TimeText.duration(text) }
  }

  @Test func `reads a number of seeds, or a range of them`() throws {
    #expect(try SeedText.range("2000") == 0..<2000)
    #expect(try SeedText.range("2000..<4000") == 2000..<4000)
    #expect(try SeedText.range("0x10..<0x20") == 16..<32)
  }

  @Test func `takes a value after a space or an equals sign`() {
    let one = Bench().run("--scenario", "hasty-lost", "--seed", "1")
    let other = Bench().run("--scenario=hasty-lost", "--seed=1")
    #expect(one.out == other.out)
    #expect(one.code == 1)
  }

  @Test(arguments: [
    ("hasty-lost", "hasty-lost", true), ("hasty-lost", "hasty*", true),
    ("hasty-lost", "*lost", true), ("hasty-lost", "h*l*t", true), ("hasty-lost", "hasty", false),
    ("hasty-lost", "h?sty-lost", true), ("hasty-lost", "*x*", false), ("", "*", true),
  ])
  func `matches names with stars and question marks`(name: String, pattern: String, matches: Bool) {
    #expect(name.matches(glob: pattern) == matches)
  }

  @Test func `prints its version`() {
    #expect(Bench().run("--version").out == "chaos-runner \(Runner.version)\n")
    #expect(Bench().run("version").out == Bench().run("--version").out)
  }

  @Test func `prints its help`() {
    let output = Bench().run("--help")
    #expect(output.code == 0)
    #expect(output.out == Bench().run("help").out)
    #expect(output.out == Bench().run("run", "--seed", "x", "-h").out)
    for option in Option.allCases { #expect(output.out.contains("--\(option.rawValue)")) }
    for command in Command.allCases { #expect(output.out.contains("\n  \(command.usage)")) }
    let first = output.out.split(separator: "\n").prefix(5).joined(separator: "\n")
    #expect(
      first == """
        Deterministic fault injection for in-app purchases: simulates purchases under crashes, lost
        answers, replays and the rest, and says which designs lose money, where, and how to see it.
        USAGE: chaos-runner [command] [options]
        COMMANDS
          run                 run scenarios and judge them (what happens without a command)
        """)
    #expect(output.out.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }
}
