import ChaosStore

/// Turns a file of some kind into lines of facts.
protocol Conversion {
  /// Takes the next line of the file; what it amounts to is written to `output`.
  ///
  /// What is damaged is thrown, and the next line is another matter.
  mutating func read(_ line: String, _ output: (String) -> Void) throws(LineDamage)
  /// The file is over.
  mutating func end(_ output: (String) -> Void) throws(LineDamage)
  /// How many facts there are of each environment that is neither production nor the sandbox, such as Xcode.
  var otherEnvironments: [String: Int] { get }
}

extension Conversion {
  mutating func end(_ output: (String) -> Void) throws(LineDamage) {}
}
