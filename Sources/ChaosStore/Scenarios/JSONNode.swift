/// A JSON value, where it stands, and the strict ways to read it.
struct JSONNode {
  let place: JSONPlace
  let value: JSONValue
  /// For whom it is read, where that is not plain from the path; ends every complaint.
  var note: String

  init(_ place: JSONPlace, _ value: JSONValue, note: String = "") {
    self.place = place
    self.value = value
    self.note = note
  }

  /// The outermost value of a text; its path begins with this name.
  init(path: String, value: JSONValue) { self.init(.root(path), value) }

  var path: String { place.text }

  func error(found: String? = nil, expected: String) -> ScenarioError {
    ScenarioError(
      keyPath: path, found: found ?? value.described, expected: expected + note)
  }

  func string(_ expected: String) throws(ScenarioError) -> String {
    guard case .string(let text) = value, !text.isEmpty else { throw error(expected: expected) }
    return text
  }

  func bool() throws(ScenarioError) -> Bool {
    guard case .bool(let value) = value else { throw error(expected: "true or false") }
    return value
  }

  func int(_ range: ClosedRange<Int>) throws(ScenarioError) -> Int {
    guard case .int(let number) = value, range.contains(number) else {
      throw error(expected: Limits.whole(range))
    }
    return number
  }

  /// The position of one of these names.
  func index(among names: [String], _ what: String) throws(ScenarioError) -> Int {
    guard case .string(let text) = value else {
      throw error(expected: oneOf(names, what))
    }
    guard let index = names.firstIndex(of: text) else {
      throw error(expected: oneOf(names, what) + suggestion(for: text, among: names))
    }
    return index
  }

  /// The position of one of these names, which may be many: each is looked up, none gone through.
  func index(
    among names: [String], _ positions: [String: Int], _ what: String
  ) throws(ScenarioError) -> Int {
    if case .string(let text) = value, let index = positions[text] { return index }
    return try index(among: names, what)
  }

  /// The position of somebody who has a number, such as `user2`.
  func index(of kind: String, count: Int) throws(ScenarioError) -> Int {
    let expected = count == 1 ? "\(kind)1" : "one of \(kind)1 to \(kind)\(count)"
    guard case .string(let text) = value, let number = Int(text.dropFirst(kind.count)),
      (1...count).contains(number), text == "\(kind)\(number)"
    else { throw error(expected: expected) }
    return number - 1
  }

  func list(_ expected: String) throws(ScenarioError) -> [JSONNode] {
    guard case .list(let elements) = value else { throw error(expected: expected) }
    return elements.enumerated().map { index, element in
      JSONNode(.index(index, in: place), element, note: note)
    }
  }

  /// An object of any keys.
  func object(_ expected: String = "an object") throws(ScenarioError) -> JSONObject {
    guard case .object(let members) = value else { throw error(expected: expected) }
    return JSONObject(
      node: self,
      members: members.map { member in
        (member.key, JSONNode(.key(member.key, in: place), member.value, note: note))
      })
  }

  /// An object of these keys and no others.
  func object(of keys: [String]) throws(ScenarioError) -> JSONObject {
    let object = try object("an object of \(keys.sorted().joined(separator: ", "))")
    for (key, node) in object.members where !keys.contains(key) {
      throw node.unknownKey(key, keys, most: .max)
    }
    return object
  }

  /// The complaint about a key that has no meaning here.
  func unknownKey(
    _ key: String, _ keys: [String], _ what: String = "keys", most: Int = mostListed
  ) -> ScenarioError {
    error(
      found: "an unknown key",
      expected: oneOf(keys.sorted(), what, most: most) + suggestion(for: key, among: keys))
  }

  /// Where a key of this object stands.
  func path(to key: String) -> String { JSONPlace.key(key, in: place).text }
}

/// The keys of an object, in the order of the file.
struct JSONObject {
  let node: JSONNode
  let members: [(key: String, node: JSONNode)]

  subscript(key: String) -> JSONNode? { members.first { $0.key == key }?.node }

  func required(_ key: String, _ expected: String) throws(ScenarioError) -> JSONNode {
    guard let found = self[key] else {
      throw ScenarioError(
        keyPath: node.path(to: key), found: "nothing", expected: expected + node.note)
    }
    return found
  }
}
