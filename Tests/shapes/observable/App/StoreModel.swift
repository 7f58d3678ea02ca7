//
//  StoreModel.swift
//  Papercut Journal
//
//  Created by Jonas Ebert on 04.11.23.
//

import Foundation
import Observation
import StoreKit

@Observable
@MainActor
final class StoreModel {

    static let themeIDs = [
        "papercut.theme.linen",
        "papercut.theme.midnight"
    ]
    static let exportID = "papercut.feature.pdfexport"

    private(set) var products: [Product] = []
    private(set) var purchasedIDs: Set<String> = []
    private(set) var isLoading = false
    var errorMessage: String?

    @ObservationIgnored
    private var observer: Task<Void, Never>?

    var canExportPDF: Bool {
        purchasedIDs.contains(Self.exportID)
    }

    init() {
        observer = Task { [weak self] in
            for await verificationResult in Transaction.updates {
                if case .verified(let transaction) = verificationResult {
                    await transaction.finish()
                }
                await self?.refreshPurchased()
            }
        }

        Task {
            await load()
            await refreshPurchased()
        }
    }

    func load() async {
        guard products.isEmpty else { return }
        isLoading = true
        defer { isLoading = false }

        do {
            let all = Self.themeIDs + [Self.exportID]
            products = try await Product.products(for: all)
                .sorted(by: { $0.displayName < $1.displayName })
        } catch {
            errorMessage = error.localizedDescription
        }
    }

    func purchase(_ product: Product) async {
        errorMessage = nil
        do {
            let result = try await product.purchase()
            switch result {
            case let .success(.verified(transaction)):
                await transaction.finish()
                await refreshPurchased()
            case .success(.unverified):
                errorMessage = "Purchase could not be verified."
            case .pending:
                // Ask to Buy / SCA – will arrive through Transaction.updates
                break
            case .userCancelled:
                break
            @unknown default:
                break
            }
        } catch {
            errorMessage = error.localizedDescription
        }
    }

    func restorePurchases() async {
        do {
            try await AppStore.sync()
            await refreshPurchased()
        } catch {
            errorMessage = error.localizedDescription
        }
    }

    func isPurchased(_ product: Product) -> Bool {
        purchasedIDs.contains(product.id)
    }

    private func refreshPurchased() async {
        var owned: Set<String> = []
        for await result in Transaction.currentEntitlements {
            guard case .verified(let transaction) = result else { continue }
            if transaction.revocationDate == nil {
                owned.insert(transaction.productID)
            }
        }
        purchasedIDs = owned
    }
}
