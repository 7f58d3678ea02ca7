//
//  InAppPurchaseManager.swift
//  PixelPasture
//
//  Created by Rui Matos on 22/05/2016.
//  Copyright © 2016 Matos Games. All rights reserved.
//

import Foundation
import StoreKit

let kProductCoins500 = "com.matosgames.pixelpasture.coins500"
let kProductBarn = "com.matosgames.pixelpasture.goldenbarn"

let kPurchaseDidSucceed = NSNotification.Name("PurchaseDidSucceed")
let kPurchaseDidFail = NSNotification.Name("PurchaseDidFail")

@objcMembers
class InAppPurchaseManager: NSObject, SKProductsRequestDelegate, SKPaymentTransactionObserver {

    static let sharedInstance = InAppPurchaseManager()

    dynamic var isPurchasing = false
    var productsArray = [SKProduct]()

    private var productsRequest: SKProductsRequest!

    var coins: Int {
        return UserDefaults.standard.integer(forKey: "coins")
    }

    var hasGoldenBarn: Bool {
        return UserDefaults.standard.bool(forKey: "goldenBarn")
    }

    // Called from AppDelegate
    func startObserving() {
        SKPaymentQueue.default().add(self)
        loadProducts()
    }

    func stopObserving() {
        SKPaymentQueue.default().remove(self)
    }

    func loadProducts() {
        let ids = NSSet(array: [kProductCoins500, kProductBarn])
        productsRequest = SKProductsRequest(productIdentifiers: ids as! Set<String>)
        productsRequest.delegate = self
        productsRequest.start()
    }

    func buyProduct(withIdentifier identifier: String) {
        guard SKPaymentQueue.canMakePayments() else {
            NotificationCenter.default.post(name: kPurchaseDidFail, object: self)
            return
        }
        for product in productsArray where product.productIdentifier == identifier {
            isPurchasing = true
            let payment = SKMutablePayment(product: product)
            payment.quantity = 1
            SKPaymentQueue.default().add(payment)
        }
    }

    func restorePurchases() {
        if #available(iOS 15, *) {
            Task {
                for await result in Transaction.currentEntitlements {
                    guard case .verified(let transaction) = result else { continue }
                    await MainActor.run {
                        self.provideContent(transaction.productID)
                    }
                }
            }
        } else {
            SKPaymentQueue.default().restoreCompletedTransactions()
        }
    }

    // MARK: - SKProductsRequestDelegate

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        productsArray = response.products
        for invalid in response.invalidProductIdentifiers {
            NSLog("Invalid product id: %@", invalid)
        }
    }

    // MARK: - SKPaymentTransactionObserver

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchased:
                SKPaymentQueue.default().finishTransaction(transaction)
                isPurchasing = false
                DispatchQueue.main.asyncAfter(deadline: .now() + 0.5) {
                    // let the App Store alert go away before the coin animation
                    self.provideContent(transaction.payment.productIdentifier)
                }
            case .restored:
                provideContent(transaction.payment.productIdentifier)
                SKPaymentQueue.default().finishTransaction(transaction)
            case .failed:
                isPurchasing = false
                SKPaymentQueue.default().finishTransaction(transaction)
                NotificationCenter.default.post(name: kPurchaseDidFail, object: self,
                                                userInfo: ["error": transaction.error as Any])
            default:
                break
            }
        }
    }

    func provideContent(_ productIdentifier: String) {
        let defaults = UserDefaults.standard
        if productIdentifier == kProductCoins500 {
            defaults.set(defaults.integer(forKey: "coins") + 500, forKey: "coins")
        } else if productIdentifier == kProductBarn {
            defaults.set(true, forKey: "goldenBarn")
        }
        defaults.synchronize()
        NotificationCenter.default.post(name: kPurchaseDidSucceed, object: productIdentifier)
    }
}
