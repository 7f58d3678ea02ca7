//
//  CoinStore.swift
//  Gravel Racer
//

import StoreKit

actor CoinStore {

    enum StoreError: LocalizedError {
        case unknownProduct(String)
        case unverified(Error)

        var errorDescription: String? {
            switch self {
            case .unknownProduct(let id):
                return "The product \(id) is not available right now."
            case .unverified:
                return "Your purchase could not be verified by the App Store."
            }
        }
    }

    private static let balanceKey = "coin_balance"

    private static let coinsPerProduct: [String: Int] = [
        "gravelracer.coins.100": 100,
        "gravelracer.coins.550": 550,
        "gravelracer.coins.1200": 1200
    ]

    private var cache: [String: Product] = [:]
    private var updates: Task<Void, Never>?

    init() {
        Task { await startObserving() }
    }

    deinit {
        updates?.cancel()
    }

    // MARK: Balance

    nonisolated var balance: Int {
        UserDefaults.standard.integer(forKey: Self.balanceKey)
    }

    func spend(_ amount: Int) -> Bool {
        let current = balance
        guard amount > 0, current >= amount else { return false }
        UserDefaults.standard.set(current - amount, forKey: Self.balanceKey)
        return true
    }

    // MARK: Store

    func availableProducts() async throws -> [Product] {
        let products = try await Product.products(for: Self.coinsPerProduct.keys)
        for product in products {
            cache[product.id] = product
        }
        return products.sorted { $0.price < $1.price }
    }

    @discardableResult
    func buy(productID: String) async throws -> Transaction? {
        let product = try await self.product(for: productID)

        switch try await product.purchase(options: [.appAccountToken(accountToken())]) {
        case .success(.verified(let transaction)):
            await transaction.finish()
            credit(transaction)
            return transaction
        case .success(.unverified(_, let error)):
            throw StoreError.unverified(error)
        case .pending, .userCancelled:
            return nil
        @unknown default:
            return nil
        }
    }

    // MARK: Helpers

    private func startObserving() {
        updates = Task(priority: .background) { [weak self] in
            for await update in Transaction.updates {
                await self?.handle(update)
            }
        }
    }

    private func handle(_ update: VerificationResult<Transaction>) async {
        guard case .verified(let transaction) = update else { return }
        await transaction.finish()
        credit(transaction)
    }

    private func credit(_ transaction: Transaction) {
        guard transaction.revocationDate == nil,
              let coins = Self.coinsPerProduct[transaction.productID] else { return }
        let total = balance + coins * transaction.purchasedQuantity
        UserDefaults.standard.set(total, forKey: Self.balanceKey)
    }

    private func product(for id: String) async throws -> Product {
        if let product = cache[id] { return product }
        guard let product = try await Product.products(for: [id]).first else {
            throw StoreError.unknownProduct(id)
        }
        cache[id] = product
        return product
    }

    private func accountToken() -> UUID {
        let defaults = UserDefaults.standard
        if let string = defaults.string(forKey: "account_token"), let token = UUID(uuidString: string) {
            return token
        }
        let token = UUID()
        defaults.set(token.uuidString, forKey: "account_token")
        return token
    }
}
