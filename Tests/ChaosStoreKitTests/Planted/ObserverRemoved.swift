import Foundation

@testable import StoreKit

/// When a payment fails the observer stays, or it is over until the next launch.
final class ObserverRemoved<Kind: Planting>: Shop1 {
  private var isOver = false

  override func failed(_ transaction: SKPaymentTransaction) {
    super.failed(transaction)
    guard Kind.isPlanted else { return }
    isOver = true
    SKPaymentQueue.default().remove(self)
  }

  override func lookAround() {
    if !isOver { super.lookAround() }
  }
}
