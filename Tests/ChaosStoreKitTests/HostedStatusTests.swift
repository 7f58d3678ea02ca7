#if os(Linux)
  import ChaosStore
  import Foundation
  import Invariants
  import Testing

  @testable import StoreKit

  private let day: Int64 = 86_400_000

  /// Says at each launch how its subscriptions stand, and what it hears of them while it runs.
  private final class StatusApp: SimulatedApp {
    init(device: SimulatedDevice) {
      Task {
        for await result in Transaction.updates { await result.unsafePayloadValue.finish() }
      }
      Task {
        for await status in Product.SubscriptionInfo.Status.updates {
          print("update: \(Self.words(status))")
        }
      }
      Task {
        for await message in Message.messages {
          print("message: \(message.reason == .billingIssue ? "billing issue" : "?")")
        }
      }
      Task {
        for await (group, statuses) in Product.SubscriptionInfo.Status.all {
          print("\(group): \(statuses.map(Self.words).joined(separator: "; "))")
        }
      }
    }

    private static func words(_ status: Product.SubscriptionInfo.Status) -> String {
      guard case .verified(let info) = status.renewalInfo,
        case .verified(let transaction) = status.transaction
      else { return "unverified" }
      func days(_ date: Date?) -> String {
        date.map { "\(Int($0.timeIntervalSince1970 - 1_700_000_000) / 86_400)" } ?? "-"
      }
      return "\(status.state.localizedDescription), \(transaction.productID)"
        + (info.willAutoRenew ? " then \(info.autoRenewPreference ?? "?")" : " to its end")
        + ", renewal \(days(info.renewalDate)), grace \(days(info.gracePeriodExpirationDate))"
        + ", since \(days(info.recentSubscriptionStartDate))"
        + (info.isInBillingRetry ? ", unpaid" : "")
        + (info.expirationReason.map { ", \($0.localizedDescription)" } ?? "")
    }

    func buy(_ productID: String) async -> PurchaseMessage {
      guard let product = try? await Product.products(for: [productID]).first,
        let info = product.subscription
      else { return .failure }
      print("sells \(productID): \(info.subscriptionGroupID), level \(info.groupLevel)")
      let before = (try? await info.status) ?? []
      guard case .success(.verified(let transaction)) = try? await product.purchase() else {
        return .pending
      }
      await transaction.finish()
      let mine = await transaction.subscriptionStatus
      let same = try? await Product.SubscriptionInfo.status(transactionID: transaction.id)
      print(
        "bought, with \(before.count) before: \(mine.map(Self.words) ?? "nothing")"
          + (same == nil ? ", which is lost" : ""))
      for await result in Transaction.all {
        let transaction = result.unsafePayloadValue
        if transaction.isUpgraded {
          print("upgraded: \(transaction.productID) of \(transaction.subscriptionGroupID ?? "-")")
        }
      }
      for await _ in Transaction.currentEntitlements {}
      return .success
    }
  }

  private enum StatusShop: HostedSystem {
    typealias App = HostedApp<StatusApp>
    typealias Backend = NoBackend
    static let entry = SystemEntry(
      name: "status-shop", summary: "Asks StoreKit how its subscriptions stand.",
      products: [
        .init(
          "basic", .autoRenewable(.init(Period(1, .month), graceDays: 16, group: "tv", level: 2))),
        .init("pro", .autoRenewable(.init(Period(1, .month), group: "tv", level: 1))),
      ])
  }

  @Suite struct `The state of a subscription` {
    private func run(
      _ plan: String, also wishes: [(day: Int64, product: Int)] = [], every days: Int64 = 20
    ) throws -> [String] {
      var scenario = try PropertyTest.scenario(for: StatusShop.self, faults: [])
      scenario.setup.devices = [.init()]
      scenario.setup.steps = [.init(atMillis: 1000, .buy(product: 0, quantity: 1, account: 0))]
      for wish in wishes {
        scenario.setup.steps.append(
          .init(
            atMillis: wish.day * day + 1000, .buy(product: wish.product, quantity: 1, account: 0)))
      }
      scenario.setup.reopenEveryMillis = nil
      scenario.setup.sittings = .init(everyMillis: days * day, forMillis: 120_000)
      scenario.setup.healMillis = 100 * day
      scenario.setup.horizonMillis = 110 * day
      let record = Simulation(scenario).record(seed: nil, plan: try Plan(parsing: plan))
      #expect(record.unmatched == [] && record.problems.isEmpty, "\(plan)")
      return record.printed.map(\.text)
    }

    @Test func `says what is paid for, and when it will be renewed`() throws {
      let lines = try run("")
      #expect(
        lines.prefix(3) == [
          "sells basic: tv, level 2",
          "update: Subscribed, basic then basic, renewal 30, grace -, since 0",
          "bought, with 0 before: Subscribed, basic then basic, renewal 30, grace -, since 0",
        ])
      #expect(
        lines.dropFirst(3).prefix(2) == [
          "tv: Subscribed, basic then basic, renewal 30, grace -, since 0",
          "tv: Subscribed, basic then basic, renewal 61, grace -, since 0",
        ])
    }

    @Test func `says that a payment failed, until when there is grace, and why it ended`() throws {
      let lines = try run("fail store.renewal tx1 #1, abandon store.renewal tx1 #1", every: 40)
      #expect(
        lines.suffix(4) == [
          "tv: In grace period, basic then basic, renewal 30, grace 46, since 0, unpaid",
          "message: billing issue",
          "tv: In billing retry, basic then basic, renewal -, grace -, since 0, unpaid, The payment failed",
          "message: billing issue",
        ])
      #expect(
        try run("cancel person.renewal tx1 #1", every: 40).last
          == "tv: Expired, basic to its end, renewal -, grace -, since 0, The person cancelled")
      #expect(
        try run("refund store.charge tx1 #1", every: 40).last
          == "tv: Revoked, basic to its end, renewal -, grace -, since 0")
    }

    @Test func `shows an upgrade at once, and what it took the place of`() throws {
      let lines = try run("", also: [(day: 10, product: 1)])
      #expect(lines.contains("upgraded: basic of tv"))
      #expect(
        lines.contains(
          "bought, with 1 before: Subscribed, pro then pro, renewal 40, grace -, since 0"))
      #expect(lines.contains("update: Subscribed, pro then pro, renewal 40, grace -, since 0"))
    }

    @Test func `says what the next period will be of after a downgrade`() throws {
      let lines = try run("", also: [(day: 1, product: 1), (day: 10, product: 0)])
      #expect(
        lines.contains("update: Subscribed, pro then basic, renewal 31, grace -, since 0"))
    }
  }
#endif
