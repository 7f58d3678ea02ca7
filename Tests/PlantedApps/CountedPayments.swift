import Foundation
import StoreKit

/// Which payments are open is a set of products, or a number that each callback makes smaller.
final class CountedPayments<Kind: Planting>: Shop1 {
  private var count = 0

  override func isPaying(_ productID: String) -> Bool {
    Kind.isPlanted ? count > 0 : super.isPaying(productID)
  }

  override func keep(_ wait: Wait, _ productID: String) {
    count += 1
    super.keep(wait, productID)
  }

  override func take(_ productID: String) -> Wait? {
    count -= 1
    return super.take(productID)
  }
}
