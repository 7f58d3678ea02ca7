import ChaosStore

/// The scenarios of a file, or those that come with ChaosStore.
struct ScenarioSource {
  static let usualFile = "scenarios.json"

  var scenarios: [Scenario]
  /// The file; nil for the built-in copy.
  var path: String?
  /// The folder of plan files: beside the file, or where the program keeps those of its own scenarios.
  private(set) var regressions = ""
  /// Names of those that no file has: worlds made up for systems that no scenario names.
  var defaultWorlds: [String] = []
  /// What the scenarios were read from.
  private(set) var text = ""
  /// What was read, where it cannot be read again.
  private(set) var streamed: String?
  /// The `.storekit` files that the file names, by their paths from here on.
  private(set) var storeKitFiles: [(path: String, text: String)] = []

  /// Reads the file that was asked for, else the usual one, else the built-in copy, and says if it is
  /// that: somebody who stands in the wrong folder is to know.
  init(
    file: String?, console: Console, world: RunnerEnvironment, isQuiet: Bool = false
  ) throws(Failure) {
    let wanted = file ?? Self.usualFile
    let text: String?
    do {
      // A program with scenarios of its own looks for no file that nobody has named.
      text = file == nil && !world.looksForFile ? nil : try console.read(wanted)
    } catch {
      throw .noVerdict("\(wanted) cannot be read: \(error)")
    }
    if text == nil, let file {
      throw .noVerdict(
        "there is no file '\(file)'; without --scenarios the built-in scenarios are run")
    }
    path = text == nil ? nil : wanted
    self.text = text ?? world.builtIn
    streamed = TextFile.isStream(wanted) ? text : nil
    let folder = Self.folder(of: streamed == nil ? path : nil)
    regressions =
      path == nil ? world.ownRegressions ?? RegressionFolder.name : folder + RegressionFolder.name
    var named: [(path: String, text: String)] = []
    let contents: (String) throws -> String? = { path in
      let place = path.hasPrefix("/") ? path : folder + path
      guard let text = try console.read(place) else { return nil }
      named.append((place, text))
      return text
    }
    do {
      scenarios =
        if let text { try world.parse(text, world.systems, contents) } else {
          try Self.builtIn(of: world)
        }
      storeKitFiles = named
    } catch {
      if let text, let path, (try? PlanFile(json: text)) != nil {
        throw .noVerdict(
          "\(path): this is a plan file, not one of scenarios; to run it: \(world.program) replay "
            + path.shellQuoted)
      }
      throw .noVerdict("\(path ?? "the built-in scenarios"): \(error.description)")
    }
    if text == nil, !isQuiet, !scenarios.isEmpty, world.looksForFile {
      console.err(
        "There is no ./\(Self.usualFile): these are the scenarios that come with "
          + "\(world.program).\n")
    }
    try addDefaultWorlds(for: world.systems)
  }

  /// The built-in scenarios of the systems that the program was handed.
  private static func builtIn(of world: RunnerEnvironment) throws(ScenarioError) -> [Scenario] {
    let handed = world.systems.map(\.typeName)
    let missing = BuiltIn.systems.filter { !handed.contains($0.typeName) }
    let all = try world.parse(world.builtIn, world.systems + missing) { _ in nil }
    return all.filter { scenario in !missing.contains { $0.typeName == scenario.system.typeName } }
  }

  /// The scenarios whose names match a pattern, in the file's order; all where there is none.
  func selection(_ patterns: [String]) throws(Failure) -> [Scenario] {
    let place = path ?? "the built-in scenarios"
    guard !scenarios.isEmpty else { throw .noVerdict("\(place): there is no scenario in it") }
    for pattern in patterns where !scenarios.contains(where: { $0.name.matches(glob: pattern) }) {
      let hint = suggestion(for: pattern, among: scenarios.map(\.name))
      throw .noVerdict(
        "no scenario of \(place) is called '\(pattern)'"
          + (hint.isEmpty ? "; 'list scenarios' names them" : hint))
    }
    if patterns.isEmpty { return scenarios }
    return scenarios.filter { scenario in
      patterns.contains { scenario.name.matches(glob: $0) }
    }
  }

  private static func folder(of path: String?) -> String {
    guard let path, let end = path.lastIndex(of: "/") else { return "" }
    return String(path[...end])
  }

  /// What a line to paste needs so that it reads the same scenarios.
  var argument: String {
    guard let path, path != Self.usualFile, path != "./" + Self.usualFile else { return "" }
    return " --scenarios \(path.shellQuoted)"
  }
}

/// Lines that a person can paste to see a run again.
struct PasteLine {
  var program: String
  var source: ScenarioSource

  func run(_ scenario: Scenario, seed: UInt64) -> String {
    base(scenario) + " --seed \(SeedText.text(seed))"
  }

  func run(_ scenario: Scenario, plan: Plan) -> String {
    base(scenario) + " --plan \(plan.description.shellQuoted)"
  }

  func run(_ scenario: Scenario, seed: UInt64?, plan: Plan) -> String {
    switch (seed, plan.isEmpty) {
    case (let seed?, true): run(scenario, seed: seed)
    case (let seed?, false): run(scenario, seed: seed) + " --plan \(plan.description.shellQuoted)"
    case (nil, _): run(scenario, plan: plan)
    }
  }

  func replay(_ path: String) -> String {
    "\(invocation) replay \(path.shellQuoted)" + source.argument
  }

  /// The same run line by line.
  func trace(_ scenario: Scenario, seed: UInt64) -> String {
    base(scenario, command: " trace") + " --seed \(SeedText.text(seed))"
  }

  /// What begins each line: what a person has typed to come here, where the program is a part of another one.
  var invocation: String {
    program.contains(" ") ? program : "swift run -c release \(program.shellQuoted)"
  }

  private func base(_ scenario: Scenario, command: String = "") -> String {
    "\(invocation)\(command) --scenario \(scenario.name.shellQuoted)"
      + source.argument
  }
}
