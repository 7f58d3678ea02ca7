/// What StoreKit refuses a payment with, under the numbers of StoreKit 1's `SKError.Code`. Nothing is charged.
public enum PaymentError: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  /// This client may not do it.
  case clientInvalid = 1
  /// The person changed their mind.
  case cancelled = 2
  /// A parameter is wrong.
  case invalid = 3
  /// This device may not pay.
  case notAllowed = 4
  /// The product is not sold in this storefront.
  case notAvailable = 5
  /// The person keeps the app out of their cloud service.
  case cloudDenied = 6
  /// The device could not reach the cloud service.
  case cloudConnectionFailed = 7
  /// The person took back their leave to use the cloud service.
  case cloudRevoked = 8
  /// The person has not accepted Apple's privacy terms yet.
  case privacyNotAcknowledged = 9
  /// The app may not use `requestData`.
  case unauthorizedRequestData = 10
  /// There is no such offer.
  case invalidOffer = 11
  /// The signature of an offer is wrong.
  case invalidOfferSignature = 12
  /// The offer is incomplete.
  case missingOfferParameters = 13
  /// The price of the offer does not fit.
  case invalidOfferPrice = 14
  /// The offer is not for this person.
  case ineligibleForOffer = 18
  /// This platform cannot do it.
  case unsupportedPlatform = 19
}
