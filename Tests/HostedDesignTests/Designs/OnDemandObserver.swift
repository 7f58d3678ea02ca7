import Foundation
import StoreKit

/// The design "observer on demand": an observer around each purchase, the receipt to the server,
/// finish on its 200.
final class OnDemandObserver: NSObject, SKPaymentTransactionObserver, SKProductsRequestDelegate {
  private let api: any ShopAPI
  private let ended: (SKPaymentTransaction, _ isDelivered: Bool) -> Void
  private let notLoaded: (_ productID: String) -> Void
  /// What was tapped last; a second tap overwrites it.
  private var goods: String?
  private var requests: Set<SKRequest> = []

  init(
    api: any ShopAPI, ended: @escaping (SKPaymentTransaction, _ isDelivered: Bool) -> Void,
    notLoaded: @escaping (_ productID: String) -> Void
  ) {
    self.api = api
    self.ended = ended
    self.notLoaded = notLoaded
    super.init()
    addObserver()
  }

  /// At launch and on the shop page: what was left unfinished is handled again.
  func addObserver() { SKPaymentQueue.default().add(self) }

  private func removeObserver() { SKPaymentQueue.default().remove(self) }

  func buy(_ productID: String) {
    goods = productID
    addObserver()
    let request = SKProductsRequest(productIdentifiers: [productID])
    request.delegate = self
    requests.insert(request)
    request.start()
  }

  func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
    requests.remove(request)
    if response.products.isEmpty { return notSold() }
    for product in response.products where product.productIdentifier == goods {
      addObserver()
      SKPaymentQueue.default().add(SKPayment(product: product))
    }
  }

  func request(_ request: SKRequest, didFailWithError error: any Error) {
    requests.remove(request)
    notSold()
  }

  private func notSold() {
    removeObserver()
    if let goods { notLoaded(goods) }
  }

  func paymentQueue(
    _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
  ) {
    addObserver()
    for transaction in transactions {
      switch transaction.transactionState {
      case .purchased: post(transaction)
      case .failed:
        removeObserver()
        queue.finishTransaction(transaction)
        ended(transaction, false)
      case .restored:
        removeObserver()
        queue.finishTransaction(transaction)
      default: break
      }
    }
  }

  private func post(_ transaction: SKPaymentTransaction) {
    let id = transaction.transactionIdentifier.flatMap { UInt64($0) }
    let request = ShopRequest(subject: id, receipt: receiptFile())
    Task { @MainActor in
      guard let isDelivered = try? await api.redeem(request), isDelivered else {
        // "Purchase failed, restart the app."
        return ended(transaction, false)
      }
      SKPaymentQueue.default().finishTransaction(transaction)
      removeObserver()
      ended(transaction, true)
    }
  }
}
