/// What is wrong with a scenario: where, what was found, and what is allowed there.
///
/// A scenario file and a scenario made in Swift are refused by the same rules in the same words; the
/// place is a key path of the file or of Swift.
public struct ScenarioError: Error, Equatable, CustomStringConvertible {
  /// Such as `scenarios[3].faults.response-lost.chance` or `devices[2].storeAccount`, or the line and
  /// column of a text that is no JSON; empty for the whole file.
  public var keyPath: String
  /// What stands there.
  public var found: String
  /// What may stand there.
  public var expected: String

  /// An error at a place, with what was found there and what was expected instead.
  package init(keyPath: String, found: String, expected: String) {
    self.keyPath = keyPath
    self.found = found
    self.expected = expected
  }

  /// The whole sentence: `PLACE: found THIS, expected THAT`.
  public var description: String {
    "\(keyPath.isEmpty ? "the file" : keyPath): found \(found), expected \(expected)"
  }
}
