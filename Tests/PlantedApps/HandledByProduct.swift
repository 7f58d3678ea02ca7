import Foundation
import StoreKit

/// What was delivered is not reported again: it is known by its identifier, or by its product.
final class HandledByProduct<Kind: Planting>: Shop2 {
  private var handled: Set<String> = []

  private func key(_ transaction: Transaction) -> String {
    Kind.isPlanted ? transaction.productID : "\(transaction.id)"
  }

  override func deliver(_ result: VerificationResult<Transaction>) async -> Answer {
    if case .verified(let transaction) = result, handled.contains(key(transaction)) {
      await transaction.finish()
      return .delivered
    }
    return await super.deliver(result)
  }

  override func delivered(_ transaction: Transaction) async {
    handled.insert(key(transaction))
    await super.delivered(transaction)
  }
}
