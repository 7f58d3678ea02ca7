import Foundation
import StoreKit

/// Sells coins with StoreKit 2.
@MainActor
public final class CoinStore: ObservableObject {
  @Published public private(set) var products: [Product] = []
  @Published public private(set) var buying: Set<String> = []

  private let api: any CoinAPI
  private var updates: Task<Void, Never>?
  /// Kept when they are over: called back again a transaction is not news, its finish may have been
  /// lost.
  private var reports: [UInt64: Task<Bool, Never>] = [:]

  public init(api: any CoinAPI) {
    self.api = api
    updates = Task.detached(priority: .background) { [weak self] in
      for await result in StoreKit.Transaction.updates {
        _ = await self?.deliver(result)
      }
    }
    Task {
      for await result in StoreKit.Transaction.unfinished { _ = await deliver(result) }
    }
  }

  deinit { updates?.cancel() }

  /// Buys a product for an account, and says what to show.
  public func buy(_ productID: String, for account: UUID) async -> CoinMessage {
    // A second tap must not become a second payment.
    guard buying.insert(productID).inserted else { return .onItsWay }
    defer { buying.remove(productID) }
    do {
      if products.isEmpty { products = try await Product.products(for: ["coins", "map"]) }
      guard let product = products.first(where: { $0.id == productID }) else { return .notBought }
      switch try await product.purchase(options: [.appAccountToken(account)]) {
      case .success(let result): return await deliver(result) ? .delivered : .onItsWay
      case .userCancelled: return .notBought
      case .pending: return .onItsWay
      @unknown default: return .onItsWay
      }
    } catch {
      // An error does not say that nothing was charged.
      return .onItsWay
    }
  }

  /// Reports a transaction until there is a final answer, then finishes it. True if it delivered.
  private func deliver(_ result: VerificationResult<StoreKit.Transaction>) async -> Bool {
    guard case .verified(let transaction) = result else { return false }
    if let report = reports[transaction.id] {
      let delivered = await report.value
      await transaction.finish()
      return delivered
    }
    let jws = result.jwsRepresentation
    let report = Task { await self.report(transaction, jws) }
    reports[transaction.id] = report
    return await report.value
  }

  private func report(_ transaction: StoreKit.Transaction, _ jws: String) async -> Bool {
    while !Task.isCancelled {
      let answer = try? await api.redeem(transactionID: transaction.id, jws: jws)
      switch answer {
      case .delivered:
        await transaction.finish()
        return true
      case .refused:
        await transaction.finish()
        return false
      case .tryLater, nil:
        try? await Task.sleep(for: .seconds(8))
      }
    }
    return false
  }
}
