import ChaosStore
import ChaosStoreKit
import CoinShop
import Foundation
import Invariants

/// The StoreKit 2 app with its backend, as a system under test.
public enum CoinShop2: HostedSystem {
  public typealias App = HostedApp<CoinStoreApp>
  public typealias Backend = HostedBackend<CoinBackend>
  public static let entry = SystemEntry(
    name: "coin-shop", summary: "An app's StoreKit 2 code as it ships, and its backend.",
    backends: [.idempotent])
}

/// The StoreKit 1 app with the same backend.
public enum CoinShop1: HostedSystem {
  public typealias App = HostedApp<ClassicCoinStoreApp>
  public typealias Backend = HostedBackend<CoinBackend>
  public static let entry = SystemEntry(
    name: "classic-coin-shop", summary: "An app's StoreKit 1 code as it ships, and its backend.",
    backends: [.idempotent])
}

/// The StoreKit 2 app with a backend that looks a transaction up and credits it in two steps.
public enum HastyCoinShop: HostedSystem {
  public typealias App = HostedApp<CoinStoreApp>
  public typealias Backend = HostedBackend<HastyCoinBackend>
  public static let entry = SystemEntry(
    name: "hasty-coin-shop", summary: "The same app, and a backend that checks, then acts.",
    backends: [.naive])
}

/// The StoreKit 2 app since it sells a membership, with a backend that asks Apple how it stands.
public enum MemberShop: HostedSystem {
  public typealias App = HostedApp<MemberApp>
  public typealias Backend = HostedBackend<MemberBackend>
  public static let entry = SystemEntry(
    name: "member-shop", summary: "StoreKit 2 code that sells a subscription, and its backend.",
    backends: [.idempotent],
    products: [.init("pro", .autoRenewable(.init(Period(1, .month), graceDays: 16)))])
}

/// The same app, with a backend that believes what a notification says.
public enum TrustingMemberShop: HostedSystem {
  public typealias App = HostedApp<MemberApp>
  public typealias Backend = HostedBackend<TrustingMemberBackend>
  public static let entry = SystemEntry(
    name: "trusting-member-shop", summary: "The same app, and a backend that believes the news.",
    backends: [.idempotent], products: MemberShop.entry.products)
}

/// `CoinStore` sells the membership, and `Membership` shows it.
public final class MemberApp: SimulatedApp {
  private let shop: CoinStoreApp
  private let membership: Membership

  public init(device: SimulatedDevice) {
    shop = CoinStoreApp(device: device)
    membership = Membership(api: DeviceAPI(device))
  }

  public func buy(_ productID: String) async -> PurchaseMessage { await shop.buy(productID) }
}

public final class CoinStoreApp: SimulatedApp {
  private let store: CoinStore
  private let device: SimulatedDevice

  public init(device: SimulatedDevice) {
    self.device = device
    store = CoinStore(api: DeviceAPI(device))
    // Only whose purchase it is: anybody else would take the word for an answer.
    func tellBuyer(_ message: PurchaseMessage, _ transaction: Transaction) {
      if transaction.appAccountToken == device.account.token {
        device.show(message, aboutTransaction: transaction.id)
      }
    }
    store.onDelivery = { tellBuyer(.success, $0) }
    store.onRefusal = { tellBuyer(.failure, $0) }
  }

  public func buy(_ productID: String) async -> PurchaseMessage {
    await store.buy(productID, for: device.account.token).shown
  }
}

public final class ClassicCoinStoreApp: SimulatedApp {
  private let store: ClassicCoinStore
  private let device: SimulatedDevice

  public init(device: SimulatedDevice) {
    self.device = device
    store = ClassicCoinStore(api: DeviceAPI(device), memory: DeviceMemory(device))
    func tellBuyer(_ message: PurchaseMessage, _ transaction: SKPaymentTransaction) {
      if transaction.payment.applicationUsername == device.account.token.uuidString {
        device.show(message, about: transaction)
      }
    }
    store.onDelivery = { tellBuyer(.success, $0) }
    store.onRefusal = { tellBuyer(.failure, $0) }
  }

  public func buy(_ productID: String) async -> PurchaseMessage {
    await store.buy(productID, for: device.account.token).shown
  }
}

/// The app's own storage, on the simulated phone.
private final class DeviceMemory: CoinMemory {
  private let device: SimulatedDevice
  private static let key = "isSettled"

  init(_ device: SimulatedDevice) { self.device = device }

  var isSettled: Bool {
    get {
      let device = device
      return MainActor.assumeIsolated { device.defaults.bool(forKey: Self.key) }
    }
    set {
      let device = device
      MainActor.assumeIsolated {
        device.defaults.set(newValue, forKey: Self.key)
        device.defaults.synchronize()
      }
    }
  }
}

extension CoinMessage {
  fileprivate var shown: PurchaseMessage {
    switch self {
    case .delivered: .success
    case .onItsWay: .pending
    case .notBought: .failure
    }
  }
}

/// The app's networking, over the simulated link.
private final class DeviceAPI: CoinAPI {
  private let device: SimulatedDevice

  init(_ device: SimulatedDevice) { self.device = device }

  func redeem(transactionID: UInt64, jws: String?) async throws -> CoinAnswer {
    let request = BackendRequest(
      jws: jws, transactionID: transactionID, token: device.account.token)
    return answer(try await device.backend.send(request))
  }

  func refresh(transactionID: UInt64, jws: String) async throws -> CoinAnswer {
    var request = BackendRequest(
      jws: jws, transactionID: transactionID, token: device.account.token)
    request.isProbe = true
    return answer(try await device.backend.send(request))
  }

  func redeem(receipt: Data) async throws -> CoinAnswer {
    var request = BackendRequest(receipt: receipt, token: device.account.token)
    request.isProbe = true
    return answer(try await device.backend.send(request))
  }

  private func answer(_ response: BackendResponse) -> CoinAnswer {
    switch response.outcome {
    case .delivered, .alreadyDelivered: .delivered
    case .refused: .refused
    case .retry, .businessError, .unauthorized, .serverError: .tryLater
    }
  }
}
