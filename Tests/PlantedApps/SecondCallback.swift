import Foundation
import StoreKit

/// A transaction that is called back a second time is being reported, or done.
final class SecondCallback<Kind: Planting>: Shop1 {
  private var seen: Set<String> = []

  override func purchased(_ transaction: SKPaymentTransaction) {
    let isNew = seen.insert(transaction.transactionIdentifier ?? "").inserted
    if Kind.isPlanted, !isNew { return SKPaymentQueue.default().finishTransaction(transaction) }
    super.purchased(transaction)
  }
}
