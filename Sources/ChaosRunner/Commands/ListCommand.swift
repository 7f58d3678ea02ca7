import ChaosStore
import Invariants

/// `list`: what there is, a line each.
struct ListCommand {
  private let world: Surroundings
  private let console: Console
  private let options: RunOptions

  init(_ world: Surroundings, _ console: Console, _ options: RunOptions) {
    self.world = world
    self.console = console
    self.options = options
  }

  func text(_ what: Listing) throws(Failure) -> String {
    switch what {
    case .scenarios: table(try scenarios().map(row))
    case .systems: table(world.systems.map(row))
    case .faults: table(Fault.allCases.map { [$0.code, $0.name, $0.entry.short] })
    case .invariants:
      table(Catalogue.invariants.map { [$0.code, $0.name, $0.summary] })
    case .decisions: try decisions()
    }
  }

  private func scenarios() throws(Failure) -> [Scenario] {
    try ScenarioSource(file: options.file, console: console, world: world)
      .selection(options.patterns)
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
  private func table(_ rows: [[String]]) -> String {
    guard let count = rows.first?.count else { return "" }
    let widths = (0..<count - 1).map { column in rows.map { $0[column].count }.max() ?? 0 }
    var text = ""
    for row in rows {
      let head = zip(row, widths).map { $0.padded(to: $1 + 2) }.joined()
      for line in String.hanging(head, row[count - 1], width: console.width) {
        text += line.trimmingEnd + "\n"
      }
    }
    return text
  }

  private func decisions() throws(Failure) -> String {
    let chosen = try scenarios()
    guard chosen.count == 1 else {
      throw .usage(
        "'list decisions' needs one scenario, and '\(options.patterns[0])' matches \(chosen.count)")
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
      text += Self.seconds(asking.at).leftPadded(to: 10) + "  "
      let decision = "\(asking.question.name) \(asking.subject.name) #\(asking.occurrence)"
      let values = Self.values(asking.question, chosen[0].setup.mix)
      let fault = asking.question.fault.map { "  (\($0.code) \($0.entry.short))" } ?? ""
      text += (decision + values).padded(to: fault.isEmpty ? 0 : 44) + fault + "\n"
    }
    return text
  }

  private static func seconds(_ instant: Instant) -> String {
    let rest = String(instant.millis % 1000)
    return "\(instant.millis / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }

  /// What a plan writes behind the question; nothing where the question alone says it.
  private static func values(_ question: Question, _ mix: FaultMix) -> String {
    switch question.shape {
    case .strike, .omission: return ""
    case .choice(_, _, _, let values):
      return " = " + values.map(String.init).joined(separator: " | ")
    case .delay(_, _, let delay):
      let range = mix.delays[question] ?? delay.range
      var words = ["\(range.lowerBound)ms...\(range.upperBound)ms"]
      if range.lowerBound == range.upperBound { words = ["\(range.lowerBound)ms"] }
      if delay.overtaken != nil { words.append("overtaken") }
      if delay.late != nil { words.append("late") }
      return " = " + words.joined(separator: " | ")
    }
  }
}

extension String {
  /// Without spaces at the end.
  var trimmingEnd: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
