import Foundation
import Invariants
import TestSupport
import Testing

@testable import ChaosStore
@testable import StoreKit

/// The shape of Apple's sample code: `purchase() async throws -> Transaction?`, a listener for `updates` and a
/// scan of `unfinished` at launch. It credits first, and finishes then.
@MainActor
private final class SampleStore: SimulatedApp {
  private enum StoreError: Error { case failedVerification }

  private let device: SimulatedDevice
  private let wallet: Wallet
  /// The buttons that are disabled.
  private var buying: Set<String> = []

  init(device: SimulatedDevice) {
    self.device = device
    wallet = Wallet(device)
    Task { [weak self] in
      for await result in Transaction.updates { await self?.handle(result) }
    }
    Task { [weak self] in
      for await result in Transaction.unfinished { await self?.handle(result) }
    }
  }

  func buy(_ productID: String) async -> PurchaseMessage {
    guard buying.insert(productID).inserted else { return .pending }
    defer { buying.remove(productID) }
    guard let product = try? await Product.products(for: [productID]).first else { return .pending }
    do {
      return try await purchase(product) == nil ? .pending : .success
    } catch {
      return .pending  // The sample prints the error and shows nothing.
    }
  }

  private func purchase(_ product: Product) async throws -> Transaction? {
    switch try await product.purchase() {
    case .success(let verification):
      let transaction = try checkVerified(verification)
      wallet.deliver(transaction)
      await transaction.finish()
      return transaction
    case .userCancelled, .pending: return nil
    @unknown default: return nil
    }
  }

  private func handle(_ result: VerificationResult<Transaction>) async {
    guard let transaction = try? checkVerified(result) else { return }
    wallet.deliver(transaction)
    await transaction.finish()
  }

  private func checkVerified<T>(_ result: VerificationResult<T>) throws -> T {
    switch result {
    case .unverified: throw StoreError.failedVerification
    case .verified(let safe): return safe
    }
  }
}

/// The same app for products that are owned for good: a second tap on one of them needs no purchase.
@MainActor
private final class OwnerStore: SimulatedApp {
  private let store: SampleStore
  private let wallet: Wallet

  init(device: SimulatedDevice) {
    store = SampleStore(device: device)
    wallet = Wallet(device)
  }

  func buy(_ productID: String) async -> PurchaseMessage {
    wallet.owns(productID) ? .success : await store.buy(productID)
  }
}

/// Goods on the device, together with the identifiers of the transactions that they were given for.
@MainActor
private struct Wallet {
  private let device: SimulatedDevice

  init(_ device: SimulatedDevice) { self.device = device }

  func deliver(_ transaction: Transaction) {
    guard transaction.revocationDate == nil else { return }
    UserDefaults.standard.set(true, forKey: "owns \(transaction.productID)")
    if enter("\(transaction.originalID)") { device.delivered(transaction.id) }
    UserDefaults.standard.synchronize()
  }

  func deliver(_ transaction: SKPaymentTransaction) {
    if enter((transaction.original ?? transaction).transactionIdentifier ?? "") {
      device.delivered(transaction)
    }
    UserDefaults.standard.synchronize()
  }

  func owns(_ productID: String) -> Bool {
    UserDefaults.standard.bool(forKey: "owns \(productID)")
  }

  private func enter(_ id: String) -> Bool {
    var delivered = UserDefaults.standard.stringArray(forKey: "delivered") ?? []
    guard !delivered.contains(id) else { return false }
    delivered.append(id)
    UserDefaults.standard.set(delivered, forKey: "delivered")
    return true
  }
}

/// A StoreKit 1 observer that is added at launch. It credits first, and finishes then.
@MainActor
private final class LaunchObserver: NSObject, SimulatedApp, SKPaymentTransactionObserver {
  private let device: SimulatedDevice
  private let wallet: Wallet
  /// The buttons that are disabled.
  private var buying: Set<String> = []

  init(device: SimulatedDevice) {
    self.device = device
    wallet = Wallet(device)
    super.init()
    SKPaymentQueue.default().add(self)
  }

  func buy(_ productID: String) async -> PurchaseMessage {
    guard buying.insert(productID).inserted else { return .pending }
    SKPaymentQueue.default().add(SKMutablePayment(productIdentifier: productID))
    return .pending
  }

  nonisolated func paymentQueue(
    _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
  ) {
    MainActor.assumeIsolated { for transaction in transactions { handle(transaction, queue) } }
  }

  private func handle(_ transaction: SKPaymentTransaction, _ queue: SKPaymentQueue) {
    if transaction.transactionState != .purchasing {
      buying.remove(transaction.payment.productIdentifier)
    }
    switch transaction.transactionState {
    case .purchased, .restored:
      wallet.deliver(transaction)
      queue.finishTransaction(transaction)
      device.show(.success, about: transaction)
    case .failed:
      queue.finishTransaction(transaction)
      if (transaction.error as? SKError)?.code == .paymentCancelled {
        device.show(.failure, about: transaction)
      }
    default: break
    }
  }
}

/// What a shop sells.
private protocol Stock { static var products: [Setup.Product] { get } }

private enum TwoKinds: Stock { static let products: [Setup.Product] = [] }
private enum Coins: Stock { static let products = [Setup.Product("coins")] }
private enum Map: Stock { static let products = [Setup.Product("map", isConsumable: false)] }

private enum SoundShop<App: SimulatedApp, Sold: Stock>: HostedSystem {
  typealias App = HostedApp<App>
  typealias Backend = NoBackend
  static var entry: SystemEntry {
    SystemEntry(
      name: "sound-shop", summary: "An app without a defect.", backends: [.naive],
      products: Sold.products)
  }
}

@Suite("Sound apps")
struct SoundAppTests {
  private static let seeds = whereOptimised(0..<100_000, otherwise: 0..<1000) as Range<UInt64>

  @Test("The shape of Apple's sample code is blamed for nothing in any default world")
  func sample() throws {
    try PropertyTest.check(SoundShop<SampleStore, TwoKinds>.self, seeds: Self.seeds)
    try PropertyTest.check(SoundShop<SampleStore, Coins>.self, seeds: Self.seeds)
  }

  @Test("A StoreKit 1 observer that is added at launch is blamed for nothing in any default world")
  func observer() throws {
    try PropertyTest.check(SoundShop<LaunchObserver, TwoKinds>.self, seeds: Self.seeds)
    try PropertyTest.check(SoundShop<LaunchObserver, Coins>.self, seeds: Self.seeds)
  }

  @Test("A backup that lacks a record may lack any of the goods")
  func backup() throws {
    var scenario = try PropertyTest.scenario(for: SoundShop<SampleStore, TwoKinds>.self)
    scenario.setup = DefaultWorld.otherUser.setup()
    scenario.setup.mix = FaultMix(Fault.byDefault)
    let plan = try Plan(
      parsing: "delay store.finish tx1 #1 = 20001ms, repeat person.tap tx2 #1, "
        + "lose storage.write phone1 #4, reopen app tx2 #4, restore backup phone1 #1, "
        + "omit person.step step1 #1, omit person.step step3 #1, omit person.step step5 #1")
    let record = Simulation(scenario).record(seed: nil, plan: plan)
    #expect(record.unmatched == [])
    #expect(record.broken(in: scenario) == [])
  }

  @Test("An app may say that a product is bought which its user owns already")
  func owned() throws {
    try PropertyTest.check(SoundShop<OwnerStore, Map>.self, seeds: Self.seeds)
  }
}
