import ChaosStore

/// Checks JSON against a schema of draft 2020-12, as far as this package's own schemas go.
///
/// A keyword that it does not know ends the test: a rule that nobody checks is none.
public final class JSONSchema {
  package let root: JSONValue
  private var patterns: [String: Regex<AnyRegexOutput>] = [:]

  /// Reads a schema.
  public init(_ text: String) throws { root = try JSONParser.parse(text) }

  /// What is wrong with a value: the first rule that it breaks, with its place; nil for nothing.
  package func problem(in value: JSONValue) -> String? { problem(in: value, root, at: "") }

  private func problem(in value: JSONValue, _ schema: JSONValue, at path: String) -> String? {
    switch schema {
    case .bool(true): return nil
    case .bool(false): return "\(path): nothing is allowed here"
    case .object(let rules):
      for rule in rules {
        if let problem = problem(in: value, rule, among: schema, at: path) { return problem }
      }
      return nil
    default: fatalError("a schema that is neither an object nor true or false")
    }
  }

  private func problem(
    in value: JSONValue, _ rule: JSONValue.Member, among schema: JSONValue, at path: String
  ) -> String? {
    let isMet: Bool
    switch (rule.key, rule.value) {
    case ("$schema", _), ("title", _), ("description", _), ("$defs", _): return nil
    case ("$ref", .string(let reference)):
      return problem(in: value, definition(reference), at: path)
    case ("type", .string(let type)): isMet = value.isOf(type: type)
    case ("type", .list(let types)):
      isMet = types.contains {
        if case .string(let type) = $0 { value.isOf(type: type) } else { false }
      }
    case ("const", let only): isMet = value == only
    case ("enum", .list(let all)): isMet = all.contains(value)
    case ("pattern", .string(let pattern)):
      isMet = value.string.map { $0.contains(regex(pattern)) } ?? true
    case ("minLength", .int(let least)):
      isMet = value.string.map { $0.unicodeScalars.count >= least } ?? true
    case ("minimum", .int(let least)): isMet = value.number.map { $0 >= Double(least) } ?? true
    case ("maximum", .int(let most)): isMet = value.number.map { $0 <= Double(most) } ?? true
    case ("minItems", .int(let least)): isMet = value.elements.map { $0.count >= least } ?? true
    case ("maxItems", .int(let most)): isMet = value.elements.map { $0.count <= most } ?? true
    case ("uniqueItems", .bool(true)):
      isMet =
        value.elements.map { list in
          list.indices.allSatisfy { !list[..<$0].contains(list[$0]) }
        } ?? true
    case ("items", let schema):
      return first(value.elements ?? []) { index, element in
        problem(in: element, schema, at: "\(path)[\(index)]")
      }
    case ("minProperties", .int(let least)): isMet = value.members.map { $0.count >= least } ?? true
    case ("required", .list(let keys)):
      guard let members = value.members else { return nil }
      isMet = keys.allSatisfy { key in members.contains { .string($0.key) == key } }
    case ("properties", .object(let properties)):
      return first(value.members ?? []) { _, member in
        properties.first { $0.key == member.key }.flatMap {
          problem(in: member.value, $0.value, at: "\(path).\(member.key)")
        }
      }
    case ("additionalProperties", let rest):
      let named = schema["properties"]?.members ?? []
      return first(value.members ?? []) { _, member in
        named.contains { $0.key == member.key }
          ? nil : problem(in: member.value, rest, at: "\(path).\(member.key)")
      }
    case ("propertyNames", let schema):
      return first(value.members ?? []) { _, member in
        problem(in: .string(member.key), schema, at: "\(path).\(member.key)")
      }
    case ("allOf", .list(let all)):
      return first(all) { _, schema in problem(in: value, schema, at: path) }
    case ("not", let schema): isMet = problem(in: value, schema, at: path) != nil
    case ("anyOf", .list(let any)):
      isMet = any.contains { problem(in: value, $0, at: path) == nil }
    case ("oneOf", .list(let one)):
      isMet = one.count { problem(in: value, $0, at: path) == nil } == 1
    default: fatalError("the checker does not know the rule '\(rule.key)'")
    }
    return isMet ? nil : "\(path): '\(rule.key)' is not met"
  }

  private func first<Element>(
    _ elements: [Element], _ problem: (Int, Element) -> String?
  ) -> String? {
    for (index, element) in elements.enumerated() {
      if let problem = problem(index, element) { return problem }
    }
    return nil
  }

  private func definition(_ reference: String) -> JSONValue {
    let prefix = "#/$defs/"
    guard reference.hasPrefix(prefix),
      let definition = root["$defs"]?[String(reference.dropFirst(prefix.count))]
    else { fatalError("a schema that refers to '\(reference)', which it does not define") }
    return definition
  }

  private func regex(_ pattern: String) -> Regex<AnyRegexOutput> {
    if let known = patterns[pattern] { return known }
    guard let regex = try? Regex(pattern) else { fatalError("'\(pattern)' is no pattern") }
    patterns[pattern] = regex
    return regex
  }
}

extension JSONValue {
  package subscript(key: String) -> JSONValue? { members?.first { $0.key == key }?.value }

  package var members: [Member]? { if case .object(let members) = self { members } else { nil } }
  package var elements: [JSONValue]? { if case .list(let list) = self { list } else { nil } }
  package var string: String? { if case .string(let text) = self { text } else { nil } }

  fileprivate var number: Double? {
    switch self {
    case .int(let number): Double(number)
    case .number(let text): Double(text)
    case .null, .bool, .string, .list, .object: nil
    }
  }

  fileprivate func isOf(type: String) -> Bool {
    switch (type, self) {
    case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .list),
      ("object", .object), ("integer", .int), ("number", .int), ("number", .number):
      true
    // A whole number may be written in another way; this package's readers refuse that.
    case ("integer", .number(let text)):
      Double(text).map { $0.isFinite && $0 == $0.rounded() } ?? false
    default: false
    }
  }
}
