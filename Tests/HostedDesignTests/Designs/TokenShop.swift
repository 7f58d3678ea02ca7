import Foundation
import StoreKit

/// The design "StoreKit 2 order token": the order's number as appAccountToken, finish, then report.
@MainActor
final class TokenShop {
  private let api: any ShopAPI
  private let ended: (_ transactionID: UInt64, _ isDelivered: Bool) -> Void
  private var products: [Product] = []
  private var isInProgress = false
  private var updates: Task<Void, Never>?

  init(
    api: any ShopAPI, productIDs: [String],
    ended: @escaping (_ transactionID: UInt64, _ isDelivered: Bool) -> Void
  ) {
    self.api = api
    self.ended = ended
    updates = Task { [weak self] in
      for await result in Transaction.updates {
        // One after the other, and the next does not wait for the server.
        guard case .verified(let transaction) = result else { continue }
        await transaction.finish()
        self?.report(transaction)
      }
    }
    Task { products = (try? await Product.products(for: productIDs)) ?? [] }
  }

  deinit { updates?.cancel() }

  /// What is said when a purchase has ended.
  enum Ending { case nothing, pending, failed }

  /// Buys a product.
  func buy(_ productID: String) async -> Ending {
    guard !isInProgress else { return .failed }
    isInProgress = true
    var options: Set<Product.PurchaseOption> = []
    if let order = api.newOrder(for: productID) { options = [.appAccountToken(order)] }
    let product = products.first { $0.id == productID }
    let result = try? await product?.purchase(options: options)
    isInProgress = false
    if case .pending = result { return .pending }
    // Whatever was thrown reads as a failed verification.
    guard case .success(let transaction) = result else { return .failed }
    guard case .verified(let verified) = transaction else { return .failed }
    await verified.finish()
    report(verified)
    return .nothing
  }

  private func report(_ transaction: Transaction) {
    Task {
      do {
        ended(transaction.id, try await api.redeem(ShopRequest(transactionID: transaction.id)))
      } catch is ShopServerError {
        ended(transaction.id, false)
      } catch {
        // Nothing came back, and nothing is said.
      }
    }
  }
}
