import Invariants

/// Reads lines of the form that `Docs/AUDIT.md` describes, byte by byte and without making a text of anything.
///
/// Behind the end of a line eight further bytes can be read, which mean nothing.
struct FactScanner {
  private var here: UnsafePointer<UInt8>
  private var end: UnsafePointer<UInt8>
  /// Names with escape sequences, written out; as long as the longest line.
  private var scratch: UnsafeMutablePointer<UInt8>
  private var scratchSize = 1 << 12
  private var used = 0
  private let words = FactWords()

  init() {
    scratch = .allocate(capacity: scratchSize)
    here = UnsafePointer(scratch)
    end = here
  }

  /// What is allocated belongs to whoever made the scanner.
  func deallocate() { scratch.deallocate() }

  /// Reads one line into `line`; what is not in it is none.
  mutating func read(
    _ start: UnsafePointer<UInt8>, _ count: Int, into line: inout FactLine
  ) throws(LineDamage) {
    here = start
    end = start + count
    used = 0
    if count > scratchSize {
      scratch.deallocate()
      scratchSize = count * 2
      scratch = .allocate(capacity: scratchSize)
    }
    line = FactLine()
    skipSpace()
    guard takes(UInt8(ascii: "{")) else {
      throw damage("an object: {\"at\": …, \"fact\": …}")
    }
    var hasTime = false
    var hasKind = false
    var hasQuantity = false
    var hasAmount = false
    skipSpace()
    if !takes(UInt8(ascii: "}")) {
      repeat {
        skipSpace()
        let key = try string("a key")
        skipSpace()
        guard takes(UInt8(ascii: ":")) else { throw damage("':' after a key") }
        skipSpace()
        switch words.key(key) {
        case .at:
          line.fact.at = Instant(millis: try moment())
          hasTime = true
        case .fact:
          line.fact.kind = try kind()
          hasKind = true
        case .history:
          line.content = try history()
          hasKind = true
        case .transaction: line.transaction = try name("transaction")
        case .original: line.original = try name("original")
        case .intent: line.intent = try name("intent")
        case .account: line.account = try name("account")
        case .storeAccount: line.storeAccount = try name("storeAccount")
        case .device: line.device = try name("device")
        case .product: line.product = try name("product")
        case .quantity:
          line.fact.quantity = try number("quantity")
          hasQuantity = true
        case .amount:
          line.fact.amount = try number("amount")
          hasAmount = true
        case .verdict: line.fact.verdict = try verdict()
        case .message: line.fact.message = try message()
        case .environment: line.fact.environment = try environment()
        case .disturbedUntil: line.disturbedUntil = try disturbedUntil()
        case nil: try skipValue(depth: 0)
        }
        skipSpace()
      } while takes(UInt8(ascii: ","))
      guard takes(UInt8(ascii: "}")) else { throw damage("',' or '}'") }
    }
    skipSpace()
    guard here == end else { throw damage("the end of the line after one object") }
    guard hasKind else { throw LineDamage(found: "no 'fact'", expected: "the kind of the fact") }
    guard hasTime else { throw LineDamage(found: "no 'at'", expected: "when it happened") }
    if !hasQuantity, FactWords.counts(line.fact.kind) { line.fact.quantity = 1 }
    if !hasAmount {
      if FactWords.isWholeUnlessSaid(line.fact.kind) { line.fact.amount = 1000 }
      if line.fact.kind == .granted {
        throw LineDamage(
          found: "'granted' without 'amount'", expected: "until when, in seconds since 1970, or 0")
      }
    }
  }

  // MARK: - Values

  private mutating func kind() throws(LineDamage) -> Fact.Kind {
    let text = try string("the name of a kind of fact")
    guard let kind = words.kind(text) else {
      throw LineDamage(
        found: "fact '\(text.text.clipped)'",
        expected: "one of \(FactWords.kindNames.joined(separator: ", "))")
    }
    return kind
  }

  private mutating func history() throws(LineDamage) -> FactLine.Content {
    let text = try string("\"begin\" or \"end\"").text
    switch text {
    case "begin": return .begin
    case "end": return .end
    default:
      throw LineDamage(found: "history '\(text.clipped)'", expected: "\"begin\" or \"end\"")
    }
  }

  private mutating func verdict() throws(LineDamage) -> Fact.Verdict {
    if takesNull() { return .none }
    let text = try string("a verdict")
    if let verdict = words.verdict(text) { return verdict }
    throw LineDamage(
      found: "verdict '\(text.text.clipped)'", expected: "accepted, refused or inconclusive")
  }

  private mutating func message() throws(LineDamage) -> Fact.Message {
    if takesNull() { return .none }
    let text = try string("a message")
    if let message = words.message(text) { return message }
    throw LineDamage(
      found: "message '\(text.text.clipped)'", expected: "success, failure or pending")
  }

  private mutating func environment() throws(LineDamage) -> Environment {
    if takesNull() { return .production }
    let text = try string("an environment")
    if let environment = words.environment(text) { return environment }
    throw LineDamage(
      found: "environment '\(text.text.clipped)'", expected: "production or sandbox")
  }

  /// A name: a string that is not empty, or a whole number.
  private mutating func name(_ key: String) throws(LineDamage) -> FactLine.Name {
    if here < end, here.pointee == UInt8(ascii: "\"") {
      let text = try string(key)
      return text.count == 0 ? .none : text
    }
    if takesNull() { return .none }
    let start = here
    if here < end, here.pointee == UInt8(ascii: "-") { here += 1 }
    let digits = here
    while here < end, here.pointee &- 48 < 10 { here += 1 }
    guard here > digits, isAtEndOfValue else {
      here = start
      throw damage("'\(key)' as a string or a whole number")
    }
    return FactLine.Name(start: start, count: here - start)
  }

  private mutating func number(_ key: String) throws(LineDamage) -> UInt32 {
    let value = try integer(key)
    guard let number = UInt32(exactly: value), number < .max else {
      throw LineDamage(found: "\(key) \(value)", expected: "0 to 4294967294")
    }
    return number
  }

  private mutating func integer(_ key: String) throws(LineDamage) -> Int64 {
    let start = here
    let isNegative = takes(UInt8(ascii: "-"))
    var value: UInt64 = 0
    let digits = here
    while here < end, here.pointee &- 48 < 10, here - digits < 19 {
      value = value &* 10 &+ UInt64(here.pointee &- 48)
      here += 1
    }
    guard here > digits, isAtEndOfValue, value <= UInt64(Int64.max) else {
      here = start
      throw damage("'\(key)' as a whole number")
    }
    return isNegative ? -Int64(value) : Int64(value)
  }

  /// -1 stands for nothing that has struck yet.
  private mutating func disturbedUntil() throws(LineDamage) -> Int64 {
    let millis = try integer("disturbedUntil")
    guard -1...ISOTime.latest ~= millis else {
      throw LineDamage(
        found: "disturbedUntil \(millis)", expected: "milliseconds from -1 to \(ISOTime.latest)")
    }
    return millis
  }

  private mutating func moment() throws(LineDamage) -> Int64 {
    guard here < end, here.pointee == UInt8(ascii: "\"") else {
      let millis = try integer("at")
      guard 0...ISOTime.latest ~= millis else {
        throw LineDamage(
          found: "at \(millis)", expected: "milliseconds since 1970, or a history began")
      }
      return millis
    }
    let text = try string("a time")
    guard let millis = ISOTime.millis(text.bytes) else {
      throw LineDamage(
        found: "at '\(text.text.clipped)'",
        expected: "a time such as 2026-01-31T12:00:00.123Z, or milliseconds")
    }
    return millis
  }

  /// Skips a value that nobody asks for.
  private mutating func skipValue(depth: Int) throws(LineDamage) {
    guard here < end else { throw damage("a value") }
    switch here.pointee {
    case UInt8(ascii: "\""): _ = try string("a string")
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard depth < 64 else { throw damage("at most 64 lists or objects in one another") }
      let isObject = here.pointee == UInt8(ascii: "{")
      let close = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
      here += 1
      skipSpace()
      if takes(close) { return }
      repeat {
        skipSpace()
        if isObject {
          _ = try string("a key")
          skipSpace()
          guard takes(UInt8(ascii: ":")) else { throw damage("':' after a key") }
          skipSpace()
        }
        try skipValue(depth: depth + 1)
        skipSpace()
      } while takes(UInt8(ascii: ","))
      guard takes(close) else { throw damage(isObject ? "',' or '}'" : "',' or ']'") }
    default:
      let start = here
      while here < end, !isAtEndOfValue { here += 1 }
      let word = UnsafeBufferPointer(start: start, count: here - start)
      guard FactWords.isPlainValue(word) else {
        here = start
        throw damage("a value")
      }
    }
  }

  // MARK: - Bytes

  /// A string, without its quotation marks and with its escape sequences written out.
  @inline(__always)
  private mutating func string(_ expected: @autoclosure () -> String) throws(LineDamage)
    -> FactLine.Name
  {
    guard takes(UInt8(ascii: "\"")) else { throw damage(expected()) }
    let start = here
    while here < end {
      let word = UnsafeRawPointer(here).loadUnaligned(as: UInt64.self)
      let found = Self.marks(word, UInt8(ascii: "\"")) | Self.marks(word, UInt8(ascii: "\\"))
      if found == 0 {
        here += 8
        continue
      }
      here += found.trailingZeroBitCount >> 3
      guard here < end else { break }
      if here.pointee == UInt8(ascii: "\"") {
        let name = FactLine.Name(start: start, count: here - start)
        here += 1
        return name
      }
      return try escaped(from: start)
    }
    here = start - 1
    throw damage("a string that ends on its line")
  }

  /// A bit in each byte that is this one; the lowest is right, and it alone is asked for.
  @inline(__always)
  private static func marks(_ word: UInt64, _ byte: UInt8) -> UInt64 {
    let same = UInt64(littleEndian: word) ^ (UInt64(byte) &* 0x0101_0101_0101_0101)
    return (same &- 0x0101_0101_0101_0101) & ~same & 0x8080_8080_8080_8080
  }

  @inline(never)
  private mutating func escaped(from start: UnsafePointer<UInt8>) throws(LineDamage)
    -> FactLine.Name
  {
    let begin = used
    for offset in 0..<(here - start) { put(start[offset]) }
    while here < end {
      let byte = here.pointee
      here += 1
      if byte == UInt8(ascii: "\"") {
        return FactLine.Name(start: UnsafePointer(scratch) + begin, count: used - begin)
      }
      guard byte == UInt8(ascii: "\\") else {
        put(byte)
        continue
      }
      guard here < end else { break }
      let sign = here.pointee
      here += 1
      switch sign {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): put(sign)
      case UInt8(ascii: "b"): put(8)
      case UInt8(ascii: "f"): put(12)
      case UInt8(ascii: "n"): put(10)
      case UInt8(ascii: "r"): put(13)
      case UInt8(ascii: "t"): put(9)
      case UInt8(ascii: "u"): try scalar()
      default: throw damage("an escape sequence of JSON")
      }
    }
    throw damage("a string that ends on its line")
  }

  private mutating func scalar() throws(LineDamage) {
    var code = try hex()
    if code & 0xfc00 == 0xd800 {
      guard end - here >= 6, here[0] == UInt8(ascii: "\\"), here[1] == UInt8(ascii: "u") else {
        throw damage("the other half of a pair of \\u")
      }
      here += 2
      let low = try hex()
      guard low & 0xfc00 == 0xdc00 else { throw damage("the other half of a pair of \\u") }
      code = 0x10000 + (code & 0x3ff) << 10 + low & 0x3ff
    }
    guard let scalar = Unicode.Scalar(code) else { throw damage("an escape sequence of JSON") }
    for byte in UTF8.encode(scalar)! { put(byte) }
  }

  private mutating func hex() throws(LineDamage) -> UInt32 {
    guard end - here >= 4 else { throw damage("four digits after \\u") }
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(here.pointee)).hexDigitValue else {
        throw damage("four digits after \\u")
      }
      value = value << 4 | UInt32(digit)
      here += 1
    }
    return value
  }

  /// What is written out is never longer than it was.
  private mutating func put(_ byte: UInt8) {
    scratch[used] = byte
    used += 1
  }

  @inline(__always)
  private mutating func skipSpace() {
    while here < end, here.pointee <= 32, Self.isSpace(here.pointee) { here += 1 }
  }

  @inline(__always)
  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 32 || byte == 9 || byte == 10 || byte == 13
  }

  @inline(__always)
  private mutating func takes(_ byte: UInt8) -> Bool {
    guard here < end, here.pointee == byte else { return false }
    here += 1
    return true
  }

  private mutating func takesNull() -> Bool {
    guard end - here >= 4, here[0] == UInt8(ascii: "n"), here[1] == UInt8(ascii: "u"),
      here[2] == UInt8(ascii: "l"), here[3] == UInt8(ascii: "l")
    else { return false }
    here += 4
    return true
  }

  private var isAtEndOfValue: Bool {
    guard here < end else { return true }
    let byte = here.pointee
    return byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
      || Self.isSpace(byte)
  }

  private func damage(_ expected: String) -> LineDamage {
    let rest = UnsafeBufferPointer(start: here, count: min(40, max(0, end - here)))
    return LineDamage(
      found: rest.isEmpty
        ? "the end of the line" : "'\(String(decoding: rest, as: UTF8.self).clipped)'",
      expected: expected)
  }
}
