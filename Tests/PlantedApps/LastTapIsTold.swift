import ChaosStore
import Foundation
import StoreKit

/// A success is shown for the transaction, or for the product that was tapped last.
final class LastTapIsTold<Kind: Planting>: Shop2 {
  private var lastProduct: String?

  override func buy(_ productID: String) async -> PurchaseMessage {
    lastProduct = productID
    return await super.buy(productID)
  }

  override func delivered(_ transaction: Transaction) async {
    guard Kind.isPlanted, let lastProduct else { return await super.delivered(transaction) }
    device.show(.success, about: lastProduct)
  }
}
