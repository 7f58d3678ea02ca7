import Foundation
import StoreKit

/// After an error the person reads that the purchase is pending, or nothing.
final class SilentError<Kind: Planting>: Shop2 {
  override func buy(_ productID: String) async -> PurchaseMessage {
    let message = await super.buy(productID)
    return Kind.isPlanted && message == .pending ? .nothing : message
  }
}
