/// Where a JSON value stands in its file, put into words only when somebody asks.
///
/// A path in words for each value of a file would take the square of the time where a name is long.
indirect enum JSONPlace {
  /// The outermost value, called by a name that may be empty.
  case root(String)
  case key(String, in: JSONPlace)
  case index(Int, in: JSONPlace)

  /// Such as `scenarios[3].faults["a key"]`.
  var text: String {
    switch self {
    case .root(let name): return name
    case .index(let index, let outer): return "\(outer.text)[\(index)]"
    case .key(let key, let outer):
      let path = outer.text
      let isPlain = key.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
      if !isPlain || key.isEmpty { return "\(path)[\(JSONValue.quoted(key.shortened))]" }
      return path.isEmpty ? key.shortened : "\(path).\(key.shortened)"
    }
  }
}

extension String {
  /// As it is shown in an error: a text that is too long to be read is cut.
  var shortened: String {
    let most = 200
    guard utf8.count > most else { return self }
    let head = unicodeScalars.prefix(most)
    return head.endIndex == endIndex ? self : "\(String(head))… (\(utf8.count) bytes)"
  }
}
