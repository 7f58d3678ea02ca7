import ChaosStore
import Foundation
import Invariants
import StoreKit

/// A StoreKit 1 manager that keeps money and goods together; planted ones override a part of it.
@MainActor
class Shop1: NSObject, SimulatedApp, SKPaymentTransactionObserver, SKRequestDelegate {
  let device: SimulatedDevice
  /// Taps whose payment has not come back, by product, and those whose has, by transaction.
  private var waiting: [String: Wait] = [:]
  private var claimed: [String: Wait] = [:]
  /// When a product was last tapped.
  private var tappedAt: [String: Date] = [:]
  /// How many payments nobody waits for any more have not come back, by product.
  private var unanswered: [String: Int] = [:]
  /// Whether an earlier launch left payments of which nobody knows what became.
  private let anyIsUnanswered: Bool
  private var reporting: Set<String> = []
  /// Answered for good. Called back again they are not news: their finish may have been lost.
  private var settled: Set<String> = []
  private var refresh: SKReceiptRefreshRequest?
  /// How often something may have been paid for that was never called back, up to which of these doubts a
  /// fresh receipt was made, and up to which the backend has looked at one.
  private var doubts = 0
  private var coveredDoubts = 0
  private var answeredDoubts = 0
  private var isInDoubt: Bool { answeredDoubts < doubts }
  private var isAsking = false

  required init(device: SimulatedDevice) {
    self.device = device
    anyIsUnanswered = !device.defaults.bool(forKey: Self.settledKey)
    if anyIsUnanswered { doubts = 1 }
    super.init()
    SKPaymentQueue.default().add(self)
    // What the queue does not call back, the receipt still lists: the one that is there, and a fresh one,
    // for which people are asked for their password, only if a payment may be under way.
    if isInDoubt { resolveDoubts() } else { probe() }
    again(after: 30) { self.lookAround() }
  }

  /// What is unfinished is called back to an observer that is added.
  func lookAround() {
    SKPaymentQueue.default().remove(self)
    SKPaymentQueue.default().add(self)
    probe()
    again(after: 30) { self.lookAround() }
  }

  // MARK: - Buying

  func buy(_ productID: String) async -> PurchaseMessage {
    guard !isPaying(productID) else { return .pending }
    let account = device.account.token
    return await withCheckedContinuation { continuation in
      let wait = Wait(continuation)
      keep(wait, productID)
      tappedAt[productID] = Date()
      note(isSettled: false)
      pay(productID, for: account)
      Task {
        try? await Task.sleep(for: .seconds(30))
        wait.end(.pending)
        if forget(wait, productID) {
          // It may come back in the next launch only; the receipt has it now.
          doubts += 1
          unanswered[productID, default: 0] += 1
        }
        resolveDoubts()
      }
    }
  }

  func pay(_ productID: String, for account: UUID) {
    let payment = SKMutablePayment()
    payment.productIdentifier = productID
    payment.applicationUsername = account.uuidString
    SKPaymentQueue.default().add(payment)
  }

  /// A second tap must not become a second payment.
  func isPaying(_ productID: String) -> Bool { waiting[productID] != nil }

  func keep(_ wait: Wait, _ productID: String) { waiting[productID] = wait }

  /// Who waits for the payment that has come back.
  func take(_ productID: String) -> Wait? { waiting.removeValue(forKey: productID) }

  /// Whether it waited still.
  func forget(_ wait: Wait, _ productID: String) -> Bool {
    guard waiting[productID] === wait else { return false }
    waiting[productID] = nil
    return true
  }

  private static let settledKey = "isSettled"

  /// Notes whether every payment was answered for good, on the disk before this returns.
  private func note(isSettled: Bool) {
    guard isSettled != device.defaults.bool(forKey: Self.settledKey) else { return }
    device.defaults.set(isSettled, forKey: Self.settledKey)
    device.defaults.synchronize()
  }

  private func noteWhatIsOpen() {
    note(isSettled: !isInDoubt && waiting.isEmpty && reporting.isEmpty)
  }

  // MARK: - The queue

  nonisolated func paymentQueue(
    _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
  ) {
    MainActor.assumeIsolated {
      for transaction in transactions {
        switch transaction.transactionState {
        case .purchased, .restored: purchased(transaction)
        case .failed: failed(transaction)
        default: break
        }
      }
    }
  }

  func failed(_ transaction: SKPaymentTransaction) {
    SKPaymentQueue.default().finishTransaction(transaction)
    // An error does not say that nothing was charged.
    if (transaction.error as? SKError)?.code != .paymentCancelled { doubts += 1 }
    take(transaction.payment.productIdentifier)?.end(.pending)
  }

  func purchased(_ transaction: SKPaymentTransaction) {
    guard let id = transaction.transactionIdentifier else { return }
    if settled.contains(id) { return SKPaymentQueue.default().finishTransaction(transaction) }
    let productID = transaction.payment.productIdentifier
    claim(id, productID, transaction.transactionDate)
    guard reporting.insert(id).inserted else { return }
    Task {
      while !Task.isCancelled {
        let request = BackendRequest(transactionID: UInt64(id), token: device.account.token)
        let outcome = (try? await device.backend.send(request))?.outcome
        if outcome == .delivered || outcome == .alreadyDelivered || outcome == .refused {
          return settle(id, transaction, isDelivered: outcome != .refused)
        }
        try? await Task.sleep(for: .seconds(8))
      }
    }
  }

  /// Whose wait ends with a transaction that is called back.
  private func claim(_ id: String, _ productID: String, _ date: Date?) {
    // What was charged before the last tap may be called back late, and is an earlier payment's. The store
    // tells whole milliseconds.
    let tap = (tappedAt[productID] ?? .distantPast).addingTimeInterval(-0.001)
    guard (date ?? .distantFuture) >= tap, let wait = take(productID) else {
      if let count = unanswered[productID] { unanswered[productID] = count > 1 ? count - 1 : nil }
      return
    }
    // An earlier payment may have been charged since, and StoreKit 1 does not say which one this is.
    if anyIsUnanswered || unanswered[productID] != nil {
      wait.end(.pending)
    } else {
      claimed[id] = wait
    }
  }

  private func settle(_ id: String, _ transaction: SKPaymentTransaction, isDelivered: Bool) {
    SKPaymentQueue.default().finishTransaction(transaction)
    reporting.remove(id)
    settled.insert(id)
    let isOwn = transaction.payment.applicationUsername == device.account.token.uuidString
    claimed.removeValue(forKey: id)?.end(isDelivered && isOwn ? .success : .pending)
    noteWhatIsOpen()
    // Who was told that it is pending must not wait for ever.
    if isOwn { device.show(isDelivered ? .success : .failure, about: transaction) }
  }

  // MARK: - The receipt

  /// Looks at a fresh receipt if something may have been paid for that was never called back.
  ///
  /// One prompt for all of them and none while a payment is under way, one at a time, and none for a minute
  /// after somebody did not give their password.
  private func resolveDoubts() {
    guard isInDoubt, waiting.isEmpty, !isAsking else { return }
    isAsking = true
    let refresh = SKReceiptRefreshRequest()
    refresh.delegate = self
    self.refresh = refresh
    refresh.start()
  }

  nonisolated func requestDidFinish(_ request: SKRequest) {
    MainActor.assumeIsolated {
      coveredDoubts = doubts
      probe(isFresh: true)
    }
  }

  nonisolated func request(_ request: SKRequest, didFailWithError error: any Error) {
    MainActor.assumeIsolated {
      again(after: 60) {
        self.isAsking = false
        self.resolveDoubts()
      }
    }
  }

  /// Has everything delivered that the receipt lists. A fresh one leaves no doubt but those that have
  /// come up since it was made.
  private func probe(isFresh: Bool = false) {
    Task {
      guard let url = Bundle.main.appStoreReceiptURL, let receipt = try? Data(contentsOf: url)
      else { return }
      var request = BackendRequest(receipt: receipt, token: device.account.token)
      request.isProbe = true
      let answer = try? await device.backend.send(request)
      guard answer?.isDelivered == true || answer?.outcome == .refused else {
        return again(after: 15) { self.probe(isFresh: isFresh) }
      }
      if isFresh {
        isAsking = false
        answeredDoubts = coveredDoubts
        noteWhatIsOpen()
        resolveDoubts()
      }
    }
  }

  private func again(after seconds: Int, _ body: @escaping @MainActor () -> Void) {
    Task {
      guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
      body()
    }
  }
}
