#if os(Linux)
  import ChaosStore
  import Foundation
  import Invariants
  import Testing

  @testable import StoreKit

  /// Says at each launch what the clock shows, and of each transaction what it is and where it was charged.
  private final class WatchfulApp: SimulatedApp {
    private let device: SimulatedDevice

    init(device: SimulatedDevice) {
      self.device = device
      print("clock: \(Int(Date().timeIntervalSince1970) - 1_700_000_000)")
      let updates = Task {
        for await result in Transaction.updates {
          guard case .verified(let transaction) = result else { continue }
          print("update: \(Self.words(transaction))")
          device.delivered(transaction.originalID)
          await transaction.finish()
        }
      }
      _ = updates
    }

    private static func words(_ transaction: Transaction) -> String {
      let isOver = transaction.expirationDate.map { $0 < Date() } ?? false
      let currency = transaction.currency?.identifier ?? "?"
      return "\(transaction.storefrontCountryCode) \(currency)"
        + (transaction.originalID == transaction.id ? "" : " of another")
        + (isOver ? ", over" : "")
    }

    func buy(_ productID: String) async -> PurchaseMessage {
      guard let product = try? await Product.products(for: [productID]).first else {
        return .failure
      }
      do {
        guard case .success(.verified(let transaction)) = try await product.purchase() else {
          return .pending
        }
        print("bought: \(Self.words(transaction))")
        device.delivered(transaction.id)
        await transaction.finish()
        return .success
      } catch StoreKitError.notAvailableInStorefront {
        print("not sold here")
        return .failure
      } catch {
        return .failure
      }
    }
  }

  private enum WatchfulShop: HostedSystem {
    typealias App = HostedApp<WatchfulApp>
    typealias Backend = NoBackend
    static let entry = SystemEntry(
      name: "watchful-shop", summary: "Says what it sees.",
      products: [
        .init("map", isConsumable: false), .init("pro", .autoRenewable(.init(Period(1, .month)))),
      ])
  }

  @Suite struct `A hosted app and the faults of its phone` {
    private func run(_ plan: String, buying product: Int = 0) throws -> [String] {
      var scenario = try PropertyTest.scenario(for: WatchfulShop.self, faults: [])
      scenario.setup.devices = [.init()]
      scenario.setup.steps = [
        .init(atMillis: 1000, .buy(product: product, quantity: 1, account: 0))
      ]
      scenario.setup.retaps = 0
      scenario.setup.healMillis = 150_000
      scenario.setup.horizonMillis = 270_000
      scenario.setup.reopenEveryMillis = nil
      scenario.setup.sittings = .init(everyMillis: 40_000, forMillis: 20_000)
      scenario.setup.isWholeStore = true
      let record = Simulation(scenario).record(seed: nil, plan: try Plan(parsing: plan))
      #expect(record.unmatched == [] && record.problems.isEmpty, "\(record.problems)")
      return record.printed.map(\.text)
    }

    @Test func `reads the phone's clock, which is wrong in one launch and right in the next`()
      throws
    {
      let plain = try run("", buying: 1)
      let wrong = try run("shift phone.clock phone1 #1 = 57600", buying: 1)
      #expect(plain.prefix(2) == ["clock: 0", "bought: USA USD"])
      // Forty days: the dates of the transaction are the store's, and right.
      #expect(wrong.prefix(2) == ["clock: 3456000", "bought: USA USD, over"])
      #expect(wrong.dropFirst(2) == plain.dropFirst(2))
    }

    @Test func `is charged in the storefront of the payment, or told that it is not sold there`()
      throws
    {
      #expect(try run("move store.storefront tx1 #1 = 2").contains("bought: GBR GBP"))
      #expect(try run("move store.storefront tx1 #1 = 1").contains("not sold here"))
    }

    @Test func `hears of what is owned under another id`() throws {
      let lines = try run("renumber store.transaction tx1 #1")
      #expect(try !run("").contains { $0.hasPrefix("update") })
      #expect(lines.filter { $0.hasPrefix("update") } == ["update: USA USD of another"])
    }

    @Test func `gets what another library has finished as the result of its purchase alone`() throws
    {
      let lines = try run("take store.transaction tx1 #1")
      #expect(lines.filter { !$0.hasPrefix("clock") } == ["bought: USA USD"])
      // Who is told nothing more of it at the next launch has lost it.
      let lost = try run("take store.transaction tx1 #1, crash app on callback tx1 #1")
      #expect(lost.allSatisfy { $0.hasPrefix("clock") })
      let kept = try run("crash app on callback tx1 #1")
      #expect(kept.contains("update: USA USD"))
    }
  }
#endif
