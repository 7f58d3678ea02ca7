import ChaosStore
import Invariants

/// `list`: what there is, a line each.
struct ListCommand: Command {
  /// What can be listed.
  enum Listing: String, CaseIterable {
    case scenarios, systems, faults, invariants, decisions

    var about: String {
      switch self {
      case .scenarios: "what each shows"
      case .systems: "the designs, with their backends and variants"
      case .faults: "what can go wrong in the world"
      case .invariants: "what must be true"
      case .decisions: "what a quiet run of one --scenario asks, and what a plan can name"
      }
    }
  }

  static let name = "list"
  static let summary =
    "scenarios, systems, faults, invariants, or decisions: what a quiet run of one --scenario asks"
  static let discussion = """
    Prints a line for each thing there is. 'explain' with one of the names or codes says more.
    """
  static let options = ScenarioOptions.options
  static let examples = [
    Example("list scenarios --scenario 'receipt-store/*'", "the scenarios of one design"),
    Example("list decisions --scenario NAME", "what --plan takes"),
  ]

  static func operands(in environment: RunnerEnvironment) -> [Operand] {
    [
      Operand(
        name: "WHAT", isRequired: true, about: "one of",
        choices: Listing.allCases.map { ($0.rawValue, $0.about) })
    ]
  }

  private let listing: Listing
  private let selection: ScenarioOptions

  init(parsing words: Words, in environment: RunnerEnvironment) throws(Failure) {
    try words.refuseOperands(after: 1)
    selection = ScenarioOptions(words)
    let all = Listing.allCases.map(\.rawValue)
    guard let word = words.operands.first else {
      throw .usage("'list' needs to know what: \(all.joined(separator: ", "))")
    }
    guard let listing = Listing(rawValue: word) else {
      let hint = suggestion(for: word, among: all)
      throw .usage(
        "'list' knows no '\(word)'"
          + (hint.isEmpty ? "; it lists \(all.joined(separator: ", "))" : hint))
    }
    if listing == .decisions, selection.patterns.count != 1 {
      throw .usage(
        "'list decisions' needs exactly one --scenario NAME: the questions are those of its quiet run"
      )
    }
    self.listing = listing
  }

  func run(in environment: RunnerEnvironment, on console: Console) throws(Failure) -> ExitCode {
    let width = console.width
    let text =
      switch listing {
      case .scenarios: table(try scenarios(environment, console).map(row), width)
      case .systems: table(environment.systems.map(row), width)
      case .faults: table(CatalogueCodes.faults, width)
      case .invariants: table(CatalogueCodes.invariants, width)
      case .decisions: try decisions(try scenarios(environment, console), console)
      }
    console.out(text)
    return .asExpected
  }

  private func scenarios(_ environment: RunnerEnvironment, _ console: Console) throws(Failure)
    -> [Scenario]
  {
    try ScenarioSource(file: selection.file, console: console, world: environment)
      .selection(selection.patterns)
  }

  private func row(_ scenario: Scenario) -> [String] {
    let expects = scenario.expects.joined(separator: ", ")
    if !scenario.about.isEmpty { return [scenario.name, scenario.about] }
    return [scenario.name, expects.isEmpty ? "breaks nothing" : "breaks " + expects]
  }

  private func row(_ system: AnySystem) -> [String] {
    let entry = system.entry
    var about = entry.summary
    about += " Backends: " + entry.backends.map(\.rawValue).joined(separator: ", ") + "."
    if system.variants.count > 1 {
      about += " Variants: " + system.variants.joined(separator: ", ") + "."
    }
    return [entry.name, about]
  }

  /// Columns as wide as their widest word; the last one is wrapped.
  private func table(_ rows: [[String]], _ width: Int) -> String {
    guard let count = rows.first?.count else { return "" }
    let widths = (0..<count - 1).map { column in rows.map { $0[column].count }.max() ?? 0 }
    var text = ""
    for row in rows {
      let head = zip(row, widths).map { $0.padded(to: $1 + 2) }.joined()
      for line in String.hanging(head, row[count - 1], width: width) {
        text += line.trimmingEnd + "\n"
      }
    }
    return text
  }

  private func decisions(_ chosen: [Scenario], _ console: Console) throws(Failure) -> String {
    guard chosen.count == 1 else {
      throw .usage(
        "'list decisions' needs one scenario, and '\(selection.patterns[0])' matches "
          + "\(chosen.count)")
    }
    let cancellation = Cancellation(console, Progress(console))
    let record = Simulation(chosen[0], cancellation: cancellation)
      .record(seed: nil, listsQuestions: true)
    if record.outcome.isInterrupted {
      throw .noVerdict("interrupted after \(record.outcome.events.of("event")) of the quiet run")
    }
    var text = """
      What a quiet run of \(chosen[0].name) asks. --plan takes any of these, separated by commas, as
      it is or with one of the values after '='. In parentheses: the fault it amounts to. What is
      asked only after a fault is not here: run with a plan to get there.

      """
    text += "\n" + "seconds".leftPadded(to: 10) + "  question subject #occurrence\n"
    for asking in record.questions {
      text += asking.at.seconds.leftPadded(to: 10) + "  "
      let decision = "\(asking.question.name) \(asking.subject.name) #\(asking.occurrence)"
      let values = Self.values(asking.question, chosen[0].setup.mix)
      let fault = asking.question.fault.map { "  (\($0.code) \($0.entry.short))" } ?? ""
      text += (decision + values).padded(to: fault.isEmpty ? 0 : 44) + fault + "\n"
    }
    return text
  }

  /// What a plan writes behind the question; nothing where the question alone says it.
  private static func values(_ question: Question, _ mix: FaultMix) -> String {
    switch question.shape {
    case .strike, .omission: return ""
    case .choice(_, let values):
      return " = " + values.map(String.init).joined(separator: " | ")
    case .delay(let delay):
      let range = mix.delays[question] ?? delay.range
      var words = ["\(range.lowerBound)ms...\(range.upperBound)ms"]
      if range.lowerBound == range.upperBound { words = ["\(range.lowerBound)ms"] }
      if delay.overtaken != nil { words.append("overtaken") }
      if delay.late != nil { words.append("late") }
      return " = " + words.joined(separator: " | ")
    }
  }
}
