import ChaosStore
import Foundation
import Invariants
import Synchronization
import Testing

@testable import StoreKit

/// Buys with StoreKit 2 and finishes nothing; says what is unfinished after each purchase.
private final class HoarderApp: SimulatedApp {
  nonisolated static let log = Mutex<[[UInt64]]>([])

  init(device: SimulatedDevice) {}

  func buy(_ productID: String) async -> PurchaseMessage {
    guard let product = try? await Product.products(for: [productID]).first else { return .failure }
    _ = try? await product.purchase()
    var found: [UInt64] = []
    for await result in Transaction.unfinished { found.append(result.unsafePayloadValue.id) }
    Self.log.withLock { $0.append(found) }
    return .pending
  }
}

private enum HoarderShop: HostedSystem {
  typealias App = HostedApp<HoarderApp>
  typealias Backend = ExactlyOnce.Backend
  static let entry = SystemEntry(name: "hoarder-shop", summary: "Finishes nothing.")
}

/// Buys with StoreKit 1, and asks for its purchases twice, at once and for each tap but the first.
private final class ForgetfulApp: NSObject, SimulatedApp, SKPaymentTransactionObserver {
  nonisolated static let log = Mutex<[String]>([])
  private var taps = 0
  private var seen: [SKPaymentTransaction] = []

  init(device: SimulatedDevice) {
    super.init()
    SKPaymentQueue.default().add(self)
  }

  func buy(_ productID: String) async -> PurchaseMessage {
    taps += 1
    SKPaymentQueue.default().add(SKPayment(productIdentifier: productID))
    if taps > 1 {
      SKPaymentQueue.default().restoreCompletedTransactions()
      SKPaymentQueue.default().restoreCompletedTransactions()
    }
    return .pending
  }

  private func note(_ text: String) { Self.log.withLock { $0.append(text) } }

  nonisolated func paymentQueue(
    _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
  ) {
    MainActor.assumeIsolated {
      for transaction in transactions {
        if !seen.contains(where: { $0 === transaction }) { seen.append(transaction) }
        let number = seen.firstIndex { $0 === transaction }.map { $0 + 1 } ?? 0
        note("\(number): \(transaction.transactionState)")
        if transaction.transactionState != .purchasing { queue.finishTransaction(transaction) }
      }
    }
  }

  nonisolated func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
    MainActor.assumeIsolated { note("the end of a restore") }
  }
}

private enum ForgetfulShop: HostedSystem {
  typealias App = HostedApp<ForgetfulApp>
  typealias Backend = ExactlyOnce.Backend
  static let entry = SystemEntry(name: "forgetful-shop", summary: "Restores twice.")
}

/// Asks for its products when it starts and at each tap, in both ways, and says which date it is.
private final class CuriousApp: NSObject, SimulatedApp, SKProductsRequestDelegate {
  nonisolated static let log = Mutex<[String]>([])
  private var request: SKProductsRequest?

  init(device: SimulatedDevice) {
    super.init()
    note("began \(Int(Date().timeIntervalSince1970))")
    let request = SKProductsRequest(productIdentifiers: ["coins"])
    request.delegate = self
    request.start()
    self.request = request
  }

  func buy(_ productID: String) async -> PurchaseMessage {
    do {
      let products = try await Product.products(for: [productID])
      note("\(products.count) products")
      if case .success(let result) = try await products.first?.purchase() {
        note("bought \(Int(result.unsafePayloadValue.purchaseDate.timeIntervalSince1970))")
      }
    } catch { note("\(error)") }
    return .failure
  }

  private func note(_ text: String) { Self.log.withLock { $0.append(text) } }

  nonisolated func productsRequest(
    _ request: SKProductsRequest, didReceive response: SKProductsResponse
  ) {
    Self.log.withLock { $0.append("received \(response.products.count)") }
  }

  nonisolated func request(_ request: SKRequest, didFailWithError error: any Error) {
    Self.log.withLock { $0.append("failed \((error as? SKError)?.code.rawValue ?? -1)") }
  }
}

private enum CuriousShop: HostedSystem {
  typealias App = HostedApp<CuriousApp>
  typealias Backend = ExactlyOnce.Backend
  static let entry = SystemEntry(name: "curious-shop", summary: "Asks for its products.")
}

/// Waits on its second phone for the first one's tap, by way of a global, and says when it has slept after it.
private final class RelayApp: SimulatedApp {
  nonisolated static let log = Mutex<[String]>([])
  @MainActor private static var waiting: CheckedContinuation<Void, Never>?

  init(device: SimulatedDevice) {
    guard device.number == 2 else { return }
    Task { @MainActor in
      await withCheckedContinuation { Self.waiting = $0 }
      try await Task.sleep(for: .seconds(5))
      Self.log.withLock { $0.append("phone2 at \(Int(Date().timeIntervalSince1970) % 1_000)") }
    }
  }

  func buy(_ productID: String) async -> PurchaseMessage {
    Self.waiting?.resume()
    Self.waiting = nil
    return .failure
  }
}

private enum RelayShop: HostedSystem {
  typealias App = HostedApp<RelayApp>
  typealias Backend = ExactlyOnce.Backend
  static let ownProcesses = OwnProcesses.never
  static let entry = SystemEntry(name: "relay-shop", summary: "Shares a global between phones.")
}

#if os(Linux)
  /// Opens its receipt at the first tap, and reads it at the second.
  private final class ReaderApp: SimulatedApp {
    nonisolated static let log = Mutex<[Bool]>([])
    private var opened: FileHandle?
    private var first = Data()

    init(device: SimulatedDevice) {}

    func buy(_ productID: String) async -> PurchaseMessage {
      guard let product = try? await Product.products(for: [productID]).first,
        case .success = try? await product.purchase(), let url = Bundle.main.appStoreReceiptURL,
        let now = try? Data(contentsOf: url)
      else { return .failure }
      if let opened {
        let held = try? opened.readToEnd()
        Self.log.withLock { $0 += [held == first, now != first, !now.isEmpty] }
      } else {
        opened = try? FileHandle(forReadingFrom: url)
        first = now
      }
      return .pending
    }
  }

  private enum ReaderShop: HostedSystem {
    typealias App = HostedApp<ReaderApp>
    typealias Backend = ExactlyOnce.Backend
    static let entry = SystemEntry(name: "reader-shop", summary: "Reads its receipt late.")
  }
#endif

@Suite("A hosted app on the simulated phone itself", .serialized)
struct HostedPhoneTests {
  /// One person buys the first product, and half a minute later the last.
  private func run<System: HostedSystem>(
    _: System.Type, _ products: [Setup.Product], begins: Int64 = 1_700_000_000,
    phones: Int = 1, _ plan: Plan = Plan()
  ) -> Record {
    var setup = Setup()
    setup.devices = Array(repeating: .init(), count: phones)
    setup.beginsSeconds = begins
    setup.products = products
    setup.retaps = 0
    setup.reopenEveryMillis = nil
    setup.steps = [
      .init(atMillis: 1_000, .buy(product: 0, quantity: 1, account: 0)),
      .init(atMillis: 30_000, .buy(product: products.count - 1, quantity: 1, account: 0)),
    ]
    setup.healMillis = 50_000
    setup.horizonMillis = 60_000
    return Simulation(Scenario(name: "phone", system: AnySystem(System.self), setup: setup))
      .record(seed: nil, plan: plan)
  }

  @Test(
    "An app that asks for its products before anybody has tapped may get an error, as after a tap")
  func products() throws {
    func log(_ plan: String) throws -> [String] {
      CuriousApp.log.withLock { $0 = [] }
      let record = run(
        CuriousShop.self, [.init("coins")], begins: 1_800_000_000, try Plan(parsing: plan))
      #expect(record.problems == [])
      #expect(record.unmatched == [])
      return CuriousApp.log.withLock { $0 }
    }
    let usual = try log("")
    #expect(usual.prefix(3) == ["began 1800000000", "received 1", "1 products"])
    #expect(usual.contains("bought 1800000001"), "\(usual)")
    #expect(try log("fail store.products phone1 #1").prefix(2) == ["began 1800000000", "failed 0"])
    let tapped = try log("fail store.products tx1 #1")
    #expect(tapped.prefix(2) == ["began 1800000000", "received 1"])
    #expect(tapped.dropFirst(2).first?.contains("network") == true, "\(tapped)")
  }

  @Test("Transaction.unfinished has the newest transaction first, as the store has it")
  func unfinished() throws {
    HoarderApp.log.withLock { $0 = [] }
    let record = run(HoarderShop.self, [.init("coins"), .init("gems")])
    #expect(record.problems == [])
    let found = HoarderApp.log.withLock { $0 }
    #expect(found.map(\.count) == [1, 2])
    let first = try #require(found.first?.first)
    #expect(found.last == [first + 1, first])
  }

  @Test("Each of two restores is told that it is over, and a payment that waits is not restored")
  func restoring() {
    ForgetfulApp.log.withLock { $0 = [] }
    let record = run(ForgetfulShop.self, [.init("map", isConsumable: false)])
    #expect(record.problems == [])
    let log = ForgetfulApp.log.withLock { $0 }
    #expect(log.prefix(2) == ["1: purchasing", "1: purchased"], "\(log)")
    #expect(log.contains("2: purchasing"), "\(log)")
    #expect(!log.contains("2: restored"), "\(log)")
    #expect(log.contains("3: restored"), "\(log)")
    #expect(log.filter { $0 == "the end of a restore" }.count == 2, "\(log)")
  }

  @Test("Who is resumed by another phone's code, by way of a global, wakes when they have slept")
  func relay() {
    RelayApp.log.withLock { $0 = [] }
    _ = run(RelayShop.self, [.init("coins")], phones: 2)
    #expect(RelayApp.log.withLock { $0 } == ["phone2 at 6"])
  }

  #if os(Linux)
    @Test("Who has opened the receipt reads what it held then, though another has taken its place")
    func heldReceipt() {
      ReaderApp.log.withLock { $0 = [] }
      let record = run(ReaderShop.self, [.init("coins"), .init("gems")])
      #expect(record.problems == [])
      #expect(ReaderApp.log.withLock { $0 } == [true, true, true])
    }
  #endif
}
