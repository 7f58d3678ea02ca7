import ChaosStore
import ChaosStoreKit
import Foundation
import Synchronization

/// The same habit with StoreKit 1: one observer for the whole process, which pays, restores where
/// somebody visits the shop, and has delivered what the receipt lists.
final class ClassicShopManager: NSObject, SKPaymentTransactionObserver, SKProductsRequestDelegate,
  @unchecked Sendable
{
  static let shared = ClassicShopManager()

  private var device: SimulatedDevice?
  private var request: SKProductsRequest?
  private var refresh: SKReceiptRefreshRequest?
  private var waiting: [String: (tap: Int, end: CheckedContinuation<PurchaseMessage, Never>)] = [:]
  private var taps = 0
  private var reporting: Set<String> = []

  /// What managers of this operating system process have been told.
  private static let told = Mutex<Set<String>>([])
  static var everTold: Set<String> { told.withLock { $0 } }

  private func hear(_ what: String) { Self.told.withLock { _ = $0.insert(what) } }

  @MainActor
  func start(on device: SimulatedDevice) {
    guard self.device == nil else { return }
    self.device = device
    SKPaymentQueue.default().add(self)
    refreshReceipt()
  }

  @MainActor
  func buy(_ productID: String) async -> PurchaseMessage {
    guard waiting[productID] == nil else { return .pending }
    taps += 1
    let tap = taps
    return await withCheckedContinuation { continuation in
      waiting[productID] = (tap, continuation)
      let request = SKProductsRequest(productIdentifiers: [productID])
      request.delegate = self
      self.request = request
      request.start()
      Task { @MainActor in
        try? await Task.sleep(for: .seconds(30))
        if waiting[productID]?.tap == tap { show(.pending, productID) }
      }
    }
  }

  private func show(_ message: PurchaseMessage, _ productID: String) {
    waiting.removeValue(forKey: productID)?.end.resume(returning: message)
  }

  /// A person asks for what they have bought.
  @MainActor
  func visit() {
    hear("a visit")
    SKPaymentQueue.default().restoreCompletedTransactions()
  }

  @MainActor
  func accountChanged() {
    hear("another account")
    device?.defaults.set(device?.account.name ?? "nobody", forKey: "account")
    refreshReceipt()
  }

  // MARK: - Requests

  private func refreshReceipt() {
    let refresh = SKReceiptRefreshRequest()
    refresh.delegate = self
    self.refresh = refresh
    refresh.start()
  }

  func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
    hear("products")
    MainActor.assumeIsolated {
      for product in response.products {
        let payment = SKMutablePayment(product: product)
        payment.applicationUsername = device?.account.token.uuidString
        SKPaymentQueue.default().add(payment)
      }
    }
  }

  func requestDidFinish(_ request: SKRequest) {
    guard request === refresh else { return }
    hear("a receipt")
    Task { @MainActor in
      guard let device, let url = Bundle.main.appStoreReceiptURL,
        let receipt = try? Data(contentsOf: url)
      else { return }
      var request = BackendRequest(receipt: receipt, token: device.account.token)
      request.isProbe = true
      let answer = try? await device.backend.send(request)
      device.files.write(Data("\(answer?.isDelivered ?? false)".utf8), to: "probed")
    }
  }

  func request(_ request: SKRequest, didFailWithError error: any Error) {
    hear(error is SKError ? "no receipt" : "an error that is not StoreKit's")
    Task { @MainActor in
      try? await Task.sleep(for: .seconds(20))
      if !Task.isCancelled { refreshReceipt() }
    }
  }

  // MARK: - SKPaymentTransactionObserver

  func paymentQueue(
    _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
  ) {
    for transaction in transactions {
      switch transaction.transactionState {
      case .purchased:
        hear("a purchase")
        report(transaction)
      case .restored:
        hear("a restored purchase")
        report(transaction)
      case .failed:
        hear("a failure")
        queue.finishTransaction(transaction)
        show(.pending, transaction.payment.productIdentifier)
      case .purchasing, .deferred: break
      @unknown default: break
      }
    }
  }

  func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
    hear("the end of a restore")
    MainActor.assumeIsolated { device?.defaults.set("yes", forKey: "restored") }
  }

  private func report(_ transaction: SKPaymentTransaction) {
    guard let id = transaction.transactionIdentifier, reporting.insert(id).inserted else { return }
    Task { @MainActor in
      guard let device else { return }
      while !Task.isCancelled {
        let request = BackendRequest(
          transactionID: UInt64(id) ?? 0, token: device.account.token,
          productID: transaction.payment.productIdentifier)
        if let answer = try? await device.backend.send(request),
          answer.isDelivered || answer.outcome == .refused
        {
          SKPaymentQueue.default().finishTransaction(transaction)
          reporting.remove(id)
          device.show(.success, about: transaction)
          return show(.success, transaction.payment.productIdentifier)
        }
        try? await Task.sleep(for: .seconds(8))
      }
    }
  }
}
