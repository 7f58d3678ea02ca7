import Foundation

/// A value with the store's word for it.
///
/// Simulated: what the store hands to an app is `verified`, unless F22 strikes. Then it was charged, and the
/// device cannot check it in this launch; or nothing was charged, and the person's device has made it up.
/// Signatures are not Apple's: see `jwsRepresentation`.
public enum VerificationResult<SignedType> {
  /// The signature could not be checked, and why.
  case unverified(SignedType, VerificationError)
  /// The signature is the store's.
  case verified(SignedType)

  /// What can be wrong with a signature.
  public enum VerificationError: Error, Sendable, Hashable {
    /// A certificate of the signature was revoked.
    case revokedCertificate
    /// The certificates do not lead to Apple's.
    case invalidCertificateChain
    /// It was signed for another device.
    case invalidDeviceVerification
    /// It cannot be read.
    case invalidEncoding
    /// The signature does not fit what was signed.
    case invalidSignature
    /// Something that must be there is missing.
    case missingRequiredProperties
  }

  /// The value, or the reason why it cannot be believed.
  public var payloadValue: SignedType {
    get throws {
      switch self {
      case .verified(let value): return value
      case .unverified(_, let error): throw error
      }
    }
  }

  /// The value, believed or not.
  public var unsafePayloadValue: SignedType {
    switch self {
    case .verified(let value), .unverified(let value, _): value
    }
  }
}

extension VerificationResult<Transaction> {
  /// What the phone handed over, with what the device makes of its signature.
  init(_ store: StoreTransaction) {
    let transaction = Transaction(store)
    self =
      store.doubt.map { .unverified(transaction, VerificationError($0)) } ?? .verified(transaction)
  }
}

extension VerificationResult.VerificationError {
  init(_ doubt: StoreDoubt) {
    switch doubt {
    case .revokedCertificate: self = .revokedCertificate
    case .invalidCertificateChain: self = .invalidCertificateChain
    case .invalidDeviceVerification: self = .invalidDeviceVerification
    case .invalidEncoding: self = .invalidEncoding
    case .invalidSignature: self = .invalidSignature
    case .missingRequiredProperties: self = .missingRequiredProperties
    }
  }
}

extension VerificationResult: Sendable where SignedType: Sendable {}
extension VerificationResult: Equatable where SignedType: Equatable {}
extension VerificationResult: Hashable where SignedType: Hashable {}

extension VerificationResult: CustomDebugStringConvertible {
  /// Whether it is verified, and the value.
  public var debugDescription: String {
    switch self {
    case .verified(let value): "verified(\(value))"
    case .unverified(let value, let error): "unverified(\(value), \(error))"
    }
  }
}

extension VerificationResult.VerificationError: LocalizedError {
  /// A sentence in English.
  public var errorDescription: String? {
    switch self {
    case .revokedCertificate: "The certificate was revoked."
    case .invalidCertificateChain: "The certificates do not lead to a trusted one."
    case .invalidDeviceVerification: "It was signed for another device."
    case .invalidEncoding: "It cannot be read."
    case .invalidSignature: "The signature is wrong."
    case .missingRequiredProperties: "Something that must be there is missing."
    }
  }
}

extension VerificationResult<Transaction> {
  /// The transaction as the simulated store signs it, to be sent to a backend.
  ///
  /// It looks like a JWS and only a simulated backend can check it. A process that ended gets an
  /// empty text.
  public var jwsRepresentation: String {
    let session = StoreSession.current
    return session.isAlive ? session.port.jws(of: unsafePayloadValue.store) : ""
  }

  /// The bytes of the text's first part; StoreKit's is JSON.
  public var headerData: Data { part(0) }
  /// The transaction as JSON. StoreKit's is the middle part of `jwsRepresentation`; the simulated
  /// text holds no more than which transaction it is.
  public var payloadData: Data { unsafePayloadValue.jsonRepresentation }
  /// The bytes of the text's last part; it proves nothing here.
  public var signatureData: Data { part(2) }
  /// The text up to the signature, as bytes.
  public var signedData: Data {
    jwsRepresentation.isEmpty ? Data() : part(0) + Data(".".utf8) + part(1)
  }
  /// When the store signed it.
  public var signedDate: Date { unsafePayloadValue.signedDate }
  /// The value's own; it proves nothing here.
  public var deviceVerification: Data { unsafePayloadValue.deviceVerification }
  /// The value's own.
  public var deviceVerificationNonce: UUID { unsafePayloadValue.deviceVerificationNonce }

  private func part(_ index: Int) -> Data {
    let parts = jwsRepresentation.split(separator: ".")
    return index < parts.count ? Data(parts[index].utf8) : Data()
  }
}

extension VerificationResult<AppTransaction> {
  /// The download as a text in the form of a JWS without a signature (`alg` is `none`).
  public var jwsRepresentation: String {
    func part(_ data: Data) -> String {
      data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        .replacing("=", with: "")
    }
    return "\(part(headerData)).\(part(payloadData))."
  }

  /// The first part of `jwsRepresentation`.
  public var headerData: Data { SimulatedStore.json(["alg": "none"]) }
  /// The middle part of `jwsRepresentation`.
  public var payloadData: Data { unsafePayloadValue.jsonRepresentation }
  /// Empty: it is not signed.
  public var signatureData: Data { Data() }
  /// The text up to the last dot, as bytes.
  public var signedData: Data { Data(jwsRepresentation.utf8.dropLast()) }
  /// When the store signed it.
  public var signedDate: Date { unsafePayloadValue.signedDate }
  /// The value's own; it proves nothing here.
  public var deviceVerification: Data { unsafePayloadValue.deviceVerification }
  /// The value's own.
  public var deviceVerificationNonce: UUID { unsafePayloadValue.deviceVerificationNonce }
}

extension VerificationResult<Product.SubscriptionInfo.RenewalInfo> {
  /// Empty: the simulated store signs transactions alone.
  public var jwsRepresentation: String { "" }
  /// Empty: nothing was signed.
  public var headerData: Data { Data() }
  /// The renewal as JSON.
  public var payloadData: Data { unsafePayloadValue.jsonRepresentation }
  /// Empty: nothing was signed.
  public var signatureData: Data { Data() }
  /// Empty: nothing was signed.
  public var signedData: Data { Data() }
  /// When the store signed it.
  public var signedDate: Date { unsafePayloadValue.signedDate }
  /// The value's own.
  public var deviceVerification: Data { unsafePayloadValue.deviceVerification }
  /// The value's own.
  public var deviceVerificationNonce: UUID { unsafePayloadValue.deviceVerificationNonce }
}
