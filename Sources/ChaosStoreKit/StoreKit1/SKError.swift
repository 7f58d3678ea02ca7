import Foundation

// The name is StoreKit's.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of ``SKError`` as an `NSError`.
public let SKErrorDomain = "SKErrorDomain"

/// What goes wrong in StoreKit 1.
///
/// Errors that the façade hands out are of this type, so `error as? SKError` succeeds, and as an
/// `NSError` they have ``SKErrorDomain`` and the code's raw value. An `NSError` of your own does not
/// become an `SKError` by a cast on Linux. The simulated store answers with `unknown` where a charge may still
/// happen, and with the codes of payments where F24 strikes. Those of overlays, which are screens, do not occur.
public struct SKError: CustomNSError, Hashable, Sendable {
  /// The codes, with the numbers that StoreKit gives them.
  public enum Code: Int, Sendable, Hashable {
    /// Something that StoreKit has no name for: a payment failed, and its charge may still happen, or a
    /// restore or the refresh of a receipt did.
    case unknown = 0
    /// This client may not do it.
    case clientInvalid = 1
    /// The person changed their mind, or somebody who had to agree did not.
    case paymentCancelled = 2
    /// A parameter of the payment is wrong.
    case paymentInvalid = 3
    /// This device may not pay.
    case paymentNotAllowed = 4
    /// The product is not sold in this storefront.
    case storeProductNotAvailable = 5
    /// The person keeps the app out of their cloud service.
    case cloudServicePermissionDenied = 6
    /// The device could not reach the cloud service.
    case cloudServiceNetworkConnectionFailed = 7
    /// The person took back their leave to use the cloud service.
    case cloudServiceRevoked = 8
    /// The person has not accepted Apple's privacy terms yet.
    case privacyAcknowledgementRequired = 9
    /// The app may not use `requestData`.
    case unauthorizedRequestData = 10
    /// There is no such offer, or it is not active. By F24, though there are no offers.
    case invalidOfferIdentifier = 11
    /// The signature of an offer is wrong. By F24, though nobody looks at it.
    case invalidSignature = 12
    /// The offer is incomplete. By F24, though nobody looks at it.
    case missingOfferParams = 13
    /// The price of the offer does not fit. By F24, though there are no offers.
    case invalidOfferPrice = 14
    /// An overlay was closed. Does not occur here: screens are not simulated.
    case overlayCancelled = 15
    /// An overlay was set up wrongly. Does not occur here: screens are not simulated.
    case overlayInvalidConfiguration = 16
    /// An overlay did not come in time. Does not occur here: screens are not simulated.
    case overlayTimeout = 17
    /// The offer is not for this person. By F24, though there are no offers.
    case ineligibleForOffer = 18
    /// This platform cannot do it.
    case unsupportedPlatform = 19
    /// An overlay was to be shown over a scene in the background. Does not occur here: screens are
    /// not simulated.
    case overlayPresentedInBackgroundScene = 20
  }

  /// What went wrong.
  public let code: Code
  private let text: String?

  /// An error with this code. Of the user info only the localized description is kept.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    self.code = code
    text = userInfo[NSLocalizedDescriptionKey] as? String
  }

  // The name is that of what Swift makes of an Objective-C error.
  // swift-format-ignore: NoLeadingUnderscores
  /// An error of ``SKErrorDomain`` with this one's code, or ``Code/unknown``, and its description.
  public init(_nsError: NSError) {
    self.init(Code(rawValue: _nsError.code) ?? .unknown, userInfo: _nsError.userInfo)
  }

  /// ``SKErrorDomain``.
  public static var errorDomain: String { SKErrorDomain }
  /// The code's raw value, as `NSError.code` has it.
  public var errorCode: Int { code.rawValue }
  /// The localized description and nothing else. Underlying errors, of which StoreKit has many, do
  /// not occur here.
  public var errorUserInfo: [String: Any] {
    [NSLocalizedDescriptionKey: text ?? "The purchase did not succeed: \(code)."]
  }
  /// The same as ``errorUserInfo``.
  public var userInfo: [String: Any] { errorUserInfo }
  /// The text the error was made with, or else an English sentence that names the code.
  public var localizedDescription: String { text ?? "The purchase did not succeed: \(code)." }

  /// Short for ``Code/unknown``.
  public static var unknown: Code { .unknown }
  /// Short for ``Code/clientInvalid``.
  public static var clientInvalid: Code { .clientInvalid }
  /// Short for ``Code/paymentCancelled``.
  public static var paymentCancelled: Code { .paymentCancelled }
  /// Short for ``Code/paymentInvalid``.
  public static var paymentInvalid: Code { .paymentInvalid }
  /// Short for ``Code/paymentNotAllowed``.
  public static var paymentNotAllowed: Code { .paymentNotAllowed }
  /// Short for ``Code/storeProductNotAvailable``.
  public static var storeProductNotAvailable: Code { .storeProductNotAvailable }
  /// Short for ``Code/cloudServicePermissionDenied``.
  public static var cloudServicePermissionDenied: Code { .cloudServicePermissionDenied }
  /// Short for ``Code/cloudServiceNetworkConnectionFailed``.
  public static var cloudServiceNetworkConnectionFailed: Code {
    .cloudServiceNetworkConnectionFailed
  }
  /// Short for ``Code/cloudServiceRevoked``.
  public static var cloudServiceRevoked: Code { .cloudServiceRevoked }
  /// Short for ``Code/privacyAcknowledgementRequired``.
  public static var privacyAcknowledgementRequired: Code { .privacyAcknowledgementRequired }
  /// Short for ``Code/unauthorizedRequestData``.
  public static var unauthorizedRequestData: Code { .unauthorizedRequestData }
  /// Short for ``Code/invalidOfferIdentifier``.
  public static var invalidOfferIdentifier: Code { .invalidOfferIdentifier }
  /// Short for ``Code/invalidSignature``.
  public static var invalidSignature: Code { .invalidSignature }
  /// Short for ``Code/missingOfferParams``.
  public static var missingOfferParams: Code { .missingOfferParams }
  /// Short for ``Code/invalidOfferPrice``.
  public static var invalidOfferPrice: Code { .invalidOfferPrice }
  /// Short for ``Code/overlayCancelled``.
  public static var overlayCancelled: Code { .overlayCancelled }
  /// Short for ``Code/overlayInvalidConfiguration``.
  public static var overlayInvalidConfiguration: Code { .overlayInvalidConfiguration }
  /// Short for ``Code/overlayTimeout``.
  public static var overlayTimeout: Code { .overlayTimeout }
  /// Short for ``Code/ineligibleForOffer``.
  public static var ineligibleForOffer: Code { .ineligibleForOffer }
  /// Short for ``Code/unsupportedPlatform``.
  public static var unsupportedPlatform: Code { .unsupportedPlatform }
  /// Short for ``Code/overlayPresentedInBackgroundScene``.
  public static var overlayPresentedInBackgroundScene: Code { .overlayPresentedInBackgroundScene }
}

extension SKError.Code {
  /// So that `catch SKError.paymentCancelled` matches, and an `NSError` with domain and code too.
  public static func ~= (code: SKError.Code, error: any Error) -> Bool {
    let error = error as NSError
    return error.domain == SKErrorDomain && error.code == code.rawValue
  }
}
