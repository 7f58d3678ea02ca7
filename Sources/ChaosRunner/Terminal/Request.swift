import ChaosStore
import Foundation

/// A command line that has been understood.
enum Request {
  case run(RunOptions)
  case explore(any Strategy, RunOptions)
  case power((any Strategy)?, RunOptions)
  case list(Listing, RunOptions)
  case explain(String, RunOptions)
  case check(String?)
  case replay(String, RunOptions)
  case regress(RunOptions)
  case trace(RunOptions)
  case verifyDeterminism(RunOptions)
  case help
  case version

  init(arguments: [String]) throws(Failure) {
    let words = try Words(arguments)
    if words.has(.help) || words.command == .help {
      self = .help
      return
    }
    if words.has(.version) || words.command == .version {
      self = .version
      return
    }
    let options = try RunOptions(words)
    switch words.command {
    case .run:
      try Self.refuse(words.operands, after: 0, in: "run", hint: "; did you mean --scenario?")
      if options.emitsTest, !words.has(.seed), !words.has(.plan) {
        throw .usage("--emit-test needs one run: give it a --seed or a --plan")
      }
      self = .run(options)
    case .explore:
      try Self.refuse(words.operands, after: 1, in: "explore")
      self = .explore(try Self.strategy(words.operands.first), options)
    case .power:
      try Self.refuse(words.operands, after: 1, in: "power")
      let strategy = try words.operands.first.map { (word) throws(Failure) in
        try Self.strategy(word, for: "power")
      }
      self = .power(strategy, options)
    case .list:
      try Self.refuse(words.operands, after: 1, in: "list")
      self = .list(try Listing(words.operands.first, options), options)
    case .explain:
      try Self.refuse(words.operands, after: 1, in: "explain")
      guard let name = words.operands.first else {
        throw .usage("'explain' needs the name of a fault, invariant, system or scenario")
      }
      self = .explain(name, options)
    case .check:
      try Self.refuse(words.operands, after: 1, in: "check")
      self = .check(words.operands.first)
    case .replay:
      try Self.refuse(words.operands, after: 1, in: "replay")
      guard let path = words.operands.first else {
        throw .usage("'replay' needs a plan file, such as one of \(RegressionFolder.name)/")
      }
      self = .replay(path, options)
    case .regress:
      try Self.refuse(words.operands, after: 0, in: "regress", hint: "; did you mean 'replay'?")
      self = .regress(options)
    case .trace:
      try Self.refuse(words.operands, after: 0, in: "trace", hint: "; did you mean --scenario?")
      self = .trace(try TraceCommand.checked(options))
    case .verifyDeterminism:
      try Self.refuse(
        words.operands, after: 0, in: words.command.rawValue, hint: "; did you mean --scenario?")
      self = .verifyDeterminism(try VerifyDeterminismCommand.checked(options, words))
    case .help: self = .help
    case .version: self = .version
    }
  }

  private static func strategy(_ word: String?, for command: String = "explore") throws(Failure)
    -> any Strategy
  {
    let names = Strategies.all.map(\.name)
    guard let word else {
      throw .usage("'\(command)' needs a strategy: \(names.joined(separator: ", "))")
    }
    guard let strategy = Strategies.named(word) else {
      let hint = suggestion(for: word, among: names)
      throw .usage(
        "'\(command)' knows no strategy '\(word)'"
          + (hint.isEmpty ? "; there are \(names.joined(separator: ", "))" : hint))
    }
    return strategy
  }

  private static func refuse(
    _ operands: [String], after count: Int, in command: String, hint: String = ""
  ) throws(Failure) {
    guard operands.count > count else { return }
    throw .usage("'\(command)' does not know what to do with '\(operands[count])'\(hint)")
  }
}

/// What `list` lists.
enum Listing: String, CaseIterable {
  case scenarios, systems, faults, invariants, decisions

  init(_ word: String?, _ options: RunOptions) throws(Failure) {
    let all = Self.allCases.map(\.rawValue)
    guard let word else {
      throw .usage("'list' needs to know what: \(all.joined(separator: ", "))")
    }
    guard let listing = Listing(rawValue: word) else {
      let hint = suggestion(for: word, among: all)
      throw .usage(
        "'list' knows no '\(word)'"
          + (hint.isEmpty ? "; it lists \(all.joined(separator: ", "))" : hint))
    }
    if listing == .decisions, options.patterns.count != 1 {
      throw .usage(
        "'list decisions' needs exactly one --scenario NAME: the questions are those of its quiet run"
      )
    }
    self = listing
  }
}

/// What `run` is asked to do.
struct RunOptions {
  enum Format: String { case text, json }
  enum Seeds {
    /// As many as each scenario says.
    case scenarios
    case range(Range<UInt64>)
    /// One run: of a seed, of a plan, or of a plan over a seed.
    case one(seed: UInt64?, plan: Plan)
  }

  var patterns: [String] = []
  var file: String?
  var seeds = Seeds.scenarios
  var jobs = max(1, ProcessInfo.processInfo.activeProcessorCount)
  var format = Format.text
  var hasDetails = false
  var isQuiet = false
  var provesSmallest = false
  var showsCoverage = false
  var faults: Int?
  var starts = 5
  var baseline: String?
  /// Seconds for all scenarios together.
  var budget: Double?
  var isBestEffort = false
  var saves = false
  var emitsTest = false

  init() {}

  init(_ words: Words) throws(Failure) {
    patterns = words.values[.scenario] ?? []
    file = words.first(.scenarios)
    hasDetails = words.has(.details)
    isQuiet = words.has(.quiet)
    provesSmallest = words.has(.prove)
    showsCoverage = words.has(.coverage)
    if let text = words.first(.faults) {
      guard let number = Int(text), (0...8).contains(number) else {
        throw .usage("--faults: '\(text)' is no number of decisions: expected 0 to 8")
      }
      faults = number
    }
    if let text = words.first(.budget) {
      budget = try Self.read(.budget, text, as: TimeText.duration).inSeconds
    }
    baseline = words.first(.baseline)
    if let text = words.first(.starts) {
      guard let number = Int(text), (1...1000).contains(number) else {
        throw .usage("--starts: '\(text)' is no number of starts: expected 1 to 1000")
      }
      starts = number
    }
    isBestEffort = words.has(.bestEffort)
    saves = words.has(.save)
    emitsTest = words.has(.emitTest)
    if let text = words.first(.jobs) {
      guard let number = Int(text), (1...1024).contains(number) else {
        throw .usage("--jobs: '\(text)' is no number of threads: expected 1 to 1024")
      }
      jobs = number
    }
    if let text = words.first(.format) {
      guard let known = Format(rawValue: text) else {
        throw .usage("--format: '\(text)' is unknown: expected text or json")
      }
      format = known
    }
    let plan = try words.first(.plan).map(Self.plan)
    if let text = words.first(.seed) {
      seeds = .one(seed: try Self.read(.seed, text, as: SeedText.seed), plan: plan ?? Plan())
    } else if let plan {
      seeds = .one(seed: nil, plan: plan)
    } else if let text = words.first(.seeds) {
      seeds = .range(try Self.read(.seeds, text, as: SeedText.range))
    }
  }

  /// An option's value as it is meant, or a complaint that names the option.
  private static func read<Value>(
    _ option: Option, _ text: String, as meaning: (String) throws(TextError) -> Value
  ) throws(Failure) -> Value {
    do { return try meaning(text) } catch {
      throw .usage("--\(option.rawValue): \(error.description)")
    }
  }

  private static func plan(_ text: String) throws(Failure) -> Plan {
    do { return try Plan(textOrJSON: text) } catch {
      throw .usage("--plan: \(error.description)")
    }
  }
}
