//
//  IAPHelper.swift
//  Sourdough Timer
//
//  Created by Pete Okafor on 9/14/17.
//  Copyright © 2017 Okafor Apps. All rights reserved.
//

import StoreKit

public typealias ProductIdentifier = String
public typealias ProductsHandler = (_ products: [SKProduct], _ error: Error?) -> Void

extension Notification.Name {
    static let IAPHelperPurchaseNotification = Notification.Name("IAPHelperPurchaseNotification")
}

@objc protocol IAPHelperDelegate: AnyObject {
    func iapHelper(_ helper: IAPHelper, didPurchase productIdentifier: String)
    @objc optional func iapHelper(_ helper: IAPHelper, didFailWith error: Error)
    @objc optional func iapHelperDidFinishRestoring(_ helper: IAPHelper)
}

public class IAPHelper: NSObject {

    weak var delegate: IAPHelperDelegate?

    private let productIdentifiers: Set<ProductIdentifier>
    private var ownedIdentifiers: Set<ProductIdentifier>
    private var currentRequest: SKProductsRequest?
    private var productsHandler: ProductsHandler?

    public init(productIds: Set<ProductIdentifier>) {
        productIdentifiers = productIds
        ownedIdentifiers = productIds.filter { UserDefaults.standard.bool(forKey: $0) }
        super.init()
        SKPaymentQueue.default().add(self)
    }

    public func requestProducts(completion: @escaping ProductsHandler) {
        currentRequest?.cancel()
        productsHandler = completion

        let request = SKProductsRequest(productIdentifiers: productIdentifiers)
        request.delegate = self
        request.start()
        currentRequest = request
    }

    public func buyProduct(_ product: SKProduct) {
        SKPaymentQueue.default().add(SKPayment(product: product))
    }

    public func isProductPurchased(_ productIdentifier: ProductIdentifier) -> Bool {
        return ownedIdentifiers.contains(productIdentifier)
    }

    public class func canMakePayments() -> Bool {
        return SKPaymentQueue.canMakePayments()
    }

    public func restorePurchases() {
        SKPaymentQueue.default().restoreCompletedTransactions()
    }
}

// MARK: - SKProductsRequestDelegate

extension IAPHelper: SKProductsRequestDelegate {

    public func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        productsHandler?(response.products, nil)
        resetRequest()
    }

    public func request(_ request: SKRequest, didFailWithError error: Error) {
        productsHandler?([], error)
        resetRequest()
    }

    private func resetRequest() {
        currentRequest = nil
        productsHandler = nil
    }
}

// MARK: - SKPaymentTransactionObserver

extension IAPHelper: SKPaymentTransactionObserver {

    public func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchased:
                unlock(for: transaction.payment.productIdentifier)
                queue.finishTransaction(transaction)
            case .restored:
                guard let identifier = transaction.original?.payment.productIdentifier else { continue }
                unlock(for: identifier)
                queue.finishTransaction(transaction)
            case .failed:
                if let error = transaction.error as? SKError, error.code != .paymentCancelled {
                    delegate?.iapHelper?(self, didFailWith: error)
                }
                queue.finishTransaction(transaction)
            case .deferred, .purchasing:
                break
            @unknown default:
                break
            }
        }
    }

    public func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        delegate?.iapHelperDidFinishRestoring?(self)
    }

    private func unlock(for identifier: String) {
        ownedIdentifiers.insert(identifier)
        UserDefaults.standard.set(true, forKey: identifier)
        delegate?.iapHelper(self, didPurchase: identifier)
        NotificationCenter.default.post(name: .IAPHelperPurchaseNotification, object: identifier)
    }
}
