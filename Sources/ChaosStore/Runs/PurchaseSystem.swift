import Invariants

/// What is tested: the design of an app together with that of its backend.
///
/// Conform a type to it, and every command and every campaign runs on it.
public protocol PurchaseSystem: SendableMetatype {
  associatedtype App: PurchaseApp
  associatedtype Backend: PurchaseBackend
  /// What a list shows, and what a scenario may choose.
  static var entry: SystemEntry { get }
  /// Something that all processes of one simulation share, made once for each simulation.
  static func makeShared() -> AnyObject?
}

extension PurchaseSystem {
  public static func makeShared() -> AnyObject? { nil }
}

/// A system's place in a list.
public struct SystemEntry: Sendable {
  /// The name used in scenarios.
  public var name: String
  /// The design in one sentence.
  public var summary: String
  /// Its steps, and where it is weak.
  public var about: String
  /// Where it was published.
  public var source: String
  /// The variants a scenario may ask for; the first is the default.
  public var variants: [String]
  /// The backends it can be combined with.
  public var backends: [BackendKind]

  public init(
    name: String, summary: String, about: String = "", source: String = "",
    variants: [String] = ["published"], backends: [BackendKind] = BackendKind.allCases
  ) {
    self.name = name
    self.summary = summary
    self.about = about
    self.source = source
    self.variants = variants
    self.backends = backends
  }
}

/// What a new process is told when it starts.
public struct Launch {
  /// The position of the variant in the system's list.
  public let variant: Int
  public let backend: BackendKind
  /// What the system's `makeShared` made for this simulation.
  public let shared: AnyObject?
}

/// The app: built anew at each launch, dropped when it ends, told what happens by its handlers.
///
/// Keep state in plain stored properties; what is to survive the process goes to storage.
public protocol PurchaseApp {
  /// Whether the app has a shop page that a person visits after a launch.
  static var hasShopPage: Bool { get }

  init(_ launch: Launch)
  /// The process has started.
  mutating func launched(_ phone: Phone)
  /// A person tapped a product's button.
  mutating func tapped(_ tap: Tap, _ phone: Phone)
  /// A person opened the shop page.
  mutating func visitedShop(_ phone: Phone)
  /// Somebody else is logged in.
  mutating func sessionChanged(_ phone: Phone)
  /// The answer to `loadProducts`.
  mutating func productsArrived(for tap: Tap, _ phone: Phone)
  /// StoreKit 1's updatedTransactions and StoreKit 2's Transaction.updates, one at a time.
  mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone)
  /// StoreKit 2's purchase() returned or threw.
  mutating func purchaseEnded(_ result: PurchaseResult, for tap: Tap, _ phone: Phone)
  /// The restored transactions were all called back.
  mutating func restoreEnded(_ phone: Phone)
  /// The receipt file was fetched again, or could not be.
  mutating func receiptRefreshed(_ succeeded: Bool, _ phone: Phone)
  /// The backend's answer.
  mutating func replied(_ reply: Reply, _ phone: Phone)
  /// A timer that this process started.
  mutating func timerFired(_ tag: UInt8, about transaction: TransactionID, _ phone: Phone)
  /// The process is over, and this value will be dropped: nothing it does has an effect any more.
  mutating func stopped()
}

extension PurchaseApp {
  public static var hasShopPage: Bool { false }
  public mutating func visitedShop(_ phone: Phone) {}
  public mutating func sessionChanged(_ phone: Phone) {}
  public mutating func productsArrived(for tap: Tap, _ phone: Phone) {}
  public mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone) {}
  public mutating func purchaseEnded(_ result: PurchaseResult, for tap: Tap, _ phone: Phone) {}
  public mutating func restoreEnded(_ phone: Phone) {}
  public mutating func receiptRefreshed(_ succeeded: Bool, _ phone: Phone) {}
  public mutating func replied(_ reply: Reply, _ phone: Phone) {}
  public mutating func timerFired(
    _ tag: UInt8, about transaction: TransactionID, _ phone: Phone
  ) {}
  @inlinable public mutating func stopped() {}
}

/// One process of the backend: built anew when it starts, told what happens by its handlers.
public protocol PurchaseBackend {
  init(_ launch: Launch)
  /// A request.
  mutating func received(_ report: Report, _ server: Server)
  /// The answer to `verify`.
  mutating func verified(_ answer: VerifierAnswer, for report: Report, _ server: Server)
  /// The round trip begun by `pause` is over.
  mutating func resumed(
    at step: UInt8, about transaction: TransactionID, for report: Report, _ server: Server)
  /// The process is over, and this value will be dropped: nothing it does has an effect any more.
  mutating func stopped()
}

extension PurchaseBackend {
  public mutating func resumed(
    at step: UInt8, about transaction: TransactionID, for report: Report, _ server: Server
  ) {}
  @inlinable public mutating func stopped() {}
}
