import Foundation
import StoreKit

/// Each purchase has a completion of its own, or the manager has one.
final class OneCompletion<Kind: Planting>: Shop1 {
  private var completion: (product: String, wait: Wait)?

  override func isPaying(_ productID: String) -> Bool {
    Kind.isPlanted ? completion?.product == productID : super.isPaying(productID)
  }

  override func keep(_ wait: Wait, _ productID: String) {
    if Kind.isPlanted { completion = (productID, wait) } else { super.keep(wait, productID) }
  }

  override func take(_ productID: String) -> Wait? {
    guard Kind.isPlanted else { return super.take(productID) }
    defer { completion = nil }
    return completion?.wait
  }

  override func forget(_ wait: Wait, _ productID: String) -> Bool {
    guard Kind.isPlanted else { return super.forget(wait, productID) }
    guard completion?.wait === wait else { return false }
    completion = nil
    return true
  }
}
