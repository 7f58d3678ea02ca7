/// The topics of a file: what the scenarios that show one thing in several systems have in common.
struct Topics {
  struct Topic {
    /// What tables call it.
    var code: String
    /// What a scenario takes over; each key knows where it stands.
    var nodes: [String: JSONNode]
    /// What its world amounts to, where a scenario adds nothing to it.
    var setup: Setup
  }

  /// What a topic may say besides `code`; the rest of a scenario is its own.
  static let keys =
    ["about", "world", "faults", "invariants", "expect", "allow", "sometimes", "seeds"]
    + WorldReader.keys

  private var topics: [Topic] = []
  private var names: [String] = []
  private var positions: [String: Int] = [:]

  /// Reads all of them, used or not.
  init(
    _ node: JSONNode?, _ worlds: Worlds, _ volume: inout Volume
  ) throws(ScenarioError) {
    guard let node else { return }
    for member in try node.object("an object of topics, each by its name").members {
      positions[member.key] = names.count
      names.append(member.key)
      topics.append(try Self.topic(member.key, member.node, worlds, &volume))
    }
  }

  private static func topic(
    _ name: String, _ node: JSONNode, _ worlds: Worlds, _ volume: inout Volume
  ) throws(ScenarioError) -> Topic {
    let members = try node.object(of: keys + ["code"]).members
    var nodes: [String: JSONNode] = [:]
    for (key, node) in members { nodes[key] = node }
    let code = try nodes.removeValue(forKey: "code")?.string("what tables call the topic")
    let parts = ScenarioParts(nodes, of: node)
    let setup = try parts.setup(in: worlds, &volume)
    try parts.check()
    return Topic(code: code ?? name, nodes: nodes, setup: setup)
  }

  /// The topic that a scenario names; nil where the file has none, and names are only labels.
  func topic(_ node: JSONNode) throws(ScenarioError) -> Topic? {
    guard !names.isEmpty else { return nil }
    return topics[try node.index(among: names, positions, "topics of this file")]
  }
}
