import ChaosStore

/// The words of a command line: which command they are for, its operands and its options.
///
/// The command says what they mean.
struct Words {
  /// The command that is named; nil where none is.
  private(set) var named: (any Command.Type)?
  private(set) var operands: [String] = []
  private(set) var values: [String: [String]] = [:]

  /// The command that is meant.
  var command: any Command.Type { named ?? RunCommand.self }

  /// Whether help is asked for instead of work.
  var wantsHelp: Bool { has("help") }
  /// Whether the version is asked for instead of work.
  var wantsVersion: Bool { has("version") }

  init(_ arguments: [String]) throws(Failure) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if word == "-h" {
        values["help"] = [""]
      } else if word.hasPrefix("-"), word != "-" {
        try take(word, &rest)
      } else if named == nil {
        named = try Commands.named(word)
      } else {
        operands.append(word)
      }
    }
    if !wantsHelp, !wantsVersion { try checkTogether() }
  }

  private mutating func take(_ word: String, _ rest: inout ArraySlice<String>) throws(Failure) {
    let sides = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(sides[0])
    guard name.hasPrefix("--"),
      let option = Commands.options.first(where: { "--" + $0.name == name })
    else {
      let names = Commands.options.map { "--" + $0.name }
      throw .usage("unknown option '\(name)'" + suggestion(for: name, among: names))
    }
    if has(option.name), !option.isRepeatable, option.value != nil {
      throw .usage("\(name) is given twice")
    }
    guard option.value != nil else {
      guard sides.count == 1 else { throw .usage("\(name) takes no value, found '\(sides[1])'") }
      values[option.name] = [""]
      return
    }
    if sides.count == 2 {
      values[option.name, default: []].append(String(sides[1]))
    } else if let next = rest.first, !next.hasPrefix("--") {
      values[option.name, default: []].append(rest.removeFirst())
    } else {
      throw .usage("\(name) needs a value: \(option.usage)")
    }
  }

  /// Whether the command takes these options, and takes them together.
  private func checkTogether() throws(Failure) {
    for option in Commands.options where has(option.name) && !command.takes(option.name) {
      let owners = Commands.all.filter { $0.takes(option.name) }.map { "'\($0.name)'" }
      throw .usage(
        "--\(option.name) means nothing to '\(command.name)'; it belongs to "
          + owners.joined(separator: ", "))
    }
    for pair in command.contradictions where has(pair.one) && has(pair.other) {
      throw .usage("--\(pair.one) and --\(pair.other) contradict each other: \(pair.reason)")
    }
  }

  func has(_ option: String) -> Bool { values[option] != nil }
  func first(_ option: String) -> String? { values[option]?.first }

  /// An option's value as it is meant, or a complaint that names the option; nil without one.
  func value<Value, Refusal: Error & CustomStringConvertible>(
    of option: String, _ meaning: (String) throws(Refusal) -> Value
  ) throws(Failure) -> Value? {
    guard let text = first(option) else { return nil }
    do { return try meaning(text) } catch {
      throw .usage("--\(option): \(error.description)")
    }
  }

  /// An option's value as a number; nil without one.
  func number(of option: String, in range: ClosedRange<Int>, called what: String)
    throws(Failure) -> Int?
  {
    guard let text = first(option) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw .usage(
        "--\(option): '\(text)' is no number of \(what): expected \(range.lowerBound) to "
          + "\(range.upperBound)")
    }
    return number
  }

  /// Complains of operands that the command does not take.
  func refuseOperands(after count: Int, hint: String = "") throws(Failure) {
    guard operands.count > count else { return }
    throw .usage("'\(command.name)' does not know what to do with '\(operands[count])'\(hint)")
  }
}
