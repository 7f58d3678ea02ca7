import Crypto
import Foundation
import Testing

@testable import StoreSignatures

@Suite("A token with which a backend calls Apple")
struct CallerTests {
  private let key = P256.Signing.PrivateKey()
  private let date = Date(timeIntervalSince1970: 1_790_000_000)

  private func token(
    header: [String: Any] = [:], claims: [String: Any] = [:], key: P256.Signing.PrivateKey? = nil
  ) throws -> String {
    let now = date.timeIntervalSince1970
    let head: [String: Any] = ["alg": "ES256", "kid": "KEY1", "typ": "JWT"]
    let body: [String: Any] = [
      "iss": "issuer-1", "aud": "appstoreconnect-v1", "bid": "com.example.shop", "exp": now + 300,
    ]
    let parts = try [head.merging(header) { $1 }, body.merging(claims) { $1 }].map {
      String(
        decoding: Base64URL.encode(try JSONSerialization.data(withJSONObject: $0)), as: UTF8.self)
    }
    let signed = parts.joined(separator: ".")
    let signature = try (key ?? self.key).signature(for: Array(signed.utf8)).rawRepresentation
    return "Bearer \(signed).\(String(decoding: Base64URL.encode(signature), as: UTF8.self))"
  }

  private var check: CallerCheck {
    CallerCheck(
      bundle: "com.example.shop", issuer: "issuer-1", keyID: "KEY1", key: key.publicKey)
  }

  @Test("One as Apple's libraries make it is let in, with or without the time of its making")
  func good() throws {
    try check.check(authorization: token(), date: date)
    try check.check(
      authorization: token(claims: ["iat": date.timeIntervalSince1970 - 10]), date: date)
  }

  @Test("What is wrong with one is said")
  func wrong() throws {
    func refusal(_ authorization: String?) -> String {
      do { try check.check(authorization: authorization, date: date) } catch {
        return error.description
      }
      return "let in"
    }
    let now = date.timeIntervalSince1970
    #expect(refusal(nil) == "no Authorization header, expected 'Bearer' and a token")
    #expect(refusal("Basic abc") == "the Authorization header does not begin with 'Bearer '")
    let shape = "the token is not three parts of base64url with a dot between them"
    #expect(refusal("Bearer abc") == shape)
    #expect(refusal("Bearer a.b.c") == shape)
    #expect(refusal("Bearer ab.cd.ef") == "the token's header is no JSON in base64url")
    #expect(
      refusal(try token(header: ["alg": "HS256"])) == "the token's alg is 'HS256', expected 'ES256'"
    )
    #expect(
      refusal(try token(header: ["kid": "KEY2"])) == "the token's kid is 'KEY2', expected 'KEY1'")
    #expect(
      refusal(try token(claims: ["bid": "com.example.other"]))
        == "the token's bid is 'com.example.other', expected 'com.example.shop'")
    #expect(
      refusal(try token(claims: ["aud": "else"]))
        == "the token's aud is 'else', expected 'appstoreconnect-v1'")
    #expect(
      refusal(try token(claims: ["iss": "x"])) == "the token's iss is 'x', expected 'issuer-1'")
    #expect(refusal(try token(claims: ["exp": now - 5])) == "the token's exp is 5 s past")
    #expect(
      refusal(try token(claims: ["exp": now + 7200])) == "the token holds for more than an hour")
    #expect(refusal(try token(claims: ["iat": now + 200])) == "the token's iat is 200 s ahead")
    #expect(
      refusal(try token(key: P256.Signing.PrivateKey()))
        == "the token's signature is not of the key that was given")
  }
}
