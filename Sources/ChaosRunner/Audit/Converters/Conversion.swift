import ChaosStore

/// Turns a file of some kind into lines of facts.
protocol Conversion {
  /// Takes the next line of the file; what it amounts to is written to `output`.
  ///
  /// What is damaged is thrown, and the next line is another matter.
  mutating func read(_ line: String, _ output: (String) -> Void) throws(LineDamage)
  /// The file is over.
  mutating func end(_ output: (String) -> Void) throws(LineDamage)
}

extension Conversion {
  mutating func end(_ output: (String) -> Void) throws(LineDamage) {}
}
