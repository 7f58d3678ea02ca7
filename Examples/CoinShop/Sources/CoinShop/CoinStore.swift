import Foundation
import StoreKit

/// Sells coins with StoreKit 2.
@MainActor
public final class CoinStore: ObservableObject {
  @Published public private(set) var products: [Product] = []
  @Published public private(set) var buying: Set<String> = []

  /// Is told what was delivered, which may be long after its buyer was told that it is on its way.
  public var onDelivery: ((StoreKit.Transaction) -> Void)?
  /// Is told what will never be delivered, so that nobody waits for it who was told that it is on its way.
  public var onRefusal: ((StoreKit.Transaction) -> Void)?

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
    // Not at launch alone: StoreKit may call back with a charge in the next launch only, and a finish
    // can be lost.
    Task { [weak self] in
      while !Task.isCancelled {
        for await result in StoreKit.Transaction.unfinished { _ = await self?.deliver(result) }
        try? await Task.sleep(for: .seconds(30))
      }
    }
  }

  deinit { updates?.cancel() }

  /// Buys a product for an account, and says what to show.
  public func buy(_ productID: String, for account: UUID) async -> CoinMessage {
    // A second tap must not become a second payment.
    guard buying.insert(productID).inserted else { return .onItsWay }
    return await withCheckedContinuation { continuation in
      let wait = Wait(continuation)
      Task {
        do {
          wait.end(try await purchase(productID, account))
          wait.isOver = true
          buying.remove(productID)
        } catch {
          // An error does not say that nothing was charged, and another payment might be charged as well.
          wait.end(.onItsWay)
        }
      }
      // purchase() may not come back at all; what was charged is found among the unfinished.
      Task {
        try? await Task.sleep(for: .seconds(25))
        wait.end(.onItsWay)
        if !wait.isOver { buying.remove(productID) }
      }
    }
  }

  /// Somebody who waits for the end of their purchase.
  @MainActor
  private final class Wait {
    private var continuation: CheckedContinuation<CoinMessage, Never>?
    /// Whether it is known what came of the payment.
    var isOver = false

    init(_ continuation: CheckedContinuation<CoinMessage, Never>) {
      self.continuation = continuation
    }

    /// Says it, unless something was said before.
    func end(_ message: CoinMessage) {
      continuation?.resume(returning: message)
      continuation = nil
    }
  }

  private func purchase(_ productID: String, _ account: UUID) async throws -> CoinMessage {
    guard let product = await product(productID) else { return .notBought }
    switch try await product.purchase(options: [.appAccountToken(account)]) {
    case .success(let result):
      guard await deliver(result), case .verified(let transaction) = result else {
        return .onItsWay
      }
      // StoreKit may answer with somebody else's purchase that is not finished.
      return transaction.appAccountToken == account ? .delivered : .onItsWay
    case .userCancelled: return .notBought
    case .pending: return .onItsWay
    @unknown default: return .onItsWay
    }
  }

  private func product(_ productID: String) async -> Product? {
    if products.isEmpty, let loaded = try? await Product.products(for: ["coins", "map", "pro"]) {
      products = loaded
    }
    return products.first { $0.id == productID }
  }

  /// Reports a transaction until there is a final answer, then finishes it. True if it delivered.
  private func deliver(_ result: VerificationResult<StoreKit.Transaction>) async -> Bool {
    guard case .verified(let transaction) = result else { return false }
    // Its money was given back after it was delivered: `Membership` says so, and nobody is told of a purchase.
    if transaction.productType == .autoRenewable, transaction.revocationDate != nil {
      await transaction.finish()
      return false
    }
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
        // Nobody has tapped for a renewal.
        if transaction.reason != .renewal { onDelivery?(transaction) }
        return true
      case .refused:
        await transaction.finish()
        onRefusal?(transaction)
        return false
      case .tryLater, nil:
        try? await Task.sleep(for: .seconds(8))
      }
    }
    return false
  }
}
