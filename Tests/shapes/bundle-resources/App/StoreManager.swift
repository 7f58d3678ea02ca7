//
//  StoreManager.swift
//  BrewLog
//
//  Created by Dana Whitlock on 2/20/24.
//

import Foundation
import StoreKit

final class StoreManager {

    private(set) var consumables: [Product] = []
    private(set) var nonConsumables: [Product] = []
    private(set) var ownedProductIDs = Set<String>()

    private let productIDs: [String]
    private let defaults = UserDefaults.standard
    private var transactionListener: Task<Void, Error>?

    var beans: Int {
        defaults.integer(forKey: "beans")
    }

    var hasUnlimitedBrews: Bool {
        ownedProductIDs.contains { $0.hasSuffix(".unlimited") }
    }

    init() {
        productIDs = StoreManager.readProductIDs()
        transactionListener = listen()
        Task { @MainActor in
            await retrieveProducts()
            await updateOwned()
        }
    }

    deinit {
        transactionListener?.cancel()
    }

    static func readProductIDs() -> [String] {
        guard
            let url = Bundle.main.url(forResource: "Products", withExtension: "plist"),
            let data = try? Data(contentsOf: url),
            let ids = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String]
        else {
            assertionFailure("Products.plist is missing from the bundle")
            return []
        }
        return ids
    }

    @MainActor
    func retrieveProducts() async {
        do {
            let products = try await Product.products(for: productIDs)
            consumables = products.filter { $0.type == .consumable }
            nonConsumables = products.filter { $0.type == .nonConsumable }
        } catch {
            print("Couldn't retrieve products: \(error.localizedDescription)")
        }
    }

    @MainActor
    func purchase(_ product: Product) async throws {
        let result = try await product.purchase()
        guard case .success(let verification) = result,
              case .verified(let transaction) = verification else { return }

        await grant(transaction)
        await transaction.finish()
    }

    @MainActor
    func scanRecipe() -> Bool {
        guard beans > 0 else { return false }
        defaults.set(beans - 1, forKey: "beans")
        return true
    }

    private func listen() -> Task<Void, Error> {
        Task(priority: .background) { [weak self] in
            for await result in Transaction.updates {
                guard case .verified(let transaction) = result else { continue }
                await self?.grant(transaction)
                await transaction.finish()
            }
        }
    }

    @MainActor
    private func grant(_ transaction: Transaction) async {
        switch transaction.productType {
        case .consumable:
            defaults.set(beans + 25, forKey: "beans")
        case .nonConsumable:
            await updateOwned()
        default:
            break
        }
    }

    @MainActor
    func updateOwned() async {
        var owned = Set<String>()
        for await entitlement in Transaction.currentEntitlements {
            if case .verified(let transaction) = entitlement {
                owned.insert(transaction.productID)
            }
        }
        ownedProductIDs = owned
    }
}
