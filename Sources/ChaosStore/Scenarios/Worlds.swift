/// The worlds of a file, each with the keys it took over from others.
struct Worlds {
  struct World {
    /// Each key knows where it stands, in this world or in one that it extends.
    var nodes: [String: JSONNode]
    var setup: Setup
  }

  /// Those that worlds, topics and scenarios take their catalogues from.
  let files: StoreKitFiles
  private var worlds: [World] = []
  private var names: [String] = []
  private var positions: [String: Int] = [:]

  /// Reads all of them, named or not.
  init(
    _ node: JSONNode?, _ files: StoreKitFiles, _ volume: inout Volume
  ) throws(ScenarioError) {
    self.files = files
    guard let node else { return }
    let members = try node.object("an object of worlds, each by its name").members
    names = members.map(\.key)
    for (index, name) in names.enumerated() { positions[name] = index }
    var objects: [JSONObject] = []
    for member in members {
      objects.append(try member.node.object(of: WorldReader.keys + ["extends"]))
    }
    let merged = try merged(objects)
    for (member, nodes) in zip(members, merged) {
      let setup = try WorldReader(nodes, of: member.node, files).setup()
      try volume.add(setup, at: member.node)
      worlds.append(World(nodes: nodes, setup: setup))
    }
  }

  /// The world that a scenario names.
  func world(_ node: JSONNode) throws(ScenarioError) -> World {
    guard !names.isEmpty else { throw node.error(expected: "no world: the file has none") }
    return worlds[try index(node)]
  }

  private func index(_ node: JSONNode) throws(ScenarioError) -> Int {
    try node.index(among: names, positions, "worlds of this file")
  }

  /// Each world's keys over those of the world it extends; a chain may be as long as the file.
  private func merged(_ objects: [JSONObject]) throws(ScenarioError) -> [[String: JSONNode]] {
    var merged: [[String: JSONNode]?] = objects.map { _ in nil }
    var isOnTheWay = objects.map { _ in false }
    for start in objects.indices {
      var chain: [Int] = []
      var next: Int? = start
      while let world = next, merged[world] == nil {
        chain.append(world)
        isOnTheWay[world] = true
        next = nil
        if let extends = objects[world]["extends"] {
          let other = try index(extends)
          guard !isOnTheWay[other] else {
            throw extends.error(
              expected: "a world that does not extend '\(names[world].shortened)' itself")
          }
          next = other
        }
      }
      var nodes = next.flatMap { merged[$0] } ?? [:]
      for world in chain.reversed() {
        for (key, node) in objects[world].members where key != "extends" { nodes[key] = node }
        merged[world] = nodes
        isOnTheWay[world] = false
      }
    }
    return merged.map { $0 ?? [:] }
  }
}
