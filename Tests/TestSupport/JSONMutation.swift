import ChaosStore

/// Every JSON that differs from a given one in a single place.
package struct JSONMutation {
  /// What was done, and where.
  package var description: String
  package var value: JSONValue

  /// In the order of the text: keys dropped, renamed and added; elements dropped and repeated; values
  /// of another type or out of any range.
  package static func all(of value: JSONValue) -> [JSONMutation] { mutations(value, at: "") }

  private static let others: [JSONValue] = [
    .null, .bool(true), .bool(false), .int(0), .int(1), .int(2), .int(-1), .int(11),
    .int(1 << 40), .int(.max), .number("1.5"), .number("1e400"), .string(""), .string("x"),
    .string("0"), .string("1s"), .string("1/2"), .string("3/2"), .string("-1"), .string("user9"),
    .string("never"), .string("*"), .list([]), .list([.int(0)]), .list([.string("x")]),
    .object([]), .object([.init(key: "x", value: .int(1))]),
  ]

  private static func mutations(_ value: JSONValue, at path: String) -> [JSONMutation] {
    var found = others.filter { $0 != value }.map {
      JSONMutation(description: "\(path) = \($0.text)", value: $0)
    }
    switch value {
    case .object(let members):
      found.append(
        JSONMutation(
          description: "\(path) + unknown",
          value: .object(members + [.init(key: "unknown", value: .int(1))])))
      for (index, member) in members.enumerated() {
        let place = "\(path).\(member.key)"
        var less = members
        less.remove(at: index)
        found.append(JSONMutation(description: "\(place) dropped", value: .object(less)))
        var renamed = members
        renamed[index].key += "x"
        found.append(JSONMutation(description: "\(place) renamed", value: .object(renamed)))
        found += mutations(member.value, at: place).map { mutation in
          var changed = members
          changed[index].value = mutation.value
          return JSONMutation(description: mutation.description, value: .object(changed))
        }
      }
    case .list(let elements):
      for (index, element) in elements.enumerated() {
        let place = "\(path)[\(index)]"
        var less = elements
        less.remove(at: index)
        found.append(JSONMutation(description: "\(place) dropped", value: .list(less)))
        found.append(
          JSONMutation(description: "\(place) repeated", value: .list(elements + [element])))
        found += mutations(element, at: place).map { mutation in
          var changed = elements
          changed[index] = mutation.value
          return JSONMutation(description: mutation.description, value: .list(changed))
        }
      }
    case .string(let text):
      found.append(JSONMutation(description: "\(path) + x", value: .string(text + "x")))
    case .null, .bool, .int, .number: break
    }
    return found
  }
}

extension JSONValue {
  /// As JSON, on one line.
  package var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .number(let text): text
    case .string(let text): JSONValue.quoted(text)
    case .list(let list): "[" + list.map(\.text).joined(separator: ", ") + "]"
    case .object(let members):
      "{"
        + members.map { "\(JSONValue.quoted($0.key)): \($0.value.text)" }.joined(separator: ", ")
        + "}"
    }
  }
}
