/// An option as a command describes it; what its value means is read by the command.
struct Option: Sendable {
  /// Without the two dashes.
  let name: String
  /// What its value is called; nil for a switch.
  let value: String?
  /// What it does, with the unit and the default of its value.
  let about: String
  /// Whether it may be given several times.
  let isRepeatable: Bool

  /// An option with a value.
  init(_ name: String, _ value: String, isRepeatable: Bool = false, _ about: String) {
    self.name = name
    self.value = value
    self.about = about
    self.isRepeatable = isRepeatable
  }

  /// A switch.
  init(_ name: String, _ about: String) {
    self.name = name
    value = nil
    self.about = about
    isRepeatable = false
  }

  /// As it is written: `--seed S`.
  var usage: String { "--" + name + (value.map { " " + $0 } ?? "") }
}

/// Two options that cannot both be given.
struct Contradiction: Sendable {
  let one: String
  let other: String
  let reason: String

  init(_ one: String, _ other: String, _ reason: String) {
    self.one = one
    self.other = other
    self.reason = reason
  }
}
