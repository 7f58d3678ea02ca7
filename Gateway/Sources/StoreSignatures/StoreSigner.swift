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
    let text = header + Base64URL.encode(payload)
    let signature = try key.signature(for: text).rawRepresentation
    return String(
      decoding: text + [UInt8(ascii: ".")] + Base64URL.encode(signature), as: UTF8.self)
  }
}

/// Base 64 in the alphabet of RFC 7515, without padding.
public enum Base64URL {
  /// The text of bytes.
  public static func encode(_ bytes: some Collection<UInt8>) -> [UInt8] {
    Data(bytes).base64EncodedData().compactMap {
      switch $0 {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      case UInt8(ascii: "="): nil
      default: $0
      }
    }
  }

  /// The bytes of a text; nil where it is none.
  public static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var plain: [UInt8] = []
    for character in text.utf8 {
      switch character {
      case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
      case UInt8(ascii: "-"): plain.append(UInt8(ascii: "+"))
      case UInt8(ascii: "_"): plain.append(UInt8(ascii: "/"))
      default: plain.append(character)
      }
    }
    while plain.count % 4 != 0 { plain.append(UInt8(ascii: "=")) }
    return Data(base64Encoded: Data(plain)).map(Array.init)
  }
}
