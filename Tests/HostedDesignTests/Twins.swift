import ChaosStore
import Foundation
import Invariants
import StoreKit

// The designs' StoreKit code as systems under test. Their backends are those of the simulated designs.

enum HostedObserveAtLaunch: HostedSystem {
  typealias App = HostedApp<LaunchObserverApp>
  typealias Backend = ObserveAtLaunch.Backend
  static let entry = SystemEntry(
    name: "hosted-observe-at-launch", summary: "StoreKit code of observe-at-launch.")
}

enum HostedStoreKit2OrderToken: HostedSystem {
  typealias App = HostedApp<TokenShopApp>
  typealias Backend = StoreKit2OrderToken.Backend
  static let entry = SystemEntry(
    name: "hosted-storekit2-order-token", summary: "StoreKit code of storekit2-order-token.")
}

enum HostedObserverOnDemand: HostedSystem {
  typealias App = HostedApp<OnDemandObserverApp>
  typealias Backend = ObserverOnDemand.Backend
  static let entry = SystemEntry(
    name: "hosted-observer-on-demand", summary: "StoreKit code of observer-on-demand.")
}

enum HostedReceiptStore: HostedSystem {
  typealias App = HostedApp<ReceiptKeeperApp>
  typealias Backend = ReceiptStore.Backend
  static let entry = SystemEntry(
    name: "hosted-receipt-store", summary: "StoreKit code of receipt-store.")
}

enum HostedWhiteBlackTables: HostedSystem {
  typealias App = HostedApp<NamedPaymentsApp>
  typealias Backend = WhiteBlackTables.Backend
  static let entry = SystemEntry(
    name: "hosted-white-black-tables", summary: "StoreKit code of white-black-tables.")
}

// MARK: - The apps

final class LaunchObserverApp: SimulatedApp {
  nonisolated static var hasShopPage: Bool { true }
  private let observer: LaunchObserver
  private let device: SimulatedDevice

  init(device: SimulatedDevice) {
    self.device = device
    observer = LaunchObserver(api: DeviceAPI(device))
  }

  func buy(_ productID: String) async -> PurchaseMessage {
    observer.buy(
      productID, succeeded: { [device] in device.show(.success, about: productID) },
      failed: { [device] in device.show(.failure, about: productID) })
    return .nothing
  }
}

final class TokenShopApp: SimulatedApp {
  nonisolated static var hasShopPage: Bool { true }
  private let shop: TokenShop

  init(device: SimulatedDevice) {
    shop = TokenShop(
      api: DeviceAPI(device), productIDs: ["coins", "gems", "map", "pro"],
      ended: { device.show($1 ? .success : .failure, aboutTransaction: $0) })
  }

  func buy(_ productID: String) async -> PurchaseMessage {
    switch await shop.buy(productID) {
    case .nothing: .nothing
    case .pending: .pending
    case .failed: .failure
    }
  }
}

final class OnDemandObserverApp: SimulatedApp {
  nonisolated static var hasShopPage: Bool { true }
  private let observer: OnDemandObserver

  init(device: SimulatedDevice) {
    observer = OnDemandObserver(
      api: DeviceAPI(device), ended: { device.show($1 ? .success : .failure, about: $0) },
      notLoaded: { device.show(.failure, about: $0) })
  }

  func visitedShop() { observer.addObserver() }

  func buy(_ productID: String) async -> PurchaseMessage {
    observer.buy(productID)
    return .nothing
  }
}

final class ReceiptKeeperApp: SimulatedApp {
  private let keeper: ReceiptKeeper

  init(device: SimulatedDevice) {
    keeper = ReceiptKeeper(
      api: DeviceAPI(device), defaults: device.defaults,
      delivered: { device.show(.success, aboutTransaction: $0) },
      failed: { device.show(.failure, about: $0) })
  }

  func buy(_ productID: String) async -> PurchaseMessage {
    keeper.buy(productID)
    return .nothing
  }
}

final class NamedPaymentsApp: SimulatedApp {
  private let payments: NamedPayments
  private let device: SimulatedDevice

  init(device: SimulatedDevice) {
    self.device = device
    payments = NamedPayments(
      api: DeviceAPI(device), delivered: { device.show(.success, about: $0) },
      failed: { device.show(.failure, about: $0) })
  }

  func buy(_ productID: String) async -> PurchaseMessage {
    payments.buy(productID, for: device.account.name)
    return .nothing
  }
}

// MARK: - Their networking

/// The apps' networking, over the simulated link.
private final class DeviceAPI: ShopAPI {
  private let device: SimulatedDevice

  init(_ device: SimulatedDevice) { self.device = device }

  func redeem(_ request: ShopRequest) async throws -> Bool {
    try isDelivered(try await device.backend.send(message(request)))
  }

  func redeem(_ request: ShopRequest, completion: @escaping (Result<Bool, any Error>) -> Void) {
    device.backend.send(message(request)) { result in
      completion(Result { try self.isDelivered(try result.get()) })
    }
  }

  func newOrder(for productID: String) -> UUID? { device.newOrder(for: productID) }

  private func message(_ request: ShopRequest) -> BackendRequest {
    var sent = BackendRequest(
      receipt: request.receipt, transactionID: request.transactionID, token: request.order,
      productID: request.productID)
    sent.unnamedTransactionID = request.subject
    sent.username = request.username
    sent.isProbe = request.isProbe
    return sent
  }

  private func isDelivered(_ response: BackendResponse) throws -> Bool {
    switch response.outcome {
    case .delivered, .alreadyDelivered: return true
    case .refused, .retry, .businessError: return false
    case .unauthorized, .serverError: throw ShopServerError()
    }
  }
}
