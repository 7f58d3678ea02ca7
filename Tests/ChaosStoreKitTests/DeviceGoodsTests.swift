import Foundation
import Invariants
import TestSupport
import Testing

@testable import ChaosStore
@testable import StoreKit

/// A StoreKit 2 manager without a backend: coins are in UserDefaults, a map is an entitlement.
@MainActor
private class PocketShop: SimulatedApp {
  let device: SimulatedDevice
  private let defaults = UserDefaults.standard
  private var buying: Set<String> = []
  private(set) var unlocked: Set<String> = []

  required init(device: SimulatedDevice) {
    self.device = device
    Task { [weak self] in
      for await result in Transaction.updates { await self?.handle(result) }
    }
    Task { [weak self] in
      while !Task.isCancelled {
        for await result in Transaction.unfinished { await self?.handle(result) }
        await self?.lookAtEntitlements()
        try? await Task.sleep(for: .seconds(30))
      }
    }
  }

  /// An error does not say that nothing was charged, so the next payment waits. purchase() may not come
  /// back at all: what was charged is found among the unfinished.
  func buy(_ productID: String) async -> PurchaseMessage {
    guard buying.insert(productID).inserted else { return .pending }
    Task {
      try? await Task.sleep(for: .seconds(25))
      device.show(.pending, about: productID)
      buying.remove(productID)
    }
    guard let product = try? await Product.products(for: [productID]).first,
      case .success(let result) = try? await product.purchase(),
      case .verified = result
    else { return .pending }
    await handle(result)
    return .success
  }

  func handle(_ result: VerificationResult<Transaction>) async {
    guard case .verified(let transaction) = result else { return }
    if transaction.productType == .consumable {
      if transaction.revocationDate == nil { handOut(transaction) }
    } else {
      await lookAtEntitlements()
    }
    await transaction.finish()
    if transaction.revocationDate == nil {
      device.show(.success, aboutTransaction: transaction.id)
    }
  }

  /// What coins were given for is the record of the coins as well, so that none is there without the other;
  /// and it is on the disk before the transaction is finished.
  func handOut(_ transaction: Transaction) {
    let id = "\(transaction.id)"
    var handled = defaults.stringArray(forKey: "handled") ?? []
    guard !remembers || !handled.contains(id) else { return }
    handled.append(id)
    defaults.set(handled, forKey: "handled")
    defaults.set(defaults.integer(forKey: "coins") + 100, forKey: "coins")
    if tells { device.delivered(transaction.id) }
    if writesFirst { defaults.synchronize() }
  }

  func lookAtEntitlements() async {
    unlocked = []
    for await case .verified(let transaction) in Transaction.currentEntitlements {
      unlocked.insert(transaction.productID)
    }
  }

  var remembers: Bool { true }
  var writesFirst: Bool { true }
  var tells: Bool { true }
}

/// The same, and not a word of it to the device: the number of coins is watched.
private class UntoldShop: PocketShop {
  required init(device: SimulatedDevice) {
    device.watchBalance(forKey: "coins", amounts: ["coins": 100])
    super.init(device: device)
  }
  override var tells: Bool { false }
}

private final class UntoldLateWriter: UntoldShop {
  override var writesFirst: Bool { false }
}

private final class UntoldForgetful: UntoldShop {
  override var remembers: Bool { false }
}

/// Finishes while the coins are in memory alone.
private final class LateWriter: PocketShop {
  override var writesFirst: Bool { false }
}

/// Hands out coins for whatever comes.
private final class Forgetful: PocketShop {
  override var remembers: Bool { false }
}

/// Says what it hands out before or after the write, which is on the disk at once.
private class OrderlyShop: PocketShop {
  var saysFirst: Bool { true }

  override func handOut(_ transaction: Transaction) {
    let defaults = UserDefaults.standard
    let id = "\(transaction.id)"
    let handled = defaults.stringArray(forKey: "handled") ?? []
    guard !handled.contains(id) else { return }
    if saysFirst { device.delivered(transaction.id) }
    defaults.set(handled + [id], forKey: "handled")
    defaults.synchronize()
    if !saysFirst { device.delivered(transaction.id) }
  }
}

private final class SaysAfterTheWrite: OrderlyShop {
  override var saysFirst: Bool { false }
}

/// The same with StoreKit 1, whose coins are in a file; maps are, too, as StoreKit 1 has no entitlements.
@MainActor
private final class PocketShop1: NSObject, SimulatedApp, SKPaymentTransactionObserver {
  private let device: SimulatedDevice
  private var buying: Set<String> = []

  init(device: SimulatedDevice) {
    self.device = device
    super.init()
    SKPaymentQueue.default().add(self)
    Task { [weak self] in
      while !Task.isCancelled {
        try? await Task.sleep(for: .seconds(30))
        guard let self else { return }
        // What is unfinished is called back to an observer that is added.
        SKPaymentQueue.default().remove(self)
        SKPaymentQueue.default().add(self)
      }
    }
  }

  func buy(_ productID: String) async -> PurchaseMessage {
    guard buying.insert(productID).inserted else { return .pending }
    SKPaymentQueue.default().add(SKMutablePayment(productIdentifier: productID))
    try? await Task.sleep(for: .seconds(25))
    buying.remove(productID)
    return .pending
  }

  nonisolated func paymentQueue(
    _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
  ) {
    MainActor.assumeIsolated { for transaction in transactions { handle(transaction, queue) } }
  }

  private func handle(_ transaction: SKPaymentTransaction, _ queue: SKPaymentQueue) {
    switch transaction.transactionState {
    case .failed: queue.finishTransaction(transaction)
    case .purchased, .restored:
      let id = (transaction.original ?? transaction).transactionIdentifier ?? ""
      var handled =
        device.files.contents("wallet").map { String(decoding: $0, as: UTF8.self) } ?? ""
      if !handled.contains("<\(id)>") {
        handled += "<\(id)>"
        device.delivered(transaction)
        device.files.write(Data(handled.utf8), to: "wallet", isSynchronous: true)
      }
      queue.finishTransaction(transaction)
      device.show(.success, about: transaction)
    default: break
    }
  }
}

private enum Mixed: HostedSystem {
  typealias App = HostedApp<PocketShop>
  typealias Backend = ExactlyOnce.Backend
  static var entry: SystemEntry {
    SystemEntry(name: "mixed-shop", summary: "Says what it has no say in.", backends: [.idempotent])
  }
}

private enum Pocket<App: SimulatedApp>: HostedSystem {
  typealias App = HostedApp<App>
  typealias Backend = NoBackend
  static var entry: SystemEntry {
    SystemEntry(name: "pocket-shop", summary: "An app without a backend.", backends: [.naive])
  }
}

@Suite("Apps without a backend")
struct DeviceGoodsTests {
  private static let seeds = whereOptimised(0..<1000, otherwise: 0..<200) as Range<UInt64>

  /// What breaks in the default worlds, and with which plan.
  private func broken(_ system: AnySystem) throws -> [String: String] {
    var found: [String: String] = [:]
    for world in try PropertyTest.scenarios(for: system) {
      var budget = Budget(seeds: whereOptimised(0..<300, otherwise: 0..<100))
      budget.jobs = 1
      let findings = Portfolio().search(world, budget)
      #expect(findings.unfit == nil)
      for (index, rule) in world.invariants.enumerated() where findings.rules[index].runs > 0 {
        let plan = findings.rules[index].smallestPlan.map { "\($0)" } ?? "no plan"
        found["\(rule.code) in \(world.name)"] = plan
      }
    }
    return found
  }

  @Test("One that keeps its goods with its own record of them is blamed for nothing")
  func soundApps() throws {
    try PropertyTest.check(Pocket<PocketShop>.self, seeds: Self.seeds)
    // Where StoreKit 1 does not call back, only a receipt helps, which this one does not read.
    try PropertyTest.check(
      Pocket<PocketShop1>.self,
      faults: [
        .appCrash, .finishLost, .reinstall, .backupRestored, .doubleTap, .recordLost,
        .duplicateCallback,
        .replayFinished, .accountSwitch,
      ], seeds: Self.seeds)
  }

  @Test("One whose number of coins is watched is judged as one that says what it hands out")
  func watched() throws {
    try PropertyTest.check(Pocket<UntoldShop>.self, seeds: Self.seeds)
    let late = try broken(AnySystem(Pocket<UntoldLateWriter>.self))
    #expect(late.keys.contains { $0.hasPrefix("I01") }, "\(late)")
    #expect(!late.keys.contains { $0.hasPrefix("I02") }, "\(late)")
    let forgetful = try broken(AnySystem(Pocket<UntoldForgetful>.self))
    #expect(forgetful.keys.contains { $0.hasPrefix("I02") }, "\(forgetful)")
  }

  @Test("What is added to a watched key belongs to what was given, and to nothing twice")
  func watchedKeys() {
    func transaction(
      _ id: UInt32, _ productID: String, _ quantity: Int = 1, doubt: StoreDoubt? = nil
    ) -> StoreTransaction {
      var transaction = StoreTransaction.of(productID, id: UInt64(id), quantity: quantity)
      transaction.underlying = PaymentTransaction(
        id: TransactionID(id), row: .none, intent: .none, original: .none, product: .none,
        quantity: UInt32(quantity), state: .purchased, token: .none, isFinished: false,
        chargedMillis: 0, revokedMillis: nil)
      transaction.underlying.doubt = doubt?.rawValue ?? 0
      return transaction
    }
    func data(_ number: Int) -> Data { StoredValue.integer(number).encoded }
    var goods = WatchedGoods()
    goods.watch("coins", .balance(["coins": 100, "chest": 500]), isShown: false)
    goods.watch("premium", .owned("map"), isShown: false)
    goods.give(transaction(1, "coins"))
    goods.give(transaction(2, "coins"))
    goods.give(transaction(3, "chest", 2))
    let (one, two, three) = (TransactionID(1), TransactionID(2), TransactionID(3))
    #expect(goods.handedOut("coins", from: data(5), to: data(105)) == [two])
    #expect(goods.handedOut("coins", from: data(105), to: data(205)) == [one])
    #expect(goods.handedOut("coins", from: data(205), to: data(305)) == [two], "once more")
    #expect(goods.handedOut("coins", from: data(305), to: data(205)) == [], "spent")
    #expect(goods.handedOut("coins", from: data(205), to: data(1205)) == [three])
    #expect(goods.handedOut("coins", from: data(0), to: data(7)) == nil, "a present")
    #expect(goods.handedOut("other", from: nil, to: data(100)) == [])
    #expect(goods.handedOut("premium", from: nil, to: data(1)) == nil, "given by nobody")
    goods.give(transaction(4, "map"))
    #expect(goods.handedOut("premium", from: nil, to: data(1)) == [TransactionID(4)])
    goods.give(transaction(5, "coins"))
    goods.give(transaction(6, "coins"))
    #expect(
      goods.handedOut("coins", from: nil, to: data(200)) == [TransactionID(5), TransactionID(6)])

    // What cannot be verified is owed to nobody: goods are for it only if the app heard of it last.
    goods.give(transaction(7, "coins", doubt: .invalidSignature))
    #expect(goods.handedOut("coins", from: nil, to: data(100)) == [TransactionID(7)])
    goods.give(transaction(6, "coins"))
    #expect(goods.handedOut("coins", from: nil, to: data(100)) == [TransactionID(6)], "once more")
    goods.give(transaction(8, "coins", doubt: .invalidSignature))
    goods.give(transaction(8, "coins"))
    #expect(goods.handedOut("coins", from: nil, to: data(100)) == [TransactionID(8)], "verified")

    // Of two that are there it is for the one that the app has looked at last.
    goods.give(transaction(9, "coins"))
    goods.give(transaction(10, "coins"))
    goods.look(at: TransactionID(9))
    #expect(goods.handedOut("coins", from: nil, to: data(100)) == [TransactionID(9)])
    goods.look(at: TransactionID(9))
    #expect(goods.handedOut("coins", from: nil, to: data(100)) == [TransactionID(10)], "not twice")
  }

  @Test("One that finishes before its goods are on the disk loses them with the process")
  func lateWriters() throws {
    let found = try broken(AnySystem(Pocket<LateWriter>.self))
    #expect(found.keys.contains { $0.hasPrefix("I01") }, "\(found)")
    #expect(!found.keys.contains { $0.hasPrefix("I02") }, "\(found)")
  }

  @Test("One that says what it hands out in the line before the write is blamed for nothing")
  func saysBeforeTheWrite() throws {
    try PropertyTest.check(Pocket<OrderlyShop>.self, seeds: Self.seeds)
    // The app may die between a write that is on the disk and what is said after it.
    let after = try broken(AnySystem(Pocket<SaysAfterTheWrite>.self))
    #expect(after.keys.contains { $0.hasPrefix("I01") }, "\(after)")
  }

  @Test("Who has a backend cannot say that goods are on the device: the run has no verdict")
  func withBackend() throws {
    let world = try #require(PropertyTest.scenarios(for: AnySystem(Mixed.self)).first)
    let findings = RandomSearch().search(world, Budget(seeds: 0..<10))
    #expect(findings.problems.contains { $0.text.contains("typealias Backend = NoBackend") })
  }

  @Test("One that forgets what it has handed out hands it out twice")
  func forgetfulApps() throws {
    let found = try broken(AnySystem(Pocket<Forgetful>.self))
    #expect(found.keys.contains { $0.hasPrefix("I02") }, "\(found)")
  }
}
