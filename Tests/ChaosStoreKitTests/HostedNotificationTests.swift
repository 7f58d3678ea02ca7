import ChaosStore
import Foundation
import Invariants
import Testing

@testable import StoreKit

/// Buys, and reports what it is handed until the backend has decided.
final class ReportingApp: SimulatedApp {
  private let device: SimulatedDevice

  init(device: SimulatedDevice) {
    self.device = device
    Task { [weak self] in
      for await result in Transaction.updates { await self?.report(result) }
    }
    Task { [weak self] in
      for await result in Transaction.unfinished { await self?.report(result) }
    }
  }

  func buy(_ productID: String) async -> PurchaseMessage {
    guard let product = try? await Product.products(for: [productID]).first else {
      return .failure
    }
    let owner = device.account.token
    guard let outcome = try? await product.purchase(options: [.appAccountToken(owner)]) else {
      return .pending
    }
    switch outcome {
    case .success(let result): return await report(result) ? .success : .pending
    case .userCancelled: return .failure
    case .pending: return .pending
    @unknown default: return .pending
    }
  }

  @discardableResult
  private func report(_ result: VerificationResult<Transaction>) async -> Bool {
    guard case .verified(let transaction) = result else { return false }
    let request = BackendRequest(jws: result.jwsRepresentation, transactionID: transaction.id)
    while !Task.isCancelled {
      if let answer = try? await device.backend.send(request) {
        if answer.isDelivered || answer.outcome == .refused {
          await transaction.finish()
          return answer.isDelivered
        }
      }
      try? await Task.sleep(for: .seconds(8))
    }
    return false
  }
}

/// Looks up how things stand whenever anybody says that they have changed, and every day what nobody could say.
class SettlingBackend: SimulatedBackend {
  required init(_ kind: BackendKind) {}

  func started(_ services: BackendServices) async {
    while !Task.isCancelled {
      try? await Task.sleep(for: .seconds(86_400))
      for environment in [Environment.production, .sandbox] {
        let missed = try? await services.appStore(environment).undeliveredNotifications()
        for news in missed ?? [] { _ = await settle(news.transaction, environment, services) }
      }
    }
  }

  func handle(_ request: ReceivedRequest, _ services: BackendServices) async -> BackendResponse {
    BackendResponse(await settle(request.transaction, .production, services))
  }

  func notified(
    _ notification: StoreNotification, _ services: BackendServices
  ) async -> BackendResponse {
    guard notification.isSigned else { return BackendResponse(.refused) }
    let outcome = await settle(notification.transaction, notification.environment, services)
    return BackendResponse(outcome == .retry ? .serverError : .alreadyDelivered)
  }

  func perform(_ job: BackendJob, _ services: BackendServices) async {}

  func enter(
    _ purchase: VerifiedPurchase, _ owner: AccountID, _ services: BackendServices
  ) async -> Server.Commit { await services.settle(purchase, to: owner) }

  func settle(
    _ id: TransactionID, _ environment: Environment, _ services: BackendServices
  ) async -> Reply.Outcome {
    do {
      let purchase = try await services.appStore(environment).transaction(id)
      let owner = services.owner(of: purchase)
      guard !owner.isNone else { return .refused }
      if purchase.isSubscription {
        let status = try await services.appStore(environment).subscription(of: id)
        let commit = await services.entitle(purchase, to: owner, until: status.untilMillis)
        return commit.isThere ? .delivered : .retry
      }
      switch await enter(purchase, owner, services) {
      case .credited: return .delivered
      case .alreadyThere: return purchase.isRefunded ? .refused : .alreadyDelivered
      case .unavailable, .unknown: return .retry
      }
    } catch {
      guard case .refused = error else { return .retry }
      return .refused
    }
  }
}

/// Does what each notification says, once for each number that a notification has.
private final class BelievingBackend: SettlingBackend {
  private static let done = Server.Table("notifications")

  override func started(_ services: BackendServices) async { services.startsNothing() }

  override func enter(
    _ purchase: VerifiedPurchase, _ owner: AccountID, _ services: BackendServices
  ) async -> Server.Commit { await services.commit(purchase, to: owner) }

  override func notified(
    _ notification: StoreNotification, _ services: BackendServices
  ) async -> BackendResponse {
    guard notification.isSigned else { return BackendResponse(.refused) }
    let thousandths =
      switch notification.kind {
      case .refunded: notification.purchase.refunded
      case .refundReversed: -1000
      default: 0
      }
    guard thousandths != 0 else { return BackendResponse(.alreadyDelivered) }
    let written = await services.transaction {
      $0.insert(into: Self.done, at: "\(notification.number)")
      $0.takeBack(notification.purchase, thousandths: thousandths)
    }
    let isDone = written == .written || written == .alreadyThere
    return BackendResponse(isDone ? .alreadyDelivered : .serverError)
  }
}

/// Lets somebody use what the last notification says that they have paid for.
private final class RenewingBackend: SettlingBackend {
  override func notified(
    _ notification: StoreNotification, _ services: BackendServices
  ) async -> BackendResponse {
    guard notification.isSigned, let status = notification.status else {
      return BackendResponse(.alreadyDelivered)
    }
    let owner = services.owner(of: notification.purchase)
    let commit = await services.entitle(
      notification.purchase, to: owner, until: status.untilMillis)
    return BackendResponse(commit.isThere ? .alreadyDelivered : .serverError)
  }
}

enum NotifiedShop<Backend: SimulatedBackend>: HostedSystem {
  typealias App = HostedApp<ReportingApp>
  typealias Backend = HostedBackend<Backend>
  static var entry: SystemEntry {
    SystemEntry(name: "notified-shop-\(Backend.self)", summary: "Hears of refunds.")
  }
}

@Suite struct `Hosted backends that are told by Apple` {
  private static let day: Int64 = 86_400_000

  private func scenario(_ system: AnySystem, _ product: Setup.Product = .init("coins")) -> Scenario
  {
    var setup = Setup()
    setup.retaps = 0
    setup.products = [product]
    setup.steps = [.init(atMillis: 1000, .buy(product: 0, quantity: 1, account: 0))]
    setup.reopenEveryMillis = nil
    setup.sittings = .init(everyMillis: 3 * Self.day, forMillis: 300_000)
    setup.healMillis = 20 * Self.day
    setup.horizonMillis = 45 * Self.day
    setup.backend = .idempotent
    setup.isWholeStore = true
    return Scenario(name: system.entry.name, system: system, setup: setup)
  }

  private func broken(
    _ system: AnySystem, _ plan: String, _ product: Setup.Product = .init("coins")
  ) throws -> [String] {
    let record = Simulation(scenario(system, product))
      .record(seed: nil, plan: try Plan(parsing: plan))
    #expect(record.unmatched == [] && record.problems.isEmpty, "\(plan)")
    return record.violations.map { Catalogue.invariants[$0.rule].code }
  }

  private static let refund =
    "refund store.charge tx1 #1, delay store.refund tx1 #1 = \(5 * day)ms"
  private static let reversed =
    refund + ", reverse store.refund tx1 #1, delay store.reversal tx1 #1 = \(4 * day)ms"
  private static let pro = Setup.Product("pro", .autoRenewable(.init(Period(1, .month))))

  static let plans = [
    "", refund, refund + ", prorate store.refund tx1 #1 = 250", reversed,
    refund + ", repeat store.notification tx1 #2, duplicate store.notification tx1 #2",
    refund + (2...7).map { ", drop store.notification tx1 #\($0)" }.joined(),
    reversed + (2...6).map { ", drop store.notification tx1 #\($0)" }.joined(),
    "forge store.notification tx1 #1", "hasten store.notification tx1 #1",
  ]

  @Test(arguments: plans)
  func `Who looks up what has changed leaves everybody with what they paid for`(plan: String) throws
  {
    #expect(try broken(AnySystem(NotifiedShop<SettlingBackend>.self), plan) == [])
  }

  @Test func `Who looks up what has changed breaks nothing under all faults of refunds`() {
    for product in [Setup.Product("coins"), Self.pro] {
      var scenario = scenario(AnySystem(NotifiedShop<SettlingBackend>.self), product)
      // The app is not made for other faults, such as a double tap.
      scenario.setup.mix = FaultMix([
        .notificationLost, .notificationTwice, .notificationRepeated, .notificationOvertaken,
        .notificationDelayed, .notificationEarly, .notificationForged, .refund, .refundReversed,
        .refundUnannounced, .verifierOutage, .commitUnknown, .serverCrash,
      ])
      var budget = Budget(seeds: 0..<200)
      budget.jobs = 1
      let findings = RandomSearch().search(scenario, budget)
      #expect(findings.unfit == nil)
      #expect(findings.rules.allSatisfy { $0.runs == 0 }, "\(product.name)")
    }
  }

  @Test func `Who does what notifications say does it for each number that the news has`() throws {
    let system = AnySystem(NotifiedShop<BelievingBackend>.self)
    #expect(try broken(system, Self.refund) == [])
    #expect(try broken(system, Self.reversed) == [])
    #expect(
      try broken(system, Self.refund + ", duplicate store.notification tx1 #2") == [])
    #expect(
      try broken(system, Self.refund + ", repeat store.notification tx1 #2").contains("I07"))
    let lost = (2...7).map { ", drop store.notification tx1 #\($0)" }.joined()
    #expect(try broken(system, Self.refund + lost).contains("I10"))
  }

  @Test func `Who believes the last notification is locked out by an old one`() throws {
    let system = AnySystem(NotifiedShop<RenewingBackend>.self)
    #expect(try broken(system, "", Self.pro) == [])
    // The fifth attempt to tell of the first days comes after the news of those that follow.
    let days = Setup.Product("pro", .autoRenewable(.init(Period(3, .day))))
    let late = (1...4).map { "drop store.notification tx1 #\($0)" }.joined(separator: ", ")
    #expect(try broken(system, late, days).contains("I12"))
    #expect(try broken(AnySystem(NotifiedShop<SettlingBackend>.self), late, days) == [])
  }

  @Test func `Apple knows nothing of a transaction that nobody has made, and says so`() async throws
  {
    let record = Simulation(scenario(AnySystem(NotifiedShop<AskingBackend>.self)))
      .record(seed: nil, plan: Plan())
    #expect(
      record.printed.map(\.text) == [
        "invented: notFound", "coins: 1 of product 0", "no subscription: notFound",
        "sandbox: notFound", "history: 1",
      ])
  }
}

/// Says what Apple answers.
private final class AskingBackend: SettlingBackend {
  override func started(_ services: BackendServices) async { services.startsNothing() }

  override func handle(
    _ request: ReceivedRequest, _ services: BackendServices
  ) async -> BackendResponse {
    let store = services.appStore(.production)
    do { print("invented: \(try await store.transaction(TransactionID(77)).quantity)") } catch {
      print("invented: \(error)")
    }
    do {
      let purchase = try await store.transaction(request.transaction)
      print("coins: \(purchase.quantity) of product \(purchase.product.index)")
      _ = try await store.subscription(of: request.transaction)
    } catch { print("no subscription: \(error)") }
    do { _ = try await services.appStore(.sandbox).transaction(request.transaction) } catch {
      print("sandbox: \(error)")
    }
    let missed = try? await store.undeliveredNotifications()
    print("history: \(missed?.count ?? -1)")
    return await super.handle(request, services)
  }
}
