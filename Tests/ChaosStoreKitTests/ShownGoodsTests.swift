import Foundation
import Invariants
import Testing

@testable import ChaosStore
@testable import StoreKit

/// A manager as many are: whoever taps sees nothing but whether the screen has the map unlocked.
@MainActor
private class Unlocker: SimulatedApp {
  class var isShown: Bool { true }

  required init(device: SimulatedDevice) {
    device.watchPurchase(of: "map", forKey: "hasMap", isShown: Self.isShown)
    Task {
      for await result in Transaction.updates { await handle(result) }
    }
    Task {
      for await result in Transaction.unfinished { await handle(result) }
    }
  }

  func buy(_ productID: String) async -> PurchaseMessage {
    Task {
      guard let product = try await Product.products(for: [productID]).first,
        case .success(let result) = try await product.purchase()
      else { return }
      await handle(result)
    }
    return .pending
  }

  func handle(_ result: VerificationResult<Transaction>) async {
    guard case .verified(let transaction) = result else { return }
    UserDefaults.standard.set(true, forKey: "hasMap")
    UserDefaults.standard.synchronize()
    await transaction.finish()
  }
}

/// The same with a screen that shows nothing.
@MainActor
private final class Silent: Unlocker {
  override class var isShown: Bool { false }
}

/// Finishes what it was given before it looks what is owned, as StoreKit goes on saying so.
@MainActor
private final class EntitlementReader: SimulatedApp {
  init(device: SimulatedDevice) {
    device.showEntitlements()
    Task {
      for await result in Transaction.updates { await handle(result) }
    }
    Task {
      for await result in Transaction.unfinished { await handle(result) }
      await look()
    }
  }

  func buy(_ productID: String) async -> PurchaseMessage {
    guard let product = try? await Product.products(for: [productID]).first else { return .failure }
    Task {
      guard case .success(let result) = try await product.purchase() else { return }
      await handle(result)
    }
    return .pending
  }

  private func handle(_ result: VerificationResult<Transaction>) async {
    guard case .verified(let transaction) = result else { return }
    await transaction.finish()
    await look()
  }

  private func look() async { for await _ in Transaction.currentEntitlements {} }
}

private enum MapShop<App: SimulatedApp>: HostedSystem {
  typealias App = HostedApp<App>
  typealias Backend = NoBackend
  static var entry: SystemEntry {
    SystemEntry(
      name: "map-shop", summary: "Sells a map.", products: [.init("map", isConsumable: false)])
  }
}

@Suite("What people see on the screen of an app without a backend")
struct ShownGoodsTests {
  /// One phone that buys the map once.
  private func scenario(_ system: AnySystem, faults: String = "{}") throws -> Scenario {
    let text = """
      {"version": 1, "scenarios": [{"name": "map", "system": "map-shop",
        "products": [{"name": "map"}], "steps": [{"at": "1s", "device": "phone1", "buy": "map"}],
        "heal": "20s", "horizon": "200s", "reopenEvery": "never", "faults": \(faults)}]}
      """
    return try #require(ScenarioFile.scenarios(fromJSON: text, systems: [system]).first)
  }

  private func broken(_ scenario: Scenario, seeds: Range<UInt64>) -> Set<String> {
    let simulation = Simulation(scenario)
    return seeds.reduce(into: []) { all, seed in
      _ = simulation.run(seed: seed)
      for violation in simulation.violations {
        all.insert(scenario.invariants[violation.rule].code)
      }
    }
  }

  @Test("A product whose kind the file does not say has the kind of the system's entry")
  func kinds() throws {
    let scenario = try scenario(AnySystem(MapShop<Unlocker>.self))
    #expect(scenario.setup.products.map(\.isConsumable) == [false])
  }

  @Test(
    "Whoever is handed goods on the device waits no longer, whether the screen says so or not")
  func shown() throws {
    let shown = try scenario(AnySystem(MapShop<Unlocker>.self))
    #expect(broken(shown, seeds: 0..<1) == [])
    let silent = try scenario(AnySystem(MapShop<Silent>.self))
    #expect(broken(silent, seeds: 0..<1) == [])
  }

  @Test("What StoreKit goes on saying is owned may be finished before the app has looked")
  func entitlements() throws {
    let scenario = try scenario(
      AnySystem(MapShop<EntitlementReader>.self), faults: #"{"app-crash": "1/4"}"#)
    #expect(broken(scenario, seeds: 0..<300) == [])
  }
}
