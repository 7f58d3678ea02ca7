//
//  IAPManager.swift
//  Wordloom
//

import UIKit
import StoreKit

enum IAPError: LocalizedError {
    case productNotFound
    case paymentsDisabled
    case cancelled
    case nothingToRestore

    var errorDescription: String? {
        switch self {
        case .productNotFound: return "Product not found."
        case .paymentsDisabled: return "In-App Purchases are disabled on this device."
        case .cancelled: return "Purchase was cancelled."
        case .nothingToRestore: return "There is nothing to restore."
        }
    }
}

class IAPManager: NSObject {

    static let shared = IAPManager()

    typealias PurchaseCompletion = (Result<String, Error>) -> Void

    static let gems50 = "io.wordloom.gems50"
    static let noAds = "io.wordloom.noads"

    private var products: [String: SKProduct] = [:]
    private var request: SKProductsRequest?
    private var onFetched: (([SKProduct]) -> Void)?
    private var purchaseCompletion: PurchaseCompletion?
    private var restoredCount = 0

    var gems: Int {
        get { UserDefaults.standard.integer(forKey: "gems") }
        set { UserDefaults.standard.set(newValue, forKey: "gems") }
    }

    var adsRemoved: Bool {
        return UserDefaults.standard.bool(forKey: "adsRemoved")
    }

    private override init() {
        super.init()
    }

    func fetchProducts(completion: (([SKProduct]) -> Void)? = nil) {
        onFetched = completion
        request = SKProductsRequest(productIdentifiers: [Self.gems50, Self.noAds])
        request?.delegate = self
        request?.start()
    }

    func purchase(productID: String, completion: @escaping (Result<String, Error>) -> Void) {
        guard SKPaymentQueue.canMakePayments() else {
            completion(.failure(IAPError.paymentsDisabled))
            return
        }
        guard let product = products[productID] else {
            completion(.failure(IAPError.productNotFound))
            return
        }
        purchaseCompletion = completion
        SKPaymentQueue.default().add(self)
        SKPaymentQueue.default().add(SKPayment(product: product))
    }

    func restore(completion: @escaping (Result<String, Error>) -> Void) {
        purchaseCompletion = completion
        restoredCount = 0
        SKPaymentQueue.default().add(self)
        SKPaymentQueue.default().restoreCompletedTransactions()
    }

    private func finish(with result: Result<String, Error>) {
        DispatchQueue.main.async {
            self.purchaseCompletion?(result)
            self.purchaseCompletion = nil
        }
    }

    private func unlock(_ productID: String) {
        switch productID {
        case Self.gems50: gems += 50
        case Self.noAds: UserDefaults.standard.set(true, forKey: "adsRemoved")
        default: break
        }
    }
}

extension IAPManager: SKProductsRequestDelegate {
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        response.products.forEach { products[$0.productIdentifier] = $0 }
        DispatchQueue.main.async {
            self.onFetched?(response.products)
            self.onFetched = nil
        }
    }
}

extension IAPManager: SKPaymentTransactionObserver {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        transactions.forEach { transaction in
            let id = transaction.payment.productIdentifier
            switch transaction.transactionState {
            case .purchased, .restored:
                if transaction.transactionState == .restored { restoredCount += 1 }
                unlock(id)
                queue.finishTransaction(transaction)
                if transaction.transactionState == .purchased { finish(with: .success(id)) }
            case .failed:
                queue.finishTransaction(transaction)
                if let error = transaction.error as? SKError, error.code != .paymentCancelled {
                    finish(with: .failure(error))
                } else {
                    finish(with: .failure(IAPError.cancelled))
                }
            case .purchasing, .deferred: break
            @unknown default: break
            }
        }
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        finish(with: restoredCount > 0 ? .success(Self.noAds) : .failure(IAPError.nothingToRestore))
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: Error) {
        finish(with: .failure(error))
    }
}
