import ChaosStore
import Invariants

/// A system whose app is ordinary Swift code, with tasks and actors, over the StoreKit façade.
///
/// Conform a type, wrap the app and its backend, and every command and campaign runs on it:
///
///     enum CoinShop: HostedSystem {
///       typealias App = HostedApp<CoinShopApp>
///       typealias Backend = HostedBackend<CoinBackend>
///       static let entry = SystemEntry(name: "coin-shop", summary: "…")
///     }
public protocol HostedSystem: PurchaseSystem {
  /// Where the launches of the app run: in processes of their own where it keeps objects in globals, unless the
  /// system says otherwise.
  static var ownProcesses: OwnProcesses { get }
}

extension HostedSystem {
  /// In processes of their own where the app keeps objects in globals.
  public static var ownProcesses: OwnProcesses { .whereNeeded }

  /// What the app and backend processes of one simulation share.
  public static func makeShared() -> AnyObject? {
    let (now, later) = OwnProcesses.places(for: Self.self)
    return HostedRun(place: now, later: later)
  }
}

/// Passes on to a hosted app what happens to its process.
public struct HostedApp<Hosted: SimulatedApp>: PurchaseApp {
  /// Whether the app has a shop page: as the app says.
  public static var hasShopPage: Bool { Hosted.hasShopPage }

  /// True.
  public static var takesAnyOutcome: Bool { true }

  /// True.
  public static var takesArrays: Bool { true }

  private let run: HostedRun
  private var port: HostedPhone?
  /// Where the app runs, if it is not here.
  private var remote: RemoteApp?

  /// Kept by the port, so that it goes with the process.
  private var app: Hosted? { (port?.app).map { unsafeDowncast($0, to: Hosted.self) } }

  /// Called by the simulator, for a system that is a ``HostedSystem``.
  public init(_ launch: Launch) {
    guard let run = launch.shared as? HostedRun else {
      fatalError("bug: a hosted app in a system that is no HostedSystem")
    }
    self.run = run
    remote = run.placeOfLaunch().map { RemoteApp(run, $0) }
  }

  init(_ run: HostedRun) { self.run = run }

  /// Called by the simulator: builds the app.
  public mutating func launched(_ phone: Phone) {
    if remote != nil { remote?.launched(phone) } else { begin(run.service(of: phone)) }
  }

  mutating func begin(_ phone: any PhonePort) {
    let port = run.begin(phone)
    self.port = port
    // Inside, so that an app that dies as it starts is let go of like any other.
    port.enter { port.app = onMain(Self.launch, port) }
  }

  @MainActor
  private static func launch(_ port: HostedPhone) -> Hosted {
    Hosted(device: SimulatedDevice(port))
  }

  /// Passes on to the app what has happened.
  func handle(_ event: AppEvent) {
    remote?.handle(event)
    guard let port else { return }
    switch event {
    case .tapped(let tap): tapped(tap, port)
    case .visitedShop:
      if let app { port.enter { MainActor.assumeIsolated { app.visitedShop() } } }
    case .sessionChanged:
      if let app { port.enter { MainActor.assumeIsolated { app.accountChanged() } } }
    case .productsArrived(let tap): port.answer(port.catalogue, for: tap)
    case .productsFailed(let tap): port.answer(nil, for: tap)
    case .updated(let transaction, let isLast): port.updated(transaction, isLast: isLast)
    case .purchased(let transaction, let tap):
      port.purchaseEnded(.success(transaction), for: tap)
    case .purchaseFailed(let tap): port.purchaseEnded(.failed, for: tap)
    case .purchaseRefused(let error, let tap): port.purchaseEnded(.refused(error), for: tap)
    case .purchaseDeferred(let transaction, let tap):
      port.purchaseEnded(.pending(transaction), for: tap)
    case .heard(let news): port.heard(news)
    case .restoreEnded: port.restoreEnded()
    case .receiptRefreshed(let succeeded): port.receiptRefreshed(succeeded)
    case .replied(let reply): port.replied(reply)
    case .timerFired(let tag): port.timerFired(tag)
    }
  }

  private func tapped(_ tap: Tap, _ port: HostedPhone) {
    guard let app else { return }
    let productID = port.catalogue[tap.product.index].id
    port.tapped(tap, productID)
    port.enter(inContextOf: tap.intent) {
      _ = Task { @MainActor in
        let message = await app.buy(productID)
        port.answered(productID, message)
        port.tell(message, about: tap)
      }
    }
  }

  /// Called by the simulator: the process ends, and the app is let go of.
  public mutating func stopped() {
    remote?.stopped()
    guard let port else { return }
    self.port = nil
    run.end(port)
  }
}

// MARK: - What happens

extension HostedApp {
  /// Called by the simulator: calls ``SimulatedApp/buy(_:)`` in a task of the main actor.
  public mutating func tapped(_ tap: Tap, _ phone: Phone) { handle(.tapped(tap)) }

  /// Called by the simulator: calls ``SimulatedApp/visitedShop()``.
  public mutating func visitedShop(_ phone: Phone) { handle(.visitedShop) }

  /// Called by the simulator: answers whoever waits for products.
  public mutating func productsArrived(for tap: Tap, _ phone: Phone) {
    handle(.productsArrived(for: tap))
  }

  /// Called by the simulator: answers whoever waits for products with an error.
  public mutating func productsFailed(for tap: Tap, _ phone: Phone) {
    handle(.productsFailed(for: tap))
  }

  /// Called by the simulator: calls ``SimulatedApp/accountChanged()``.
  public mutating func sessionChanged(_ phone: Phone) { handle(.sessionChanged) }

  /// Called by the simulator: hands the transaction to StoreKit's observers and listeners.
  public mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone) {
    handle(.updated(transaction, isLast: true))
  }

  /// Called by the simulator: the same with an array.
  public mutating func updated(_ transactions: [PaymentTransaction], _ phone: Phone) {
    for event in AppEvent.updates(transactions) { handle(event) }
  }

  /// Called by the simulator: `purchase()` returns or throws.
  public mutating func purchaseEnded(_ result: PurchaseResult, for tap: Tap, _ phone: Phone) {
    handle(AppEvent(result, for: tap))
  }

  /// Called by the simulator: tells observers, and whoever reads what the App Store says.
  public mutating func heard(_ news: StoreNews, _ phone: Phone) { handle(.heard(news)) }

  /// Called by the simulator: answers whoever waits for a restore.
  public mutating func restoreEnded(_ phone: Phone) { handle(.restoreEnded) }

  /// Called by the simulator: answers whoever waits for a receipt.
  public mutating func receiptRefreshed(_ succeeded: Bool, _ phone: Phone) {
    handle(.receiptRefreshed(succeeded))
  }

  /// Called by the simulator: answers whoever waits for the backend.
  public mutating func replied(_ reply: Reply, _ phone: Phone) { handle(.replied(reply)) }

  /// Called by the simulator: the virtual time has come to which a task sleeps or a request waits.
  public mutating func timerFired(
    _ tag: UInt8, about transaction: TransactionID, _ phone: Phone
  ) {
    handle(.timerFired(tag: tag))
  }
}
