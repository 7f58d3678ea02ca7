#if os(Linux)
  import ChaosStore
  import Foundation
  import Invariants
  import Testing

  @testable import StoreKit

  /// Says at each launch what it is entitled to, and of each update what it is.
  private final class SubscriberApp: SimulatedApp {
    private let device: SimulatedDevice

    init(device: SimulatedDevice) {
      self.device = device
      let updates = Task {
        for await result in Transaction.updates {
          guard case .verified(let transaction) = result else { continue }
          print("update: \(Self.words(transaction))")
          await transaction.finish()
        }
      }
      Task {
        for await result in Transaction.currentEntitlements {
          if case .verified(let transaction) = result {
            print("entitled: \(Self.words(transaction))")
          }
        }
        _ = updates
      }
    }

    private static func words(_ transaction: Transaction) -> String {
      let begin = transaction.purchaseDate
      let days = transaction.expirationDate.map { Int($0.timeIntervalSince(begin) / 86_400) }
      return "\(transaction.productType) \(transaction.reason.rawValue) \(days ?? -1) days"
        + (transaction.originalID == transaction.id ? "" : " of another")
        + (transaction.revocationDate == nil ? "" : ", revoked")
    }

    func buy(_ productID: String) async -> PurchaseMessage {
      guard let product = try? await Product.products(for: [productID]).first else {
        return .failure
      }
      print("sells: \(product.type), \(product.subscription?.subscriptionPeriod.value ?? 0) month")
      guard case .success(.verified(let transaction)) = try? await product.purchase() else {
        return .pending
      }
      await transaction.finish()
      for await _ in Transaction.currentEntitlements {}
      return .success
    }
  }

  private enum SubscriberShop: HostedSystem {
    typealias App = HostedApp<SubscriberApp>
    typealias Backend = NoBackend
    static let entry = SystemEntry(
      name: "subscriber-shop", summary: "Asks StoreKit what it is entitled to.",
      products: [.init("pro", .autoRenewable(.init(Period(1, .month))))])
  }

  @Suite struct `A hosted app that sells a subscription` {
    private static let day: Int64 = 86_400_000

    private func run(_ plan: String) throws -> (lines: [String], record: Record) {
      var scenario = try PropertyTest.scenario(for: SubscriberShop.self, faults: [])
      scenario.setup.devices = [.init()]
      scenario.setup.steps = [.init(atMillis: 1000, .buy(product: 0, quantity: 1, account: 0))]
      scenario.setup.reopenEveryMillis = nil
      scenario.setup.sittings = .init(everyMillis: 20 * Self.day, forMillis: 120_000)
      scenario.setup.healMillis = 40 * Self.day
      scenario.setup.horizonMillis = 70 * Self.day
      let record = Simulation(scenario).record(seed: nil, plan: try Plan(parsing: plan))
      #expect(record.unmatched == [] && record.problems.isEmpty)
      return (record.printed.map(\.text), record)
    }

    @Test func `is entitled while it is paid for, and told of renewals`() throws {
      let (lines, record) = try run("")
      #expect(
        lines == [
          "sells: Auto-Renewable Subscription, 1 month",
          // At 20 days; at 40, after a renewal a day before the end of the month; and at 60.
          "entitled: Auto-Renewable Subscription PURCHASE 30 days",
          "entitled: Auto-Renewable Subscription RENEWAL 32 days of another",
          "update: Auto-Renewable Subscription RENEWAL 32 days of another",
          "entitled: Auto-Renewable Subscription RENEWAL 32 days of another",
          "update: Auto-Renewable Subscription RENEWAL 32 days of another",
        ])
      #expect(record.outcome.broken == 0)
    }

    @Test func `is entitled to nothing once it is over, or its money was given back`() throws {
      for plan in ["cancel person.renewal tx1 #1", "refund store.charge tx1 #1"] {
        let (lines, record) = try run(plan)
        #expect(
          lines.filter { $0.hasPrefix("entitled") }.count == (plan.hasPrefix("cancel") ? 1 : 0))
        #expect(!lines.contains { $0.contains("RENEWAL") })
        #expect(record.outcome.broken == 0)
        #expect(
          plan.hasPrefix("cancel")
            || record.facts.last { $0.kind == .granted }.map { $0.at.millis / Self.day } == 20)
      }
    }
  }
#endif
