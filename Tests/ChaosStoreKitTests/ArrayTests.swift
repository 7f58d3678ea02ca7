import ChaosStore
import Foundation
import Invariants
import Synchronization
import Testing

@testable import StoreKit

/// Sizes of the arrays that apps were called back with.
private let sizes = Mutex<[Int]>([])

/// Finishes nothing, so that a launch is called back with all that was bought before.
private final class Collector: NSObject, SimulatedApp, SKPaymentTransactionObserver {
  init(device: SimulatedDevice) {
    super.init()
    SKPaymentQueue.default().add(self)
  }

  func buy(_ productID: String) async -> PurchaseMessage {
    let payment = SKMutablePayment()
    payment.productIdentifier = productID
    SKPaymentQueue.default().add(payment)
    return .pending
  }

  nonisolated func paymentQueue(
    _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
  ) {
    let come = transactions.filter { $0.transactionState != .purchasing }
    if !come.isEmpty { sizes.withLock { $0.append(come.count) } }
  }
}

private enum Collecting: HostedSystem {
  typealias App = HostedApp<Collector>
  typealias Backend = NoBackend
  static let entry = SystemEntry(name: "collector", summary: "Notes how it is called back.")
}

@Suite("StoreKit 1 calls back arrays", .serialized)
struct ArrayTests {
  /// Three things are bought within 10 seconds, and the app is opened again after 20.
  private func scenario(eventLimit: Int? = nil) -> Scenario {
    var setup = Setup()
    setup.products = [.init("coins"), .init("gems"), .init("keys")]
    setup.steps = [
      .init(atMillis: 1000, .buy(product: 0, quantity: 1, account: 0)),
      .init(atMillis: 2000, .buy(product: 1, quantity: 1, account: 0)),
      .init(atMillis: 3000, .buy(product: 2, quantity: 1, account: 0)),
      .init(atMillis: 20_000, .quit), .init(atMillis: 20_001, .open),
    ]
    setup.healMillis = 60_000
    setup.reopenEveryMillis = nil
    setup.horizonMillis = 61_000
    if let eventLimit { setup.eventLimit = eventLimit }
    return Scenario(name: "collector", system: AnySystem(Collecting.self), setup: setup)
  }

  private func sizesOfRun(_ plan: String = "") throws -> [Int] {
    sizes.withLock { $0 = [] }
    let record = try Simulation(scenario()).record(seed: nil, plan: Plan(parsing: plan))
    #expect(record.unmatched == [])
    return sizes.withLock { $0 }
  }

  @Test("A run that is cut off in the middle of an array leaves nothing to the next one")
  func cutOff() {
    for limit in 1...30 {
      let simulation = Simulation(scenario(eventLimit: limit))
      let runs = (1...2).map { _ in
        sizes.withLock { $0 = [] }
        _ = simulation.record(seed: nil, plan: Plan())
        return sizes.withLock { $0 }
      }
      #expect(runs[0] == runs[1])
    }
  }

  @Test("What is unfinished at a launch comes in one array, and what is bought later alone")
  func launch() throws { #expect(try sizesOfRun() == [1, 1, 1, 3]) }

  @Test("What is called back later than the others comes in an array of its own")
  func late() throws {
    #expect(try sizesOfRun("delay store.callback tx2 #2 = 50ms") == [1, 1, 1, 2, 1])
  }

  @Test("What comes twice in one millisecond does not come in one array")
  func twice() throws {
    #expect(try sizesOfRun("duplicate store.callback tx1 #2") == [1, 1, 1, 3, 1])
  }

  @Test("An app that dies as it is called back is handed nothing of the array")
  func death() throws {
    #expect(try sizesOfRun("crash app on callback tx3 #1") == [1, 1, 3, 3])
    // Some of the array had come, or all but the last.
    for transaction in ["tx1", "tx2", "tx3"] {
      #expect(try sizesOfRun("crash app on callback \(transaction) #2") == [1, 1, 1, 3])
    }
  }
}
