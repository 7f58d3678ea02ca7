import Foundation

// The name is StoreKit's.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of ``SKError`` as an `NSError`.
public let SKErrorDomain = "SKErrorDomain"

/// What goes wrong in StoreKit 1.
///
/// Errors that the façade hands out are of this type, so `error as? SKError` succeeds, and as an
/// `NSError` they have ``SKErrorDomain`` and the code's raw value. An `NSError` of your own does not
/// become an `SKError` by a cast on Linux. The simulated store answers with `unknown`; the other codes
/// are here so that code compiles.
public struct SKError: CustomNSError, Hashable, Sendable {
  /// The codes, with the numbers that StoreKit gives them.
  public enum Code: Int, Sendable, Hashable {
    case unknown = 0
    case clientInvalid = 1
    case paymentCancelled = 2
    case paymentInvalid = 3
    case paymentNotAllowed = 4
    case storeProductNotAvailable = 5
    case cloudServicePermissionDenied = 6
    case cloudServiceNetworkConnectionFailed = 7
    case cloudServiceRevoked = 8
    case privacyAcknowledgementRequired = 9
    case unauthorizedRequestData = 10
    case invalidOfferIdentifier = 11
    case invalidSignature = 12
    case missingOfferParams = 13
    case invalidOfferPrice = 14
    case overlayCancelled = 15
    case overlayInvalidConfiguration = 16
    case overlayTimeout = 17
    case ineligibleForOffer = 18
    case unsupportedPlatform = 19
    case overlayPresentedInBackgroundScene = 20
  }

  public let code: Code
  private let text: String?

  /// An error with this code. Of the user info only the localized description is kept.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    self.code = code
    text = userInfo[NSLocalizedDescriptionKey] as? String
  }

  public static var errorDomain: String { SKErrorDomain }
  public var errorCode: Int { code.rawValue }
  public var errorUserInfo: [String: Any] {
    [NSLocalizedDescriptionKey: text ?? "The purchase did not succeed: \(code)."]
  }
  public var userInfo: [String: Any] { errorUserInfo }
  public var localizedDescription: String { text ?? "The purchase did not succeed: \(code)." }

  public static var unknown: Code { .unknown }
  public static var clientInvalid: Code { .clientInvalid }
  public static var paymentCancelled: Code { .paymentCancelled }
  public static var paymentInvalid: Code { .paymentInvalid }
  public static var paymentNotAllowed: Code { .paymentNotAllowed }
  public static var storeProductNotAvailable: Code { .storeProductNotAvailable }
  public static var cloudServicePermissionDenied: Code { .cloudServicePermissionDenied }
  public static var cloudServiceNetworkConnectionFailed: Code {
    .cloudServiceNetworkConnectionFailed
  }
  public static var cloudServiceRevoked: Code { .cloudServiceRevoked }
  public static var privacyAcknowledgementRequired: Code { .privacyAcknowledgementRequired }
  public static var unauthorizedRequestData: Code { .unauthorizedRequestData }
  public static var invalidOfferIdentifier: Code { .invalidOfferIdentifier }
  public static var invalidSignature: Code { .invalidSignature }
  public static var missingOfferParams: Code { .missingOfferParams }
  public static var invalidOfferPrice: Code { .invalidOfferPrice }
  public static var overlayCancelled: Code { .overlayCancelled }
  public static var overlayInvalidConfiguration: Code { .overlayInvalidConfiguration }
  public static var overlayTimeout: Code { .overlayTimeout }
  public static var ineligibleForOffer: Code { .ineligibleForOffer }
  public static var unsupportedPlatform: Code { .unsupportedPlatform }
  public static var overlayPresentedInBackgroundScene: Code { .overlayPresentedInBackgroundScene }
}

extension SKError.Code {
  /// So that `catch SKError.paymentCancelled` matches, and an `NSError` with domain and code too.
  public static func ~= (code: SKError.Code, error: any Error) -> Bool {
    let error = error as NSError
    return error.domain == SKErrorDomain && error.code == code.rawValue
  }
}
