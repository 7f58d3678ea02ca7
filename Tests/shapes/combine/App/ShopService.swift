//
//  ShopService.swift
//  Lanternfall
//

import Combine
import Foundation
import StoreKit
import os

enum PurchaseEvent {
    case started(productID: String)
    case purchased(transactionID: UInt64, productID: String)
    case pending(productID: String)
    case cancelled(productID: String)
    case failed(productID: String, error: Error)
}

final class ShopService {

    let events = PassthroughSubject<PurchaseEvent, Never>()
    let products = CurrentValueSubject<[Product], Never>([])

    private let logger = Logger(subsystem: "games.ashgrove.lanternfall", category: "Shop")
    let wallet: Wallet
    private var cancellables = Set<AnyCancellable>()
    private var updates: Task<Void, Never>?

    init(wallet: Wallet = Wallet()) {
        self.wallet = wallet

        events
            .receive(on: DispatchQueue.main)
            .sink { [wallet, logger] event in
                guard case let .purchased(transactionID, productID) = event else { return }
                logger.info("Delivering \(productID, privacy: .public) for #\(transactionID)")
                wallet.deliver(productID)
            }
            .store(in: &cancellables)

        updates = Task.detached(priority: .utility) { [weak self] in
            for await result in Transaction.updates {
                await self?.process(result)
            }
        }
    }

    deinit {
        updates?.cancel()
    }

    func fetch() {
        Task {
            do {
                let loaded = try await Product.products(for: Wallet.catalog.keys)
                products.send(loaded.sorted { $0.price < $1.price })
            } catch {
                logger.error("Could not load products: \(error.localizedDescription)")
            }
        }
    }

    func buy(_ id: String) {
        guard let product = products.value.first(where: { $0.id == id }) else {
            logger.warning("Tried to buy unknown product \(id, privacy: .public)")
            return
        }

        events.send(.started(productID: id))

        Task {
            do {
                switch try await product.purchase() {
                case .success(let result):
                    await process(result)
                case .pending:
                    events.send(.pending(productID: id))
                case .userCancelled:
                    events.send(.cancelled(productID: id))
                @unknown default:
                    logger.fault("Unhandled purchase result")
                }
            } catch {
                events.send(.failed(productID: id, error: error))
            }
        }
    }

    private func process(_ result: VerificationResult<Transaction>) async {
        switch result {
        case .verified(let transaction):
            events.send(.purchased(transactionID: transaction.id, productID: transaction.productID))
            await transaction.finish()
        case .unverified(let transaction, let error):
            logger.error("Unverified transaction: \(error.localizedDescription)")
            events.send(.failed(productID: transaction.productID, error: error))
        }
    }
}
