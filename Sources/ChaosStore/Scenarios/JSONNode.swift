/// A JSON value, where it stands, and the strict ways to read it.
struct JSONNode {
  let path: String
  let value: JSONValue
  /// For whom it is read, where that is not plain from the path; ends every complaint.
  var note = ""

  func error(found: String? = nil, expected: String) -> ScenarioFileError {
    ScenarioFileError(
      keyPath: path, found: found ?? value.described, expected: expected + note)
  }

  func string(_ expected: String) throws(ScenarioFileError) -> String {
    guard case .string(let text) = value, !text.isEmpty else { throw error(expected: expected) }
    return text
  }

  func bool() throws(ScenarioFileError) -> Bool {
    guard case .bool(let value) = value else { throw error(expected: "true or false") }
    return value
  }

  func int(_ range: ClosedRange<Int>) throws(ScenarioFileError) -> Int {
    guard case .int(let number) = value, range.contains(number) else {
      throw error(expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// The position of one of these names.
  func index(among names: [String], _ what: String) throws(ScenarioFileError) -> Int {
    guard case .string(let text) = value else {
      throw error(expected: Self.oneOf(names, what))
    }
    guard let index = names.firstIndex(of: text) else {
      throw error(expected: Self.oneOf(names, what) + suggestion(for: text, among: names))
    }
    return index
  }

  /// The position of somebody who has a number, such as `user2`.
  func index(of kind: String, count: Int) throws(ScenarioFileError) -> Int {
    let expected = count == 1 ? "\(kind)1" : "one of \(kind)1 to \(kind)\(count)"
    guard case .string(let text) = value, let number = Int(text.dropFirst(kind.count)),
      (1...count).contains(number), text == "\(kind)\(number)"
    else { throw error(expected: expected) }
    return number - 1
  }

  func list(_ expected: String) throws(ScenarioFileError) -> [JSONNode] {
    guard case .list(let elements) = value else { throw error(expected: expected) }
    return elements.enumerated().map { index, element in
      JSONNode(path: "\(path)[\(index)]", value: element, note: note)
    }
  }

  /// An object of any keys.
  func object(_ expected: String = "an object") throws(ScenarioFileError) -> JSONObject {
    guard case .object(let members) = value else { throw error(expected: expected) }
    return JSONObject(
      node: self,
      members: members.map { member in
        (member.key, JSONNode(path: path(to: member.key), value: member.value, note: note))
      })
  }

  /// An object of these keys and no others.
  func object(of keys: [String]) throws(ScenarioFileError) -> JSONObject {
    let object = try object("an object of \(keys.sorted().joined(separator: ", "))")
    for (key, node) in object.members where !keys.contains(key) {
      throw node.unknownKey(key, keys)
    }
    return object
  }

  /// The complaint about a key that has no meaning here.
  func unknownKey(_ key: String, _ keys: [String], _ what: String = "keys") -> ScenarioFileError {
    error(
      found: "an unknown key",
      expected: Self.oneOf(keys.sorted(), what) + suggestion(for: key, among: keys))
  }

  /// Where a key of this object stands.
  func path(to key: String) -> String {
    let isPlain = key.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    if !isPlain || key.isEmpty { return "\(path)[\(JSONValue.quoted(key))]" }
    return path.isEmpty ? key : "\(path).\(key)"
  }

  /// `one of a, b, c`; names too many to read are only counted.
  static func oneOf(_ names: [String], _ what: String) -> String {
    switch names.count {
    case 1: names[0]
    case 2...30: "one of \(names.joined(separator: ", "))"
    default: "one of the \(names.count) \(what)"
    }
  }
}

/// The keys of an object, in the order of the file.
struct JSONObject {
  let node: JSONNode
  let members: [(key: String, node: JSONNode)]

  subscript(key: String) -> JSONNode? { members.first { $0.key == key }?.node }

  func required(_ key: String, _ expected: String) throws(ScenarioFileError) -> JSONNode {
    guard let found = self[key] else {
      throw ScenarioFileError(
        keyPath: node.path(to: key), found: "nothing", expected: expected + node.note)
    }
    return found
  }
}
