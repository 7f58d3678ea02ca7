import ChaosStore
import Invariants

/// `explain`: what a name, a code or a cell of the table means, and how one knows.
struct ExplainCommand: Command {
  static let name = "explain"
  static let summary = "what a fault, rule, design, scenario or cell of the table means"
  static let discussion = """
    Prints what there is to say about a fault, an invariant, a system, a scenario or a letter of the \
    table, with public reports of it. With a row and a column of the table it runs the scenarios of \
    that cell and tells the story of what costs most. Any other word is looked for in all names.
    """
  static let options = [
    ScenarioOptions.file,
    Option("as-file", "print a scenario as a scenario file of its own, and nothing else"),
  ]
  static let exitCodes = [
    ExitCodeMeaning(.asExpected, "it was explained, whatever breaks"),
    ExitCodeMeaning(.noVerdict, "a bad scenario file"),
  ]
  static let examples = [
    Example("explain F41", "a fault, by code or by name"),
    Example("explain L", "a letter of the table"),
    Example("explain crash", "everything whose name has that word"),
    Example("explain receipt-store/naive F01", "a cell: its row, and the code above its column"),
    Example("explain receipt-store/naive", "a row, with all that strikes it"),
    Example("explain NAME --as-file > mine.json", "a scenario to begin with"),
  ]

  static func operands(in environment: RunnerEnvironment) -> [Operand] {
    [
      Operand(
        name: "NAME", isRequired: true,
        about: "a name or a code; or a row of the table: a system, with '/' and its variant or "
          + "its backend where it has several"),
      Operand(
        name: "COLUMN", isRequired: false,
        about: "behind a row: a fault, or the code above the column, such as F01 or mixed"),
    ]
  }

  private let name: String
  private let column: String?
  private let file: String?
  private let isAsFile: Bool

  init(parsing words: Words, in environment: RunnerEnvironment) throws(Failure) {
    try words.refuseOperands(after: 2)
    guard let name = words.operands.first else {
      throw .usage(
        "'explain' needs the name of a fault, invariant, system or scenario, a letter of the table, "
          + "or a cell such as: receipt-store/naive F01")
    }
    self.name = name
    column = words.operands.dropFirst().first
    file = words.first("scenarios")
    isAsFile = words.has("as-file")
  }

  func run(in environment: RunnerEnvironment, on console: Console) throws(Failure) -> ExitCode {
    console.out(try text(environment, console))
    return .asExpected
  }

  private func text(_ environment: RunnerEnvironment, _ console: Console) throws(Failure)
    -> String
  {
    let page = ExplanationPage(width: min(console.width, 100))
    // What is in no file needs none to be read.
    if column == nil, !isAsFile {
      if let fault = Fault(named: name) {
        let source = try? ScenarioSource(
          file: file, console: console, world: environment, isQuiet: true)
        return page.text(of: fault, in: source?.scenarios ?? [])
      }
      if let text = page.catalogue(name) { return text }
    }
    let source = try ScenarioSource(file: file, console: console, world: environment)
    if isAsFile {
      guard column == nil, let scenario = source.scenarios.first(where: { $0.name == name }) else {
        let hint = suggestion(for: name, among: source.scenarios.map(\.name))
        throw .usage("--as-file needs the name of a scenario, found '\(name)'" + hint)
      }
      return scenario.json
    }
    let cells = CellExplanation(
      source, paste: PasteLine(program: environment.program, source: source), on: console)
    if let column { return try cells.text(row: name, column: column) }
    if let scenario = source.scenarios.first(where: { $0.name == name }) {
      return page.text(of: scenario)
    }
    if let system = environment.systems.first(where: { $0.entry.name == name.lowercased() }) {
      return page.text(of: system, in: source.scenarios)
    }
    if let text = cells.text(row: name) { return text }
    let index = NameIndex(environment.systems, source.scenarios)
    if let text = index.text(of: name, width: page.width) { return text }
    let hint = suggestion(for: name, among: index.names)
    throw .usage(
      "there is no fault, invariant, system or scenario called '\(name)'"
        + (hint.isEmpty ? "; 'list' names them all" : hint))
  }
}

extension BackendKind {
  var meaning: String {
    switch self {
    case .naive: "does what the published server does, with no memory of earlier reports"
    case .idempotent: "credits each transaction once, committed together with the balance"
    }
  }
}
