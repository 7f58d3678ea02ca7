import ChaosStore
import Testing

@testable import ChaosRunner

@Suite struct UsageTests {
  @Test(arguments: [
    (["--sede", "1"], "unknown option '--sede'; did you mean '--seed'?"),
    (["-x"], "unknown option '-x'"),
    (["lits"], "unknown command 'lits'; did you mean 'list'?"),
    (
      ["hasty-lost"],
      "unknown command 'hasty-lost'; the commands are \(Commands.all.map { $0.name }.joined(separator: ", "))"
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
    (
      ["--format", "xml"],
      "--format: 'xml' is unknown: expected text or json or junit or github or summary or "
        + "sarif or mermaid or jsonl"
    ),
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
    (
      ["explain"],
      "'explain' needs the name of a fault, invariant, system or scenario, a letter of the table, "
        + "or a cell such as: receipt-store/naive F01"
    ),
    (
      ["explain", "hasty-shop/naive", "F02"],
      "'hasty-shop/naive' was not tried under 'F02'; it was under F11, F40"
    ),
    (
      ["explain", "hasty-shop/naiv", "F40"],
      "there is no row 'hasty-shop/naiv' in the table; did you mean 'hasty-shop/naive'?"
    ),
    (["help", "lits"], "unknown command 'lits'; did you mean 'list'?"),
    (
      ["explain", "responce-lost"],
      "there is no fault, invariant, system or scenario called 'responce-lost'; "
        + "did you mean 'response-lost'?"
    ),
    (["check", "a", "b"], "'check' does not know what to do with 'b'"),
  ])
  func `A command line that makes no sense is refused with what is wrong and where the help is`(
    arguments: [String], message: String
  ) {
    let output = Bench().run(arguments)
    #expect(output.code == 64)
    #expect(output.out == "")
    let command = arguments.first.flatMap { word in
      word == "help" ? nil : Commands.all.first { $0.name == word }
    }
    let place = command.map { " \($0.name)" } ?? ""
    #expect(output.err == "chaos-runner: \(message)\nSee 'chaos-runner\(place) --help'.\n")
  }

  @Test(
    arguments: [
      ("0", 0), ("18446744073709551615", .max), ("0x2a", 42), ("0XFF", 255),
      ("0000000000000000000000000000000000000000", 0),
      ("0000000000000001000000000000000200000004", 7),
    ] as [(String, UInt64)])
  func `A seed is read as decimal, hex, or a commit folded to 64 bits`(text: String, seed: UInt64)
    throws
  {
    #expect(try SeedText.seed(text) == seed)
  }

  @Test(
    arguments: [
      "", "+1", "-1", "1.0", "0x", "0x10000000000000000", "0x00000000000000001", "0x\u{ff11}",
      String(repeating: "\u{ff11}", count: 40), "0x" + String(repeating: "1", count: 38),
    ])
  func `No other text is taken for a seed, digits of other scripts included`(text: String) {
    #expect(throws: TextError.self) { try SeedText.seed(text) }
  }

  @Test(arguments: ["+1s", "-1s", "0s", "1", "1 s", "4294967296s", "\u{661}s"])
  func `No other text is taken for a stretch of time`(text: String) {
    #expect(throws: TextError.self) { try TimeText.duration(text) }
  }

  @Test func `Seeds are read as a number of them, or a range`() throws {
    #expect(try SeedText.range("2000") == 0..<2000)
    #expect(try SeedText.range("2000..<4000") == 2000..<4000)
    #expect(try SeedText.range("0x10..<0x20") == 16..<32)
  }

  @Test func `An option takes its value after a space or an equals sign`() {
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
  func `Names of scenarios are matched with stars and question marks`(
    name: String, pattern: String, matches: Bool
  ) {
    #expect(name.matches(glob: pattern) == matches)
  }

  @Test func `The program prints its version`() {
    #expect(Bench().run("--version").out == "chaos-runner \(Runner.version)\n")
    #expect(Bench().run("version").out == Bench().run("--version").out)
  }

  @Test func `An overview names every command, and each command's help its own options`() {
    let overview = Bench().run("--help")
    #expect(overview.code == 0)
    #expect(overview.out == Bench().run("help").out)
    for command in Commands.all {
      #expect(overview.out.contains("\n  \(command.name) "))
      let help = Bench().run("help", command.name)
      #expect(help.code == 0)
      #expect(help.out == Bench().run(command.name, "--help").out)
      for option in command.options { #expect(help.out.contains("\n  \(option.usage)")) }
      #expect(help.out.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }
    #expect(Bench().run("run", "--seed", "x", "-h").out == Bench().run("help", "run").out)
  }

  @Test func `An option has a value, or has none, whichever command takes it`() {
    for option in Commands.all.flatMap({ $0.options }) {
      let known = Commands.options.first { $0.name == option.name }
      #expect(known?.value == nil ? option.value == nil : option.value != nil, "\(option.name)")
      #expect(known?.isRepeatable == option.isRepeatable, "\(option.name)")
    }
  }
}
