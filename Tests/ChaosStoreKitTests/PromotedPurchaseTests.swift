#if os(Linux)
  import ChaosStore
  import Foundation
  import Invariants
  import Testing

  @testable import StoreKit

  /// Carries on what was begun in the App Store, with StoreKit 2.
  private final class IntentApp: SimulatedApp {
    private let device: SimulatedDevice

    init(device: SimulatedDevice) {
      self.device = device
      Task {
        for await result in Transaction.updates {
          guard case .verified(let transaction) = result else { continue }
          device.delivered(transaction.id)
          await transaction.finish()
        }
      }
      Task {
        for await intent in PurchaseIntent.intents {
          print("wanted: \(intent.id)")
          device.show(await self.buy(intent.product), about: intent.id)
        }
      }
    }

    private func buy(_ product: Product) async -> PurchaseMessage {
      guard case .success(.verified(let transaction)) = try? await product.purchase() else {
        return .pending
      }
      device.delivered(transaction.id)
      await transaction.finish()
      return .success
    }

    func buy(_ productID: String) async -> PurchaseMessage {
      guard let product = try? await Product.products(for: [productID]).first else {
        return .failure
      }
      return await buy(product)
    }
  }

  private enum IntentShop: HostedSystem {
    typealias App = HostedApp<IntentApp>
    typealias Backend = NoBackend
    static let entry = SystemEntry(
      name: "intent-shop", summary: "Carries on purchases from the App Store.",
      products: [.init("coins"), .init("map", isConsumable: false)])
  }

  /// The same with StoreKit 1; what it answers to the queue is its own choice.
  private class QueueApp: NSObject, SimulatedApp, SKPaymentTransactionObserver {
    class var answer: Bool { true }
    private let device: SimulatedDevice
    private var kept: SKPayment?

    required init(device: SimulatedDevice) {
      self.device = device
      super.init()
      SKPaymentQueue.default().add(self)
    }

    func buy(_ productID: String) async -> PurchaseMessage {
      SKPaymentQueue.default().add(SKPayment(productIdentifier: productID))
      return .nothing
    }

    func visitedShop() {}

    nonisolated func paymentQueue(
      _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
      print("wanted: \(product.productIdentifier)")
      return MainActor.assumeIsolated {
        if !Self.answer { kept = payment }
        return Self.answer
      }
    }

    /// Adds what it has kept.
    func accountChanged() { if let kept { SKPaymentQueue.default().add(kept) } }

    nonisolated func paymentQueue(
      _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers identifiers: [String]
    ) {
      print("revoked: \(identifiers)")
    }

    nonisolated func paymentQueue(
      _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
      MainActor.assumeIsolated {
        for transaction in transactions {
          switch transaction.transactionState {
          case .purchased, .restored:
            device.delivered(transaction)
            queue.finishTransaction(transaction)
            device.show(.success, about: transaction)
          case .failed:
            queue.finishTransaction(transaction)
            device.show(.failure, about: transaction)
          default: break
          }
        }
      }
    }
  }

  private final class KeepingApp: QueueApp { override class var answer: Bool { false } }

  private enum QueueShop: HostedSystem {
    typealias App = HostedApp<QueueApp>
    typealias Backend = NoBackend
    static let entry = SystemEntry(
      name: "queue-shop", summary: "Lets the queue carry on purchases from the App Store.",
      products: [.init("coins"), .init("map", isConsumable: false)])
  }

  private enum KeepingShop: HostedSystem {
    typealias App = HostedApp<KeepingApp>
    typealias Backend = NoBackend
    static let entry = SystemEntry(
      name: "keeping-shop", summary: "Keeps purchases from the App Store for later.",
      products: [.init("coins"), .init("map", isConsumable: false)])
  }

  @Suite struct `A purchase that began in the App Store` {
    private func run<System: HostedSystem>(
      _ system: System.Type, _ steps: [Setup.Step], _ plan: String = "",
      with change: (inout Setup) -> Void = { _ in }
    ) throws -> Record {
      var scenario = try PropertyTest.scenario(for: system, faults: [])
      scenario.setup.devices = [.init()]
      scenario.setup.accounts = 2
      scenario.setup.steps = steps
      change(&scenario.setup)
      let record = Simulation(scenario).record(seed: nil, plan: try Plan(parsing: plan))
      #expect(record.problems.isEmpty && record.unmatched == [])
      return record
    }

    private func charges(_ record: Record) -> Int {
      record.facts.count { $0.kind == .charged }
    }

    private let promoted = [Setup.Step(atMillis: 1000, .buyPromoted(product: 0, account: 0))]

    @Test func `reaches an app of StoreKit 2 as an intent, and its own answer reaches the person`()
      throws
    {
      let record = try run(IntentShop.self, promoted)
      #expect(record.printed.map(\.text) == ["wanted: coins"])
      #expect(charges(record) == 1 && record.outcome.broken == 0)
    }

    @Test func `opens an app that is closed, which hears of it once it iterates`() throws {
      let record = try run(
        IntentShop.self, [Setup.Step(atMillis: 500, .quit)] + promoted)
      #expect(record.printed.map(\.text) == ["wanted: coins"])
      #expect(charges(record) == 1 && record.outcome.broken == 0)
    }

    @Test func `is gone if the app dies before it has paid`() throws {
      let record = try run(IntentShop.self, promoted, "crash app before pay tx1 #1")
      #expect(charges(record) == 0 && record.outcome.broken == 0)
    }

    @Test func `is added by StoreKit 1's queue where an observer says so`() throws {
      let record = try run(QueueShop.self, promoted)
      #expect(record.printed.map(\.text) == ["wanted: coins"])
      #expect(charges(record) == 1 && record.outcome.broken == 0)
    }

    @Test func `waits for an observer that keeps it, and a person who gets no answer is a finding`()
      throws
    {
      let kept = try run(
        KeepingShop.self, promoted + [Setup.Step(atMillis: 5000, .logIn(account: 0))])
      #expect(charges(kept) == 1)
      let dropped = try run(KeepingShop.self, promoted) {
        // The app stays open for longer than a person waits.
        $0.reopenEveryMillis = nil
        $0.horizonMillis = 400_000
      }
      #expect(charges(dropped) == 0)
      let rules = Catalogue.invariants.map(\.name)
      #expect(dropped.violations.map { rules[$0.rule] } == ["no-endless-wait"])
    }

    @Test func `An observer is told of a non-consumable whose money was given back`() throws {
      func revoked(_ product: Int, _ plan: String) throws -> [String] {
        try run(
          QueueShop.self, [.init(atMillis: 1000, .buy(product: product, quantity: 1, account: 0))],
          plan
        ) {
          $0.isWholeStore = true
          $0.healMillis = 30 * 86_400_000
          $0.horizonMillis = 40 * 86_400_000
        }.printed.map(\.text)
      }
      #expect(try revoked(1, "refund store.charge tx1 #1") == ["revoked: [\"map\"]"])
      #expect(try revoked(1, "refund store.charge tx1 #1, swallow store.refund tx1 #1") == [])
      #expect(try revoked(0, "refund store.charge tx1 #1") == [])
    }
  }
#endif
