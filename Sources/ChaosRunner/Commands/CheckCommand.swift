import ChaosStore

/// `check`: whether a scenario file is in order, and what of a `.storekit` file is simulated.
struct CheckCommand: Command {
  static let name = "check"
  static let summary = "say whether a scenario file is in order"
  static let discussion = """
    Reads a scenario file as every command does and says how many scenarios are in it, or what is \
    wrong with it: the key or the line and column, what was found there, and what was expected. Of a \
    StoreKit configuration file, as Xcode writes it, it says what is sold, which faults the errors are \
    that are switched on, and what is not simulated.
    """
  static let exitCodes = [
    ExitCodeMeaning(.asExpected, "it is in order"),
    ExitCodeMeaning(.noVerdict, "it is not, or there is no scenario or product in it"),
  ]
  static let examples = [
    Example("check my-scenarios.json", "whether that file is in order"),
    Example("check Shop.storekit", "what a world with \"storekit\": \"Shop.storekit\" has"),
  ]

  static func operands(in environment: RunnerEnvironment) -> [Operand] {
    [
      Operand(
        name: "FILE", isRequired: false,
        about:
          "the file to read, of scenarios or .storekit; ./\(ScenarioSource.usualFile) by default")
    ]
  }

  private let path: String?

  init(parsing words: Words, in environment: RunnerEnvironment) throws(Failure) {
    try words.refuseOperands(after: 1)
    path = words.operands.first
  }

  func run(in environment: RunnerEnvironment, on console: Console) throws(Failure) -> ExitCode {
    if let path, path.hasSuffix(".storekit") { return try checkCatalogue(path, on: console) }
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

  private func checkCatalogue(_ path: String, on console: Console) throws(Failure) -> ExitCode {
    let text: String?
    do { text = try console.read(path) } catch {
      throw .noVerdict("\(path) cannot be read: \(error)")
    }
    guard let text else { throw .noVerdict("there is no file '\(path)'") }
    let file: StoreKitFile
    do { file = try StoreKitFile(json: text) } catch { throw .noVerdict("\(path): \(error)") }
    console.out(StoreKitText(file, path: path, width: console.width).text)
    guard !file.products.isEmpty else {
      throw .noVerdict("\(path): there is no product in it that is simulated")
    }
    return .asExpected
  }
}
