import Invariants

/// A run that is kept in a file: a scenario, a plan, what is to come of it, and its trace hash.
///
/// `chaos-runner --save` and a property test write them; a ``Replay`` runs one again.
public struct PlanFile: Equatable, Sendable {
  /// What the run comes to.
  public enum Expectation: Equatable, Sendable {
    /// Breaks the invariant of this name.
    case violates(String)
    /// Breaks nothing that the scenario judges.
    case holds
  }

  /// The name of the scenario.
  public var scenario: String
  /// What is run: the plan, and the seed that answers what it does not; nil for quiet answers.
  public var origin: Origin
  /// What is to come of it.
  public var expectation: Expectation
  /// The hash of the history.
  public var trace: UInt64
  /// The world it was recorded in.
  public var model: Model
  /// The version of the package that recorded it.
  public var tool: String

  /// Runs it once, and notes what the file needs to know of the run.
  public init(
    recording scenario: Scenario, _ origin: Origin, expecting: Expectation
  ) {
    self.scenario = scenario.name
    self.origin = origin
    expectation = expecting
    trace = Simulation(scenario).run(origin).trace
    model = Model(of: scenario, followsSeed: origin.seed != nil)
    tool = Model.toolVersion
  }

  /// The decisions of the run.
  public var plan: Plan {
    get { origin.plan }
    set { origin.plan = newValue }
  }
  /// The seed under the plan; nil where there is none.
  public var seed: UInt64? {
    get { origin.seed }
    set { origin.seed = newValue }
  }

  /// As it stands in a file: one decision a line.
  public var json: String {
    let decisions = plan.decisions.map { "    " + JSONValue.quoted($0.description) }
    let members = [
      "\"version\": \(Self.version)", "\"tool\": \(JSONValue.quoted(tool))",
      "\"model\": \"\(model)\"", "\"scenario\": \(JSONValue.quoted(scenario))",
      seed.map { "\"seed\": \"0x\(String($0, radix: 16))\"" },
      "\"plan\": "
        + (plan.isEmpty ? "[]" : "[\n" + decisions.joined(separator: ",\n") + "\n  ]"),
      "\"expect\": \(expectation.json)", "\"trace\": \"\(TraceListing.text(hash: trace))\"",
    ]
    return "{\n" + members.compactMap { $0 }.map { "  " + $0 }.joined(separator: ",\n") + "\n}\n"
  }

  /// Eight hex digits that tell it from other files: of the scenario, the plan and the outcome.
  public var digest: String {
    let parts = [scenario, seed.map { String($0, radix: 16) } ?? "", plan.description]
    let text = (parts + [expectation.json]).joined(separator: "\n")
    return String(Hashing.name(text).hexDigits.prefix(8))
  }

  /// What to call it: its scenario, what it is to come to, and a short hash.
  public var fileName: String {
    let outcome = if case .violates(let name) = expectation { name } else { "holds" }
    return "\(scenario.asFileName.prefix(120)).\(outcome.asFileName).\(digest).json"
  }

  /// Reads the text of a file, strictly: an unknown key, or one that is missing, is an error.
  public init(json text: String) throws(PlanFileError) {
    do {
      self = try Self.read(JSONNode(path: "", value: try JSONParser.parse(text)))
    } catch {
      throw PlanFileError(description: "\(error)")
    }
  }
}

extension String {
  /// What every file system takes, without dots.
  var asFileName: String {
    String(
      map { character in
        character.isASCII && (character.isLetter || character.isNumber || "-_".contains(character))
          ? character : "-"
      })
  }
}

/// Why a text is no plan file: where, what was found, and what was expected.
public struct PlanFileError: Error, Equatable, CustomStringConvertible {
  /// Such as `expect: found 'breaks', expected 'holds', or …`.
  public var description: String
}

extension PlanFile.Expectation {
  fileprivate var json: String {
    switch self {
    case .violates(let name): "{\"violates\": \(JSONValue.quoted(name))}"
    case .holds: "\"holds\""
    }
  }
}

// MARK: - Reading

extension PlanFile {
  /// The version of the format.
  private static let version = 1
  private static let keys = [
    "version", "tool", "model", "scenario", "seed", "plan", "expect", "trace",
  ]

  private static func read(_ root: JSONNode) throws -> PlanFile {
    try checkVersion(root)
    let file = try root.object(of: keys)
    return PlanFile(
      scenario: try file.required("scenario", "the name of a scenario")
        .string("the name of a scenario"),
      origin: Origin(
        seed: try file["seed"]?.hexNumber(),
        plan: try Plan(reading: try file.required("plan", Plan.expected))),
      expectation: try file.required("expect", Expectation.expected).expectation(),
      trace: try file.required("trace", JSONNode.hexNumbers).hexNumber(),
      model: try file.required("model", JSONNode.models).model(),
      tool: try file.required("tool", "the version of the tool that wrote it")
        .string("the version of the tool that wrote it"))
  }

  private init(
    scenario: String, origin: Origin, expectation: Expectation, trace: UInt64,
    model: Model, tool: String
  ) {
    self.scenario = scenario
    self.origin = origin
    self.expectation = expectation
    self.trace = trace
    self.model = model
    self.tool = tool
  }

  /// Comes before all other complaints: another version may have other keys.
  private static func checkVersion(_ root: JSONNode) throws(ScenarioError) {
    let file = try root.object("an object of \(keys.sorted().joined(separator: ", "))")
    let version = try file.required("version", "\(version)")
    guard case .int(let number) = version.value, number > 0 else {
      throw version.error(expected: "\(Self.version)")
    }
    guard number != Self.version else { return }
    var writer = "another version of this tool"
    if case .string(let tool) = file["tool"]?.value { writer += " (\(tool))" }
    throw version.error(
      expected: "\(Self.version): it was written by \(writer), and this is \(Model.toolVersion)")
  }
}

extension PlanFile.Expectation {
  fileprivate static let expected = "'holds', or {\"violates\": the name of an invariant}"
}

extension JSONNode {
  fileprivate static let hexNumbers = "0x and up to 16 hex digits, as a text"
  fileprivate static let models = "a model such as 1-0123456789abcdef"

  fileprivate func hexNumber() throws(ScenarioError) -> UInt64 {
    let text = try string(Self.hexNumbers)
    guard text.hasPrefix("0x"), text.dropFirst(2).allSatisfy(\.isHexDigit),
      let number = UInt64(text.dropFirst(2), radix: 16)
    else { throw error(expected: Self.hexNumbers) }
    return number
  }

  fileprivate func model() throws(ScenarioError) -> Model {
    guard let model = Model(parsing: try string(Self.models)) else {
      throw error(expected: Self.models)
    }
    return model
  }

  fileprivate func expectation() throws(ScenarioError) -> PlanFile.Expectation {
    if value == .string("holds") { return .holds }
    guard case .object = value else { throw error(expected: PlanFile.Expectation.expected) }
    let name = try object(of: ["violates"]).required("violates", "the name of an invariant")
    return .violates(try name.string("the name of an invariant"))
  }
}
