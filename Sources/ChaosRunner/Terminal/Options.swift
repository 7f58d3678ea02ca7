import ChaosStore

/// Every option there is; the parser and the help read this table.
enum Option: String, CaseIterable {
  case scenario, scenarios, seed, seeds, plan, faults, budget, jobs, prove, coverage, starts
  case baseline, format
  case details, quiet, save
  case emitTest = "emit-test"
  case bestEffort = "best-effort"
  case help, version

  /// What its value is called; nil for a switch.
  var value: String? {
    switch self {
    case .scenario: "NAME"
    case .scenarios: "FILE"
    case .seed: "S"
    case .seeds: "N|A..<B"
    case .plan: "TEXT"
    case .faults, .jobs, .starts: "N"
    case .baseline: "FILE"
    case .budget: "TIME"
    case .format: "text|json"
    case .prove, .coverage, .details, .quiet, .save, .emitTest, .bestEffort, .help, .version: nil
    }
  }

  var about: String {
    switch self {
    case .scenario: "only scenarios of this name; repeatable, * and ? match"
    case .scenarios: "read this file instead of ./scenarios.json"
    case .seed:
      "one run: decimal, 0x hex, or the 40 hex digits of a commit (folded to 64 bits); "
        + "tells the story of what breaks"
    case .seeds: "so many seeds from 0, or these; otherwise what each scenario says"
    case .plan: "decisions that override the seed, or stand alone: text, or JSON beginning with ["
    case .faults: "the most decisions of a plan, for an exhaustive search (2)"
    case .budget:
      "how long to search in all, such as 30s or 5m; goes on with larger plans and more seeds"
    case .prove: "run every plan that is smaller than what was found, and say if one does it too"
    case .coverage: "which fault struck at which step of a purchase, how often, and where none did"
    case .starts: "from how many different first seeds each planted defect is searched (5)"
    case .baseline: "what 'power --format json' printed before; what got worse is red"
    case .jobs: "threads; the results are the same for any number (all cores)"
    case .format: "a table for people, or one JSON object"
    case .details: "a line for each scenario and invariant; whole timelines"
    case .quiet: "only the verdict, and what is red; of 'trace', only the hash"
    case .save:
      "keep each violation that was not expected in regressions/ beside the scenario file; with "
        + "one seed or plan and one scenario, keep that run whatever it comes to"
    case .emitTest: "print the source of a Swift test that does the same run, and nothing else"
    case .bestEffort: "play what still fits of a stale plan file, and let the outcome decide"
    case .help: "this text"
    case .version: "the version"
    }
  }

  var isRepeatable: Bool { self == .scenario }

  /// Which commands know it.
  func belongs(to command: Command) -> Bool {
    switch self {
    case .help, .version: true
    case .scenario: command.hasRuns || [.power, .regress, .list].contains(command)
    case .scenarios: command.hasRuns || [.replay, .regress, .list, .explain].contains(command)
    case .seed, .plan: [.run, .trace].contains(command)
    case .faults: command == .explore
    case .seeds: command.hasRuns
    case .jobs: [.run, .explore, .verifyDeterminism].contains(command)
    case .prove, .coverage, .save: [.run, .explore].contains(command)
    case .details: [.run, .explore, .replay].contains(command)
    case .budget: [.run, .explore, .power].contains(command)
    case .format: command.hasRuns || [.power, .replay, .regress].contains(command)
    case .quiet: [.run, .explore, .power, .trace, .replay, .regress].contains(command)
    case .starts, .baseline: command == .power
    case .emitTest: [.run, .replay].contains(command)
    case .bestEffort: command == .replay
    }
  }
}

/// What the first word can be.
enum Command: String, CaseIterable {
  case run, explore, power, replay, regress, list, explain, check, trace
  case verifyDeterminism = "verify-determinism"
  case help, version

  /// Whether it runs scenarios as they are.
  var hasRuns: Bool { [.run, .explore, .trace, .verifyDeterminism].contains(self) }

  var usage: String {
    switch self {
    case .run: "run"
    case .explore: "explore STRATEGY"
    case .power: "power [STRATEGY]"
    case .replay: "replay FILE"
    case .regress: "regress"
    case .list: "list WHAT"
    case .explain: "explain NAME"
    case .check: "check [FILE]"
    case .trace: "trace"
    case .verifyDeterminism: rawValue
    case .help: "help"
    case .version: "version"
    }
  }

  var about: String {
    switch self {
    case .run: "run scenarios and judge them (what happens without a command)"
    case .explore:
      "search with one strategy, \(Strategies.all.map(\.name).joined(separator: ", ")), and show all it finds"
    case .power: "search for planted defects, and say how soon each strategy finds which"
    case .replay: "run a kept plan file again, and say whether it still does what it did"
    case .regress: "replay all of regressions/, and count what still comes out as recorded"
    case .list:
      "scenarios, systems, faults, invariants, or decisions: what a quiet run of one --scenario asks"
    case .explain: "what a fault, invariant, system or scenario means, with its evidence"
    case .check: "say whether a scenario file is in order"
    case .trace: "print a run line by line, or a hash a run, to compare with another machine's"
    case .verifyDeterminism:
      "run a sample again here, in a second process and on threads, and say where two runs part"
    case .help: "this text"
    case .version: "the version"
    }
  }
}

/// The words of a command line, sorted but not yet understood.
struct Words {
  var command: Command = .run
  var operands: [String] = []
  var values: [Option: [String]] = [:]

  init(_ arguments: [String]) throws(Failure) {
    var isCommandGiven = false
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if word == "-h" {
        values[.help] = [""]
      } else if word.hasPrefix("-"), word != "-" {
        try take(word, &rest)
      } else if !isCommandGiven {
        command = try Self.command(word)
        isCommandGiven = true
      } else {
        operands.append(word)
      }
    }
    try checkTogether()
  }

  private static func command(_ word: String) throws(Failure) -> Command {
    if let command = Command(rawValue: word) { return command }
    let commands = Command.allCases.map(\.rawValue)
    throw .usage(
      "unknown command '\(word)'"
        + (suggestion(for: word, among: commands).isEmpty
          ? "; the commands are \(commands.joined(separator: ", "))"
            + " (a scenario is chosen with --scenario NAME)"
          : suggestion(for: word, among: commands)))
  }

  private mutating func take(_ word: String, _ rest: inout ArraySlice<String>) throws(Failure) {
    let sides = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(sides[0])
    guard name.hasPrefix("--"), let option = Option(rawValue: String(name.dropFirst(2))) else {
      let names = Option.allCases.map { "--" + $0.rawValue }
      throw .usage("unknown option '\(name)'" + suggestion(for: name, among: names))
    }
    if values[option] != nil, !option.isRepeatable, option.value != nil {
      throw .usage("\(name) is given twice")
    }
    guard let wanted = option.value else {
      guard sides.count == 1 else { throw .usage("\(name) takes no value, found '\(sides[1])'") }
      values[option] = [""]
      return
    }
    if sides.count == 2 {
      values[option, default: []].append(String(sides[1]))
    } else if let next = rest.first, !next.hasPrefix("--") {
      values[option, default: []].append(rest.removeFirst())
    } else {
      throw .usage("\(name) needs a value: \(name) \(wanted)")
    }
  }

  private func checkTogether() throws(Failure) {
    if has(.help) || has(.version) { return }
    for option in Option.allCases where has(option) && !option.belongs(to: command) {
      let commands = Command.allCases.filter { option.belongs(to: $0) }.map { "'\($0.rawValue)'" }
      throw .usage(
        "--\(option.rawValue) means nothing to '\(command.rawValue)'; it belongs to "
          + commands.joined(separator: ", "))
    }
    let contradictions: [(Option, Option, String)] = [
      (.seed, .seeds, "one seed or many, not both"),
      (.plan, .seeds, "a plan is one run; give it one --seed or none"),
      (.seed, .budget, "one run takes as long as it takes"),
      (.plan, .budget, "one run takes as long as it takes"),
      (.seed, .coverage, "coverage is about many runs"),
      (.plan, .coverage, "coverage is about many runs"),
      (.details, .quiet, "more or less, not both"),
      (.emitTest, .format, "what it prints is Swift"),
    ]
    for (a, b, why) in contradictions where has(a) && has(b) {
      throw .usage("--\(a.rawValue) and --\(b.rawValue) contradict each other: \(why)")
    }
  }

  func has(_ option: Option) -> Bool { values[option] != nil }
  func first(_ option: Option) -> String? { values[option]?.first }
}
