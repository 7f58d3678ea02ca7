import Foundation
import StoreKit

// An ordinary StoreKit 2 purchase manager. Nothing in this file knows of the simulator.

enum CoinStoreError: Error {
  case failedVerification
  case unknownProduct(String)
}

@MainActor
final class CoinStore: ObservableObject {
  @Published private(set) var products: [Product] = []
  @Published private(set) var purchasedProductIDs: Set<String> = []
  @Published var lastError: String?

  private let backend: any CoinBackend
  private var updates: Task<Void, Never>?

  init(backend: any CoinBackend) {
    self.backend = backend
    updates = listenForTransactions()
  }

  deinit {
    updates?.cancel()
  }

  func listenForTransactions() -> Task<Void, Never> {
    Task.detached { [weak self] in
      for await result in StoreKit.Transaction.updates {
        await self?.handle(result)
      }
    }
  }

  func load(_ identifiers: [String]) async {
    do {
      products = try await Product.products(for: identifiers)
        .sorted { $0.price < $1.price }
    } catch {
      lastError = error.localizedDescription
    }
  }

  func buy(_ product: Product, for account: UUID, quantity: Int = 1) async throws -> Bool {
    var options: Set<Product.PurchaseOption> = [.appAccountToken(account)]
    if quantity > 1 { options.insert(.quantity(quantity)) }
    let result = try await product.purchase(options: options)
    switch result {
    case .success(let verification):
      await handle(verification)
      return true
    case .userCancelled, .pending:
      return false
    @unknown default:
      return false
    }
  }

  func restore() async {
    do {
      try await AppStore.sync()
      await refreshEntitlements()
    } catch StoreKitError.userCancelled {
      return
    } catch {
      lastError = error.localizedDescription
    }
  }

  func sweep() async {
    for await result in StoreKit.Transaction.unfinished {
      await handle(result)
    }
  }

  func refreshEntitlements() async {
    var owned: Set<String> = []
    for await result in StoreKit.Transaction.currentEntitlements {
      guard case .verified(let transaction) = result else { continue }
      if transaction.revocationDate == nil, !transaction.isUpgraded {
        switch transaction.productType {
        case .nonConsumable, .autoRenewable:
          if let expiry = transaction.expirationDate, expiry < Date() { continue }
          owned.insert(transaction.productID)
        default:
          break
        }
      }
    }
    purchasedProductIDs = owned
  }

  func isSubscribed(to product: Product) async throws -> Bool {
    guard let subscription = product.subscription else { return false }
    let states: [Product.SubscriptionInfo.RenewalState] = [.subscribed, .inGracePeriod]
    return try await subscription.status.contains { states.contains($0.state) }
  }

  private func handle(_ result: VerificationResult<StoreKit.Transaction>) async {
    do {
      let transaction = try checkVerified(result)
      try await backend.report(
        transaction: transaction.id, of: transaction.productID, evidence: result.jwsRepresentation)
      await transaction.finish()
    } catch {
      lastError = error.localizedDescription
    }
  }

  private func checkVerified<T>(_ result: VerificationResult<T>) throws -> T {
    switch result {
    case .unverified: throw CoinStoreError.failedVerification
    case .verified(let safe): return safe
    }
  }
}

protocol CoinBackend: Sendable {
  func report(transaction: UInt64, of product: String, evidence: String) async throws
}
