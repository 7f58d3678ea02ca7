import Invariants

/// What is tested: the design of an app together with that of its backend.
///
/// Conform an enum without cases to it, and every command, every campaign and every property test
/// runs on it:
///
///     enum CornerShop: PurchaseSystem {
///       static let entry = SystemEntry(name: "corner-shop", summary: "Finish on ok.")
///       struct App: PurchaseApp { … }
///       struct Backend: PurchaseBackend { … }
///     }
public protocol PurchaseSystem: SendableMetatype {
  /// The half on the phone. A system may take over that of another.
  associatedtype App: PurchaseApp
  /// The half on the server. A system may take over that of another, such as ``ExactlyOnce``.
  associatedtype Backend: PurchaseBackend
  /// The forms the system comes in, the first being the usual one; nothing to declare where it has one.
  ///
  /// The raw values are the names that scenarios use. `App` and `Backend` are told theirs by
  /// ``Launch/variant(of:)``.
  associatedtype Variant: CaseIterable & RawRepresentable<String> & Equatable & Sendable =
    OnlyVariant
  /// What a list shows of it, and the name that scenarios use.
  static var entry: SystemEntry { get }
  /// Something that all processes of one simulation share, made once for each simulation.
  ///
  /// It outlives runs, so what it keeps of one run must have no part in the next. Usually nil.
  static func makeShared() -> AnyObject?
}

extension PurchaseSystem {
  /// Nothing is shared.
  public static func makeShared() -> AnyObject? { nil }
}

/// What stands in for the variants of a system that comes in one form.
public enum OnlyVariant: String, CaseIterable, Sendable {
  /// The system as it was written.
  case published
}

/// A system's place in a list.
public struct SystemEntry: Sendable {
  /// The name used in scenarios, such as `corner-shop`; no other system of a list may have it.
  public var name: String
  /// The design in one sentence.
  public var summary: String
  /// Its steps, where it is weak, and what its variants do otherwise.
  public var about: String
  /// Where it was published.
  public var source: String
  /// The kinds of backend it can be combined with, the usual one first.
  public var backends: [BackendKind]
  /// What it sells, for code that asks the store for products by names of its own: the default worlds sell these
  /// instead of coins and a map. A scenario says itself what is sold.
  public var products: [Setup.Product]

  /// An entry; a system whose backend does not ask ``Launch/backend`` names one kind.
  public init(
    name: String, summary: String, about: String = "", source: String = "",
    backends: [BackendKind] = BackendKind.allCases, products: [Setup.Product] = []
  ) {
    self.name = name
    self.summary = summary
    self.about = about
    self.source = source
    self.backends = backends
    self.products = products
  }
}

/// What a new process is told when it starts.
public struct Launch {
  /// The position of the variant among those of the system, and their type: nothing that is counted.
  private let position: Int
  private let variants: Any.Type
  /// How much the backend is to remember.
  public let backend: BackendKind
  /// What the system's ``PurchaseSystem/makeShared()`` made for this simulation.
  public let shared: AnyObject?
  /// What the backend's ``PurchaseBackend/makeShared()`` made for this simulation.
  public let sharedByBackend: AnyObject?

  /// The variant has this position among those of the system; the usual one where there is none.
  init<System: PurchaseSystem>(
    _ system: System.Type, variant position: Int, backend: BackendKind, shared: AnyObject?
  ) {
    self.position = position
    variants = System.Variant.self
    self.backend = backend
    self.shared = shared
    sharedByBackend = System.Backend.makeShared()
  }

  /// The variant that a scenario asks for, in the terms of the system it belongs to.
  ///
  ///     init(_ launch: Launch) { variant = launch.variant(of: MyShop.self) }
  ///
  /// In a system with other variants, which has taken over an app or a backend of this one, it is
  /// the usual variant.
  public func variant<System: PurchaseSystem>(of system: System.Type) -> System.Variant {
    let all = Array(System.Variant.allCases)
    guard variants == System.Variant.self, all.indices.contains(position) else {
      return System.usualVariant
    }
    return all[position]
  }
}

extension PurchaseSystem {
  /// The names of the variants, in order.
  package static var variantNames: [String] { Variant.allCases.map(\.rawValue) }

  /// The first variant.
  package static var usualVariant: Variant {
    guard let first = Variant.allCases.first else {
      fatalError("bug: the system '\(entry.name)' has a type of variants without a case")
    }
    return first
  }
}

/// The app: built anew at each launch, dropped when it ends, told what happens by its handlers.
///
/// Keep state in plain stored properties; what is to survive the process goes to storage. Each
/// handler but ``launched(_:)`` and ``tapped(_:_:)`` does nothing unless it is written.
public protocol PurchaseApp {
  /// Whether the app has a shop page that a person visits after a launch; usually not.
  static var hasShopPage: Bool { get }
  /// Whether the app is told of every outcome that StoreKit has for a payment: deferred (F15), unverified
  /// (F22), cancelled or refused for a reason (F24). Hosted apps are; a design's own ``PurchaseApp`` usually
  /// not.
  static var takesAnyOutcome: Bool { get }
  /// Whether what is called back in one millisecond comes as one array, as StoreKit 1 has it, and not one
  /// after the other. Hosted apps are called so; a design's own ``PurchaseApp`` usually not.
  static var takesArrays: Bool { get }

  /// A new process, before anything happens in it.
  init(_ launch: Launch)
  /// The process has started.
  mutating func launched(_ phone: Phone)
  /// A person tapped a product's button.
  mutating func tapped(_ tap: Tap, _ phone: Phone)
  /// A person opened the shop page; only where ``hasShopPage`` says that there is one.
  mutating func visitedShop(_ phone: Phone)
  /// Somebody else is logged in: ``Phone/account`` is another.
  mutating func sessionChanged(_ phone: Phone)
  /// The answer to ``Phone/loadProducts(for:)``.
  mutating func productsArrived(for tap: Tap, _ phone: Phone)
  /// The other answer to it: an error, and no products.
  mutating func productsFailed(for tap: Tap, _ phone: Phone)
  /// StoreKit 1's updatedTransactions and StoreKit 2's Transaction.updates, one at a time.
  ///
  /// It can come late, twice, for what was finished, and for what another phone bought.
  mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone)
  /// Several at once, in the order in which they came; only where ``takesArrays`` says so.
  mutating func updated(_ transactions: [PaymentTransaction], _ phone: Phone)
  /// StoreKit 2's purchase() returned or threw: the end of ``Phone/purchase(_:appAccountToken:)``.
  mutating func purchaseEnded(_ result: PurchaseResult, for tap: Tap, _ phone: Phone)
  /// The transactions that ``Phone/restore()`` asked for were all called back.
  mutating func restoreEnded(_ phone: Phone)
  /// The receipt file was fetched again, or could not be: the end of ``Phone/refreshReceipt()``.
  mutating func receiptRefreshed(_ succeeded: Bool, _ phone: Phone)
  /// The backend's answer to ``Phone/send(_:about:tag:)``; one that is lost never comes.
  mutating func replied(_ reply: Reply, _ phone: Phone)
  /// A timer that this process started with ``Phone/startTimer(after:about:tag:)``.
  mutating func timerFired(_ tag: UInt8, about transaction: TransactionID, _ phone: Phone)
  /// The App Store has something to say, beside transactions; only of what the app follows, see
  /// ``Phone/follow(_:)``.
  mutating func heard(_ news: StoreNews, _ phone: Phone)
  /// The process is over, and this value will be dropped: nothing it does has an effect any more.
  mutating func stopped()
}

extension PurchaseApp {
  /// No shop page.
  public static var hasShopPage: Bool { false }
  /// No: payments are charged, or fail.
  public static var takesAnyOutcome: Bool { false }
  /// No: one after the other.
  public static var takesArrays: Bool { false }
  /// Does nothing.
  public mutating func visitedShop(_ phone: Phone) {}
  /// Does nothing.
  public mutating func sessionChanged(_ phone: Phone) {}
  /// Does nothing.
  public mutating func productsArrived(for tap: Tap, _ phone: Phone) {}
  /// Does nothing.
  public mutating func productsFailed(for tap: Tap, _ phone: Phone) {}
  /// Does nothing.
  public mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone) {}
  /// One after the other.
  public mutating func updated(_ transactions: [PaymentTransaction], _ phone: Phone) {
    for transaction in transactions where phone.isAlive { updated(transaction, phone) }
  }
  /// Does nothing.
  public mutating func purchaseEnded(_ result: PurchaseResult, for tap: Tap, _ phone: Phone) {}
  /// Does nothing.
  public mutating func restoreEnded(_ phone: Phone) {}
  /// Does nothing.
  public mutating func receiptRefreshed(_ succeeded: Bool, _ phone: Phone) {}
  /// Does nothing.
  public mutating func replied(_ reply: Reply, _ phone: Phone) {}
  /// Does nothing.
  public mutating func heard(_ news: StoreNews, _ phone: Phone) {}
  /// Does nothing.
  public mutating func timerFired(
    _ tag: UInt8, about transaction: TransactionID, _ phone: Phone
  ) {}
  /// Does nothing.
  @inlinable public mutating func stopped() {}
}

/// One process of the backend: built anew when it starts, told what happens by its handlers.
///
/// There are two replicas unless ``isReplicated`` says otherwise, and a request may be served by either. What a process keeps in its
/// properties is gone when it dies; what is to last goes to the ledger and to the backend's own tables,
/// through the ``Server`` port.
public protocol PurchaseBackend {
  /// Whether there is one at all; false for ``NoBackend`` alone.
  static var isThere: Bool { get }
  /// Whether there are two processes of it, as there are unless it is said otherwise: a request may be served by either,
  /// and while one is down by the other.
  static var isReplicated: Bool { get }
  /// Whether a run takes thousands of times as long as one that is simulated alone, so that what only makes a finding
  /// nicer is not worth many; false unless it is said otherwise.
  static var isCostly: Bool { get }
  /// Something that all its processes of one simulation share, whatever the app is; as ``PurchaseSystem/makeShared()``.
  static func makeShared() -> AnyObject?
  /// A new process, before anything happens in it.
  init(_ launch: Launch)
  /// The process runs: at the beginning, and again after it has died. What it does is no request's.
  mutating func started(_ server: Server)
  /// A request, from the app or from somebody who pretends to be one.
  mutating func received(_ report: Report, _ server: Server)
  /// The answer to ``Server/verify(_:)``.
  mutating func verified(_ answer: VerifierAnswer, for report: Report, _ server: Server)
  /// The round trip to the database that ``Server/pause(_:about:)`` began is over, or the time that
  /// ``Server/wake(after:_:about:)`` was given.
  mutating func resumed(
    at step: UInt8, about transaction: TransactionID, for report: Report, _ server: Server)
  /// Apple says that something has happened: an App Store Server Notification, which is to be answered with
  /// ``Server/reply(_:payload:)``. Where the answer is no success, or there is none, it comes again hours later.
  ///
  /// It can come twice, late, in another order, or never. A request of this kind has no session; its report is
  /// about the notification's transaction.
  mutating func notified(_ notification: StoreNotification, _ server: Server)
  /// The process is over, and this value will be dropped: nothing it does has an effect any more.
  mutating func stopped()
}

extension PurchaseBackend {
  /// There is.
  public static var isThere: Bool { true }
  /// There are two.
  public static var isReplicated: Bool { true }
  /// It does not.
  public static var isCostly: Bool { false }
  /// Nothing is shared.
  public static func makeShared() -> AnyObject? { nil }
  /// Takes note, and does nothing.
  public mutating func notified(_ notification: StoreNotification, _ server: Server) {
    server.reply(.alreadyDelivered)
  }
  /// Does nothing.
  @inlinable public mutating func started(_ server: Server) {}
  /// Does nothing.
  public mutating func resumed(
    at step: UInt8, about transaction: TransactionID, for report: Report, _ server: Server
  ) {}
  /// Does nothing.
  @inlinable public mutating func stopped() {}
}

/// The backend of an app that has none: goods are on the device, and ``Phone/deliver(_:isShownByStore:)``
/// says so.
///
/// What is sent to it is refused, and it keeps nothing.
public struct NoBackend: PurchaseBackend {
  /// False.
  public static var isThere: Bool { false }
  /// One process of what is not there.
  public init(_ launch: Launch) {}
  /// Refuses.
  public mutating func received(_ report: Report, _ server: Server) { server.reply(.refused) }
  /// Asks nobody, so nobody answers.
  public mutating func verified(_ answer: VerifierAnswer, for report: Report, _ server: Server) {}
}
