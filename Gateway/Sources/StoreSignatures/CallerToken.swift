import Crypto
import Foundation

/// Checks the token with which a backend calls the App Store Server API.
///
/// Source: Apple, "Generating JSON web tokens for API requests".
public struct CallerCheck: Sendable {
  /// Why a token is refused. Apple answers 401 without a word; this is for whoever looks for the mistake.
  public struct Refusal: Error, Equatable, CustomStringConvertible {
    /// What was found, and what was expected.
    public var description: String
  }

  /// The issuer that tokens must name; nil for any.
  public var issuer: String?
  /// The key that tokens must name; nil for any.
  public var keyID: String?
  /// The app that tokens must name.
  public var bundle: String
  /// What tokens are signed with; nil where the signature is not looked at.
  public var key: P256.Signing.PublicKey?

  /// A check of all that is given.
  public init(
    bundle: String, issuer: String? = nil, keyID: String? = nil, key: P256.Signing.PublicKey? = nil
  ) {
    self.bundle = bundle
    self.issuer = issuer
    self.keyID = keyID
    self.key = key
  }

  private struct Header: Decodable {
    var alg: String?
    var kid: String?
    var typ: String?
  }

  private struct Claims: Decodable {
    var iss: String?
    var aud: String?
    var bid: String?
    var exp: Double?
    var iat: Double?
  }

  /// Throws where Apple would answer 401.
  ///
  /// - Parameters:
  ///   - header: what stands behind `Authorization:`; nil where nothing does.
  ///   - date: the present. A token holds for an hour at most.
  public func check(authorization header: String?, date: Date) throws(Refusal) {
    guard let header else {
      throw refusal("no Authorization header, expected 'Bearer' and a token")
    }
    guard header.hasPrefix("Bearer ") else {
      throw refusal("the Authorization header does not begin with 'Bearer '")
    }
    let token = header.dropFirst("Bearer ".count)
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let signature = Base64URL.decode(parts[2]) else {
      throw refusal("the token is not three parts of base64url with a dot between them")
    }
    let head = try read(Header.self, parts[0], "header")
    let claims = try read(Claims.self, parts[1], "claims")
    try expect("alg", head.alg, "ES256")
    if let typ = head.typ { try expect("typ", typ, "JWT") }
    guard let kid = head.kid else { throw refusal("the token's header has no kid") }
    if let keyID { try expect("kid", kid, keyID) }
    try expect("aud", claims.aud, "appstoreconnect-v1")
    try expect("bid", claims.bid, bundle)
    guard let iss = claims.iss else { throw refusal("the token has no iss") }
    if let issuer { try expect("iss", iss, issuer) }
    guard let exp = claims.exp else { throw refusal("the token has no exp") }
    let now = date.timeIntervalSince1970
    guard exp > now else { throw refusal("the token's exp is \(Int(clamping: now - exp)) s past") }
    guard exp - (claims.iat ?? now) <= 3600 + 60 else {
      throw refusal("the token holds for more than an hour")
    }
    if let iat = claims.iat, iat > now + 60 {
      throw refusal("the token's iat is \(Int(clamping: iat - now)) s ahead")
    }
    if let key {
      let signed = Array("\(parts[0]).\(parts[1])".utf8)
      guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature),
        key.isValidSignature(signature, for: signed)
      else { throw refusal("the token's signature is not of the key that was given") }
    }
  }

  private func read<Part: Decodable>(
    _ type: Part.Type, _ text: Substring, _ name: String
  ) throws(Refusal) -> Part {
    guard let bytes = Base64URL.decode(text),
      let part = try? JSONDecoder().decode(type, from: Data(bytes))
    else { throw refusal("the token's \(name) is no JSON in base64url") }
    return part
  }

  private func expect(
    _ name: String, _ found: String?, _ expected: String
  ) throws(Refusal) {
    guard found == expected else {
      throw refusal("the token's \(name) is '\(found ?? "")', expected '\(expected)'")
    }
  }

  private func refusal(_ text: String) -> Refusal { Refusal(description: text) }
}
