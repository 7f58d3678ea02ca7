import Foundation
import StoreKit

/// The design "observe at launch": an observer from launch on, one pair of closures, finish after
/// delivery or when verification fails.
final class LaunchObserver: NSObject, SKPaymentTransactionObserver {
  private let api: any ShopAPI
  private var refresh: SKReceiptRefreshRequest?
  /// Those of the last purchase that was begun.
  private var succeeded: (() -> Void)?
  private var failed: (() -> Void)?
  /// From the first restored purchase to the last, or to the next purchase.
  private var isRestoring = false

  init(api: any ShopAPI) {
    self.api = api
    super.init()
    SKPaymentQueue.default().add(self)
  }

  func buy(
    _ productID: String, succeeded: @escaping () -> Void, failed: @escaping () -> Void
  ) {
    self.succeeded = succeeded
    self.failed = failed
    isRestoring = false
    let payment = SKMutablePayment()
    payment.productIdentifier = productID
    SKPaymentQueue.default().add(payment)
  }

  func paymentQueue(
    _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
  ) {
    for transaction in transactions {
      switch transaction.transactionState {
      case .purchased: deliver(transaction)
      case .restored:
        isRestoring = true
        deliver(transaction)
      case .failed:
        if !isRestoring { tell(\.failed) }
        queue.finishTransaction(transaction)
      default: break
      }
    }
  }

  func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
    isRestoring = false
  }

  private func deliver(_ transaction: SKPaymentTransaction) {
    guard let receipt = receiptFile() else {
      let refresh = SKReceiptRefreshRequest()
      self.refresh = refresh
      refresh.start()
      return
    }
    let id = transaction.transactionIdentifier.flatMap { UInt64($0) }
    Task { @MainActor in
      // What did not come through is tried again after the next launch.
      guard
        let isDelivered = try? await api.redeem(
          ShopRequest(transactionID: id, receipt: receipt))
      else { return }
      tell(isDelivered ? \.succeeded : \.failed)
      SKPaymentQueue.default().finishTransaction(transaction)
    }
  }

  private func tell(_ closure: KeyPath<LaunchObserver, (() -> Void)?>) {
    let told = self[keyPath: closure]
    succeeded = nil
    failed = nil
    told?()
  }
}
