import ChaosStore

/// A plan file as the source of a test for somebody's own package.
///
/// The test stands by itself: it holds the scenario and the plan, and asserts that the invariant
/// holds, whatever the file says that it came to.
struct EmittedTest {
  let source: String
  /// Whether the test passes today.
  let passes: Bool
  /// What breaks today, in words.
  let broken: String

  init(_ file: PlanFile, _ scenario: Scenario) throws(Failure) {
    let replay = Replay(file, among: [try Self.readBack(scenario)], bestEffort: true)
    guard replay.outcome == Replay(file, among: [scenario]).outcome else {
      throw .noVerdict(
        "\(scenario.name) runs otherwise once it was written to a file, so no test can hold it")
    }
    let unasked = Plan(replay.unmatched)
    broken = unasked.size == 0 ? replay.cameTo : "never asks \(unasked)"
    let holds =
      if case .violates = file.expectation { !replay.isAsExpected } else { replay.isAsExpected }
    passes = holds && unasked.size == 0
    source = try Self.source(file, scenario)
  }

  /// What a test that reads the scenario's text gets.
  private static func readBack(_ scenario: Scenario) throws(Failure) -> Scenario {
    do {
      return try ScenarioFile.scenarios(fromJSON: scenario.json, systems: [scenario.system])[0]
    } catch {
      throw .noVerdict("\(scenario.name) cannot be written to a file: \(error.description)")
    }
  }

  private static func source(_ file: PlanFile, _ scenario: Scenario) throws(Failure) -> String {
    let systems = try Systems(scenario.system)
    let seed = file.seed.map(SeedText.text)
    let name = quoted("\(scenario.name): \(file.claim) \(file.origin)")
    let title = name.count > 90 ? "\n  \(name)\n" : name
    let text = scenario.json.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
    let marks = marks(around: text)
    return """
      \(systems.imports.joined(separator: "\n"))

      @Test(\(title))
      func \(file.testName)() throws {
        let scenario = try #require(
          ScenarioFile.scenarios(fromJSON: scenarioFile, systems: \(systems.list)).first)
        let plan = \(plan(file.plan))
        let record = Simulation(scenario).record(seed: \(seed ?? "nil"), plan: plan)
        let story = Story(record, of: scenario).text
        #expect(!record.outcome.isCutOff, "\\(story)")
      \(matching(file.plan))\
        #expect(\(assertion(file.expectation)), "\\(story)")
      }

      private let scenarioFile = \(marks)\"""
      \(text)
        \"""\(marks)

      """
  }

  private static func plan(_ plan: Plan) -> String {
    if plan.isEmpty { return "Plan()" }
    let lines = plan.decisions.map { "      \($0)\n" }.joined()
    return "try Plan(\n    parsing: \"\"\"\n\(lines)      \"\"\")"
  }

  /// A plan proves nothing if the run never asks one of its questions. A phone or a step that an `omit` names may be
  /// gone.
  private static func matching(_ plan: Plan) -> String {
    if plan.size == 0 { return "" }
    return "  let unasked = Plan(record.unmatched)\n"
      + "  #expect(unasked.size == 0, \"the run never asks: \\(unasked)\")\n"
  }

  private static func assertion(_ expectation: PlanFile.Expectation) -> String {
    switch expectation {
    case .holds: "record.broken(in: scenario) == []"
    case .violates(let name): "!record.broken(in: scenario).contains(\(quoted(name)))"
    }
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  /// As many number signs as keep everything in a text from being understood.
  private static func marks(around text: String) -> String {
    var marks = "#"
    while text.contains("\\" + marks) || text.contains("\"\"\"" + marks) { marks += "#" }
    return marks
  }
}

/// What a test writes to have the system of a scenario.
private struct Systems {
  var imports: [String]
  var list: String

  init(_ system: AnySystem) throws(Failure) {
    if BuiltIn.systems.contains(where: { $0.typeName == system.typeName }) {
      imports = ["import ChaosStore", "import Testing"]
      list = "BuiltIn.systems"
      return
    }
    let name = system.typeName
    guard let dot = name.firstIndex(of: "."), !name.contains(where: { "(<".contains($0) }) else {
      throw .noVerdict(
        "the type of the system '\(system.entry.name)' cannot be named in another file: "
          + "make it neither private nor generic, and let no function hold it")
    }
    imports = ["import ChaosStore", "import Testing", "", "@testable import \(name[..<dot])"]
    list = "[AnySystem(\(name[name.index(after: dot)...]).self)]"
  }
}

extension PlanFile {
  fileprivate var claim: String {
    switch expectation {
    case .violates(let name): "\(name) holds"
    case .holds: "every invariant holds"
    }
  }

  fileprivate var origin: String {
    let text = plan.description
    let named = text.count <= 100 ? "'\(text)'" : "a plan of \(plan.decisions.count) decisions"
    switch (seed.map { "under seed \(SeedText.text($0))" }, plan.isEmpty) {
    case (let seed?, true): return seed
    case (let seed?, false): return "\(seed) and \(named)"
    case (nil, true): return "in a quiet run"
    case (nil, false): return "under \(named)"
    }
  }

  /// A name for a function, unlike that of any other plan.
  fileprivate var testName: String {
    let outcome = if case .violates(let name) = expectation { name } else { "holds" }
    let words = (scenario + " " + outcome).split { character in
      !(character.isASCII && (character.isLetter || character.isNumber))
    }
    let name = words.enumerated().map { index, word in
      index == 0 ? word.lowercased() : word.prefix(1).uppercased() + word.dropFirst()
    }.joined()
    return (name.first?.isNumber ?? true ? "scenario" : "") + name + "Plan" + digest
  }
}
