import Foundation

/// What goes wrong in StoreKit 2 besides a refused purchase.
///
/// The simulated store throws `networkError` from `Product.purchase(options:)` and `AppStore.sync()`, and
/// the others from `purchase(options:)` where F24 strikes, all but `userCancelled`, which is a result there.
public enum StoreKitError: Error, Sendable {
  /// Something that StoreKit has no name for.
  case unknown
  /// The person changed their mind. Does not occur here.
  case userCancelled
  /// The App Store did not answer. After a purchase the charge may still happen.
  case networkError(URLError)
  /// The device failed.
  case systemError(any Error)
  /// The product is not sold in this storefront.
  case notAvailableInStorefront
  /// The app was not built with the right to do this.
  case notEntitled
  /// This system cannot do it.
  case unsupported
}

extension StoreKitError: LocalizedError {
  /// A sentence in English.
  public var errorDescription: String? {
    switch self {
    case .unknown: "Something went wrong."
    case .userCancelled: "The person cancelled."
    case .networkError(let error): "The network failed (\(error.code.rawValue))."
    case .systemError(let error): "The system failed: \(error)."
    case .notAvailableInStorefront: "The product is not sold in this storefront."
    case .notEntitled: "The app may not do this."
    case .unsupported: "This is not supported here."
    }
  }
}
