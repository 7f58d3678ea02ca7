import Foundation
import SwiftASN1

/// The receipt that StoreKit 1 leaves on a device, as the libraries of others read it: PKCS #7 around a set of
/// attributes, in base 64.
///
/// Source: Apple, "Validating receipts on the device", Receipt fields.
public struct AppReceipt: Sendable {
  /// A purchase in it.
  public struct Purchase: Sendable {
    /// Attribute 1702.
    public var product: String
    /// Attribute 1703.
    public var transaction: String
    /// Attribute 1705.
    public var original: String
    /// Attribute 1701.
    public var quantity: Int
    /// Attribute 1704.
    public var date: Date
    /// Attribute 1708, of a subscription.
    public var expires: Date?

    /// A purchase.
    public init(
      product: String, transaction: String, original: String, quantity: Int, date: Date,
      expires: Date? = nil
    ) {
      self.product = product
      self.transaction = transaction
      self.original = original
      self.quantity = quantity
      self.date = date
      self.expires = expires
    }
  }

  /// Attribute 2.
  public var bundle: String
  /// Attribute 0: `Production`, `ProductionSandbox`.
  public var environment: String
  /// Attribute 3.
  public var version: String
  /// Attribute 12.
  public var created: Date
  /// Attribute 17, each.
  public var purchases: [Purchase]

  /// A receipt.
  public init(
    bundle: String, environment: String, version: String, created: Date, purchases: [Purchase]
  ) {
    self.bundle = bundle
    self.environment = environment
    self.version = version
    self.created = created
    self.purchases = purchases
  }

  /// What an app sends its backend.
  public func base64() throws -> String {
    let payload = try Self.set { coder in
      try Self.attribute(0, text: environment, into: &coder)
      try Self.attribute(2, text: bundle, into: &coder)
      try Self.attribute(3, text: version, into: &coder)
      try Self.attribute(12, date: created, into: &coder)
      for purchase in purchases {
        let inner = try Self.set { coder in
          try Self.attribute(1701, number: purchase.quantity, into: &coder)
          try Self.attribute(1702, text: purchase.product, into: &coder)
          try Self.attribute(1703, text: purchase.transaction, into: &coder)
          try Self.attribute(1704, date: purchase.date, into: &coder)
          try Self.attribute(1705, text: purchase.original, into: &coder)
          if let expires = purchase.expires {
            try Self.attribute(1708, date: expires, into: &coder)
          }
        }
        try Self.attribute(17, inner, into: &coder)
      }
    }
    var coder = DER.Serializer()
    try coder.appendConstructedNode(identifier: .sequence) { coder in
      try coder.serialize([1, 2, 840, 113549, 1, 7, 2] as ASN1ObjectIdentifier)
      try coder.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) { coder in
        try coder.appendConstructedNode(identifier: .sequence) { coder in
          try coder.serialize(1)
          try coder.appendConstructedNode(identifier: .set) { coder in
            try coder.appendConstructedNode(identifier: .sequence) { coder in
              try coder.serialize([2, 16, 840, 1, 101, 3, 4, 2, 1] as ASN1ObjectIdentifier)
              try coder.serialize(ASN1Null())
            }
          }
          try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize([1, 2, 840, 113549, 1, 7, 1] as ASN1ObjectIdentifier)
            try coder.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) {
              try $0.serialize(ASN1OctetString(contentBytes: ArraySlice(payload)))
            }
          }
          coder.appendConstructedNode(identifier: .set) { _ in }
        }
      }
    }
    return Data(coder.serializedBytes).base64EncodedString()
  }

  private static func set(_ body: (inout DER.Serializer) throws -> Void) throws -> [UInt8] {
    var coder = DER.Serializer()
    try coder.appendConstructedNode(identifier: .set, body)
    return coder.serializedBytes
  }

  private static func attribute(
    _ type: Int, _ value: [UInt8], into coder: inout DER.Serializer
  ) throws {
    try coder.appendConstructedNode(identifier: .sequence) { coder in
      try coder.serialize(type)
      try coder.serialize(1)
      try coder.serialize(ASN1OctetString(contentBytes: ArraySlice(value)))
    }
  }

  private static func attribute(
    _ type: Int, text: String, into coder: inout DER.Serializer
  ) throws {
    var inner = DER.Serializer()
    try inner.serialize(ASN1UTF8String(text))
    try attribute(type, inner.serializedBytes, into: &coder)
  }

  private static func attribute(
    _ type: Int, number: Int, into coder: inout DER.Serializer
  ) throws {
    var inner = DER.Serializer()
    try inner.serialize(number)
    try attribute(type, inner.serializedBytes, into: &coder)
  }

  private static func attribute(
    _ type: Int, date: Date, into coder: inout DER.Serializer
  ) throws {
    var inner = DER.Serializer()
    try inner.serialize(ASN1IA5String(date.formatted(.iso8601)))
    try attribute(type, inner.serializedBytes, into: &coder)
  }
}
