//
//  PurchaseService.swift
//  Fernweh
//

import Foundation
import StoreKit

enum PurchaseOutcome {
    case delivered
    case pending
    case cancelled
}

final class PurchaseService {

    enum ProductIdentifier {
        static let offlineMaps = "app.fernweh.offlinemaps"
        static let credits5 = "app.fernweh.credits5"
        static let all: Set<String> = [offlineMaps, credits5]
    }

    private let validator: ReceiptValidating
    private let store: EntitlementStore
    private var updatesTask: Task<Void, Never>?

    var entitlements: Entitlements { store.current }

    init(validator: ReceiptValidating, store: EntitlementStore = EntitlementStore()) {
        self.validator = validator
        self.store = store
    }

    convenience init() {
        self.init(validator: ServerReceiptValidator())
    }

    deinit {
        updatesTask?.cancel()
    }

    /// Call from `application(_:didFinishLaunchingWithOptions:)`.
    func start() {
        guard updatesTask == nil else { return }
        updatesTask = Task.detached { [weak self] in
            for await result in Transaction.unfinished {
                try? await self?.handle(result)
            }
            for await result in Transaction.updates {
                try? await self?.handle(result)
            }
        }
    }

    func products() async throws -> [Product] {
        try await Product.products(for: ProductIdentifier.all)
    }

    func purchase(_ product: Product) async throws -> PurchaseOutcome {
        let result = try await product.purchase()
        switch result {
        case .success(let verification):
            try await handle(verification)
            return .delivered
        case .pending:
            return .pending
        case .userCancelled:
            return .cancelled
        @unknown default:
            return .cancelled
        }
    }

    private func handle(_ result: VerificationResult<Transaction>) async throws {
        let transaction = try result.payloadValue

        // The transaction stays unfinished until our server has agreed.
        let response = try await validator.validate(jws: result.jwsRepresentation)
        guard response.valid else { throw ValidationError.rejected }

        try store.update { entitlements in
            switch transaction.productID {
            case ProductIdentifier.offlineMaps:
                entitlements.offlineMaps = transaction.revocationDate == nil
            case ProductIdentifier.credits5:
                guard transaction.revocationDate == nil,
                      entitlements.processed.insert(transaction.id).inserted else { return }
                entitlements.routeCredits += 5
            default:
                break
            }
        }

        await transaction.finish()
    }
}
