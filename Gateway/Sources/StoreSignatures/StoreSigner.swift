import Crypto
import Foundation

/// Signs what the App Store signs: transactions, renewals, notifications, app transactions.
///
/// Each is a JWS in compact form: ES256, with the chain in its header as x5c.
///
/// Source: App Store Server API, JWSTransaction and JWSDecodedHeader; RFC 7515.
public struct StoreSigner: Sendable {
  private let key: P256.Signing.PrivateKey
  /// The encoded header and the dot behind it, which are the same in all.
  private let header: [UInt8]

  /// Signs with the leaf of a chain.
  public init(_ chain: SigningChain) throws {
    key = chain.leaf.key
    let chain = try [chain.leaf, chain.intermediate, chain.root].map {
      "\"" + Data(try $0.der()).base64EncodedString() + "\""
    }
    let header = #"{"alg":"ES256","x5c":["# + chain.joined(separator: ",") + "]}"
    self.header = Base64URL.encode(Array(header.utf8)) + [UInt8(ascii: ".")]
  }

  /// The JWS of a payload, which is JSON.
  public func sign(_ payload: some Collection<UInt8>) throws -> String {
    var text = header
    Base64URL.append(payload, to: &text)
    let signature = try key.signature(for: text).rawRepresentation
    text.append(UInt8(ascii: "."))
    Base64URL.append(signature, to: &text)
    return String(decoding: text, as: UTF8.self)
  }
}

/// Base 64 in the alphabet of RFC 7515, without padding.
public enum Base64URL {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// The text of bytes.
  public static func encode(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    append(bytes, to: &text)
    return text
  }

  static func append(_ bytes: some Collection<UInt8>, to text: inout [UInt8]) {
    text.reserveCapacity(text.count + (bytes.count * 4 + 2) / 3)
    var word: UInt32 = 0
    var bits = 0
    for byte in bytes {
      word = word << 8 | UInt32(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        text.append(alphabet[Int(word >> UInt32(bits) & 63)])
      }
    }
    if bits > 0 { text.append(alphabet[Int(word << UInt32(6 - bits) & 63)]) }
  }

  /// The bytes of a text; nil where it is none.
  public static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count * 3 / 4)
    var word: UInt32 = 0
    var bits = 0
    for character in text.utf8 {
      let value: UInt8
      switch character {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character - UInt8(ascii: "0") + 52
      case UInt8(ascii: "-"): value = 62
      case UInt8(ascii: "_"): value = 63
      default: return nil
      }
      word = word << 6 | UInt32(value)
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(bits)))
      }
    }
    // Six bits alone are no byte.
    return bits == 6 ? nil : bytes
  }
}
