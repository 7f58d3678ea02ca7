import ChaosStore
import Foundation
import StoreKit

/// A success is for whoever bought, or for whoever is logged in when it comes.
final class AnybodyIsTold<Kind: Planting>: Shop2 {
  override func delivered(_ transaction: Transaction) async {
    guard Kind.isPlanted else { return await super.delivered(transaction) }
    device.show(.success, about: transaction.productID)
  }
}
