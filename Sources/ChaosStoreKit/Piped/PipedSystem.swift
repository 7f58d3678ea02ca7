import ChaosStore
import Invariants

/// A `HostedSystem` whose app runs in an operating system process of its own.
///
/// For apps with a `static let shared`: what is global to the app is new at every launch, because its
/// process is. The same seed gives the same run.
///
///     enum CoinShop: PipedSystem {
///       typealias Hosted = CoinShopApp
///       typealias Backend = HostedBackend<CoinBackend>
///       static let entry = SystemEntry(name: "coin-shop", summary: "…")
///     }
public protocol PipedSystem: PurchaseSystem where App == PipedApp<Self> {
  /// The app under test.
  associatedtype Hosted: SimulatedApp
  /// The executable that calls `HostedProgram.serve` with this system.
  static var program: HostedProgram { get }
}

extension PipedSystem {
  /// The executable that runs the simulation.
  public static var program: HostedProgram { .this }
  /// What the app and backend processes of one simulation share.
  public static func makeShared() -> AnyObject? { HostedRun() }
}

/// Passes on to an app in another operating system process what happens to its simulated one.
public struct PipedApp<System: PipedSystem>: PurchaseApp {
  /// Whether the app has a shop page: as the app says.
  public static var hasShopPage: Bool { System.Hosted.hasShopPage }
  /// True.
  public static var takesAnyOutcome: Bool { true }
  /// True.
  public static var takesArrays: Bool { true }

  private var remote: RemoteApp

  /// Called by the simulator, for a system that is a ``PipedSystem``.
  public init(_ launch: Launch) {
    guard let run = launch.shared as? HostedRun else {
      fatalError("bug: a hosted app in a system that is no PipedSystem")
    }
    remote = RemoteApp(
      run,
      RemoteApp.Place(
        program: System.program,
        app: HostedName(System.entry.name, System.Hosted.self)))
  }

  /// Called by the simulator: starts the program, which builds the app. Stops the whole program
  /// with exit code 2 if it cannot be started.
  public mutating func launched(_ phone: Phone) { remote.launched(phone) }

  /// Called by the simulator: the app's process is killed.
  public mutating func stopped() { remote.stopped() }

  private func handle(_ event: AppEvent) { remote.handle(event) }
}

extension PipedApp: HostsApp {}

// MARK: - What happens

extension PipedApp {
  /// Called by the simulator: the app hears of a tap.
  public mutating func tapped(_ tap: Tap, _ phone: Phone) { handle(.tapped(tap)) }

  /// Called by the simulator: the app hears of a visit to its shop page.
  public mutating func visitedShop(_ phone: Phone) { handle(.visitedShop) }

  /// Called by the simulator: the app's wait for products is over.
  public mutating func productsArrived(for tap: Tap, _ phone: Phone) {
    handle(.productsArrived(for: tap))
  }

  /// Called by the simulator: the app's wait for products ends with an error.
  public mutating func productsFailed(for tap: Tap, _ phone: Phone) {
    handle(.productsFailed(for: tap))
  }

  /// Called by the simulator: the app hears that somebody else is logged in.
  public mutating func sessionChanged(_ phone: Phone) { handle(.sessionChanged) }

  /// Called by the simulator: StoreKit's observers and listeners hear of a transaction.
  public mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone) {
    handle(.updated(transaction, isLast: true))
  }

  /// Called by the simulator: the same with an array.
  public mutating func updated(_ transactions: [PaymentTransaction], _ phone: Phone) {
    for event in AppEvent.updates(transactions) { handle(event) }
  }

  /// Called by the simulator: `purchase()` returns or throws in the app.
  public mutating func purchaseEnded(_ result: PurchaseResult, for tap: Tap, _ phone: Phone) {
    handle(AppEvent(result, for: tap))
  }

  /// Called by the simulator: the app's wait for a restore is over.
  public mutating func restoreEnded(_ phone: Phone) { handle(.restoreEnded) }

  /// Called by the simulator: the app's wait for a receipt is over.
  public mutating func receiptRefreshed(_ succeeded: Bool, _ phone: Phone) {
    handle(.receiptRefreshed(succeeded))
  }

  /// Called by the simulator: the app's wait for its backend is over.
  public mutating func replied(_ reply: Reply, _ phone: Phone) { handle(.replied(reply)) }

  /// Called by the simulator: the virtual time has come to which a task sleeps or a request waits.
  public mutating func timerFired(
    _ tag: UInt8, about transaction: TransactionID, _ phone: Phone
  ) {
    handle(.timerFired(tag: tag))
  }
}
