import Invariants

/// Reads `scenarios.json`: worlds, and the scenarios that happen in them.
///
/// `{"version": 1, "worlds": {NAME: {…}}, "scenarios": [{"name": …, "system": …, …}]}`
public enum ScenarioFile {
  /// The scenarios of a file, in its order; the systems are those they may name.
  ///
  /// Throws what is wrong with the text: where, what was found, and what is allowed there.
  public static func scenarios(
    fromJSON text: String, systems: [AnySystem]
  ) throws(ScenarioFileError) -> [Scenario] {
    let root = JSONNode(path: "", value: try JSONParser.parse(text))
    let file = try root.object(of: ["version", "worlds", "scenarios"])
    let version = try file.required("version", "1")
    guard version.value == .int(1) else { throw version.error(expected: "1") }
    let worlds = try Worlds(file["worlds"])
    let expected = "a list of at least one scenario"
    let list = try file.required("scenarios", expected)
    let nodes = try list.list(expected)
    guard !nodes.isEmpty else { throw list.error(found: "an empty list", expected: expected) }
    var scenarios: [Scenario] = []
    for node in nodes {
      let scenario = try ScenarioReader(node, worlds, systems).scenario()
      if let twin = scenarios.firstIndex(where: { $0.name == scenario.name }) {
        throw ScenarioFileError(
          keyPath: node.path(to: "name"), found: "'\(scenario.name)'",
          expected: "a name that no other scenario has; scenarios[\(twin)] has it")
      }
      scenarios.append(scenario)
    }
    return scenarios
  }
}

/// What is wrong with a scenario file: where, what was found, and what is allowed there.
public struct ScenarioFileError: Error, Equatable, CustomStringConvertible {
  /// Such as `scenarios[3].faults.response-lost.chance`, or the line and column of a text that is
  /// no JSON; empty for the whole file.
  public var keyPath: String
  /// What stands there.
  public var found: String
  /// What may stand there.
  public var expected: String

  package init(keyPath: String, found: String, expected: String) {
    self.keyPath = keyPath
    self.found = found
    self.expected = expected
  }

  /// In a sentence: where, what was found, what was expected.
  public var description: String {
    "\(keyPath.isEmpty ? "the file" : keyPath): found \(found), expected \(expected)"
  }
}

/// The worlds of a file, each with the keys it took over from others.
struct Worlds {
  private var nodes: [String: [String: JSONNode]] = [:]
  private var names: [String] = []

  init(_ node: JSONNode?) throws(ScenarioFileError) {
    guard let node else { return }
    let file = try node.object("an object of worlds, each by its name")
    names = file.members.map(\.key)
    for (name, _) in file.members {
      nodes[name] = try Self.keys(of: name, in: file, names: names, passed: [])
    }
    for name in names { _ = try WorldReader(nodes[name] ?? [:]).setup() }
  }

  /// The keys of the world that a scenario or another world names.
  func keys(of node: JSONNode) throws(ScenarioFileError) -> [String: JSONNode] {
    guard !names.isEmpty else { throw node.error(expected: "no world: the file has none") }
    return nodes[names[try node.index(among: names, "worlds of this file")]] ?? [:]
  }

  private static func keys(
    of name: String, in file: JSONObject, names: [String], passed: [String]
  ) throws(ScenarioFileError) -> [String: JSONNode] {
    guard let node = file[name] else { fatalError("bug: a world that is not in its file") }
    let world = try node.object(of: WorldReader.keys + ["extends"])
    var keys: [String: JSONNode] = [:]
    if let extends = world["extends"] {
      let other = names[try extends.index(among: names, "worlds of this file")]
      guard !(passed + [name]).contains(other) else {
        throw extends.error(expected: "a world that does not extend '\(name)' itself")
      }
      keys = try Self.keys(of: other, in: file, names: names, passed: passed + [name])
    }
    for (key, node) in world.members where key != "extends" { keys[key] = node }
    return keys
  }
}
