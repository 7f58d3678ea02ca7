import ChaosStore

/// The words, names and values of one SQL statement, one after the other.
struct SQLTokens {
  private var text: Substring
  /// So many calls stand in one another at most; a dump has two.
  private static let deepest = 4
  private static let longest = 1 << 20
  private var depth = 0
  /// Whether the last name stood in quotation marks.
  private(set) var wasQuoted = false

  init(_ statement: String) { text = statement[...] }

  var rest: String { String(text) }

  private mutating func skipSpace() {
    text = text.drop { $0.isWhitespace }
  }

  mutating func takes(_ sign: Character) -> Bool {
    skipSpace()
    guard text.first == sign else { return false }
    text.removeFirst()
    return true
  }

  func peek() -> String? {
    var copy = self
    return copy.word()
  }

  /// The next word in capitals; nil where there is no more.
  mutating func word() -> String? {
    skipSpace()
    guard let first = text.first else { return nil }
    if first == "'" || first == "\"" || first == "`" || first == "[" { return name() ?? "" }
    let word = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    if word.isEmpty {
      text.removeFirst()
      return String(first)
    }
    text = text.dropFirst(word.count)
    return word.uppercased()
  }

  /// A name, without its quotation marks.
  mutating func name() -> String? {
    skipSpace()
    wasQuoted = false
    let pairs: [Character: Character] = ["\"": "\"", "`": "`", "[": "]", "'": "'"]
    if let first = text.first, let close = pairs[first] {
      wasQuoted = true
      text.removeFirst()
      return quoted(until: close)
    }
    let word = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
    guard !word.isEmpty else { return nil }
    text = text.dropFirst(word.count)
    return String(word)
  }

  /// A list of names in parentheses; nil where there is none.
  mutating func names() -> [String]? {
    let before = self
    guard takes("(") else { return nil }
    var names: [String] = []
    repeat {
      guard let name = name() else {
        self = before
        return nil
      }
      names.append(name)
    } while takes(",")
    guard takes(")") else {
      self = before
      return nil
    }
    return names
  }

  /// Goes to the next comma of this list, or to its end; what was passed over.
  @discardableResult
  mutating func skipToComma() -> Substring {
    let start = text
    var depth = 0
    while let character = text.first {
      if character == "'" || character == "\"" {
        text.removeFirst()
        _ = quoted(until: character)
        continue
      }
      if depth == 0, character == "," || character == ")" { break }
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      text.removeFirst()
    }
    return start[..<text.startIndex]
  }

  /// A value: a text, a number, NULL; anything else is damaged, and skipped.
  mutating func value() throws(LineDamage) -> String? {
    skipSpace()
    let start = text
    if text.first == "'" {
      text.removeFirst()
      let value = quoted(until: "'")
      skipCast()
      if isAtEndOfValue { return value }
    } else {
      let word = text.prefix { $0.isLetter || $0.isNumber || "_.+-".contains($0) }
      text = text.dropFirst(word.count)
      if let value = called(word.lowercased()), isAtEndOfValue { return value }
      skipCast()
      if isAtEndOfValue {
        if ["NULL", "DEFAULT"].contains(word.uppercased()) { return nil }
        if word.lowercased() == "true" || word.lowercased() == "false" { return word.lowercased() }
        if let first = word.first, first.isNumber || first == "-" || first == "+" {
          return String(word)
        }
      }
    }
    skipToComma()
    throw LineDamage(
      found: "'\(String(start).clipped)'", expected: "a text, a number or NULL")
  }

  /// What `sqlite3 .dump` writes for texts that have line ends in them: `replace('a\nb','\n',char(10))`, `unistr('a\u000ab')`.
  private mutating func called(_ function: String) -> String? {
    guard ["replace", "char", "unistr"].contains(function), depth < Self.deepest, takes("(") else {
      return nil
    }
    depth += 1
    defer { depth -= 1 }
    var arguments: [String] = []
    repeat {
      guard let argument = (try? value()) ?? nil, argument.utf8.count <= Self.longest else {
        return nil
      }
      arguments.append(argument)
    } while takes(",")
    guard takes(")") else { return nil }
    switch (function, arguments.count) {
    case ("replace", 3) where !arguments[1].isEmpty && arguments[2].utf8.count <= 8:
      return arguments[0].replacing(arguments[1], with: arguments[2])
    case ("char", 1):
      return UInt32(arguments[0]).flatMap(Unicode.Scalar.init).map { String(Character($0)) }
    case ("unistr", 1):
      return arguments[0].replacing(/\\(?:u([0-9a-fA-F]{4})|(\\))/) { match in
        guard let digits = match.1 else { return "\\" }
        let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
        return scalar.map { String(Character($0)) } ?? String(match.0)
      }
    default: return nil
    }
  }

  /// `::timestamp`, and the like.
  private mutating func skipCast() {
    guard text.hasPrefix("::") else { return }
    text = text.drop { $0 != "," && $0 != ")" }
  }

  private var isAtEndOfValue: Bool {
    let rest = text.drop { $0.isWhitespace }
    return rest.first == "," || rest.first == ")" || rest.isEmpty
  }

  /// What stands until a sign, which is doubled where it is meant.
  private mutating func quoted(until close: Character) -> String {
    var value = ""
    while let character = text.popFirst() {
      if character == close {
        guard text.first == close else { break }
        text.removeFirst()
      }
      value.append(character)
    }
    return value
  }
}
