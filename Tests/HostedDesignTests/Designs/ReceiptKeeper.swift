import Foundation
import StoreKit

/// The design "receipt store": finish at once, keep the receipt in user defaults, send it again at
/// each launch until it was delivered.
@MainActor
final class ReceiptKeeper {
  private let api: any ShopAPI
  private let defaults: SimulatedDefaults
  private let delivered: (_ transactionID: UInt64) -> Void
  private var helper: PurchaseHelper!
  /// The order of the last tap; nothing after a relaunch.
  private var order: UUID?

  private struct Kept: Codable {
    var transactionID: UInt64
    var productID: String
    var order: UUID?
    var receipt: Data

    var key: String { "receipt.\(transactionID)" }
  }

  init(
    api: any ShopAPI, defaults: SimulatedDefaults,
    delivered: @escaping (_ transactionID: UInt64) -> Void,
    failed: @escaping (SKPaymentTransaction) -> Void
  ) {
    self.api = api
    self.defaults = defaults
    self.delivered = delivered
    helper = PurchaseHelper(
      purchased: { [weak self] transaction in self?.keep(transaction) }, failed: failed)
    for key in defaults.keys.reversed() where key.hasPrefix("receipt.") {
      guard let data = defaults.data(forKey: key),
        let kept = try? JSONDecoder().decode(Kept.self, from: data)
      else { continue }
      post(kept)
    }
  }

  func buy(_ productID: String) {
    order = api.newOrder(for: productID)
    helper.buy(productID)
  }

  private func keep(_ transaction: SKPaymentTransaction) {
    // Without a receipt there are no parameters, and nothing is stored or sent.
    guard let id = transaction.transactionIdentifier.flatMap({ UInt64($0) }),
      let receipt = receiptFile()
    else { return }
    let kept = Kept(
      transactionID: id, productID: transaction.payment.productIdentifier, order: order,
      receipt: receipt)
    defaults.set(try? JSONEncoder().encode(kept), forKey: kept.key, about: id)
    post(kept)
  }

  private func post(_ kept: Kept) {
    let request = ShopRequest(
      subject: kept.transactionID, receipt: kept.receipt, order: kept.order,
      productID: kept.productID)
    api.redeem(request) { [self] result in
      guard case .success(true) = result else { return }
      defaults.removeObject(forKey: kept.key)
      delivered(kept.transactionID)
    }
  }
}

/// The library that the app buys with: it hands a purchase over and then finishes it.
final class PurchaseHelper: NSObject, SKPaymentTransactionObserver {
  private let purchased: (SKPaymentTransaction) -> Void
  private let failed: (SKPaymentTransaction) -> Void

  init(
    purchased: @escaping (SKPaymentTransaction) -> Void,
    failed: @escaping (SKPaymentTransaction) -> Void
  ) {
    self.purchased = purchased
    self.failed = failed
    super.init()
    SKPaymentQueue.default().add(self)
  }

  func buy(_ productID: String) {
    let payment = SKMutablePayment()
    payment.productIdentifier = productID
    SKPaymentQueue.default().add(payment)
  }

  func paymentQueue(
    _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
  ) {
    for transaction in transactions {
      switch transaction.transactionState {
      case .purchased, .restored:
        purchased(transaction)
        queue.finishTransaction(transaction)
      case .failed:
        queue.finishTransaction(transaction)
        failed(transaction)
      default: break
      }
    }
  }
}
