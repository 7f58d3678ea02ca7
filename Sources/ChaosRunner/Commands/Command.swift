import ChaosStore

/// A word of the command line: what it takes, what it says of itself, and what it does.
///
/// A new one is a file of its own and a line in `Commands.all`.
protocol Command: SendableMetatype {
  /// The word.
  static var name: String { get }
  /// The kind of report that it writes; nil where it writes none.
  static var kind: CommandResult.Kind? { get }
  /// What it does, in one line of the overview.
  static var summary: String { get }
  /// What it does, what it prints and what that is good for, in a few sentences of its help.
  static var discussion: String { get }
  /// What stands behind the word.
  static func operands(in environment: RunnerEnvironment) -> [Operand]
  /// The options it takes, in the order of its help.
  static var options: [Option] { get }
  /// Options that cannot be given together.
  static var contradictions: [Contradiction] { get }
  /// What it can end with besides 64.
  static var exitCodes: [ExitCodeMeaning] { get }
  /// Arguments, and what comes of them.
  static var examples: [Example] { get }

  /// Reads what the words mean; options are known to be its own.
  init(parsing words: Words, in environment: RunnerEnvironment) throws(Failure)
  /// Does it.
  func run(in environment: RunnerEnvironment, on console: Console) throws(Failure) -> ExitCode
}

/// What stands behind a command's word.
struct Operand {
  let name: String
  let isRequired: Bool
  let about: String
  /// The values it may have, each with what it stands for; empty where anything may stand.
  var choices: [(name: String, about: String)] = []

  var usage: String { isRequired ? name : "[\(name)]" }
}

/// A code, and when a command ends with it.
struct ExitCodeMeaning {
  let code: ExitCode
  let meaning: String

  init(_ code: ExitCode, _ meaning: String) {
    self.code = code
    self.meaning = meaning
  }
}

/// Arguments to try.
struct Example {
  let arguments: String
  let about: String

  init(_ arguments: String, _ about: String) {
    self.arguments = arguments
    self.about = about
  }
}

extension Command {
  static var kind: CommandResult.Kind? { nil }
  static func operands(in environment: RunnerEnvironment) -> [Operand] { [] }
  static var options: [Option] { [] }
  static var contradictions: [Contradiction] { [] }
  static var exitCodes: [ExitCodeMeaning] {
    [ExitCodeMeaning(.asExpected, "it was printed"), ExitCodeMeaning(.noVerdict, "it cannot be")]
  }

  /// Whether it takes an option of this name.
  static func takes(_ option: String) -> Bool {
    options.contains { $0.name == option } || Commands.common.contains { $0.name == option }
  }
}

/// The commands there are.
enum Commands {
  static let all: [any Command.Type] = [
    RunCommand.self, ExploreCommand.self, MergeCommand.self, CompareCommand.self,
    PowerCommand.self, ReplayCommand.self,
    RegressCommand.self, ListCommand.self, ExplainCommand.self, CheckCommand.self,
    AuditCommand.self, ConvertCommand.self,
    TraceCommand.self, VerifyDeterminismCommand.self, NewCommand.self, HelpCommand.self,
    VersionCommand.self,
  ]

  /// Options of every command.
  static let common = [
    Option("help", "this text; -h does the same"), Option("version", "the version"),
  ]

  /// Every option of every command once.
  static let options: [Option] = {
    var options = common
    for option in all.flatMap({ $0.options }) {
      if !options.contains(where: { $0.name == option.name }) { options.append(option) }
    }
    return options
  }()

  static func named(_ word: String) throws(Failure) -> any Command.Type {
    if let command = all.first(where: { $0.name == word }) { return command }
    let names = all.map { $0.name }
    let hint = suggestion(for: word, among: names)
    throw .usage(
      "unknown command '\(word)'"
        + (hint.isEmpty
          ? "; the commands are \(names.joined(separator: ", "))"
            + " (a scenario is chosen with --scenario NAME)" : hint))
  }
}

/// `version`: the version.
struct VersionCommand: Command {
  static let name = "version"
  static let summary = "the version"
  static let discussion = "Prints the version of this program."
  static let examples: [Example] = []

  init() {}

  init(parsing words: Words, in environment: RunnerEnvironment) throws(Failure) {
    try words.refuseOperands(after: 0)
  }

  func run(in environment: RunnerEnvironment, on console: Console) -> ExitCode {
    console.out("\(environment.program) \(Runner.version)\n")
    return .asExpected
  }
}
