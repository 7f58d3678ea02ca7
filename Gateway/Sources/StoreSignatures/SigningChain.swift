import Crypto
import Foundation
import SwiftASN1
import X509

/// The certificates behind everything that this App Store signs: a root, an intermediate and a leaf with Apple's
/// marker extensions, two that answer for their revocation, and one for the server's own TLS.
///
/// Trust its root in the place of Apple's, and what it signs passes for the App Store's.
///
/// Sources: Apple, "Validating a signed JWS" and the certificate policy of the Worldwide Developer Relations
/// authority (the two marker extensions); RFC 5280; RFC 6960, 4.2.2.2 (delegated responders).
public struct SigningChain: Sendable {
  /// A certificate with its key.
  public struct Identity: Sendable {
    /// The certificate.
    public var certificate: Certificate
    /// The key that it is about.
    public var key: P256.Signing.PrivateKey

    /// The certificate as DER.
    public func der() throws -> [UInt8] {
      var serializer = DER.Serializer()
      try serializer.serialize(certificate)
      return serializer.serializedBytes
    }
  }

  /// The one to trust.
  public let root: Identity
  /// What signs the leaf.
  public let intermediate: Identity
  /// What signs transactions, renewals and notifications.
  public let leaf: Identity
  /// What says whether the intermediate is revoked.
  public let rootResponder: Identity
  /// What says whether the leaf is revoked.
  public let intermediateResponder: Identity
  /// What the server's own addresses are served with.
  public let server: Identity

  /// The hosts of Apple that the server's certificate answers for.
  ///
  /// Sources: App Store Server API; verifyReceipt. The libraries of Apple disagree about the first two.
  public static let appleHosts = [
    "api.storekit.apple.com", "api.storekit-sandbox.apple.com", "api.storekit.itunes.apple.com",
    "api.storekit-sandbox.itunes.apple.com", "buy.itunes.apple.com", "sandbox.itunes.apple.com",
    "local-testing-base-url",
  ]

  /// A new chain, whose keys nobody has had before.
  ///
  /// - Parameters:
  ///   - responder: where revocation is asked; it stands in the certificates.
  ///   - hosts: what else the server is called.
  ///   - date: the present. The chain holds from a year before it to ten years after.
  ///   - holdsAlways: whether it holds from 1970 to 2100 instead.
  ///   - serverHoldsAlways: whether the server's certificate does as well.
  public init(
    responder: String, hosts: [String] = ["localhost"], date: Date = Date(),
    holdsAlways: Bool = false, serverHoldsAlways: Bool = false
  ) throws {
    let year: TimeInterval = 365 * 86_400
    let always = Maker(
      responder: responder, from: Date(timeIntervalSince1970: 0),
      until: Date(timeIntervalSince1970: 4_102_444_799))
    let present = Maker(
      responder: responder, from: date.addingTimeInterval(-year),
      until: date.addingTimeInterval(10 * year))
    let maker = holdsAlways ? always : present
    root = try maker.authority("ChaosStore Root CA", issuer: nil, extensions: [])
    intermediate = try maker.authority(
      "ChaosStore Developer Relations CA", issuer: root,
      extensions: [maker.revocation(), Maker.marker([1, 2, 840, 113635, 100, 6, 2, 1])])
    leaf = try maker.end(
      "ChaosStore Receipt Signing", issuer: intermediate,
      extensions: [maker.revocation(), Maker.marker([1, 2, 840, 113635, 100, 6, 11, 1])])
    rootResponder = try maker.responder("ChaosStore OCSP Root", issuer: root)
    intermediateResponder = try maker.responder("ChaosStore OCSP", issuer: intermediate)
    let names = SubjectAlternativeNames(
      (hosts + Self.appleHosts).map { .dnsName($0) }
        + [.ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1]))])
    server = try (serverHoldsAlways ? always : present).end(
      "ChaosStore Gateway", issuer: root, days: serverHoldsAlways ? nil : 390,
      extensions: [
        Certificate.Extension(names, critical: false),
        Certificate.Extension(ExtendedKeyUsage([.serverAuth]), critical: false),
      ])
  }

  /// These, in this order: root, intermediate, leaf, the responders of the first two, and the server.
  init(_ identities: [Identity]) {
    root = identities[0]
    intermediate = identities[1]
    leaf = identities[2]
    rootResponder = identities[3]
    intermediateResponder = identities[4]
    server = identities[5]
  }
}

/// Makes certificates of one chain.
private struct Maker {
  var responder: String
  var from: Date
  var until: Date

  static func marker(_ oid: ASN1ObjectIdentifier) -> Certificate.Extension {
    // A NULL. It must not be critical: nobody's library knows it.
    Certificate.Extension(oid: oid, critical: false, value: [5, 0])
  }

  func revocation() throws -> Certificate.Extension {
    let access = AuthorityInformationAccess([
      .init(method: .ocspServer, location: .uniformResourceIdentifier(responder))
    ])
    return try Certificate.Extension(access, critical: false)
  }

  func authority(
    _ name: String, issuer: SigningChain.Identity?, extensions: [Certificate.Extension]
  ) throws -> SigningChain.Identity {
    try make(
      name, issuer: issuer,
      extensions: [
        Certificate.Extension(
          BasicConstraints.isCertificateAuthority(maxPathLength: nil), critical: true),
        Certificate.Extension(KeyUsage(keyCertSign: true, cRLSign: true), critical: true),
      ] + extensions)
  }

  func end(
    _ name: String, issuer: SigningChain.Identity, days: Int? = nil,
    extensions: [Certificate.Extension]
  ) throws -> SigningChain.Identity {
    try make(
      name, issuer: issuer, days: days,
      extensions: [
        Certificate.Extension(BasicConstraints.notCertificateAuthority, critical: true),
        Certificate.Extension(KeyUsage(digitalSignature: true), critical: true),
      ] + extensions)
  }

  func responder(
    _ name: String, issuer: SigningChain.Identity
  ) throws -> SigningChain.Identity {
    try end(
      name, issuer: issuer,
      extensions: [
        Certificate.Extension(ExtendedKeyUsage([.ocspSigning]), critical: false),
        // id-pkix-ocsp-nocheck: nobody is asked whether this one is revoked.
        Certificate.Extension(
          oid: [1, 3, 6, 1, 5, 5, 7, 48, 1, 5], critical: false, value: [5, 0]),
      ])
  }

  private func make(
    _ name: String, issuer: SigningChain.Identity?, days: Int? = nil,
    extensions: [Certificate.Extension]
  ) throws -> SigningChain.Identity {
    let key = P256.Signing.PrivateKey()
    let publicKey = Certificate.PublicKey(key.publicKey)
    let subject = try DistinguishedName {
      CountryName("US")
      OrganizationName("ChaosStore")
      CommonName(name)
    }
    var all = extensions
    let identifier = SubjectKeyIdentifier(hash: publicKey)
    all.append(try Certificate.Extension(identifier, critical: false))
    if let issuer {
      let its = SubjectKeyIdentifier(hash: issuer.certificate.publicKey)
      all.append(
        try Certificate.Extension(
          AuthorityKeyIdentifier(keyIdentifier: its.keyIdentifier), critical: false))
    }
    let certificate = try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: publicKey,
      notValidBefore: from,
      notValidAfter: days.map { from.addingTimeInterval(365 * 86_400 + Double($0) * 86_400) }
        ?? until,
      issuer: issuer?.certificate.subject ?? subject, subject: subject,
      signatureAlgorithm: .ecdsaWithSHA256, extensions: Certificate.Extensions(all),
      issuerPrivateKey: Certificate.PrivateKey(issuer?.key ?? key))
    return SigningChain.Identity(certificate: certificate, key: key)
  }
}
