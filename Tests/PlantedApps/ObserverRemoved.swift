import Foundation
import StoreKit

/// When a payment fails the observer stays, or it is over until the next launch.
final class ObserverRemoved<Kind: Planting>: Shop1 {
  private var isOver = false

  override func failed(_ transaction: SKPaymentTransaction) {
    guard Kind.isPlanted else { return super.failed(transaction) }
    SKPaymentQueue.default().finishTransaction(transaction)
    take(transaction.payment.productIdentifier)?.end(.pending)
    isOver = true
    SKPaymentQueue.default().remove(self)
  }

  override func lookAround() {
    if !isOver { super.lookAround() }
  }
}
