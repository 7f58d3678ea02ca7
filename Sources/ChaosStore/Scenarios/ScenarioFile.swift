import Invariants

/// Reads `scenarios.json`: worlds, topics, and the scenarios that show a topic in a world.
///
/// `{"version": 1, "worlds": {NAME: {…}}, "topics": {NAME: {…}},`
/// `"scenarios": [{"name": …, "system": …, …}]}`; `Docs/SCENARIOS.md` says what each key means.
public enum ScenarioFile {
  /// The scenarios of a file, in its order; the systems are those they may name.
  ///
  /// `contents` reads another file that this one names (`"storekit": "Shop.storekit"`): its text by the path that stands
  /// there, which counts from the folder of the scenario file; nil where there is no such file. Without it a world that
  /// names a file is refused.
  ///
  /// Throws what is wrong with the text: where, what was found, and what is allowed there. What is wrong with a file
  /// that it names has that file's path in front of the place.
  public static func scenarios(
    fromJSON text: String, systems: [AnySystem],
    contents: ((_ path: String) throws -> String?)? = nil
  ) throws(ScenarioError) -> [Scenario] {
    let root = JSONNode(path: "", value: try JSONParser.parse(text))
    let file = try root.object(of: ["version", "worlds", "topics", "scenarios"])
    let version = try file.required("version", "1")
    guard version.value == .int(1) else { throw version.error(expected: "1") }
    var volume = Volume()
    let worlds = try Worlds(file["worlds"], StoreKitFiles(contents), &volume)
    let topics = try Topics(file["topics"], worlds, &volume)
    let expected = "a list of at least one scenario"
    let list = try file.required("scenarios", expected)
    let nodes = try list.list(expected)
    guard !nodes.isEmpty else { throw list.error(found: "an empty list", expected: expected) }
    var scenarios: [Scenario] = []
    var positions: [String: Int] = [:]
    for (index, node) in nodes.enumerated() {
      let scenario = try ScenarioReader(node, worlds, topics, systems).scenario(&volume)
      if let twin = positions[scenario.name] {
        throw ScenarioError(
          keyPath: node.path(to: "name"), found: "'\(scenario.name.shortened)'",
          expected: "a name that no other scenario has; scenarios[\(twin)] has it")
      }
      positions[scenario.name] = index
      scenarios.append(scenario)
    }
    return scenarios
  }
}

/// Counts what the worlds and scenarios of a file hold, as a short file can ask for a lot of memory.
struct Volume {
  private var entries = 0

  /// Adds what a setup holds for itself alone, which stands here.
  mutating func add(_ setup: Setup, at node: JSONNode) throws(ScenarioError) {
    entries += setup.devices.count + setup.products.count + setup.steps.count
    guard entries <= Limits.entriesOfFile else {
      throw node.error(
        found: "\(entries) devices, products and steps in the file up to here",
        expected: "at most \(Limits.entriesOfFile)")
    }
  }
}
