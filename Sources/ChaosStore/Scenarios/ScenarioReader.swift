import Invariants

/// Reads one scenario of a file.
struct ScenarioReader {
  private let node: JSONNode
  private let object: JSONObject
  private let worlds: Worlds
  private let topics: Topics
  private let systems: [AnySystem]

  private static let keys =
    ["name", "topic", "system", "backend", "variant", "report"] + Topics.keys

  init(
    _ node: JSONNode, _ worlds: Worlds, _ topics: Topics, _ systems: [AnySystem]
  ) throws(ScenarioError) {
    self.node = node
    self.worlds = worlds
    self.topics = topics
    self.systems = systems
    object = try node.object(of: Self.keys)
  }

  func scenario(_ volume: inout Volume) throws(ScenarioError) -> Scenario {
    let name = try name()
    let system = try system()
    let topic = try object["topic"].map { (node) throws(ScenarioError) in try self.topic(node) }
    let parts = ScenarioParts(nodes(over: topic?.shared), of: node)
    var setup = try setup(parts, topic?.shared, &volume)
    setup.backend = try backend(of: system)
    try takeKinds(from: system.entry, parts, &setup)
    if let mix = try parts.faults(
      sellsSubscriptions: setup.sellsSubscriptions, over: setup.mix.entries)
    {
      setup.mix.entries = mix.entries
      setup.mix.isSwarmed = mix.isSwarmed
      setup.isWholeStore =
        !setup.sellsSubscriptions
        && mix.faults.contains { $0.needsWholeStore && !$0.needsSubscription }
    }
    var scenario = Scenario(
      name: name, about: try parts.about(), system: system, variant: try variant(of: system),
      setup: setup, invariants: try parts.invariants(), expects: try parts.expects(),
      allows: try parts.allows(), sometimes: try parts.goals(), seeds: try parts.seeds(),
      topic: topic?.code ?? "")
    scenario.report = try report()
    do { try scenario.refuseBeyondSetup() } catch {
      throw error.error(in: try parts.allNodes(in: worlds), of: node)
    }
    return scenario
  }

  /// What tables call it, and what it shares with others where the file says so.
  private func topic(
    _ node: JSONNode
  ) throws(ScenarioError) -> (code: String, shared: Topics.Topic?) {
    let shared = try topics.topic(node)
    if let shared { return (shared.code, shared) }
    return (try node.text(), nil)
  }

  /// The keys of the topic, which say for whom they are read, and its own over them.
  private func nodes(over topic: Topics.Topic?) -> [String: JSONNode] {
    let own = Dictionary(uniqueKeysWithValues: object.members.map { ($0.key, $0.node) })
    guard let topic else { return own }
    let note = " (in \(node.path))"
    return topic.nodes.mapValues { JSONNode($0.place, $0.value, note: note) }
      .merging(own) { _, own in own }
  }

  /// That of its topic, where it says nothing else about it.
  private func setup(
    _ parts: ScenarioParts, _ topic: Topics.Topic?, _ volume: inout Volume
  ) throws(ScenarioError) -> Setup {
    let changesWorld = object.members.contains {
      $0.key == "world" || WorldReader.keys.contains($0.key)
    }
    if let topic, !changesWorld { return topic.setup }
    return try parts.setup(in: worlds, &volume)
  }

  // MARK: - What is its own

  private func name() throws(ScenarioError) -> String {
    let expected = "a name without spaces and the signs * ? [ ] that select several"
    let node = try object.required("name", expected)
    let name = try node.string(expected)
    guard !name.contains(where: { $0.isWhitespace || "*?[]".contains($0) }) else {
      throw node.error(expected: expected)
    }
    return name
  }

  /// The public report that it is modelled on.
  private func report() throws(ScenarioError) -> PublicReport? {
    guard let node = object["report"] else { return nil }
    let report = try node.object(of: ["source", "said"])
    func text(_ key: String, _ expected: String) throws(ScenarioError) -> String {
      let node = try report.required(key, expected)
      let text = try node.string(expected)
      guard !text.isEmpty else { throw node.error(expected: expected) }
      return text
    }
    return PublicReport(
      source: try text("source", "where it was made, such as 'bizz84/SwiftyStoreKit#50'"),
      said: try text("said", "what people saw, in a sentence"))
  }

  /// A product of which the file does not say what kind it is has the kind that the system's entry gives it.
  private func takeKinds(
    from entry: SystemEntry, _ parts: ScenarioParts, _ setup: inout Setup
  ) throws(ScenarioError) {
    guard !entry.products.isEmpty, let node = try parts.allNodes(in: worlds)["products"] else {
      return
    }
    for (index, element) in try node.list("a list of products").enumerated()
    where try element.object(of: WorldReader.productKeys)["kind"] == nil {
      if let known = entry.products.first(where: { $0.name == setup.products[index].name }) {
        setup.products[index].kind = known.kind
      }
    }
  }

  private func system() throws(ScenarioError) -> AnySystem {
    let names = systems.map(\.entry.name)
    let what = "systems that 'chaos-runner list systems' shows"
    let node = try object.required("system", oneOf(names, what))
    return systems[try node.index(among: names, what)]
  }

  private func backend(of system: AnySystem) throws(ScenarioError) -> BackendKind {
    let backends = system.entry.backends
    let names = backends.map(\.rawValue)
    if let node = object["backend"] {
      return backends[try node.index(among: names, "backends")]
    }
    guard backends.contains(.naive) else {
      throw ScenarioError(
        keyPath: node.path(to: "backend"), found: "nothing, which means 'naive'",
        expected: oneOf(names, "backends"))
    }
    return .naive
  }

  private func variant(of system: AnySystem) throws(ScenarioError) -> String? {
    let variants = system.variants
    guard let node = object["variant"] else { return nil }
    return variants[try node.index(among: variants, "variants of \(system.entry.name)")]
  }
}
