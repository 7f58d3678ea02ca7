import Invariants

/// Reads what a topic and a scenario have in common: a world, a mix, and what is judged of it.
struct ScenarioParts {
  private let nodes: [String: JSONNode]
  private let owner: JSONNode

  /// The keys come from a topic and a scenario, so each knows its own path; the owner is whose they
  /// are.
  init(_ nodes: [String: JSONNode], of owner: JSONNode) {
    self.nodes = nodes
    self.owner = owner
  }

  /// Refuses what a topic that no scenario names has wrong.
  func check() throws(ScenarioError) {
    _ = try about()
    _ = try faults()
    _ = try seeds()
    let check = JudgingCheck(
      invariants: try invariants(), expects: try expects(), allows: try allows(),
      goals: try goals())
    do { try check.check() } catch { throw error.error(in: nodes, of: owner) }
  }

  func about() throws(ScenarioError) -> String { try nodes["about"]?.text() ?? "" }

  func seeds() throws(ScenarioError) -> Int { try nodes["seeds"]?.int(Limits.seeds) ?? 2000 }

  // MARK: - The world

  /// Who is there and what happens: the world's keys, and those that are given beside it.
  func setup(in worlds: Worlds, _ volume: inout Volume) throws(ScenarioError) -> Setup {
    let own = nodes.filter { WorldReader.keys.contains($0.key) }
    let world = try nodes["world"].map { (node) throws(ScenarioError) in try worlds.world(node) }
    if let world, own.isEmpty { return world.setup }
    let setup = try WorldReader(worldNodes(in: world, own), of: owner, worlds.files).setup()
    try volume.add(setup, at: owner)
    return setup
  }

  /// All keys by which an error is told where it stands.
  func allNodes(in worlds: Worlds) throws(ScenarioError) -> [String: JSONNode] {
    let world = try nodes["world"].map { (node) throws(ScenarioError) in try worlds.world(node) }
    return worldNodes(in: world, nodes)
  }

  /// The keys of a world, which say for whom they are read, and these over them.
  private func worldNodes(
    in world: Worlds.World?, _ own: [String: JSONNode]
  ) -> [String: JSONNode] {
    guard let world else { return own }
    let note = " (in \(owner.path))"
    return world.nodes.mapValues { JSONNode($0.place, $0.value, note: note) }
      .merging(own) { _, own in own }
  }

  /// The faults that may strike, over those that a file switches on; nil where none are named.
  func faults(
    sellsSubscriptions: Bool = true, over switches: [Fault: FaultMix.Entry] = [:]
  ) throws(ScenarioError) -> FaultMix? {
    try nodes["faults"].map { (node) throws(ScenarioError) in
      try FaultMix(reading: node, sellsSubscriptions: sellsSubscriptions, over: switches)
    }
  }

  // MARK: - What is judged

  func invariants() throws(ScenarioError) -> [any Invariant] {
    guard nodes["invariants"] != nil else { return Catalogue.invariants }
    return try names("invariants").compactMap(Catalogue.invariant(named:))
  }

  func expects() throws(ScenarioError) -> [String] { try names("expect") }

  func allows() throws(ScenarioError) -> [String] {
    guard nodes["allow"]?.value == .string("*") else {
      return try names("allow", or: ", or '*'")
    }
    let expects = try expects()
    return try invariants().map(\.name).filter { !expects.contains($0) }
  }

  func goals() throws(ScenarioError) -> [Goal] {
    guard let node = nodes["sometimes"] else { return Goal.usual }
    let expected = "a kind of fact or a fault, or several joined by '+', such as 'credited'"
    return try node.list("a list of goals").map { (element) throws(ScenarioError) in
      let text = try element.string(expected)
      guard let goal = Goal(parsing: text) else {
        throw element.error(expected: expected + suggestion(for: text, among: Goal.names))
      }
      return goal
    }
  }

  /// A list of invariants, by name or code.
  private func names(
    _ key: String, or alternative: String = ""
  ) throws(ScenarioError) -> [String] {
    guard let node = nodes[key] else { return [] }
    return try node.list("a list of invariants" + alternative).map {
      (element) throws(ScenarioError) in
      let name = try element.string("the name of an invariant")
      guard let invariant = Self.known[name] ?? Self.known[name.uppercased()] else {
        let known = Catalogue.invariants.map(\.name)
        throw element.error(
          expected: oneOf(known, "invariants") + suggestion(for: name, among: known))
      }
      return invariant
    }
  }

  /// The names of the invariants, by name and by code.
  private static let known = Dictionary(
    Catalogue.invariants.flatMap { [($0.name, $0.name), ($0.code, $0.name)] },
    uniquingKeysWith: { first, _ in first })
}

extension JSONNode {
  /// A text that may be empty.
  func text() throws(ScenarioError) -> String {
    guard case .string(let text) = value else { throw error(expected: "a text") }
    return text
  }
}
