import Foundation

/// What the payment queue calls on the main actor, later than the call that caused it.
///
/// In StoreKit all methods but the first are optional; here the others do nothing unless they are
/// implemented by the type that declares the conformance.
public protocol SKPaymentTransactionObserver: NSObjectProtocol {
  /// A transaction has changed. StoreKit promises no grouping; here each comes in a call of its own.
  func paymentQueue(
    _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction])
  /// Finished transactions are off the queue.
  func paymentQueue(
    _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction])
  /// A restore ended, after its transactions were called back.
  func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue)
  /// A restore failed; some of its transactions may have been called back.
  func paymentQueue(
    _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error)
  /// Never called: the App Store hosts no content here.
  func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload])
  /// Somebody has tapped this product on the app's page in the App Store. Where an observer answers true the payment
  /// is added to the queue; else the app may keep it and add it later, and nothing is bought until it does.
  func paymentQueue(
    _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
  ) -> Bool
  /// Never called: there is one storefront.
  func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue)
  /// All the money for these was given back: non-consumables and subscriptions. Only an app that runs then is told.
  func paymentQueue(
    _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers identifiers: [String])
}

extension SKPaymentTransactionObserver {
  /// Does nothing; for an observer that does not ask what is off the queue.
  public func paymentQueue(
    _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]
  ) {}
  /// Does nothing; for an observer that restores nothing.
  public func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {}
  /// Does nothing; for an observer that restores nothing.
  public func paymentQueue(
    _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
  ) {}
  /// Does nothing, and is never called.
  public func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {}
  /// False: the payment is not added.
  public func paymentQueue(
    _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
  ) -> Bool { false }
  /// Does nothing, and is never called.
  public func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {}
  /// Does nothing; for an observer that asks elsewhere who may use what.
  public func paymentQueue(
    _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers identifiers: [String]
  ) {}
}

/// What the payment queue asks while a purchase is under way, and when a price is raised.
public protocol SKPaymentQueueDelegate: NSObjectProtocol {
  /// Whether to go on with a purchase that began in another storefront. Never asked.
  func paymentQueue(
    _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
    in newStorefront: SKStorefront
  ) -> Bool
  /// Whether to show the sheet that asks for consent to a higher price. Asked of an app that runs when the price is
  /// raised; whoever pays can agree in the settings all the same, so that the answer changes nothing.
  func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool
}

extension SKPaymentQueueDelegate {
  /// True, as if there were no delegate. Never asked.
  public func paymentQueue(
    _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
    in newStorefront: SKStorefront
  ) -> Bool { true }
  /// True, as if there were no delegate.
  public func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool { true }
}

/// The part of the App Store that a person buys from: always the one in the United States.
open class SKStorefront: NSObject, @unchecked Sendable {
  /// ISO 3166-1, three letters.
  open var countryCode: String { SimulatedStore.countryCode }
  /// Apple's number for it.
  open var identifier: String { SimulatedStore.storefrontID }
}
