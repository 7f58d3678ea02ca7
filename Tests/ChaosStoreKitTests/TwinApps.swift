import ChaosStore
import Foundation
import Invariants
import Synchronization

@testable import StoreKit

// Apps that let one product be bought several times at once, each asking for the purchase by another
// way through Swift's concurrency. A sound one reports what was charged and says nothing that it does
// not know; its unsound twin pays again after an error, and so charges twice for one wish.

/// How a purchase gets from the tap to StoreKit.
@MainActor
protocol PurchaseWay {
  static func buy(
    _ product: Product, for token: UUID, _ purchase: @escaping Purchase, _ shop: TwinShop
  ) async throws -> VerificationResult<Transaction>?
}

typealias Purchase =
  @MainActor @Sendable (Product, UUID) async throws -> VerificationResult<Transaction>?

enum InOneCall: PurchaseWay {
  static func buy(
    _ product: Product, for token: UUID, _ purchase: @escaping Purchase, _ shop: TwinShop
  ) async throws -> VerificationResult<Transaction>? { try await purchase(product, token) }
}

enum InTask: PurchaseWay {
  static func buy(
    _ product: Product, for token: UUID, _ purchase: @escaping Purchase, _ shop: TwinShop
  ) async throws -> VerificationResult<Transaction>? {
    try await Task { try await purchase(product, token) }.value
  }
}

enum InDetachedTask: PurchaseWay {
  static func buy(
    _ product: Product, for token: UUID, _ purchase: @escaping Purchase, _ shop: TwinShop
  ) async throws -> VerificationResult<Transaction>? {
    try await Task.detached { try await purchase(product, token) }.value
  }
}

enum InChildTasks: PurchaseWay {
  static func buy(
    _ product: Product, for token: UUID, _ purchase: @escaping Purchase, _ shop: TwinShop
  ) async throws -> VerificationResult<Transaction>? {
    try await Task.detached {
      async let bought = withThrowingTaskGroup(of: VerificationResult<Transaction>?.self) { group in
        group.addTask { try await purchase(product, token) }
        return try await group.next() ?? nil
      }
      return try await bought
    }.value
  }
}

enum ByActor: PurchaseWay {
  private actor Cashier {
    func buy(_ product: Product, for token: UUID, _ purchase: Purchase) async throws
      -> VerificationResult<Transaction>?
    { try await purchase(product, token) }
  }

  static func buy(
    _ product: Product, for token: UUID, _ purchase: @escaping Purchase, _ shop: TwinShop
  ) async throws -> VerificationResult<Transaction>? {
    let cashier = shop.kept(Cashier.self) { Cashier() }
    return try await cashier.buy(product, for: token, purchase)
  }
}

enum OnQueue: PurchaseWay {
  static func buy(
    _ product: Product, for token: UUID, _ purchase: @escaping Purchase, _ shop: TwinShop
  ) async throws -> VerificationResult<Transaction>? {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "shop").async {
        DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(2)) {
          Task.detached {
            do {
              continuation.resume(returning: try await purchase(product, token))
            } catch {
              continuation.resume(throwing: error)
            }
          }
        }
      }
    }
  }
}

/// Purchases one after the other; whoever is done resumes who waits.
enum InTurn: PurchaseWay {
  @MainActor
  private final class Turns: Sendable {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
      if isTaken { await withCheckedContinuation { waiting.append($0) } }
      isTaken = true
    }

    func giveBack() {
      isTaken = false
      if !waiting.isEmpty { waiting.removeFirst().resume() }
    }
  }

  static func buy(
    _ product: Product, for token: UUID, _ purchase: @escaping Purchase, _ shop: TwinShop
  ) async throws -> VerificationResult<Transaction>? {
    let turns = shop.kept(Turns.self) { Turns() }
    await turns.take()
    defer { turns.giveBack() }
    return try await purchase(product, token)
  }
}

/// A loop, begun at launch, that works off what is put into a stream: nobody can tell for whom.
enum ByWorker: PurchaseWay {
  private typealias Order = @MainActor @Sendable () async -> Void

  static func begin(_ shop: TwinShop) {
    let (orders, input) = AsyncStream<@MainActor @Sendable () async -> Void>.makeStream()
    _ = shop.kept(Box.self) { Box(input) }
    Task { for await order in orders { await order() } }
  }

  private final class Box: Sendable {
    let input: AsyncStream<@MainActor @Sendable () async -> Void>.Continuation
    init(_ input: AsyncStream<@MainActor @Sendable () async -> Void>.Continuation) {
      self.input = input
    }
  }

  static func buy(
    _ product: Product, for token: UUID, _ purchase: @escaping Purchase, _ shop: TwinShop
  ) async throws -> VerificationResult<Transaction>? {
    guard let box = shop.keptAlready(Box.self) else { return nil }
    return try await withCheckedThrowingContinuation { continuation in
      box.input.yield {
        do {
          continuation.resume(returning: try await purchase(product, token))
        } catch {
          continuation.resume(throwing: error)
        }
      }
    }
  }
}

/// Gathers for a moment what is wanted, and buys it all in the task of whoever came first.
enum Gathered: PurchaseWay {
  @MainActor
  private final class Basket: Sendable {
    var orders: [@MainActor @Sendable () async -> Void] = []
  }

  static func buy(
    _ product: Product, for token: UUID, _ purchase: @escaping Purchase, _ shop: TwinShop
  ) async throws -> VerificationResult<Transaction>? {
    let basket = shop.kept(Basket.self) { Basket() }
    return try await withCheckedThrowingContinuation { continuation in
      basket.orders.append {
        do {
          continuation.resume(returning: try await purchase(product, token))
        } catch {
          continuation.resume(throwing: error)
        }
      }
      guard basket.orders.count == 1 else { return }
      Task {
        try? await Task.sleep(for: .seconds(4))
        let orders = basket.orders
        basket.orders = []
        for order in orders { await order() }
      }
    }
  }
}

/// The StoreKit 2 manager that all of them share.
@MainActor
final class TwinShop: Sendable {
  private let device: SimulatedDevice
  private var kept: [ObjectIdentifier: AnyObject & Sendable] = [:]
  private var reports: [UInt64: Task<Bool, Never>] = [:]
  private var updates: Task<Void, Never>?

  init(_ device: SimulatedDevice) {
    self.device = device
    updates = Task { [weak self] in
      for await result in Transaction.updates { await self?.deliverAndTell(result) }
    }
    Task { for await result in Transaction.unfinished { await deliverAndTell(result) } }
  }

  func kept<Kept: AnyObject & Sendable>(_ type: Kept.Type, _ make: () -> Kept) -> Kept {
    if let made = keptAlready(type) { return made }
    let made = make()
    kept[ObjectIdentifier(type)] = made
    return made
  }

  func keptAlready<Kept: AnyObject & Sendable>(_ type: Kept.Type) -> Kept? {
    kept[ObjectIdentifier(type)] as? Kept
  }

  func buy(_ productID: String, _ way: any PurchaseWay.Type, paysAgain: Bool) async
    -> PurchaseMessage
  {
    let token = device.account.token
    // What is bought may take its time, or come at the next launch only.
    device.show(.pending, about: productID)
    guard let product = try? await Product.products(for: [productID]).first else { return .pending }
    var bought = try? await way.buy(product, for: token, purchase, self)
    if bought == nil, paysAgain {
      try? await Task.sleep(for: .seconds(20))
      bought = try? await way.buy(product, for: token, purchase, self)
    }
    // An error does not say that nothing was charged.
    guard let bought = bought ?? nil else { return .pending }
    return await deliver(bought) && isOwn(bought, token) ? .success : .pending
  }

  private func purchase(_ product: Product, _ token: UUID) async throws
    -> VerificationResult<Transaction>?
  {
    switch try await product.purchase(options: [.appAccountToken(token)]) {
    case .success(let result): return result
    default: return nil
    }
  }

  /// Whether it is this person's purchase; StoreKit may answer a tap with another's.
  private func isOwn(_ result: VerificationResult<Transaction>, _ token: UUID) -> Bool {
    guard case .verified(let transaction) = result else { return false }
    return transaction.appAccountToken == token
  }

  private func deliverAndTell(_ result: VerificationResult<Transaction>) async {
    guard case .verified(let transaction) = result, await deliver(result),
      isOwn(result, device.account.token)
    else { return }
    device.show(.success, aboutTransaction: transaction.id)
  }

  /// Reports a transaction until there is a final answer, then finishes it.
  private func deliver(_ result: VerificationResult<Transaction>) async -> Bool {
    guard case .verified(let transaction) = result else { return false }
    if let report = reports[transaction.id] {
      let isDelivered = await report.value
      await transaction.finish()
      return isDelivered
    }
    let jws = result.jwsRepresentation
    let report = Task { await self.report(transaction, jws) }
    reports[transaction.id] = report
    return await report.value
  }

  private func report(_ transaction: Transaction, _ jws: String) async -> Bool {
    while !Task.isCancelled {
      let request = BackendRequest(
        jws: jws, transactionID: transaction.id, token: device.account.token)
      let outcome = (try? await device.backend.send(request))?.outcome
      if outcome == .delivered || outcome == .alreadyDelivered || outcome == .refused {
        await transaction.finish()
        return outcome != .refused
      }
      try? await Task.sleep(for: .seconds(8))
    }
    return false
  }
}

/// Whether a way's app pays again after an error.
protocol Soundness { static var paysAgain: Bool { get } }
enum Sound: Soundness { static var paysAgain: Bool { false } }
enum PaysAgain: Soundness { static var paysAgain: Bool { true } }

final class TwinApp<Way: PurchaseWay, Kind: Soundness>: SimulatedApp {
  private let shop: TwinShop

  init(device: SimulatedDevice) {
    shop = TwinShop(device)
    if Way.self == ByWorker.self { ByWorker.begin(shop) }
  }

  func buy(_ productID: String) async -> PurchaseMessage {
    await shop.buy(productID, Way.self, paysAgain: Kind.paysAgain)
  }
}

enum TwinSystem<Way: PurchaseWay, Kind: Soundness>: HostedSystem {
  typealias App = HostedApp<TwinApp<Way, Kind>>
  typealias Backend = HostedBackend<TwinBackend>
  static var entry: SystemEntry {
    SystemEntry(
      name: "twin-\(Way.self)-\(Kind.self)".lowercased(),
      summary: "Buys one product several times.",
      backends: [.idempotent])
  }
}

/// StoreKit 1: pays for each tap, and finds whom to tell by the payment's transaction.
final class ClassicTwinApp<Kind: Soundness>: NSObject, SimulatedApp, SKPaymentTransactionObserver {
  private let device: SimulatedDevice
  private var reporting: Set<String> = []
  private var settled: Set<String> = []

  init(device: SimulatedDevice) {
    self.device = device
    super.init()
    SKPaymentQueue.default().add(self)
  }

  func buy(_ productID: String) async -> PurchaseMessage {
    // Not from the tap's own task: a queue in between, as many managers have one.
    DispatchQueue.global().async { [token = device.account.token] in
      DispatchQueue.main.async {
        let payment = SKMutablePayment()
        payment.productIdentifier = productID
        payment.applicationUsername = token.uuidString
        SKPaymentQueue.default().add(payment)
      }
    }
    return .pending
  }

  nonisolated func paymentQueue(
    _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
  ) {
    MainActor.assumeIsolated {
      for transaction in transactions {
        switch transaction.transactionState {
        case .purchased, .restored: report(transaction)
        case .failed:
          queue.finishTransaction(transaction)
          if Kind.paysAgain { payAgain(transaction.payment) }
        default: break
        }
      }
    }
  }

  private func payAgain(_ payment: SKPayment) {
    Task {
      try? await Task.sleep(for: .seconds(20))
      SKPaymentQueue.default().add(payment)
    }
  }

  private func report(_ transaction: SKPaymentTransaction) {
    guard let id = transaction.transactionIdentifier else { return }
    if settled.contains(id) { return SKPaymentQueue.default().finishTransaction(transaction) }
    guard reporting.insert(id).inserted else { return }
    Task {
      while !Task.isCancelled {
        let request = BackendRequest(transactionID: UInt64(id), token: device.account.token)
        let outcome = (try? await device.backend.send(request))?.outcome
        if outcome == .delivered || outcome == .alreadyDelivered || outcome == .refused {
          SKPaymentQueue.default().finishTransaction(transaction)
          settled.insert(id)
          let owner = transaction.payment.applicationUsername
          if outcome != .refused, owner == device.account.token.uuidString {
            // By the product: who is meant is who began this.
            device.show(.success, about: transaction.payment.productIdentifier)
          }
          return
        }
        try? await Task.sleep(for: .seconds(8))
      }
    }
  }
}

enum ClassicTwinSystem<Kind: Soundness>: HostedSystem {
  typealias App = HostedApp<ClassicTwinApp<Kind>>
  typealias Backend = HostedBackend<TwinBackend>
  static var entry: SystemEntry {
    SystemEntry(
      name: "twin-classic-\(Kind.self)".lowercased(), summary: "Buys one product several times.",
      backends: [.idempotent])
  }
}

/// Asks Apple, finds the owner by the account token, and enters each transaction with its credit.
final class TwinBackend: SimulatedBackend {
  init(_ kind: BackendKind) {}

  func handle(_ request: ReceivedRequest, _ services: BackendServices) async -> BackendResponse {
    guard let answer = await services.verify(.transaction) else { return BackendResponse(.retry) }
    switch answer.class {
    case .retry, .notFound: return BackendResponse(.retry)
    case .permanent, .otherEnvironment: return BackendResponse(.refused)
    case .valid: break
    }
    var outcome = Reply.Outcome.refused
    for purchase in services.purchases(in: answer)
    where purchase.isOurs && !purchase.transaction.isNone {
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
