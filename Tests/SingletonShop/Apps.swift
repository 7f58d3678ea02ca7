import ChaosStoreKit
import Foundation

/// The app with a singleton.
public final class SingletonApp: SimulatedApp {
  public init(device: SimulatedDevice) { ShopManager.shared.start(on: device) }

  public func buy(_ productID: String) async -> PurchaseMessage {
    await ShopManager.shared.buy(productID)
  }
}

/// The same code with a manager for each launch.
public final class FreshApp: SimulatedApp {
  private let manager = ShopManager()

  public init(device: SimulatedDevice) { manager.start(on: device) }

  public func buy(_ productID: String) async -> PurchaseMessage { await manager.buy(productID) }
}

/// The app with a StoreKit 1 singleton, and a shop page that people visit.
public final class ClassicApp: SimulatedApp {
  public static let hasShopPage = true

  public init(device: SimulatedDevice) { ClassicShopManager.shared.start(on: device) }

  public func buy(_ productID: String) async -> PurchaseMessage {
    await ClassicShopManager.shared.buy(productID)
  }
  public func visitedShop() { ClassicShopManager.shared.visit() }
  public func accountChanged() { ClassicShopManager.shared.accountChanged() }
}

/// The same code with a manager for each launch.
public final class FreshClassicApp: SimulatedApp {
  public static let hasShopPage = true
  /// What the managers of all its launches have been told.
  public nonisolated static var everTold: Set<String> { ClassicShopManager.everTold }

  private let manager = ClassicShopManager()

  public init(device: SimulatedDevice) { manager.start(on: device) }

  public func buy(_ productID: String) async -> PurchaseMessage { await manager.buy(productID) }
  public func visitedShop() { manager.visit() }
  public func accountChanged() { manager.accountChanged() }
}

/// Never survives its launch.
public final class TrappingApp: SimulatedApp {
  public init(device: SimulatedDevice) { abort() }

  public func buy(_ productID: String) async -> PurchaseMessage { .nothing }
}

/// Survives every second launch.
public final class StumblingApp: SimulatedApp {
  public init(device: SimulatedDevice) { if device.launches.isMultiple(of: 2) { exit(7) } }

  public func buy(_ productID: String) async -> PurchaseMessage { .nothing }
}

/// Ends its own process when a button is tapped: coins by exit, anything else by a signal.
public final class DyingApp: SimulatedApp {
  public init(device: SimulatedDevice) { ShopManager.shared.start(on: device) }

  public func buy(_ productID: String) async -> PurchaseMessage {
    if productID == "coins" { exit(3) }
    abort()
  }
}

/// Writes to where only the façade writes.
public final class NoisyApp: SimulatedApp {
  public init(device: SimulatedDevice) {
    let text = "hello, is anybody there?"
    _ = text.withCString { write(3, $0, text.utf8.count) }
  }

  public func buy(_ productID: String) async -> PurchaseMessage { .nothing }
}

/// Never comes back from its launch.
public final class HangingApp: SimulatedApp {
  public init(device: SimulatedDevice) {
    while true { sleep(1) }
  }

  public func buy(_ productID: String) async -> PurchaseMessage { .nothing }
}

/// The simplest singleton there is, of which an optimiser leaves a place in memory and no variable.
@MainActor
public final class PlainApp: SimulatedApp {
  final class Counter {
    nonisolated(unsafe) static let shared = Counter()
    private var taps = 0

    @inline(never) func tap() { taps += 1 }
  }

  public init(device: SimulatedDevice) {}

  public func buy(_ productID: String) async -> PurchaseMessage {
    Counter.shared.tap()
    return .pending
  }
}
