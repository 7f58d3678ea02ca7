import Foundation

/// What goes wrong in StoreKit 2 besides a refused purchase.
///
/// The simulated store throws `networkError` from `Product.purchase()`, and `systemError` or
/// `networkError` from nothing else but `AppStore.sync()`. The other cases are here so that a
/// `switch` compiles.
public enum StoreKitError: Error, Sendable {
  case unknown
  case userCancelled
  case networkError(URLError)
  case systemError(any Error)
  case notAvailableInStorefront
  case notEntitled
  case unsupported
}

extension StoreKitError: LocalizedError {
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
