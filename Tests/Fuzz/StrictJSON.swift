/// A second reader of JSON, by RFC 8259 alone, to hold against the project's.
///
/// It accepts what the grammar does, up to a depth, and refuses a key that comes twice.
struct StrictJSON {
  /// Why a text is none, and at which byte.
  struct Refusal: Error {
    var reason: String
    var position: Int
  }

  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0

  /// Deeper values the grammar has, and no reader needs.
  static let deepest = 64

  static func read(_ bytes: [UInt8]) throws(Refusal) -> Tree {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw Refusal(reason: "no UTF-8", position: 0)
    }
    var reader = StrictJSON(bytes)
    let tree = try reader.value()
    reader.space()
    guard reader.position == bytes.count else { throw reader.refusal("something follows") }
    return tree
  }

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { position = 3 }
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func refusal(_ reason: String) -> Refusal {
    Refusal(reason: reason, position: position)
  }

  private mutating func space() {
    while let byte = next, [0x20, 0x09, 0x0a, 0x0d].contains(byte) { position += 1 }
  }

  private mutating func takes(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard position + count <= bytes.count else { return false }
    for index in 0..<count where bytes[position + index] != text.utf8Start[index] { return false }
    position += count
    return true
  }

  private mutating func value() throws(Refusal) -> Tree {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw refusal("too deep") }
    space()
    if takes("null") { return .null }
    if takes("true") { return .bool(true) }
    if takes("false") { return .bool(false) }
    switch next {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "["): return try list()
    case UInt8(ascii: "{"): return try object()
    default: return .number(try number())
    }
  }

  private mutating func list() throws(Refusal) -> Tree {
    position += 1
    space()
    if takes("]") { return .list([]) }
    var elements: [Tree] = []
    while true {
      elements.append(try value())
      space()
      if takes("]") { return .list(elements) }
      guard takes(",") else { throw refusal("no comma") }
    }
  }

  private mutating func object() throws(Refusal) -> Tree {
    position += 1
    space()
    if takes("}") { return .object([]) }
    var members: [Tree.Member] = []
    var keys: Set<String> = []
    while true {
      space()
      guard next == UInt8(ascii: "\"") else { throw refusal("no key") }
      let key = try string()
      guard keys.insert(key).inserted else { throw refusal("a key twice") }
      space()
      guard takes(":") else { throw refusal("no colon") }
      members.append(Tree.Member(key: key, value: try value()))
      space()
      if takes("}") { return .object(members) }
      guard takes(",") else { throw refusal("no comma") }
    }
  }

  private mutating func number() throws(Refusal) -> String {
    let start = position
    func digits(_ reader: inout StrictJSON) throws(Refusal) {
      let first = reader.position
      while let byte = reader.next, (0x30...0x39).contains(byte) { reader.position += 1 }
      guard reader.position > first else { throw reader.refusal("no digit") }
    }
    _ = takes("-")
    if !takes("0") { try digits(&self) }
    if takes(".") { try digits(&self) }
    if takes("e") || takes("E") {
      if !takes("+") { _ = takes("-") }
      try digits(&self)
    }
    if let byte = next, ![0x20, 0x09, 0x0a, 0x0d, 0x2c, 0x5d, 0x7d].contains(byte) {
      throw refusal("a number goes on")
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func string() throws(Refusal) -> String {
    position += 1
    var text: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text += Array(String(try escape()).utf8)
      case 0..<0x20: throw refusal("a control byte")
      default: text.append(byte)
      }
    }
    throw refusal("no end of a text")
  }

  private mutating func escape() throws(Refusal) -> Unicode.Scalar {
    guard let letter = next else { throw refusal("no escape") }
    position += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw refusal("an unknown escape")
    }
    let high = try unit()
    if let scalar = Unicode.Scalar(high) { return scalar }
    guard high < 0xdc00, takes("\\u") else { throw refusal("half a surrogate pair") }
    let low = try unit()
    guard (0xdc00..<0xe000).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (high - 0xd800) << 10 + (low - 0xdc00))
    else { throw refusal("half a surrogate pair") }
    return scalar
  }

  private static let digits = Array("0123456789abcdef".utf8)

  private mutating func unit() throws(Refusal) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next,
        let digit = Self.digits.firstIndex(of: (0x41...0x46).contains(byte) ? byte | 0x20 : byte)
      else { throw refusal("no hex digit") }
      unit = unit << 4 | UInt32(digit)
      position += 1
    }
    return unit
  }
}
