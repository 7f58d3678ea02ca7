import Crypto
import Foundation
import SwiftASN1
import X509

/// Says whether the certificates of a chain are revoked, as an OCSP responder, and can fail in the ways in which one
/// does.
///
/// Signs as a delegate, names itself by its key, and repeats the request's identifier of the certificate: that is what
/// the libraries of Apple, OpenSSL's and Java's have in common.
///
/// Source: RFC 6960.
public struct RevocationResponder: Sendable {
  /// What it answers.
  public enum Mode: String, Sendable, CaseIterable {
    /// All is well.
    case good
    /// The leaf is revoked, for a compromised key.
    case revoked
    /// It knows nothing of the certificate.
    case unknown
    /// It has no time: tryLater.
    case tryLater = "try-later"
    /// HTTP 500.
    case fails
    /// An answer that was good until yesterday.
    case stale
    /// An answer whose signature is wrong.
    case forged
  }

  private let chain: SigningChain

  /// Answers for a chain.
  public init(_ chain: SigningChain) { self.chain = chain }

  /// The answer to a request in DER; nil where it is to be HTTP 500.
  ///
  /// - Throws: where the request is no OCSP request.
  public func answer(_ request: [UInt8], mode: Mode, date: Date) throws -> [UInt8]? {
    let asked = try Self.identifiers(in: request)
    switch mode {
    case .fails: return nil
    case .tryLater: return try Self.unsuccessful(3)
    default: break
    }
    guard let first = asked.first else { return try Self.unsuccessful(1) }
    let signer =
      first.serial == chain.leaf.certificate.serialNumber
      ? chain.intermediateResponder : chain.rootResponder
    let data = try responseData(asked, of: signer, mode: mode, date: date)
    var signature = try signer.key.signature(for: data).derRepresentation
    if mode == .forged { signature[signature.count - 1] ^= 1 }
    var coder = DER.Serializer()
    try coder.appendConstructedNode(identifier: .sequence) { coder in
      coder.serializeRawBytes(data)
      try Self.algorithm([1, 2, 840, 10045, 4, 3, 2], into: &coder)
      try coder.serialize(ASN1BitString(bytes: ArraySlice(signature)))
      try coder.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) { coder in
        try coder.appendConstructedNode(identifier: .sequence) {
          try $0.serialize(signer.certificate)
        }
      }
    }
    let basic = coder.serializedBytes
    var whole = DER.Serializer()
    try whole.appendConstructedNode(identifier: .sequence) { coder in
      Self.enumerated(0, into: &coder)
      try coder.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) { coder in
        try coder.appendConstructedNode(identifier: .sequence) { coder in
          try coder.serialize([1, 3, 6, 1, 5, 5, 7, 48, 1, 1] as ASN1ObjectIdentifier)
          try coder.serialize(ASN1OctetString(contentBytes: ArraySlice(basic)))
        }
      }
    }
    return whole.serializedBytes
  }

  /// A certificate that is asked about: its identifier as it stands, and the serial number in it.
  private struct Asked {
    var identifier: [UInt8]
    var serial: Certificate.SerialNumber
  }

  /// OCSPRequest ::= SEQUENCE { tbsRequest SEQUENCE { [0] version, [1] name, requestList, [2] extensions }, … }
  private static func identifiers(in request: [UInt8]) throws -> [Asked] {
    let root = try DER.parse(request)
    return try DER.sequence(root, identifier: .sequence) { nodes in
      guard let body = nodes.next() else {
        throw ASN1Error.invalidASN1Object(reason: "an OCSP request without a body")
      }
      while nodes.next() != nil {}
      return try DER.sequence(body, identifier: .sequence) { nodes in
        var asked: [Asked] = []
        while let node = nodes.next() {
          guard node.identifier == .sequence else { continue }
          asked = try DER.sequence(of: RequestNode.self, identifier: .sequence, rootNode: node)
            .map(\.asked)
        }
        return asked
      }
    }
  }

  /// Request ::= SEQUENCE { reqCert CertID, [0] extensions }, and CertID ends with the serial number.
  private struct RequestNode: DERParseable {
    var asked: Asked

    init(derEncoded node: ASN1Node) throws {
      asked = try DER.sequence(node, identifier: .sequence) { nodes in
        guard let identifier = nodes.next() else {
          throw ASN1Error.invalidASN1Object(reason: "an OCSP request about no certificate")
        }
        while nodes.next() != nil {}
        let serial = try DER.sequence(identifier, identifier: .sequence) { nodes in
          var last: ArraySlice<UInt8> = []
          while let node = nodes.next() {
            if node.identifier == .integer, case .primitive(let bytes) = node.content {
              last = bytes
            }
          }
          return last
        }
        return Asked(
          identifier: Array(identifier.encodedBytes),
          serial: Certificate.SerialNumber(bytes: serial))
      }
    }
  }

  private func responseData(
    _ asked: [Asked], of signer: SigningChain.Identity, mode: Mode, date: Date
  ) throws -> [UInt8] {
    // What others count as the present may be a minute off.
    let since = mode == .stale ? date.addingTimeInterval(-172_800) : date.addingTimeInterval(-300)
    let until = mode == .stale ? date.addingTimeInterval(-86_400) : date.addingTimeInterval(43_200)
    let name = SubjectKeyIdentifier(hash: signer.certificate.publicKey).keyIdentifier
    let known = [chain.leaf, chain.intermediate].map(\.certificate.serialNumber)
    var coder = DER.Serializer()
    try coder.appendConstructedNode(identifier: .sequence) { coder in
      // responderID: [2] byKey.
      try coder.serialize(explicitlyTaggedWithTagNumber: 2, tagClass: .contextSpecific) {
        try $0.serialize(ASN1OctetString(contentBytes: name))
      }
      try coder.serialize(Self.time(date))
      try coder.appendConstructedNode(identifier: .sequence) { coder in
        for one in asked {
          try coder.appendConstructedNode(identifier: .sequence) { coder in
            coder.serializeRawBytes(one.identifier)
            let isLeaf = one.serial == known[0]
            if mode == .unknown || !known.contains(one.serial) {
              coder.appendPrimitiveNode(
                identifier: ASN1Identifier(tagWithNumber: 2, tagClass: .contextSpecific)
              ) { _ in }
            } else if mode == .revoked, isLeaf {
              try coder.appendConstructedNode(
                identifier: ASN1Identifier(tagWithNumber: 1, tagClass: .contextSpecific)
              ) { coder in
                try coder.serialize(Self.time(date.addingTimeInterval(-86_400)))
                // keyCompromise.
                coder.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) {
                  Self.enumerated(1, into: &$0)
                }
              }
            } else {
              coder.appendPrimitiveNode(
                identifier: ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
              ) { _ in }
            }
            try coder.serialize(Self.time(since))
            try coder.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) {
              try $0.serialize(Self.time(until))
            }
          }
        }
      }
    }
    return coder.serializedBytes
  }

  private static func unsuccessful(_ status: UInt8) throws -> [UInt8] {
    var coder = DER.Serializer()
    coder.appendConstructedNode(identifier: .sequence) { enumerated(status, into: &$0) }
    return coder.serializedBytes
  }

  private static func enumerated(_ value: UInt8, into coder: inout DER.Serializer) {
    coder.appendPrimitiveNode(identifier: .enumerated) { $0.append(value) }
  }

  private static func algorithm(
    _ oid: ASN1ObjectIdentifier, into coder: inout DER.Serializer
  ) throws {
    try coder.appendConstructedNode(identifier: .sequence) { try $0.serialize(oid) }
  }

  private static func time(_ date: Date) throws -> GeneralizedTime {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    func part(_ component: Calendar.Component) -> Int { calendar.component(component, from: date) }
    return try GeneralizedTime(
      year: part(.year), month: part(.month), day: part(.day), hours: part(.hour),
      minutes: part(.minute), seconds: part(.second), fractionalSeconds: 0)
  }
}
