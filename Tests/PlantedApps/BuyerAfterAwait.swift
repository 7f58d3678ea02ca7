import Foundation
import StoreKit

/// Who buys is read before the products are asked for, or when they have come.
final class BuyerAfterAwait<Kind: Planting>: Shop2 {
  override func pay(
    _ productID: String, for account: UUID
  ) async throws -> Product.PurchaseResult? {
    guard let product = try await Product.products(for: [productID]).first else { return nil }
    let buyer = Kind.isPlanted ? device.account.token : account
    return try await product.purchase(options: [.appAccountToken(buyer)])
  }
}
