#if os(Linux)
  import ChaosStore
  import Foundation
  import Invariants
  import Testing

  @testable import StoreKit

  /// Says who has paid for what it is handed, what the store wants shown, and what becomes of a refund it asks for.
  private final class FamilyApp: SimulatedApp {
    nonisolated(unsafe) static var asksForRefund = false
    private let updates: Task<Void, Never>
    private let messages: Task<Void, Never>

    init(device: SimulatedDevice) {
      updates = Task {
        for await result in Transaction.updates {
          guard case .verified(let transaction) = result else { continue }
          print(
            "\(transaction.productID) \(transaction.ownershipType.rawValue)"
              + (transaction.revocationDate == nil ? "" : " revoked"))
          await transaction.finish()
        }
      }
      messages = Task {
        for await message in StoreKit.Message.messages {
          print("message \(message.reason.rawValue)")
        }
      }
      Task {
        for await result in Transaction.currentEntitlements {
          if case .verified(let transaction) = result {
            print("has \(transaction.productID), \(transaction.productType.rawValue)")
          }
        }
        guard let info = try? await Product.products(for: ["pro"]).first?.subscription else {
          return
        }
        for status in (try? await info.status) ?? [] {
          guard case .verified(let renewal) = status.renewalInfo,
            renewal.priceIncreaseStatus != .noIncreasePending
          else { continue }
          let reason = renewal.expirationReason?.localizedDescription ?? "goes on"
          print("\(renewal.priceIncreaseStatus): \(reason)")
        }
      }
    }

    func buy(_ productID: String) async -> PurchaseMessage {
      guard let product = try? await Product.products(for: [productID]).first else {
        return .failure
      }
      print("\(productID) can be shared: \(product.isFamilyShareable)")
      guard case .success(.verified(let transaction)) = try? await product.purchase() else {
        return .failure
      }
      await transaction.finish()
      for await _ in Transaction.currentEntitlements {}
      if Self.asksForRefund {
        for _ in 0..<2 {
          do {
            print("refund: \(try await transaction.beginRefundRequest(in: UIWindowScene()))")
          } catch { print("refund: \(error)") }
        }
        do {
          _ = try await Transaction.beginRefundRequest(for: .max, in: UIWindowScene())
        } catch { print("refund: \(error)") }
      }
      return .success
    }
  }

  private enum FamilyShop: HostedSystem {
    typealias App = HostedApp<FamilyApp>
    typealias Backend = NoBackend
    static let entry = SystemEntry(
      name: "family-shop", summary: "Says who has paid.",
      products: [
        .init("map", .nonConsumable), .init("pro", .autoRenewable(.init(Period(1, .month)))),
        .init("season", .nonRenewing),
      ])
  }

  @Suite(.serialized) struct `A hosted app of a family` {
    private static let day: Int64 = 86_400_000

    private func lines(
      _ buys: [(day: Int64, product: Int)], phones: Int = 2, _ plan: String = "",
      asksForRefund: Bool = false
    ) throws -> [String] {
      var scenario = try PropertyTest.scenario(for: FamilyShop.self, faults: [])
      scenario.setup.storeAccounts = phones
      scenario.setup.accounts = phones
      scenario.setup.families = phones > 1 ? [[0, 1]] : []
      scenario.setup.isWholeStore = true
      scenario.setup.devices = (0..<phones).map { .init(storeAccount: $0, account: $0) }
      scenario.setup.products[0].isFamilyShareable = true
      scenario.setup.products[1].isFamilyShareable = true
      scenario.setup.steps = buys.map {
        .init(
          atMillis: $0.day * Self.day + 1000, .buy(product: $0.product, quantity: 1, account: 0))
      }
      scenario.setup.retaps = 0
      scenario.setup.reopenEveryMillis = nil
      scenario.setup.sittings = .init(everyMillis: 20 * Self.day, forMillis: 120_000)
      scenario.setup.healMillis = 30 * Self.day
      scenario.setup.horizonMillis = 50 * Self.day
      FamilyApp.asksForRefund = asksForRefund
      let record = Simulation(scenario).record(seed: nil, plan: try Plan(parsing: plan))
      #expect(record.unmatched == [] && record.problems.isEmpty)
      return record.printed.map(\.text)
    }

    @Test func `is told who has paid, and that it is no more`() throws {
      let lines = try lines([(0, 0)])
      #expect(lines.contains("map can be shared: true"))
      #expect(lines.contains("map FAMILY_SHARED"))
      #expect(lines.filter { $0 == "has map, Non-Consumable" }.count >= 3)
      let left = try self.lines(
        [(0, 0)],
        "leave person.family tx1/f1 #1, delay store.refund tx1/f1 #1 = 864000000ms")
      let owned = "has map, Non-Consumable"
      #expect(left.count { $0 == owned } < lines.count { $0 == owned })
    }

    @Test func `keeps each subscription that is not renewed`() throws {
      let lines = try lines([(0, 2), (10, 2)], phones: 1)
      #expect(lines.contains("season can be shared: false"))
      #expect(lines.filter { $0 == "has season, Non-Renewing Subscription" }.count >= 4)
    }

    @Test func `asks for consent to a higher price, and is told what was said`() throws {
      let refused = try lines(
        [(0, 1), (14, 0)], phones: 1,
        "raise store.price tx1 #1, withhold person.consent tx1 #1")
      #expect(refused.contains("message 1"))
      #expect(refused.contains("pending: goes on"))
      #expect(refused.contains("pending: The person did not agree to a higher price"))
      let agreed = try lines(
        [(0, 1)], phones: 1, "raise store.price tx1 #1, delay person.consent tx1 #1 = 60000ms")
      #expect(agreed.contains("agreed: goes on"))
    }

    @Test func `asks for its money back once`() throws {
      let lines = try lines([(0, 0)], phones: 1, asksForRefund: true)
      #expect(
        lines.filter { $0.hasPrefix("refund") } == [
          "refund: success", "refund: duplicateRequest", "refund: failed",
        ])
      // An hour to two days later it is given back.
      #expect(!lines.contains("has map, Non-Consumable"))
    }
  }

  @Suite struct `Calls of hosted processes` {
    @Test func `are numbered, each of them`() throws {
      let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/ChaosStoreKit/Calls/PhoneCalls.swift")
      let text = try String(contentsOf: file, encoding: .utf8)
      let declared = text.matches(of: /struct (\w+): Phone(Call|Note|Command)/).map { "\($0.1)" }
      #expect(declared.count > 20)
      let listed = Set(PhoneCalls.all.map { "\($0)" })
      #expect(declared.filter { !listed.contains($0) } == [])
    }
  }
#endif
