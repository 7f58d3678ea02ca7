import Foundation
import StoreKit

/// Of what comes in an array the first is handled and the rest counts as handled, or all of it is handled.
final class FirstOfArray<Kind: Planting>: Shop1 {
  private var dropped: Set<String> = []

  override nonisolated func paymentQueue(
    _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
  ) {
    MainActor.assumeIsolated {
      guard Kind.isPlanted else {
        return super.paymentQueue(queue, updatedTransactions: transactions)
      }
      let new = transactions.filter { !dropped.contains($0.transactionIdentifier ?? "") }
      super.paymentQueue(queue, updatedTransactions: Array(new.prefix(1)))
      dropped.formUnion(new.dropFirst().compactMap(\.transactionIdentifier))
    }
  }
}
