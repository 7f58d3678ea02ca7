import Foundation
import StoreKit

/// Sells coins with StoreKit 1.
public final class ClassicCoinStore: NSObject, SKPaymentTransactionObserver,
  SKProductsRequestDelegate, SKRequestDelegate
{
  /// Is told what was delivered, which may be long after its buyer was told that it is on its way.
  @MainActor public var onDelivery: ((SKPaymentTransaction) -> Void)?
  /// Is told what will never be delivered, so that nobody waits for it who was told that it is on its way.
  @MainActor public var onRefusal: ((SKPaymentTransaction) -> Void)?

  private let api: any CoinAPI
  private let memory: any CoinMemory
  private var products: [String: SKProduct] = [:]
  private var request: SKProductsRequest?
  private var refresh: SKReceiptRefreshRequest?
  private var wanted: [(productID: String, account: UUID)] = []
  /// Taps whose payment has not come back, by product, and those whose has, by transaction.
  private var waiting: [String: Wait] = [:]
  private var claimed: [String: Wait] = [:]
  /// Payments to which somebody else must agree first. Who tapped knows, and waits for no answer.
  private var deferred: [SKPaymentTransaction] = []
  private var reporting: Set<String> = []
  /// Answered for good. Called back again they are not news: their finish may have been lost.
  private var settled: Set<String> = []
  /// How often something may have been paid for that was never called back, and how many of these cases a
  /// fresh receipt has answered. Where nothing is stored the app is new, or has lost what it had stored.
  private var doubts = 0
  private var answeredDoubts = 0
  private var isAsking = false

  @MainActor
  public init(api: any CoinAPI, memory: any CoinMemory) {
    self.api = api
    self.memory = memory
    super.init()
    SKPaymentQueue.default().add(self)
    // What the queue does not call back, the receipt still lists: the one that is there, and a fresh one,
    // for which people are asked for their password, only if a payment may be under way.
    if !memory.isSettled { doubts += 1 }
    if isInDoubt { refreshReceipt() } else { probe() }
    again(after: 30) { self.lookAgain() }
  }

  /// What is unfinished is called back to an observer that is added: a finish can be lost while the app
  /// stays open.
  @MainActor
  private func lookAgain() {
    SKPaymentQueue.default().remove(self)
    SKPaymentQueue.default().add(self)
    probe()
    again(after: 30) { self.lookAgain() }
  }

  @MainActor
  public func buy(_ productID: String, for account: UUID) async -> CoinMessage {
    guard SKPaymentQueue.canMakePayments(), waiting[productID] == nil else { return .onItsWay }
    return await withCheckedContinuation { continuation in
      let wait = Wait(continuation)
      waiting[productID] = wait
      if let product = products[productID] {
        pay(product, account)
      } else {
        wanted.append((productID, account))
        let request = SKProductsRequest(productIdentifiers: ["coins", "map"])
        request.delegate = self
        self.request = request
        request.start()
      }
      Task { @MainActor in
        try? await Task.sleep(for: .seconds(30))
        wait.end(.onItsWay)
        if waiting[productID] === wait {
          waiting[productID] = nil
          // It may come back in the next launch only; the receipt has it now.
          doubts += 1
        }
        // One prompt for all of them.
        if isInDoubt, waiting.isEmpty { refreshReceipt() }
      }
    }
  }

  private var isInDoubt: Bool { answeredDoubts < doubts }

  /// Notes whether a payment may be under way, on the disk before this returns.
  private func note() {
    let isSettled = !isInDoubt && waiting.isEmpty && reporting.isEmpty
    if isSettled != memory.isSettled { memory.isSettled = isSettled }
  }

  private func pay(_ product: SKProduct, _ account: UUID) {
    note()
    waiting[product.productIdentifier]?.hasPaid = true
    let payment = SKMutablePayment(product: product)
    payment.applicationUsername = account.uuidString
    SKPaymentQueue.default().add(payment)
  }

  private func show(_ message: CoinMessage, _ productID: String) {
    waiting.removeValue(forKey: productID)?.end(message)
  }

  /// Somebody who waits for the end of their purchase.
  private final class Wait {
    private var continuation: CheckedContinuation<CoinMessage, Never>?
    /// Whether their payment is in the queue: what was called back before is no answer to it.
    var hasPaid = false

    init(_ continuation: CheckedContinuation<CoinMessage, Never>) {
      self.continuation = continuation
    }

    func end(_ message: CoinMessage) {
      continuation?.resume(returning: message)
      continuation = nil
    }
  }

  // MARK: - SKProductsRequestDelegate

  public func productsRequest(
    _ request: SKProductsRequest, didReceive response: SKProductsResponse
  ) {
    for product in response.products { products[product.productIdentifier] = product }
    let orders = wanted
    wanted = []
    for order in orders {
      if let product = products[order.productID] {
        pay(product, order.account)
      } else {
        show(.notBought, order.productID)
      }
    }
  }

  public func request(_ request: SKRequest, didFailWithError error: any Error) {
    if request is SKReceiptRefreshRequest {
      return again(after: 60) {
        self.isAsking = false
        self.refreshReceipt()
      }
    }
    for order in wanted { show(.notBought, order.productID) }
    wanted = []
  }

  // MARK: - SKPaymentTransactionObserver

  public func paymentQueue(
    _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
  ) {
    for transaction in transactions {
      switch transaction.transactionState {
      case .purchased, .restored: report(transaction)
      case .failed:
        queue.finishTransaction(transaction)
        // An error does not say that nothing was charged.
        let isCancelled = (transaction.error as? SKError)?.code == .paymentCancelled
        if !isCancelled { doubts += 1 }
        show(isCancelled ? .notBought : .onItsWay, transaction.payment.productIdentifier)
      case .deferred:
        deferred.append(transaction)
        doubts += 1
        show(.onItsWay, transaction.payment.productIdentifier)
      case .purchasing: break
      @unknown default: break
      }
    }
  }

  private func report(_ transaction: SKPaymentTransaction) {
    guard let id = transaction.transactionIdentifier else { return }
    if settled.contains(id) { return SKPaymentQueue.default().finishTransaction(transaction) }
    if let index = deferred.firstIndex(where: { $0 === transaction }) {
      deferred.remove(at: index)
    } else if let wait = waiting[transaction.payment.productIdentifier], wait.hasPaid {
      waiting.removeValue(forKey: transaction.payment.productIdentifier)
      claimed[id] = wait
    }
    guard reporting.insert(id).inserted else { return }
    Task { @MainActor in
      while !Task.isCancelled {
        let answer = try? await api.redeem(transactionID: UInt64(id) ?? 0, jws: nil)
        switch answer {
        case .delivered, .refused:
          SKPaymentQueue.default().finishTransaction(transaction)
          reporting.remove(id)
          settled.insert(id)
          claimed.removeValue(forKey: id)?.end(answer == .delivered ? .delivered : .notBought)
          note()
          if answer == .delivered { onDelivery?(transaction) } else { onRefusal?(transaction) }
          return
        case .tryLater, nil: try? await Task.sleep(for: .seconds(8))
        }
      }
    }
  }

  // MARK: - The receipt

  private func refreshReceipt() {
    // One prompt at a time, and none for a minute after somebody did not give their password.
    guard !isAsking else { return }
    isAsking = true
    let refresh = SKReceiptRefreshRequest()
    refresh.delegate = self
    self.refresh = refresh
    refresh.start()
  }

  public func requestDidFinish(_ request: SKRequest) {
    guard request is SKReceiptRefreshRequest else { return }
    probe(covering: doubts)
  }

  /// Has everything delivered that the receipt lists. A fresh one answers the doubts there were before it.
  private func probe(covering doubts: Int? = nil) {
    Task { @MainActor in
      guard let url = Bundle.main.appStoreReceiptURL, let receipt = try? Data(contentsOf: url)
      else { return }
      let answer = try? await api.redeem(receipt: receipt)
      guard let answer, answer != .tryLater else {
        return again(after: 15) { self.probe(covering: doubts) }
      }
      if let doubts {
        isAsking = false
        answeredDoubts = doubts
        note()
        if isInDoubt, waiting.isEmpty { refreshReceipt() }
      }
    }
  }

  private func again(after seconds: Int, _ body: @escaping @MainActor () -> Void) {
    Task { @MainActor in
      do { try await Task.sleep(for: .seconds(seconds)) } catch { return }
      body()
    }
  }
}
