/// The statements of a dump, put together from its lines, without their comments.
struct SQLStatements {
  /// A longer one is damaged.
  static let longest = 64 << 20

  private var text: [UInt8] = []
  /// The sign that closes what stands in quotation marks; 0 where nothing does.
  private var quote: UInt8 = 0
  private var isComment = false
  private var isWhole = false

  /// Whether a statement has begun that has not ended.
  var isUnfinished: Bool { !text.isEmpty || isComment }

  /// The statement that ends with this line; nil where more of it must come.
  mutating func statement(with line: String) throws(LineDamage) -> String? {
    if !text.isEmpty { text.append(UInt8(ascii: "\n")) }
    var rest = line.utf8[...]
    while let byte = rest.popFirst() {
      if isComment {
        if byte == UInt8(ascii: "*"), rest.first == UInt8(ascii: "/") {
          rest.removeFirst()
          isComment = false
        }
        continue
      }
      if quote != 0 {
        if byte == quote { quote = 0 }
        text.append(byte)
        continue
      }
      if byte == UInt8(ascii: "-"), rest.first == byte { break }
      if byte == UInt8(ascii: "/"), rest.first == UInt8(ascii: "*") {
        rest.removeFirst()
        isComment = true
        continue
      }
      if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") { quote = byte }
      if byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t"), byte != UInt8(ascii: "\r") {
        isWhole = byte == UInt8(ascii: ";")
      }
      text.append(byte)
    }
    guard text.count <= Self.longest else {
      self = SQLStatements()
      throw LineDamage(
        found: "a statement of more than \(Self.longest >> 20) MiB", expected: "a shorter one")
    }
    guard quote == 0, isWhole, !isComment else { return nil }
    defer { self = SQLStatements() }
    return String(decoding: text, as: UTF8.self)
  }
}
