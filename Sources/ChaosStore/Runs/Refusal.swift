/// What a scenario is refused for, before it is said in key paths of Swift or of a file.
struct Refusal: Error {
  enum Key: Equatable {
    /// A property of `Scenario`, `Setup` or a part of them.
    case name(String)
    case index(Int)
    /// A key of a dictionary.
    case key(String)
  }

  var keys: [Key]
  var found: String
  var expected: String

  init(_ keys: [Key], found: String, expected: String) {
    self.keys = keys
    self.found = found
    self.expected = expected
  }

  /// In key paths of Swift.
  var error: ScenarioError {
    var path = ""
    for key in keys {
      switch key {
      case .name(let name): path += path.isEmpty ? name : ".\(name)"
      case .index(let index): path += "[\(index)]"
      case .key(let key): path += "[\"\(key)\"]"
      }
    }
    return ScenarioError(keyPath: path, found: found, expected: expected)
  }
}
