/// A JSON text as it is written: keys may come twice, numbers are texts, and a leaf may be anything.
indirect enum Tree: Equatable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case list([Tree])
  case object([Member])
  /// Bytes that stand where a value should.
  case raw([UInt8])

  struct Member: Equatable {
    var key: String
    var value: Tree
  }

  subscript(key: String) -> Tree? {
    get {
      guard case .object(let members) = self else { return nil }
      return members.first { $0.key == key }?.value
    }
    set {
      guard case .object(var members) = self, let newValue else { return }
      if let index = members.firstIndex(where: { $0.key == key }) {
        members[index].value = newValue
      } else {
        members.append(Member(key: key, value: newValue))
      }
      self = .object(members)
    }
  }

  var members: [Member] {
    if case .object(let members) = self { members } else { [] }
  }

  var elements: [Tree] {
    if case .list(let elements) = self { elements } else { [] }
  }

  /// Every key and every text in it.
  func collect(into words: inout Set<String>) {
    switch self {
    case .null, .bool, .number, .raw: break
    case .string(let text): words.insert(text)
    case .list(let elements): for element in elements { element.collect(into: &words) }
    case .object(let members):
      for member in members {
        words.insert(member.key)
        member.value.collect(into: &words)
      }
    }
  }
}

// MARK: - Writing

extension Tree {
  /// The text; the numbers decide on spaces and on which characters are escaped.
  func bytes(_ random: inout Random) -> [UInt8] {
    var bytes: [UInt8] = []
    let escapes = random.oneIn(8) ? 2 : 1000
    write(to: &bytes, &random, escapes: escapes, spaces: random.oneIn(4))
    return bytes
  }

  private func write(
    to bytes: inout [UInt8], _ random: inout Random, escapes: Int, spaces: Bool
  ) {
    func space(_ bytes: inout [UInt8], _ random: inout Random) {
      if spaces, random.oneIn(3) { bytes.append(random.pick([0x20, 0x0a, 0x09, 0x0d])) }
    }
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .number(let text): bytes += text.utf8
    case .string(let text): Self.quote(text, to: &bytes, &random, escapes)
    case .raw(let raw): bytes += raw
    case .list(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        space(&bytes, &random)
        element.write(to: &bytes, &random, escapes: escapes, spaces: spaces)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        space(&bytes, &random)
        Self.quote(member.key, to: &bytes, &random, escapes)
        bytes.append(UInt8(ascii: ":"))
        space(&bytes, &random)
        member.value.write(to: &bytes, &random, escapes: escapes, spaces: spaces)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func quote(
    _ text: String, to bytes: inout [UInt8], _ random: inout Random, _ escapes: Int
  ) {
    bytes.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" || scalar.value < 0x20 || random.oneIn(escapes) {
        for unit in String(scalar).utf16 {
          let hex = String(unit, radix: 16, uppercase: random.oneIn(2))
          bytes += ("\\u" + String(repeating: "0", count: 4 - hex.count) + hex).utf8
        }
      } else {
        bytes += String(scalar).utf8
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
