import ChaosStore
import Foundation
import Invariants
import StoreKit

// The code of the article "Hosting an app", and of "Hosting an app with a shared manager".

@MainActor final class CoinStore {
  private let report: (StoreKit.Transaction, String) async throws -> Bool
  private var updates: Task<Void, Never>?

  init(report: @escaping (StoreKit.Transaction, String) async throws -> Bool) {
    self.report = report
    updates = Task { [weak self] in
      for await result in StoreKit.Transaction.updates { _ = await self?.deliver(result) }
    }
    Task { for await result in StoreKit.Transaction.unfinished { _ = await deliver(result) } }
  }

  func buy(_ productID: String, for account: UUID) async -> Bool {
    guard let product = try? await Product.products(for: [productID]).first,
      let bought = try? await product.purchase(options: [.appAccountToken(account)]),
      case .success(let result) = bought
    else { return false }
    return await deliver(result)
  }

  private func deliver(_ result: VerificationResult<StoreKit.Transaction>) async -> Bool {
    guard case .verified(let transaction) = result,
      let isOver = try? await report(transaction, result.jwsRepresentation), isOver
    else { return false }
    await transaction.finish()
    return true
  }
}

final class CoinShopApp: SimulatedApp {
  private let store: CoinStore
  private let device: SimulatedDevice

  init(device: SimulatedDevice) {
    self.device = device
    store = CoinStore { transaction, jws in
      let request = BackendRequest(
        jws: jws, transactionID: transaction.id, token: device.account.token)
      let response = try await device.backend.send(request)
      return response.isDelivered || response.outcome == .refused
    }
  }

  func buy(_ productID: String) async -> PurchaseMessage {
    await store.buy(productID, for: device.account.token) ? .success : .pending
  }
}

final class CoinBackend: SimulatedBackend {
  init(_ kind: BackendKind) {}

  func handle(_ request: ReceivedRequest, _ services: BackendServices) async -> BackendResponse {
    guard let answer = await services.verify(.transaction) else { return BackendResponse(.retry) }
    switch answer.class {
    // Apple does not know it: it is seconds old, or of the sandbox.
    case .retry, .notFound: return BackendResponse(.retry)
    case .permanent, .otherEnvironment: return BackendResponse(.refused)
    case .valid: break
    }
    var outcome = Reply.Outcome.refused
    for purchase in services.purchases(in: answer) where purchase.isOurs {
      let owner = services.owner(of: purchase)
      switch await services.commit(purchase, to: owner.isNone ? request.account : owner) {
      case .credited: outcome = .delivered
      case .alreadyThere: if outcome != .delivered { outcome = .alreadyDelivered }
      case .unavailable, .unknown: return BackendResponse(.retry)
      }
    }
    return BackendResponse(outcome)
  }
}

enum CoinShop: HostedSystem {
  typealias App = HostedApp<CoinShopApp>
  typealias Backend = HostedBackend<CoinBackend>
  static let entry = SystemEntry(
    name: "coin-shop", summary: "Our StoreKit 2 code and its backend.", backends: [.idempotent])
}

enum SharedCoinShop: PipedSystem {
  typealias Hosted = CoinShopApp
  typealias Backend = HostedBackend<CoinBackend>
  static let entry = SystemEntry(
    name: "shared-coin-shop", summary: "Our app with its shared manager.", backends: [.idempotent])
  static var program: HostedProgram { .named("coin-shop") }
}
