import Foundation
import StoreKit

/// The design "white and black tables": the payment carries the user's name, and a launch without a
/// callback posts the receipt for the white table.
final class NamedPayments: NSObject, SKPaymentTransactionObserver, SKProductsRequestDelegate {
  private let api: any ShopAPI
  private let delivered: (SKPaymentTransaction) -> Void
  private let failed: (SKPaymentTransaction) -> Void
  /// Who is to be named in the payment for what a request loads.
  private var buyers: [SKRequest: String] = [:]
  private var wasCalledBack = false

  init(
    api: any ShopAPI, delivered: @escaping (SKPaymentTransaction) -> Void,
    failed: @escaping (SKPaymentTransaction) -> Void
  ) {
    self.api = api
    self.delivered = delivered
    self.failed = failed
    super.init()
    SKPaymentQueue.default().add(self)
    Task { @MainActor in
      try? await Task.sleep(for: .seconds(10))
      if !wasCalledBack, let receipt = receiptFile() {
        _ = try? await api.redeem(ShopRequest(receipt: receipt, isProbe: true))
      }
    }
  }

  func buy(_ productID: String, for user: String) {
    let request = SKProductsRequest(productIdentifiers: [productID])
    request.delegate = self
    buyers[request] = user
    request.start()
  }

  func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
    let user = buyers.removeValue(forKey: request)
    for product in response.products {
      let payment = SKMutablePayment(product: product)
      payment.applicationUsername = user
      SKPaymentQueue.default().add(payment)
    }
  }

  func paymentQueue(
    _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
  ) {
    for transaction in transactions {
      switch transaction.transactionState {
      case .purchased, .restored:
        wasCalledBack = true
        post(transaction)
      case .failed:
        wasCalledBack = true
        queue.finishTransaction(transaction)
        failed(transaction)
      default: break
      }
    }
  }

  private func post(_ transaction: SKPaymentTransaction) {
    guard let receipt = receiptFile() else { return }
    let id = transaction.transactionIdentifier.flatMap { UInt64($0) }
    let request = ShopRequest(
      transactionID: id, receipt: receipt, username: transaction.payment.applicationUsername)
    Task { @MainActor in
      guard let isDelivered = try? await api.redeem(request), isDelivered else { return }
      SKPaymentQueue.default().finishTransaction(transaction)
      delivered(transaction)
    }
  }
}
