import ChaosStore
import Foundation

/// How `purchase()` ends.
enum StorePurchase: Sendable {
  case bought(StoreTransaction)
  /// It may be charged all the same.
  case failed
  case cancelled
  /// Nothing is charged.
  case refused(any Error)
  case pending

  init(_ error: PaymentError) {
    self = error == .cancelled ? .cancelled : .refused(Self.error(error))
  }

  /// What StoreKit 2 throws where StoreKit 1 has this code.
  private static func error(_ error: PaymentError) -> any Error {
    switch error {
    case .clientInvalid, .notAllowed: Product.PurchaseError.purchaseNotAllowed
    case .invalid: Product.PurchaseError.productUnavailable
    case .notAvailable: StoreKitError.notAvailableInStorefront
    case .cloudDenied, .unauthorizedRequestData: StoreKitError.notEntitled
    case .cloudConnectionFailed: StoreKitError.networkError(URLError(.notConnectedToInternet))
    case .cloudRevoked: StoreKitError.systemError(URLError(.userAuthenticationRequired))
    case .privacyNotAcknowledged: StoreKitError.unknown
    case .invalidOffer: Product.PurchaseError.invalidOfferIdentifier
    case .invalidOfferSignature: Product.PurchaseError.invalidOfferSignature
    case .missingOfferParameters: Product.PurchaseError.missingOfferParameters
    case .invalidOfferPrice: Product.PurchaseError.invalidOfferPrice
    case .ineligibleForOffer: Product.PurchaseError.ineligibleForOffer
    case .unsupportedPlatform: StoreKitError.unsupported
    case .cancelled: StoreKitError.userCancelled
    }
  }
}

/// StoreKit 2's verification errors, numbered as the simulator does.
enum StoreDoubt: UInt8, CaseIterable, Sendable {
  case revokedCertificate = 1
  case invalidCertificateChain, invalidDeviceVerification, invalidEncoding, invalidSignature
  case missingRequiredProperties
}
