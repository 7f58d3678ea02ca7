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

  /// What identifies something; nil where there is none.
  func identifier(_ key: String) throws(LineDamage) -> String? {
    guard let value = self[key] else { return nil }
    guard let text = text(key), !text.isEmpty else {
      throw LineDamage(found: "\(key) \(value.described)", expected: "a text, or a whole number")
    }
    return text
  }

  /// A whole number; nil where there is none.
  func number(_ key: String) throws(LineDamage) -> Int64? {
    guard let value = self[key] else { return nil }
    guard let (number, isWhole) = value.rounded, isWhole else {
      throw LineDamage(found: "\(key) \(value.described)", expected: "a whole number")
    }
    return number
  }

  func needed(_ key: String) throws(LineDamage) -> String {
    guard let text = try identifier(key) else {
      throw LineDamage(found: "no '\(key)'", expected: "one, as every payload of its kind has")
    }
    return text
  }

  /// Milliseconds since 1970, without the fraction that StoreKit testing in Xcode signs; nil where there are none.
  func moment(_ key: String) throws(LineDamage) -> Int64? {
    guard let value = self[key] else { return nil }
    guard let millis = value.rounded?.number, millis >= 0 else {
      throw LineDamage(found: "\(key) \(value.described)", expected: "milliseconds since 1970")
    }
    return millis
  }

  func neededMoment(_ key: String) throws(LineDamage) -> Int64 {
    guard let millis = try moment(key), millis <= ISOTime.latest else {
      throw LineDamage(
        found: self[key].map { "\(key) \($0.described)" } ?? "no '\(key)'",
        expected: "milliseconds since 1970")
    }
    return millis
  }
}

extension JSONValue {
  /// A number without its fraction, and whether it had none; nil for anything else, and where it does not fit.
  fileprivate var rounded: (number: Int64, isWhole: Bool)? {
    switch self {
    case .int(let number): return (Int64(number), true)
    case .number(let text):
      // The digits as they stand, which a floating-point number might not hold.
      let parts = text.split(separator: ".", maxSplits: 1)
      if parts.count == 2, let number = Int64(parts[0]), parts[1].allSatisfy(\.isNumber) {
        return (number, parts[1].allSatisfy { $0 == "0" })
      }
      guard let number = Double(text) else { return nil }
      let whole = number.rounded(.towardZero)
      return Int64(exactly: whole).map { ($0, whole == number) }
    case .null, .bool, .string, .list, .object: return nil
    }
  }
}
