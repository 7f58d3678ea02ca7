import Crypto
import Foundation
import Testing
import X509

@testable import StoreSignatures

@Suite("What the store signs")
struct SigningTests {
  @Test("The chain is the one that a verifier builds from leaf to root")
  func chain() async throws {
    let chain = try SigningChain(responder: "http://127.0.0.1:1/ocsp")
    var verifier = Verifier(rootCertificates: CertificateStore([chain.root.certificate])) {
      RFC5280Policy()
    }
    let result = await verifier.validate(
      leaf: chain.leaf.certificate,
      intermediates: CertificateStore([chain.intermediate.certificate]))
    guard case .validCertificate(let path) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(path.count == 3)
  }

  @Test("A signature is that of the leaf over header and payload")
  func signature() throws {
    let chain = try SigningChain(responder: "http://127.0.0.1:1/ocsp")
    let text = try StoreSigner(chain).sign(Array(#"{"a":1}"#.utf8))
    let parts = text.split(separator: ".")
    #expect(parts.count == 3)
    #expect(Base64URL.decode(parts[1]) == Array(#"{"a":1}"#.utf8))
    let signature = try P256.Signing.ECDSASignature(
      rawRepresentation: try #require(Base64URL.decode(parts[2])))
    let signed = Array("\(parts[0]).\(parts[1])".utf8)
    #expect(chain.leaf.key.publicKey.isValidSignature(signature, for: signed))
    #expect(!chain.leaf.key.publicKey.isValidSignature(signature, for: signed + [0]))
  }

  @Test("Base 64 of any bytes comes back, and what is none is refused")
  func base64() {
    for count in 0..<70 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
      let text = String(decoding: Base64URL.encode(bytes), as: UTF8.self)
      #expect(Base64URL.decode(text) == bytes)
      #expect(
        text
          == Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
          .replacing("=", with: ""))
    }
    #expect(Base64URL.decode("a") == nil)
    #expect(Base64URL.decode("a+b") == nil)
  }
}
