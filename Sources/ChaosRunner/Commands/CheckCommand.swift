import ChaosStore

/// `check`: whether a scenario file is in order.
struct CheckCommand: Command {
  static let name = "check"
  static let summary = "say whether a scenario file is in order"
  static let discussion = """
    Reads a scenario file as every command does and says how many scenarios are in it, or what is \
    wrong with it: the key or the line and column, what was found there, and what was expected.
    """
  static let exitCodes = [
    ExitCodeMeaning(.asExpected, "it is in order"),
    ExitCodeMeaning(.noVerdict, "it is not, or there is no scenario in it"),
  ]
  static let examples = [Example("check my-scenarios.json", "whether that file is in order")]

  static func operands(in environment: RunnerEnvironment) -> [Operand] {
    [
      Operand(
        name: "FILE", isRequired: false,
        about: "the file to read; ./\(ScenarioSource.usualFile) by default")
    ]
  }

  private let path: String?

  init(parsing words: Words, in environment: RunnerEnvironment) throws(Failure) {
    try words.refuseOperands(after: 1)
    path = words.operands.first
  }

  func run(in environment: RunnerEnvironment, on console: Console) throws(Failure) -> ExitCode {
    let source = try ScenarioSource(file: path, console: console, world: environment)
    let place =
      source.path ?? "the built-in scenarios (there is no ./\(ScenarioSource.usualFile))"
    let scenarios = source.scenarios.filter { !source.defaultWorlds.contains($0.name) }
    guard !scenarios.isEmpty else { throw .noVerdict("\(place): there is no scenario in it") }
    let systems = Set(scenarios.map(\.system.entry.name)).count
    console.out(
      "\(place): \(scenarios.count.of("scenario")) of \(systems.of("system")), all in order\n")
    for note in source.notes(on: source.scenarios, program: environment.program) {
      console.err(note.wrappedLines(to: console.width).joined(separator: "\n") + "\n")
    }
    return .asExpected
  }
}
