//
//  PurchaseManager.swift
//  Tidepool
//
//  Created by Marta Lindqvist on 12.03.23.
//

import Foundation
import StoreKit

enum PurchaseError: Error {
    case failedVerification
    case productUnavailable
}

final class PurchaseManager {

    static let shared = PurchaseManager()

    private let productIDs = ["com.lindqvist.tidepool.pro"]

    private(set) var products: [Product] = []
    private var updatesTask: Task<Void, Never>?

    /// Whether the user has unlocked Tidepool Pro.
    var isProUnlocked: Bool {
        UserDefaults.standard.bool(forKey: "isProUnlocked")
    }

    private init() {
        updatesTask = listenForTransactions()

        Task {
            await loadProducts()
        }
    }

    deinit {
        updatesTask?.cancel()
    }

    // MARK: - Products

    func loadProducts() async {
        do {
            products = try await Product.products(for: productIDs)
        } catch {
            print("Failed to load products: \(error)")
        }
    }

    // MARK: - Purchasing

    @discardableResult
    func purchase(_ product: Product) async throws -> Bool {
        let result = try await product.purchase()

        switch result {
        case .success(let verification):
            let transaction = try checkVerified(verification)
            unlock(transaction)
            await transaction.finish()
            return true
        case .userCancelled, .pending:
            return false
        @unknown default:
            return false
        }
    }

    func restore() async throws {
        try await AppStore.sync()

        for await result in Transaction.currentEntitlements {
            if let transaction = try? checkVerified(result) {
                unlock(transaction)
            }
        }
    }

    // MARK: - Private

    private func listenForTransactions() -> Task<Void, Never> {
        return Task.detached { [weak self] in
            for await result in Transaction.updates {
                guard let self = self else { return }
                do {
                    let transaction = try self.checkVerified(result)
                    self.unlock(transaction)
                    await transaction.finish()
                } catch {
                    print("Skipping a transaction: \(error)")
                }
            }
        }
    }

    private func unlock(_ transaction: Transaction) {
        guard transaction.productID == "com.lindqvist.tidepool.pro" else { return }
        let stillOwned = transaction.revocationDate == nil
        UserDefaults.standard.set(stillOwned, forKey: "isProUnlocked")
    }

    private func checkVerified<T>(_ result: VerificationResult<T>) throws -> T {
        switch result {
        case .unverified:
            throw PurchaseError.failedVerification
        case .verified(let safe):
            return safe
        }
    }
}
