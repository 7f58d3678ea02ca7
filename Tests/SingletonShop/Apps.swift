import ChaosStoreKit
import Foundation
import Synchronization

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

/// Remembers its launches in whatever ways a program can, and says what it remembers.
@MainActor
public final class RememberingApp: SimulatedApp {
  @MainActor final class Memory {
    static let shared = Memory()
    var launches = 0
  }

  private static var count = 0
  private static var names: [String] = []
  private nonisolated static let locked = Mutex<Set<Int>>([])
  private static weak var last: Memory?

  public init(device: SimulatedDevice) {
    let known = [
      Self.count, Memory.shared.launches, Self.names.count, Self.locked.withLock { $0.count },
      Self.last == nil ? 0 : 1, rememberedLaunches,
    ]
    print("process \(getpid()) remembers \(known)")
    Self.count += 1
    Memory.shared.launches += 1
    Self.names.append("launch \(device.launches)")
    Self.locked.withLock { _ = $0.insert(device.launches) }
    Self.last = .shared
    rememberedLaunches += 1
  }

  public func buy(_ productID: String) async -> PurchaseMessage { .nothing }
}

@MainActor private var rememberedLaunches = 0

/// Has a manager that takes leave of everything in its `deinit`, which comes when the process is torn down.
@MainActor
public final class TidyingApp: SimulatedApp {
  @MainActor final class Memory {
    static let shared = Memory()
    var launches = 0
  }

  private final class Manager: NSObject, SKPaymentTransactionObserver, Sendable {
    override init() {
      super.init()
      SKPaymentQueue.default().add(self)
    }

    deinit {
      SKPaymentQueue.default().remove(self)
      #if !canImport(ObjectiveC)
        NotificationCenter.default.removeObserverAndSelectors(self)
        NSObject.cancelPreviousPerformRequests(withTarget: self)
      #endif
      UserDefaults.standard.set(true, forKey: "ended")
      Task { try await AppStore.sync() }
    }

    func paymentQueue(
      _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {}
  }

  public init(device: SimulatedDevice) {
    Memory.shared.launches += 1
    print("process \(getpid()) launch \(Memory.shared.launches)")
    let manager = Manager()
    _ = NotificationCenter.default.addObserver(forName: .init("any"), object: nil, queue: nil) {
      [manager] _ in _ = manager
    }
  }

  public func buy(_ productID: String) async -> PurchaseMessage { .nothing }
}

/// Takes up a lot of memory, which nobody gives back.
@MainActor
public final class HoardingApp: SimulatedApp {
  @MainActor final class Hoard {
    static let shared = Hoard()
    var bytes: [UInt8] = []
  }

  public init(device: SimulatedDevice) {
    print("process \(getpid())")
    Hoard.shared.bytes = [UInt8](repeating: 1, count: 5 << 20)
  }

  public func buy(_ productID: String) async -> PurchaseMessage { .nothing }
}

/// Leaves a task waiting for ever at every tap, and rolls dice for how long it takes.
public final class LeavingApp: SimulatedApp {
  private let device: SimulatedDevice

  public init(device: SimulatedDevice) {
    self.device = device
    print("process \(getpid())")
  }

  public func buy(_ productID: String) async -> PurchaseMessage {
    try? await Task.sleep(for: .milliseconds(Int.random(in: 1...500)))
    device.show(.pending, about: productID)
    return await withCheckedContinuation { _ in }
  }
}
