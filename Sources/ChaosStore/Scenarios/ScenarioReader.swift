import Invariants

/// Reads one scenario of a file.
struct ScenarioReader {
  private let node: JSONNode
  private let object: JSONObject
  private let worlds: Worlds
  private let systems: [AnySystem]

  private static let keys = [
    "name", "about", "topic", "system", "backend", "variant", "world", "faults", "invariants",
    "expect", "allow", "sometimes", "seeds",
  ]

  init(
    _ node: JSONNode, _ worlds: Worlds, _ systems: [AnySystem]
  ) throws(ScenarioFileError) {
    self.node = node
    self.worlds = worlds
    self.systems = systems
    object = try node.object(of: Self.keys + WorldReader.keys)
  }

  func scenario() throws(ScenarioFileError) -> Scenario {
    let name = try name()
    let system = try system()
    var setup = try setup()
    setup.backend = try backend(of: system)
    let variant = try variant(of: system)
    let invariants = try invariants()
    let expects = try object["expect"].map { (node) throws(ScenarioFileError) in
      try names(node, of: invariants)
    }
    let allows = try allows(invariants, expects: expects ?? [])
    return Scenario(
      name: name, about: try text("about"), system: system, variant: variant, setup: setup,
      invariants: invariants, expects: expects ?? [], allows: allows, sometimes: try goals(),
      seeds: try object["seeds"]?.int(1...1_000_000_000_000) ?? 2000, topic: try text("topic"))
  }

  private func name() throws(ScenarioFileError) -> String {
    let expected = "a name without spaces and the signs * ? [ ] that select several"
    let node = try object.required("name", expected)
    let name = try node.string(expected)
    guard !name.contains(where: { $0.isWhitespace || "*?[]".contains($0) }) else {
      throw node.error(expected: expected)
    }
    return name
  }

  private func text(_ key: String) throws(ScenarioFileError) -> String {
    guard let node = object[key] else { return "" }
    guard case .string(let text) = node.value else { throw node.error(expected: "a text") }
    return text
  }

  private func system() throws(ScenarioFileError) -> AnySystem {
    let names = systems.map(\.entry.name)
    let what = "systems that 'chaos-runner list systems' shows"
    let node = try object.required("system", JSONNode.oneOf(names, what))
    return systems[try node.index(among: names, what)]
  }

  private func backend(of system: AnySystem) throws(ScenarioFileError) -> BackendKind {
    let backends = system.entry.backends
    let names = backends.map(\.rawValue)
    if let node = object["backend"] {
      return backends[try node.index(among: names, "backends")]
    }
    guard backends.contains(.naive) else {
      throw ScenarioFileError(
        keyPath: node.path(to: "backend"), found: "nothing, which means 'naive'",
        expected: JSONNode.oneOf(names, "backends"))
    }
    return .naive
  }

  private func variant(of system: AnySystem) throws(ScenarioFileError) -> String? {
    let variants = system.variants
    guard let node = object["variant"] else { return nil }
    return variants[try node.index(among: variants, "variants of \(system.entry.name)")]
  }

  // MARK: -

  private func setup() throws(ScenarioFileError) -> Setup {
    var keys: [String: JSONNode] = [:]
    if let world = object["world"] {
      keys = try worlds.keys(of: world).mapValues { value in
        JSONNode(path: value.path, value: value.value, note: " (in \(node.path))")
      }
    }
    for (key, node) in object.members where WorldReader.keys.contains(key) { keys[key] = node }
    let reader = WorldReader(keys)
    var setup = try reader.setup()
    if let faults = object["faults"] {
      let mix = try FaultMix(reading: faults)
      setup.mix.entries = mix.entries
      setup.mix.isSwarmed = mix.isSwarmed
    }
    guard !setup.steps.isEmpty || setup.arrivals != nil else {
      throw ScenarioFileError(
        keyPath: node.path(to: "steps"), found: "nothing",
        expected: "at least one step, or arrivals")
    }
    try reader.checkHurry(setup)
    return setup
  }

  private func invariants() throws(ScenarioFileError) -> [any Invariant] {
    guard let node = object["invariants"] else { return Catalogue.invariants }
    let names = try names(node, of: Catalogue.invariants)
    guard !names.isEmpty else {
      throw node.error(found: "an empty list", expected: "at least one invariant")
    }
    return names.compactMap(Catalogue.invariant(named:))
  }

  private func allows(
    _ judged: [any Invariant], expects: [String]
  ) throws(ScenarioFileError) -> [String] {
    guard let node = object["allow"] else { return [] }
    if node.value == .string("*") { return judged.map(\.name).filter { !expects.contains($0) } }
    let names = try names(node, of: judged, or: ", or '*'")
    for (name, node) in zip(names, try node.list("")) where expects.contains(name) {
      throw node.error(expected: "an invariant that 'expect' does not name")
    }
    return names
  }

  private func goals() throws(ScenarioFileError) -> [Goal] {
    guard let node = object["sometimes"] else { return Goal.usual }
    let expected = "a kind of fact or a fault, or several joined by '+', such as 'credited'"
    return try node.list("a list of goals").map { (element) throws(ScenarioFileError) in
      let text = try element.string(expected)
      guard let goal = Goal(parsing: text) else {
        throw element.error(expected: expected + suggestion(for: text, among: Goal.names))
      }
      return goal
    }
  }

  /// A list of invariants by name or code, each at most once.
  private func names(
    _ node: JSONNode, of judged: [any Invariant], or alternative: String = ""
  ) throws(ScenarioFileError) -> [String] {
    var names: [String] = []
    for element in try node.list("a list of invariants" + alternative) {
      let name = try element.string("the name of an invariant")
      guard let invariant = Catalogue.invariant(named: name) else {
        let known = Catalogue.invariants.map(\.name)
        throw element.error(
          expected: JSONNode.oneOf(known, "invariants") + suggestion(for: name, among: known))
      }
      guard judged.contains(where: { $0.name == invariant.name }) else {
        throw element.error(
          expected: "one that 'invariants' names: \(judged.map(\.name).joined(separator: ", "))")
      }
      guard !names.contains(invariant.name) else {
        throw element.error(expected: "each invariant once")
      }
      names.append(invariant.name)
    }
    return names
  }
}
