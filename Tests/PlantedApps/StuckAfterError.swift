import Foundation
import StoreKit

/// A product whose purchase failed can be bought again, or counts as being bought until the next launch.
final class StuckAfterError<Kind: Planting>: Shop2 {
  private var inProgress: Set<String> = []

  override func buy(_ productID: String) async -> PurchaseMessage {
    if Kind.isPlanted, !inProgress.insert(productID).inserted { return .nothing }
    let message = await super.buy(productID)
    if message == .success { inProgress.remove(productID) }
    return message
  }
}
