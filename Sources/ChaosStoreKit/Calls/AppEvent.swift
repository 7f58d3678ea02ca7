import ChaosStore

/// What happens to a hosted app between its launch and its end.
///
/// It is handled in the simulator's process, or sent as it lies in memory to the app's own.
enum AppEvent: PipeValue, BitwiseCopyable {
  case tapped(Tap)
  case visitedShop
  case sessionChanged
  case productsArrived(for: Tap)
  case productsFailed(for: Tap)
  /// One of an array that is called back; the app hears of it with the last.
  case updated(PaymentTransaction, isLast: Bool)
  case purchased(PaymentTransaction, for: Tap)
  case purchaseFailed(for: Tap)
  case purchaseRefused(PaymentError, for: Tap)
  case purchaseDeferred(PaymentTransaction, for: Tap)
  case heard(StoreNews)
  case restoreEnded
  case receiptRefreshed(Bool)
  case replied(Reply)
  case timerFired(tag: UInt8)

  init(_ result: PurchaseResult, for tap: Tap) {
    switch result {
    case .success(let transaction): self = .purchased(transaction, for: tap)
    case .failed: self = .purchaseFailed(for: tap)
    case .refused(let error): self = .purchaseRefused(error, for: tap)
    case .pending(let transaction): self = .purchaseDeferred(transaction, for: tap)
    }
  }

  /// An array that is called back.
  static func updates(_ transactions: [PaymentTransaction]) -> [AppEvent] {
    transactions.indices.map { .updated(transactions[$0], isLast: $0 == transactions.count - 1) }
  }

  /// Its name, for messages: `tapped`.
  var name: String { String("\(self)".prefix { $0 != "(" }) }
}
