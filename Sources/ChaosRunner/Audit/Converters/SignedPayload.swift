import ChaosStore
import Foundation

/// What the App Store signs: the middle part of a JWS, decoded. The signature is not checked.
///
/// Source of the form: RFC 7515, compact serialisation; Apple, JWSTransaction and responseBodyV2.
enum SignedPayload {
  /// An object as it is, or what a JWS has for one.
  static func object(_ value: JSONValue) throws(LineDamage) -> [JSONValue.Member] {
    switch value {
    case .object(let members): return members
    case .string(let text): return try decoded(text)
    default: throw LineDamage(found: value.described, expected: "an object, or a JWS")
    }
  }

  /// The object of a line: JSON, or a JWS with quotation marks or without.
  static func value(_ line: String) throws(LineDamage) -> JSONValue {
    let text = line.trimmingEnd
    guard let first = text.first, first == "{" || first == "[" || first == "\"" else {
      return .object(try decoded(text))
    }
    do { return try JSONParser.parse(text) } catch {
      throw LineDamage(found: "'\(text.clipped)'", expected: "JSON, or a JWS")
    }
  }

  private static func decoded(_ text: String) throws(LineDamage) -> [JSONValue.Member] {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    var base64 = parts.count == 3 ? String(parts[1]) : ""
    base64 = base64.replacing("-", with: "+").replacing("_", with: "/")
    base64 += String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
    guard parts.count == 3, let data = Data(base64Encoded: base64),
      let json = String(data: data, encoding: .utf8), let value = try? JSONParser.parse(json),
      case .object(let members) = value
    else {
      throw LineDamage(found: "'\(text.clipped)'", expected: "a JWS of three parts, or an object")
    }
    return members
  }
}

extension [JSONValue.Member] {
  /// What a key has; nil where it is not there, or null.
  subscript(key: String) -> JSONValue? {
    guard let value = first(where: { $0.key == key })?.value, value != .null else { return nil }
    return value
  }

  /// A text, or a whole number as one; nil where there is none.
  func text(_ key: String) -> String? {
    switch self[key] {
    case .string(let text): text
    case .int(let number): "\(number)"
    default: nil
    }
  }

  /// A whole number; nil where there is none.
  func number(_ key: String) -> Int64? {
    if case .int(let number) = self[key] { Int64(number) } else { nil }
  }

  func needed(_ key: String) throws(LineDamage) -> String {
    guard let text = text(key) else {
      throw LineDamage(found: "no '\(key)'", expected: "one, as every payload of its kind has")
    }
    return text
  }

  func neededMoment(_ key: String) throws(LineDamage) -> Int64 {
    guard let millis = number(key), 0...ISOTime.latest ~= millis else {
      throw LineDamage(
        found: self[key].map { "\(key) \($0.described)" } ?? "no '\(key)'",
        expected: "milliseconds since 1970")
    }
    return millis
  }
}
