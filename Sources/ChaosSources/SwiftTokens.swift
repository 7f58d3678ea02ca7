/// A piece of Swift text that has a meaning of its own.
package struct SwiftToken: Sendable {
  /// What a token is.
  package enum Kind: Sendable {
    /// A name, a keyword or a number.
    case word
    /// `@` and a name.
    case attribute
    /// `#` and a name.
    case directive
    /// A literal in quotes, with all that is interpolated.
    case string
    /// One byte of whatever else.
    case mark
  }

  package let kind: Kind
  /// Where it stands, in bytes of UTF-8.
  package let range: Range<Int>
}

/// Swift text as a row of tokens, without its comments.
///
/// It is read without a grammar, as far as it takes to find declarations and their names. A regular expression
/// between slashes is not known as a literal.
package struct SwiftText: Sendable {
  package let bytes: [UInt8]
  package let tokens: [SwiftToken]

  package init(_ text: String) {
    bytes = Array(text.utf8)
    var reader = SwiftReader(bytes: bytes)
    tokens = reader.read()
  }

  /// What stands there.
  package subscript(range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  /// A token as it is written; empty behind the last.
  package func text(_ index: Int) -> String {
    tokens.indices.contains(index) ? self[tokens[index].range] : ""
  }

  /// Whether a token is this name or mark.
  package func has(_ text: String, at index: Int) -> Bool {
    guard tokens.indices.contains(index), tokens[index].range.count == text.utf8.count else {
      return false
    }
    return bytes[tokens[index].range].elementsEqual(text.utf8)
  }

  /// The line in which a token begins, from 1.
  package func line(_ index: Int) -> Int {
    bytes[..<tokens[index].range.lowerBound].reduce(1) { $1 == 10 ? $0 + 1 : $0 }
  }

  /// What stands from a token on to the end of its line.
  package func restOfLine(_ index: Int) -> String {
    let start = tokens[index].range.lowerBound
    let end = bytes[start...].firstIndex(of: 10) ?? bytes.count
    return self[start..<end]
  }

  /// Whether a token is the first of its line; also behind the last.
  package func isFirstOfLine(_ index: Int) -> Bool {
    guard index > 0, index < tokens.count else { return true }
    let gap = tokens[index - 1].range.upperBound..<tokens[index].range.lowerBound
    return bytes[gap].contains(10)
  }

  /// The text of tokens as it is written, in one line.
  package func written(_ range: Range<Int>) -> String {
    guard let first = range.first, let last = range.last, last < tokens.count else { return "" }
    let bytes = tokens[first].range.lowerBound..<tokens[last].range.upperBound
    return self[bytes].split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The token that closes what one opens: `(`, `[` or `{`; behind the last if nothing does.
  package func closing(_ open: Int) -> Int {
    var depth = 0
    for index in open..<tokens.count where tokens[index].kind == .mark {
      switch bytes[tokens[index].range.lowerBound] {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        if depth <= 0 { return index }
      default: break
      }
    }
    return tokens.count
  }

  /// What a string literal says, if nothing in it is escaped or interpolated.
  package func literal(_ index: Int) -> String? {
    guard tokens.indices.contains(index), tokens[index].kind == .string else { return nil }
    let text = text(index)
    guard text.hasPrefix("\""), !text.hasPrefix("\"\"\""), !text.contains("\\") else { return nil }
    return String(text.dropFirst().dropLast())
  }
}

private struct SwiftReader {
  let bytes: [UInt8]
  var place = 0

  mutating func read() -> [SwiftToken] {
    var tokens: [SwiftToken] = []
    while place < bytes.count {
      let start = place
      let byte = bytes[place]
      if byte <= 0x20 {
        place += 1
      } else if isAt("//") {
        while place < bytes.count, bytes[place] != 10 { place += 1 }
      } else if isAt("/*") {
        skipComment()
      } else if let hashes = hashesOfString() {
        skipString(hashes: hashes)
        tokens.append(SwiftToken(kind: .string, range: start..<place))
      } else if isWord(byte) {
        skipWord()
        tokens.append(SwiftToken(kind: .word, range: start..<place))
      } else if byte == UInt8(ascii: "`") {
        place += 1
        while place < bytes.count, bytes[place] != byte { place += 1 }
        place = min(place + 1, bytes.count)
        tokens.append(SwiftToken(kind: .word, range: start..<place))
      } else if byte == UInt8(ascii: "@") || byte == UInt8(ascii: "#"), place + 1 < bytes.count,
        isWord(bytes[place + 1])
      {
        place += 1
        skipWord()
        let kind = byte == UInt8(ascii: "@") ? SwiftToken.Kind.attribute : .directive
        tokens.append(SwiftToken(kind: kind, range: start..<place))
      } else {
        place += 1
        tokens.append(SwiftToken(kind: .mark, range: start..<place))
      }
    }
    return tokens
  }

  private func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }

  private mutating func skipWord() {
    while place < bytes.count, isWord(bytes[place]) { place += 1 }
  }

  private func isAt(_ text: String) -> Bool { bytes[place...].starts(with: text.utf8) }

  private mutating func skipComment() {
    var depth = 0
    repeat {
      if isAt("/*") {
        depth += 1
        place += 2
      } else if isAt("*/") {
        depth -= 1
        place += 2
      } else {
        place += 1
      }
    } while depth > 0 && place < bytes.count
  }

  /// How many `#` stand before the quote of a literal that begins here; nil if none does.
  private func hashesOfString() -> Int? {
    let hashes = bytes[place...].prefix { $0 == UInt8(ascii: "#") }.count
    let quote = place + hashes
    return quote < bytes.count && bytes[quote] == UInt8(ascii: "\"") ? hashes : nil
  }

  private mutating func skipString(hashes: Int) {
    place += hashes
    let marks = String(repeating: "#", count: hashes)
    let isLong = isAt("\"\"\"")
    let end = (isLong ? "\"\"\"" : "\"") + marks
    place += isLong ? 3 : 1
    while place < bytes.count {
      if isAt(end) {
        place += end.utf8.count
        return
      }
      if isAt("\\" + marks + "(") {
        place += marks.utf8.count + 2
        skipInterpolation()
      } else if isAt("\\" + marks) {
        place = min(place + marks.utf8.count + 2, bytes.count)
      } else if bytes[place] == 10, !isLong {
        // A quote that nothing closes.
        return
      } else {
        place += 1
      }
    }
  }

  private mutating func skipInterpolation() {
    var depth = 1
    while place < bytes.count, depth > 0 {
      if let hashes = hashesOfString() {
        skipString(hashes: hashes)
      } else {
        if bytes[place] == UInt8(ascii: "(") { depth += 1 }
        if bytes[place] == UInt8(ascii: ")") { depth -= 1 }
        place += 1
      }
    }
  }
}
