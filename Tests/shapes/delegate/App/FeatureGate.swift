//
//  FeatureGate.swift
//  Sourdough Timer
//
//  Created by Pete Okafor on 9/15/17.
//  Copyright © 2017 Okafor Apps. All rights reserved.
//

import Foundation
import StoreKit

public struct SourdoughProducts {

    public static let removeAds = "com.okaforapps.SourdoughTimer.removeads"
    public static let unlimitedTimers = "com.okaforapps.SourdoughTimer.unlimitedtimers"

    private static let productIdentifiers: Set<ProductIdentifier> = [removeAds, unlimitedTimers]

    public static let store = IAPHelper(productIds: SourdoughProducts.productIdentifiers)
}

class FeatureGate: NSObject {

    private(set) var products: [SKProduct] = []
    private(set) var showsAds = true
    private(set) var maximumTimers = 2

    /// Set by the view controller that shows the shop.
    var onChange: (() -> Void)?

    override init() {
        super.init()
        NotificationCenter.default.addObserver(self,
                                               selector: #selector(handlePurchaseNotification(_:)),
                                               name: .IAPHelperPurchaseNotification,
                                               object: nil)
        SourdoughProducts.store.delegate = self
        reload()
    }

    deinit {
        NotificationCenter.default.removeObserver(self)
    }

    func loadShop() {
        SourdoughProducts.store.requestProducts { [weak self] products, error in
            guard let self = self else { return }
            if let error = error {
                print("Shop is not available: \(error.localizedDescription)")
            }
            self.products = products
            self.onChange?()
        }
    }

    func buy(_ identifier: ProductIdentifier) {
        guard let product = products.first(where: { $0.productIdentifier == identifier }) else { return }
        SourdoughProducts.store.buyProduct(product)
    }

    @objc func handlePurchaseNotification(_ notification: Notification) {
        guard
            let productID = notification.object as? String,
            [SourdoughProducts.removeAds, SourdoughProducts.unlimitedTimers].contains(productID)
        else { return }

        reload()
        onChange?()
    }

    private func reload() {
        showsAds = !SourdoughProducts.store.isProductPurchased(SourdoughProducts.removeAds)
        maximumTimers = SourdoughProducts.store.isProductPurchased(SourdoughProducts.unlimitedTimers) ? .max : 2
    }
}

extension FeatureGate: IAPHelperDelegate {

    func iapHelper(_ helper: IAPHelper, didPurchase productIdentifier: String) {
        print("Purchased \(productIdentifier)")
    }

    func iapHelper(_ helper: IAPHelper, didFailWith error: Error) {
        print("Transaction error: \(error.localizedDescription)")
    }
}
