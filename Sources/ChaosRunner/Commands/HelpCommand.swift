import ChaosStore

/// `help`: an overview, or all there is to say about one command.
struct HelpCommand: Command {
  static let name = "help"
  static let summary = "this overview, or what one command takes and does"
  static let discussion = """
    Without a command it prints an overview; with one, what that command takes, what it does, what \
    it can end with, and examples. '--help' behind a command does the same.
    """
  static let examples = [Example("help explore", "what 'explore' takes")]
  static func operands(in environment: RunnerEnvironment) -> [Operand] {
    [Operand(name: "COMMAND", isRequired: false, about: "one of those that the overview names")]
  }

  private let command: (any Command.Type)?

  init(parsing words: Words, in environment: RunnerEnvironment) throws(Failure) {
    try words.refuseOperands(after: 1)
    command = try words.operands.first.map { (word) throws(Failure) in try Commands.named(word) }
  }

  func run(in environment: RunnerEnvironment, on console: Console) -> ExitCode {
    console.out(HelpText(environment).text(command))
    return .asExpected
  }
}

/// What the help of the program and of each command says.
struct HelpText {
  private static let width = 96

  private let environment: RunnerEnvironment
  private var program: String { environment.program }

  init(_ environment: RunnerEnvironment) { self.environment = environment }

  /// The overview where no command is asked about.
  func text(_ command: (any Command.Type)?) -> String {
    (command.map(blocks) ?? overview).asParagraphs
  }

  // MARK: - All commands

  private var overview: [[String]] {
    let common = [
      ScenarioOptions.options, RunSelection.options, [Jobs.option, OutputOptions.format],
      Commands.common,
    ].flatMap { $0 }
    return [
      """
      Deterministic fault injection for in-app purchases: simulates purchases under crashes, lost
      answers, replays and the rest, and says which designs lose money, where, and how to see it.
      """.split(separator: "\n").map(String.init),
      ["USAGE: \(program) [COMMAND] [OPTIONS]"],
      ["COMMANDS"] + rows(Commands.all.map { ($0.name, $0.summary) }, column: 20),
      ["COMMON OPTIONS ('\(program) help COMMAND' says which a command takes, and its others)"]
        + rows(common.map { ($0.usage, $0.about) }, column: 20),
      exitCodes(RunCommand.exitCodes),
      examples([
        Example("", "everything, in one table"),
        Example("--scenario NAME --seed 0x2a", "the story of one run"),
        Example("explain F41", "what a fault, a letter of the table or a name means"),
        Example("help explore", "what one command takes and does"),
      ]),
    ]
  }

  // MARK: - One command

  private func blocks(_ command: any Command.Type) -> [[String]] {
    let operands = command.operands(in: environment)
    let words = [program, command.name] + operands.map(\.usage) + ["[OPTIONS]"]
    var blocks: [[String]] = [
      "\(program) \(command.name): \(command.summary)".wrapped(to: Self.width),
      ["USAGE: " + words.joined(separator: " ")],
      command.discussion.wrapped(to: Self.width),
    ]
    for operand in operands {
      let choices = rows(operand.choices.map { ($0.name, $0.about) }, column: 20)
      blocks.append(String.hanging(operand.name + "  ", operand.about, width: Self.width) + choices)
    }
    let options = command.options + Commands.common.filter { $0.name == "help" }
    blocks.append(["OPTIONS"] + rows(options.map { ($0.usage, $0.about) }, column: 20))
    if command.kind != nil,
      command.options.contains(where: { $0.name == OutputOptions.format.name })
    {
      let formats = environment.reporters.filter { $0.canWrite(for: command) }
        .map { ($0.name, $0.summary) }
      blocks.append(["FORMATS"] + rows(formats, column: 20))
    }
    return blocks + [exitCodes(command.exitCodes), examples(command.examples)]
  }

  private func exitCodes(_ codes: [ExitCodeMeaning]) -> [String] {
    let all =
      codes + [
        ExitCodeMeaning(.usage, "the command line makes no sense"),
        ExitCodeMeaning(.output, "standard output cannot be written"),
      ]
    return ["EXIT CODES"] + rows(all.map { ("\($0.code.rawValue)", $0.meaning) }, column: 4)
  }

  private func examples(_ examples: [Example]) -> [String] {
    guard !examples.isEmpty else { return [] }
    return ["EXAMPLES"]
      + examples.flatMap { example in
        ["  \(program) \(example.arguments)".trimmingEnd, "      \(example.about)"]
      }
  }

  /// Names with what is said of them; a name that is too long has a line to itself.
  private func rows(_ rows: [(String, String)], column: Int) -> [String] {
    rows.flatMap { name, about in
      let head = "  " + name.padded(to: column)
      if name.count < column { return String.hanging(head, about, width: Self.width) }
      let blank = String(repeating: " ", count: column + 2)
      return ["  " + name] + String.hanging(blank, about, width: Self.width)
    }
  }
}
