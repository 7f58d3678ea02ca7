extension Defect {
  /// The catalogue: one entry a defect.
  package var entry: Entry { Self.entries[Int(rawValue)] }

  private static let entries = allCases.map { defect in
    guard let entry = defect.ofApp ?? defect.ofBackend else {
      fatalError("bug: a defect without an entry")
    }
    return entry
  }
}
