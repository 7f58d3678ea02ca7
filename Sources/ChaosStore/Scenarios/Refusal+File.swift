extension Refusal {
  /// Where the same stands in a file, and what is written there.
  ///
  /// The keys of a setup come from several places; what is not written at all is its owner's.
  func error(in nodes: [String: JSONNode], of owner: JSONNode) -> ScenarioError {
    let keys = Self.fileKeys(keys)
    guard case .name(let first) = keys.first else { return error }
    guard var node = nodes[first] else {
      // A heal that is left to its default fits any horizon but a short one.
      if first == "heal", let horizon = nodes["horizon"] {
        return horizon.error(expected: "a time not before the heal (\(found))")
      }
      return ScenarioError(
        keyPath: owner.path(to: first), found: found, expected: expected + owner.note)
    }
    for key in keys.dropFirst() {
      guard let inner = node.inner(key) else { break }
      node = inner
    }
    return node.error(found: node.value.isSimple ? nil : found, expected: expected)
  }

  private static func fileKeys(_ keys: [Key]) -> [Key] {
    keys.compactMap { key in
      guard case .name(let name) = key else { return key }
      if name == "mix" { return nil }
      return .name(fileNames[name] ?? name)
    }
  }

  private static let fileNames = [
    "beginsSeconds": "begins", "healMillis": "heal", "horizonMillis": "horizon",
    "withinMillis": "within", "patienceMillis": "patience",
    "reopenEveryMillis": "reopenEvery", "everyMillis": "every", "forMillis": "for",
    "atMillis": "at", "overMillis": "over",
    "entries": "faults", "sites": "at", "expects": "expect", "allows": "allow",
    "goals": "sometimes", "isFamilyShareable": "familyShareable",
  ]
}

extension JSONNode {
  fileprivate func inner(_ key: Refusal.Key) -> JSONNode? {
    switch (key, value) {
    case (.index(let index), .list(let elements)):
      guard elements.indices.contains(index) else { return nil }
      return JSONNode(.index(index, in: place), elements[index], note: note)
    case (.name(let name), .object(let members)), (.key(let name), .object(let members)):
      guard let member = members.first(where: { $0.key == name }) else { return nil }
      return JSONNode(.key(name, in: place), member.value, note: note)
    default: return nil
    }
  }
}

extension JSONValue {
  /// Whether an error can show all of it.
  fileprivate var isSimple: Bool {
    switch self {
    case .null, .bool, .int, .number, .string: true
    case .list, .object: false
    }
  }
}
