import ChaosStore
import Foundation

/// StoreKit 1's queue of purchases: of the simulated process whose code is running.
///
/// As in StoreKit 1 an unfinished transaction comes back after the next launch, the queue calls back
/// only while it has an observer, and it does not keep its observers alive. Observers are called on
/// the main actor, in the order in which they were added; adding one twice counts once.
open class SKPaymentQueue: NSObject, @unchecked Sendable {
  private let session: StoreSession
  @exclusivity(unchecked) private var observers: [Observer] = []
  /// Who was removed last, and when.
  @exclusivity(unchecked) private var left: (observer: Observer, millis: Int64)?
  @exclusivity(unchecked) private var queued: [SKPaymentTransaction] = []
  private weak var ownDelegate: (any SKPaymentQueueDelegate)?

  private struct Observer {
    weak var object: (any SKPaymentTransactionObserver)?
    private let identity: ObjectIdentifier

    init(_ object: any SKPaymentTransactionObserver) {
      self.object = object
      identity = ObjectIdentifier(object)
    }

    /// In its own `deinit` an object is not found by weak references any more.
    func stands(for other: any SKPaymentTransactionObserver) -> Bool {
      object === other || object == nil && identity == ObjectIdentifier(other)
    }
  }

  /// The queue of the process that is running, as ``default()``.
  public override convenience init() { self.init(session: .current) }

  init(session: StoreSession) {
    self.session = session
    super.init()
  }

  /// The queue of the process that is running: the same object as long as it lives.
  public class func `default`() -> SKPaymentQueue {
    let session = StoreSession.current
    if let made = session.queue as? SKPaymentQueue { return made }
    let queue = SKPaymentQueue(session: session)
    session.keep(queue)
    return queue
  }

  /// True: the simulated person may buy.
  open class func canMakePayments() -> Bool { true }

  /// What was called back and is not finished, and what is being bought.
  open var transactions: [SKPaymentTransaction] { queued }
  /// The only storefront there is.
  open var storefront: SKStorefront? { SKStorefront() }
  /// Asked when the price of a subscription is raised.
  open var delegate: (any SKPaymentQueueDelegate)? {
    get { ownDelegate }
    set {
      ownDelegate = newValue
      if newValue != nil, session.isAlive, session.port.hasNews {
        session.port.follow(.priceIncreases)
      }
    }
  }
  /// The observers that still live.
  open var transactionObservers: [any SKPaymentTransactionObserver] {
    observers.compactMap(\.object)
  }

  /// Begins to call back. What is unfinished is called back soon after the first observer is added.
  open func add(_ observer: any SKPaymentTransactionObserver) {
    guard session.isAlive, !observers.contains(where: { $0.object === observer }) else { return }
    observers.append(Observer(observer))
    session.attach()
    if session.isAlive, session.port.hasNews { session.port.follow([.revocations, .wishes]) }
  }

  /// Calls this observer back no more, but for the rest of an array that is being called back.
  open func remove(_ observer: any SKPaymentTransactionObserver) {
    guard session.isAlive, let index = observers.firstIndex(where: { $0.stands(for: observer) })
    else { return }
    left = (observers.remove(at: index), session.port.now)
    session.detach()
  }

  /// Puts a copy of a payment on the queue. The state `purchasing` is called back at once, and the
  /// outcome when there is one.
  open func add(_ payment: SKPayment) {
    guard session.isAlive else { return }
    guard (1...10).contains(payment.quantity), !payment.productIdentifier.isEmpty else {
      return session.complain(
        "SKPaymentQueue.add: a payment for \(payment.quantity) of \"\(payment.productIdentifier)\"; "
          + "expected a product identifier and a quantity between 1 and 10")
    }
    if transactionObservers.isEmpty {
      session.port.remark(
        "added a payment to \(RemarkWords.noObserver): nobody hears what comes of it")
    }
    let payment = SKPayment(fields: payment.fields, discount: payment.paymentDiscount)
    let wish = session.port.addPayment(
      payment.productIdentifier, quantity: payment.quantity, username: payment.applicationUsername,
      offer: payment.paymentDiscount?.identifier)
    guard session.isAlive else { return }
    let transaction = SKPaymentTransaction(purchasing: payment, for: wish)
    queued.append(transaction)
    later { queue, observer in
      observer.paymentQueue(queue, updatedTransactions: [transaction])
    }
  }

  /// Tells the store that this transaction was dealt with, so that it comes back no more.
  ///
  /// As in StoreKit 1 nothing says whether the message arrived, and `removedTransactions` is called
  /// later than this. StoreKit raises an exception for a transaction that is still being bought; here
  /// nothing happens to it, and the run notes a complaint.
  open func finishTransaction(_ transaction: SKPaymentTransaction) {
    guard session.isAlive else { return }
    guard let store = transaction.store else {
      return session.complain(
        "SKPaymentQueue.finishTransaction: the purchase of \(transaction.payment.productIdentifier) "
          + "is under way; expected a transaction that is purchased, failed or restored")
    }
    guard let index = queued.firstIndex(where: { $0 === transaction }) else { return }
    session.port.finish(store)
    guard session.isAlive else { return }
    queued.remove(at: index)
    later { queue, observer in
      observer.paymentQueue(queue, removedTransactions: [transaction])
    }
  }

  /// Calls back what this person owns, and then that it is done or that it failed. The person is asked for
  /// their password, as for a receipt.
  open func restoreCompletedTransactions() {
    restoreCompletedTransactions(withApplicationUsername: nil)
  }

  /// The same; the name means nothing to the simulated store.
  open func restoreCompletedTransactions(withApplicationUsername username: String?) {
    guard session.isAlive else { return }
    session.port.restore { [weak self] succeeded in
      self?.tell { queue, observer in
        if succeeded {
          observer.paymentQueueRestoreCompletedTransactionsFinished(queue)
        } else {
          observer.paymentQueue(
            queue, restoreCompletedTransactionsFailedWithError: SKError(.unknown))
        }
      }
    }
  }

  /// Does nothing: no codes are redeemed here.
  open func presentCodeRedemptionSheet() {}
  /// Does nothing: no price rises here.
  open func showPriceConsentIfNeeded() {}
  /// Does nothing: the App Store hosts no content here.
  open func start(_ downloads: [SKDownload]) {}
  /// Does nothing: the App Store hosts no content here.
  open func pause(_ downloads: [SKDownload]) {}
  /// Does nothing: the App Store hosts no content here.
  open func resume(_ downloads: [SKDownload]) {}
  /// Does nothing: the App Store hosts no content here.
  open func cancel(_ downloads: [SKDownload]) {}
}

// MARK: - For the session

extension SKPaymentQueue: TransactionReceiver {
  func receive(_ stores: [StoreTransaction]) {
    guard observers.isEmpty else {
      let transactions = stores.map(place)
      return tell { queue, observer in
        observer.paymentQueue(queue, updatedTransactions: transactions)
      }
    }
    // They belong to the array that is being handled: whoever leaves in the middle of it gets the rest.
    guard let left, left.millis == session.port.now, let observer = left.observer.object else {
      return
    }
    observer.paymentQueue(self, updatedTransactions: stores.map(place))
  }

  func hear(_ message: StoreMessage) {
    switch message {
    case .subscription, .billingIssue: return
    case .priceIncrease: _ = delegate?.paymentQueueShouldShowPriceConsent(self)
    case .revoked(let productID):
      tell { queue, observer in
        observer.paymentQueue(queue, didRevokeEntitlementsForProductIdentifiers: [productID])
      }
    case .wish(let productID):
      let catalogue = session.port.catalogue
      guard let product = catalogue.first(where: { $0.id == productID }) else { return }
      let sold = SKProduct(product)
      let payment = SKPayment(product: sold)
      let isToAdd = transactionObservers.contains {
        session.isAlive && $0.paymentQueue(self, shouldAddStorePayment: payment, for: sold)
      }
      if isToAdd { add(payment) }
    }
  }

  func end() {
    left = nil
    observers = []
    queued = []
  }

  /// The object for what was handed over: one for each transaction, and that of the payment that the
  /// app added, if it is the outcome of one.
  private func place(_ store: StoreTransaction) -> SKPaymentTransaction {
    let known = queued.first { transaction in
      guard let other = transaction.store else { return false }
      // A failed one has no identifier, and stands for its payment.
      if store.state == .failed, other.state == .failed, let payment = store.payment {
        return payment == other.payment
      }
      return store.state != .failed && other.state != .failed && other.id == store.id
    }
    if let known { return known }
    let awaited =
      store.state == .restored
      ? nil
      : awaiting(store) { $0.wish == store.wish } ?? awaiting(store) { _ in true }
    if let awaited {
      awaited.settle(store)
      return awaited
    }
    let transaction = SKPaymentTransaction(store)
    queued.append(transaction)
    return transaction
  }

  /// The first payment for its product of which nothing came yet, among those that satisfy this.
  private func awaiting(
    _ store: StoreTransaction, where isMeant: (SKPaymentTransaction) -> Bool
  ) -> SKPaymentTransaction? {
    queued.first {
      $0.store == nil && $0.payment.productIdentifier == store.productID && isMeant($0)
    }
  }

  private typealias Call = (SKPaymentQueue, any SKPaymentTransactionObserver) -> Void

  /// Calls every observer, until the process dies.
  private func tell(_ call: Call) {
    for observer in observers {
      guard session.isAlive else { return }
      if let object = observer.object { call(self, object) }
    }
  }

  private func later(_ call: sending @escaping Call) {
    Task { @MainActor in self.tell(call) }
  }
}
