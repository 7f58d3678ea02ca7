//
//  Store.swift
//  BirdNotes
//

import SwiftUI
import StoreKit

typealias Transaction = StoreKit.Transaction

enum ProductID: String, CaseIterable {
    case fullGuide = "de.birdnotes.fullguide"
    case nightMode = "de.birdnotes.nightmode"
    case hints10 = "de.birdnotes.hints10"

    var isConsumable: Bool { self == .hints10 }
}

public enum StoreError: Error {
    case failedVerification
}

@MainActor
class Store: ObservableObject {

    @Published private(set) var products: [Product] = []
    @Published private(set) var purchased: [Product] = []
    @Published private(set) var hints: Int {
        didSet { UserDefaults.standard.set(hints, forKey: "hints") }
    }
    @Published var purchaseIsPending = false

    var listener: Task<Void, Error>? = nil

    init() {
        hints = UserDefaults.standard.integer(forKey: "hints")

        // has to run before the first purchase
        listener = listenForTransactions()

        Task {
            await loadProducts()
            await refreshOwned()
        }
    }

    deinit {
        listener?.cancel()
    }

    func listenForTransactions() -> Task<Void, Error> {
        return Task.detached {
            for await result in Transaction.updates {
                do {
                    let transaction = try await self.checkVerified(result)
                    await self.refreshOwned()
                    await transaction.finish()
                } catch {
                    print("ignoring unverified transaction: \(error)")
                }
            }
        }
    }

    func loadProducts() async {
        do {
            let storeProducts = try await Product.products(for: ProductID.allCases.map { $0.rawValue })
            products = storeProducts.sorted { $0.price < $1.price }
        } catch {
            print("could not load products: \(error)")
        }
    }

    func purchase(_ product: Product) async throws -> Transaction? {
        let result = try await product.purchase()

        switch result {
        case .success(let verification):
            let transaction = try checkVerified(verification)
            deliver(transaction)
            await refreshOwned()
            await transaction.finish()
            return transaction
        case .userCancelled:
            return nil
        case .pending:
            purchaseIsPending = true
            return nil
        @unknown default:
            return nil
        }
    }

    func isPurchased(_ id: ProductID) -> Bool {
        purchased.contains { $0.id == id.rawValue }
    }

    func useHint() {
        guard hints > 0 else { return }
        hints -= 1
    }

    private func deliver(_ transaction: Transaction) {
        switch ProductID(rawValue: transaction.productID) {
        case .hints10:
            hints += 10
        case .fullGuide, .nightMode, .none:
            break // see refreshOwned()
        }
    }

    func checkVerified<T>(_ result: VerificationResult<T>) throws -> T {
        switch result {
        case .unverified:
            throw StoreError.failedVerification
        case .verified(let safe):
            return safe
        }
    }

    func refreshOwned() async {
        var owned: [Product] = []
        for await result in Transaction.currentEntitlements {
            guard let transaction = try? checkVerified(result) else { continue }
            if let product = products.first(where: { $0.id == transaction.productID }) {
                owned.append(product)
            }
        }
        purchased = owned
    }
}
