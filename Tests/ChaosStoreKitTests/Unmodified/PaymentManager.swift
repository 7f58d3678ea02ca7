import Foundation
import StoreKit

// An ordinary StoreKit 1 purchase manager. Nothing in this file knows of the simulator.

final class PaymentManager: NSObject {
  var onPurchase: ((String, Data?) -> Void)?
  var onFailure: ((Error) -> Void)?
  var onRestored: (() -> Void)?
  private(set) var products: [String: SKProduct] = [:]
  private(set) var invalid: [String] = []
  private(set) var log: [String] = []
  private var request: SKProductsRequest?
  private var refresh: SKReceiptRefreshRequest?

  func start() {
    SKPaymentQueue.default().add(self)
  }

  func stop() {
    SKPaymentQueue.default().remove(self)
  }

  func load(_ identifiers: Set<String>) {
    let request = SKProductsRequest(productIdentifiers: identifiers)
    request.delegate = self
    request.start()
    self.request = request
  }

  func buy(_ identifier: String, user: String) {
    guard SKPaymentQueue.canMakePayments(), let product = products[identifier] else { return }
    let payment = SKMutablePayment(product: product)
    payment.applicationUsername = user
    payment.quantity = 1
    SKPaymentQueue.default().add(payment)
  }

  func restore() {
    SKPaymentQueue.default().restoreCompletedTransactions()
  }

  func refreshReceipt() {
    let refresh = SKReceiptRefreshRequest()
    refresh.delegate = self
    refresh.start()
    self.refresh = refresh
  }

  var receipt: Data? {
    guard let url = Bundle.main.appStoreReceiptURL,
      FileManager.default.fileExists(atPath: url.path)
    else { return nil }
    return try? Data(contentsOf: url)
  }

  func price(of product: SKProduct) -> String? {
    let formatter = NumberFormatter()
    formatter.numberStyle = .currency
    formatter.locale = product.priceLocale
    return formatter.string(from: product.price)
  }
}

extension PaymentManager: SKProductsRequestDelegate {
  func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
    for product in response.products { products[product.productIdentifier] = product }
    invalid = response.invalidProductIdentifiers
  }

  func requestDidFinish(_ request: SKRequest) {
    log.append(request is SKReceiptRefreshRequest ? "receipt refreshed" : "products loaded")
  }

  func request(_ request: SKRequest, didFailWithError error: Error) {
    log.append("request failed: \((error as NSError).domain) \((error as NSError).code)")
  }
}

extension PaymentManager: SKPaymentTransactionObserver {
  func paymentQueue(
    _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
  ) {
    for transaction in transactions {
      let product = transaction.payment.productIdentifier
      switch transaction.transactionState {
      case .purchasing:
        log.append("purchasing \(product)")
      case .purchased:
        log.append("purchased \(product) \(transaction.transactionIdentifier ?? "-")")
        onPurchase?(product, receipt)
        queue.finishTransaction(transaction)
      case .restored:
        log.append("restored \(product) \(transaction.original?.transactionIdentifier ?? "-")")
        queue.finishTransaction(transaction)
      case .failed:
        if let error = transaction.error as? SKError, error.code != .paymentCancelled {
          onFailure?(error)
        }
        log.append("failed \(product) \((transaction.error as NSError?)?.code ?? -1)")
        queue.finishTransaction(transaction)
      case .deferred:
        log.append("deferred \(product)")
      @unknown default:
        break
      }
    }
  }

  func paymentQueue(
    _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
  ) {
    for transaction in transactions {
      log.append("removed \(transaction.payment.productIdentifier)")
    }
  }

  func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
    log.append("restore finished")
    onRestored?()
  }

  func paymentQueue(
    _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: Error
  ) {
    log.append("restore failed \((error as? SKError)?.errorCode ?? -1)")
  }
}
