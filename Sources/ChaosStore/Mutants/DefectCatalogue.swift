extension Defect {
  /// The catalogue: one entry a defect.
  package var entry: Entry { Self.entries[Int(rawValue)] }

  private static let entries = allCases.map { defect in
    let entry =
      defect.ofApp ?? defect.ofOrder ?? defect.ofStalls ?? defect.ofAnswers ?? defect.ofSeveral
      ?? defect.ofBackend ?? defect.ofInterleaving ?? defect.ofNews
    guard let entry else { fatalError("bug: '\(defect)' has no entry in the catalogue") }
    return entry
  }
}
