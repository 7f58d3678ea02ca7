/// Reads JSON and says where it is none.
///
/// Foundation's decoder names neither line nor column on Linux, takes trailing commas, and drops
/// a key that is written twice.
package struct JSONParser {
  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0

  /// How many lists and objects may stand inside each other.
  static let deepest = 64

  /// The one value of a text.
  package static func parse(_ text: String) throws(ScenarioError) -> JSONValue {
    var parser = JSONParser(text)
    let value = try parser.value()
    parser.skipSpace()
    guard parser.next == nil else { throw parser.error(expected: "nothing more") }
    return value
  }

  private init(_ text: String) {
    bytes = Array(text.utf8)
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { position = 3 }
  }

  // MARK: -

  private mutating func value() throws(ScenarioError) -> JSONValue {
    skipSpace()
    guard depth < Self.deepest else {
      throw error(expected: "at most \(Self.deepest) lists and objects inside each other")
    }
    depth += 1
    defer { depth -= 1 }
    switch next {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try list()
    case UInt8(ascii: "\""): return .string(try string())
    default:
      let word = word
      guard let value = Self.literals[word] ?? Self.number(word) else {
        throw error(expected: "a value")
      }
      position += word.utf8.count
      return value
    }
  }

  private mutating func object() throws(ScenarioError) -> JSONValue {
    position += 1
    var members: [JSONValue.Member] = []
    var keys = Set<String>()
    if skips("}") { return .object([]) }
    while true {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw error(expected: "a key in quotation marks") }
      let start = position
      let key = try string()
      guard keys.insert(key).inserted else {
        position = start
        throw error(found: "the key '\(key.shortened)' a second time", expected: "each key once")
      }
      guard skips(":") else { throw error(expected: "':'") }
      members.append(JSONValue.Member(key: key, value: try value()))
      if skips("}") { return .object(members) }
      guard skips(",") else { throw error(expected: "',' or '}'") }
    }
  }

  private mutating func list() throws(ScenarioError) -> JSONValue {
    position += 1
    var elements: [JSONValue] = []
    if skips("]") { return .list([]) }
    while true {
      elements.append(try value())
      if skips("]") { return .list(elements) }
      guard skips(",") else { throw error(expected: "',' or ']'") }
    }
  }

  private mutating func string() throws(ScenarioError) -> String {
    position += 1
    var text: [UInt8] = []
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        text.append(contentsOf: try escape().utf8)
      case 0..<0x20:
        throw error(expected: "the closing quotation mark")
      default:
        text.append(byte)
        position += 1
      }
    }
    throw error(expected: "the closing quotation mark")
  }

  private mutating func escape() throws(ScenarioError) -> Unicode.Scalar {
    let start = position
    position += 1
    let letter = next ?? 0
    position += 1
    if let scalar = Self.escapes[letter] { return scalar }
    if letter == UInt8(ascii: "u"), let high = hex() {
      if let scalar = Unicode.Scalar(high) { return scalar }
      if (0xd800..<0xdc00).contains(high),
        bytes[position...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")])
      {
        position += 2
        if let low = hex(), (0xdc00..<0xe000).contains(low),
          let scalar = Unicode.Scalar(0x10000 + (high - 0xd800) << 10 + (low - 0xdc00))
        {
          return scalar
        }
      }
    }
    position = start
    throw error(expected: #"an escape such as \n or \u00e9"#)
  }

  private mutating func hex() -> UInt32? {
    guard position + 4 <= bytes.count else { return nil }
    var value: UInt32 = 0
    for byte in bytes[position..<position + 4] {
      guard let digit = Self.hexDigit(byte) else { return nil }
      value = value << 4 | digit
    }
    position += 4
    return value
  }

  private static func hexDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  private static let literals: [String: JSONValue] = [
    "null": .null, "true": .bool(true), "false": .bool(false),
  ]

  private static let escapes: [UInt8: Unicode.Scalar] = [
    UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/",
    UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "f"): "\u{c}", UInt8(ascii: "n"): "\n",
    UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
  ]

  private static func number(_ word: String) -> JSONValue? {
    isNumber(word.utf8) ? Int(word).map(JSONValue.int) ?? .number(word) : nil
  }

  /// `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?`, in one pass.
  private static func isNumber(_ word: String.UTF8View) -> Bool {
    var rest = word[...]
    func skips(_ signs: String) -> Bool {
      guard let sign = rest.first, signs.utf8.contains(sign) else { return false }
      rest.removeFirst()
      return true
    }
    func digits() -> Int {
      let end = rest.firstIndex { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      let digits = rest[..<(end ?? rest.endIndex)]
      rest = rest[digits.endIndex...]
      return digits.count
    }
    _ = skips("-")
    if !skips("0"), digits() == 0 { return false }
    if skips("."), digits() == 0 { return false }
    if skips("eE") {
      _ = skips("-+")
      if digits() == 0 { return false }
    }
    return rest.isEmpty
  }

  // MARK: -

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d {
      position += 1
    }
  }

  private mutating func skips(_ sign: Unicode.Scalar) -> Bool {
    skipSpace()
    guard next == UInt8(ascii: sign) else { return false }
    position += 1
    return true
  }

  /// What stands here: letters, digits and the signs of numbers, as far as they go.
  private var word: String {
    let end = bytes[position...].firstIndex { !Self.isOfWord($0) }
    return String(decoding: bytes[position..<(end ?? bytes.count)], as: UTF8.self)
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private var here: String {
    guard let byte = next else { return "the end" }
    if byte == 0x0a || byte == 0x0d { return "the end of the line" }
    if !word.isEmpty { return "'\(word.shortened)'" }
    return "'\(String(decoding: bytes[position...].prefix(64), as: UTF8.self).prefix(1))'"
  }

  private func error(found: String? = nil, expected: String) -> ScenarioError {
    let before = bytes[..<position]
    let line = before.count { $0 == 0x0a } + 1
    let column = before.reversed().prefix { $0 != 0x0a }.count { $0 & 0xc0 != 0x80 } + 1
    return ScenarioError(
      keyPath: "line \(line), column \(column)", found: found ?? here, expected: expected)
  }
}
