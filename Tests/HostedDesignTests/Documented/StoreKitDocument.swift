import ChaosStore
import Foundation
import Invariants
import StoreKit

/// The code of Docs/STOREKIT.md.
enum StoreKitDocument {
  @MainActor protocol CoinAPI {
    func redeem(_ transactionID: UInt64, jws: String) async throws -> Bool
  }

  /// The app's own manager.
  @MainActor final class CoinStore {
    private let api: any CoinAPI

    init(api: any CoinAPI) { self.api = api }

    func buy(_ productID: String, for account: UUID) async -> Bool {
      guard let product = try? await Product.products(for: [productID]).first,
        case .success(.verified(let transaction)) =
          try? await product.purchase(options: [.appAccountToken(account)])
      else { return false }
      return (try? await api.redeem(transaction.id, jws: "")) ?? false
    }
  }

  final class CoinShopApp: SimulatedApp {
    private let store: CoinStore
    private let device: SimulatedDevice

    init(device: SimulatedDevice) {  // the app's launch
      self.device = device
      store = CoinStore(api: DeviceAPI(device))
    }

    func buy(_ productID: String) async -> PurchaseMessage {  // a person taps
      await store.buy(productID, for: device.account.token) ? .success : .pending
    }
  }

  enum CoinShop: HostedSystem {
    typealias App = HostedApp<CoinShopApp>
    typealias Backend = HostedBackend<CoinBackend>
    static let entry = SystemEntry(name: "coin-shop", summary: "…", backends: [.idempotent])
  }

  @MainActor struct DeviceAPI: CoinAPI {
    let device: SimulatedDevice
    init(_ device: SimulatedDevice) { self.device = device }

    func redeem(_ transactionID: UInt64, jws: String) async throws -> Bool {
      let response = try await device.backend.send(
        BackendRequest(jws: jws, transactionID: transactionID, token: device.account.token))
      return response.isDelivered  // or look at response.outcome: refused, retry …
    }
  }

  final class CoinBackend: SimulatedBackend {
    init(_ kind: BackendKind) {}  // one for each process of the backend

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
        let owner = services.owner(of: purchase)  // by appAccountToken
        // Enters the transaction and the credit in one commit. `isRecorded`, `credit` and `record` are for
        // backends that do it in steps; each is a round trip, in which others are handled.
        switch await services.commit(purchase, to: owner.isNone ? request.account : owner) {
        case .credited: outcome = .delivered
        case .alreadyThere: if outcome != .delivered { outcome = .alreadyDelivered }
        case .unavailable, .unknown: return BackendResponse(.retry)
        }
      }
      return BackendResponse(outcome)
    }
  }

  /// An app without a backend.
  @MainActor final class PocketApp: SimulatedApp {
    private let device: SimulatedDevice
    private var wallet = UserDefaults.standard.stringArray(forKey: "wallet") ?? []

    init(device: SimulatedDevice) { self.device = device }

    func buy(_ productID: String) async -> PurchaseMessage {
      guard let product = try? await Product.products(for: [productID]).first,
        case .success(.verified(let transaction)) = try? await product.purchase()
      else { return .pending }
      handOut(transaction)
      await transaction.finish()
      return .success
    }

    func handOut(_ transaction: Transaction) {
      wallet.append("\(transaction.id)")  // coins, and what they were given for, in one record
      device.delivered(transaction.id)  // this is what the rules judge, as a ledger elsewhere
      UserDefaults.standard.set(wallet, forKey: "wallet")
      UserDefaults.standard.synchronize()
    }
  }

  enum PocketShop: HostedSystem {
    typealias App = HostedApp<PocketApp>
    typealias Backend = NoBackend
    static let entry = SystemEntry(name: "pocket-shop", summary: "…")
  }

  /// The same app in a process of its own.
  enum Piped {
    enum CoinShop: PipedSystem {
      typealias Hosted = CoinShopApp  // whose init starts CoinManager.shared, say
      typealias Backend = HostedBackend<CoinBackend>
      static let entry = SystemEntry(name: "coin-shop", summary: "…")
      static var program: HostedProgram { .named("coin-shop") }  // lies beside the tests
    }
  }
}

extension CoinBackend {
  func notified(
    _ notification: StoreNotification, _ services: BackendServices
  ) async -> BackendResponse {
    guard notification.isSigned else { return BackendResponse(.refused) }
    let store = services.appStore(notification.environment)
    guard let purchase = try? await store.transaction(notification.transaction) else {
      return BackendResponse(.serverError)  // Apple tells again
    }
    let owner = services.owner(of: purchase)
    guard !owner.isNone else { return BackendResponse(.alreadyDelivered) }
    // Credits what was not credited, takes back what was refunded, gives again what no longer is.
    let isDone = await services.settle(purchase, to: owner).isThere
    return BackendResponse(isDone ? .alreadyDelivered : .serverError)
  }
}
