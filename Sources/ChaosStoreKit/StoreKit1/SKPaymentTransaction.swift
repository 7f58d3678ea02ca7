import Foundation
import Invariants

/// Where a StoreKit 1 transaction stands.
public enum SKPaymentTransactionState: Int, Sendable {
  /// Added to the queue, and nothing came of it yet. It cannot be finished.
  case purchasing
  /// Charged. Deliver, then finish.
  case purchased
  /// Given up by StoreKit, with ``SKPaymentTransaction/error``. To be finished too; the charge may
  /// still happen, and then a purchased transaction comes later.
  case failed
  /// Bought earlier and handed out once more by a restore, under an identifier of its own.
  case restored
  /// Somebody else must agree first (F15). It can still become `purchased` or `failed`, in this launch or in
  /// a later one, and cannot be finished.
  case deferred
}

/// A purchase as the payment queue shows it to its observers.
open class SKPaymentTransaction: NSObject, @unchecked Sendable {
  /// What the phone handed over; nil while the purchase is under way.
  private(set) var store: StoreTransaction?
  /// What the phone handed over to say that somebody else must agree first.
  private(set) var deferral: StoreTransaction?
  /// The wish that the app added its payment for.
  private(set) var wish = IntentID.none
  private var state = SKPaymentTransactionState.purchasing
  private var paid = SKPayment()
  private var first: SKPaymentTransaction?

  /// A transaction that is none; for subclasses in tests of your own.
  public override init() { super.init() }

  init(purchasing payment: SKPayment, for wish: IntentID) {
    paid = payment
    self.wish = wish
    super.init()
  }

  init(_ store: StoreTransaction) {
    paid = SKPayment(fields: .init(store), discount: nil)
    super.init()
    settle(store)
  }

  /// The phone has handed over what came of it, or that somebody else must agree first.
  func settle(_ store: StoreTransaction) {
    if store.state == .deferred {
      deferral = store
      state = .deferred
      return
    }
    self.store = store
    let fields = SKPayment.Fields(store)
    // What the device does not show any more, the payment does not know either.
    if (paid.productIdentifier, paid.quantity, paid.applicationUsername)
      != (fields.productIdentifier, fields.quantity, fields.applicationUsername)
    {
      paid = SKPayment(fields: fields, discount: paid.paymentDiscount)
    }
    switch store.state {
    case .purchased: state = .purchased
    case .failed: state = .failed
    case .deferred: break
    case .restored:
      state = .restored
      var original = store
      original.id = store.originalID
      original.state = .purchased
      first = SKPaymentTransaction(original)
    }
  }

  /// The app looks at it.
  private func look() {
    if let store { StoreSession.running?.port.look(at: store) }
  }

  /// Where it stands.
  open var transactionState: SKPaymentTransactionState {
    look()
    return state
  }
  /// What was asked for.
  open var payment: SKPayment {
    look()
    return paid
  }
  /// Which transaction it is. As in StoreKit 1 nil unless it is purchased or restored.
  open var transactionIdentifier: String? {
    look()
    guard let store, store.state != .failed else { return nil }
    return "\(store.id)"
  }
  /// When, in the run's virtual time. As in StoreKit 1 nil unless it is purchased or restored.
  open var transactionDate: Date? {
    guard let store, store.state != .failed else { return nil }
    return SimulatedStore.date(millis: store.purchaseMillis)
  }
  /// In a restored transaction: the one that was paid.
  open var original: SKPaymentTransaction? { first }
  /// In a failed transaction: an ``SKError``. After `unknown` the charge may still happen; after the others,
  /// which F24 brings, nothing is charged.
  open var error: (any Error)? {
    guard state == .failed else { return nil }
    return SKError(store?.errorCode.flatMap(SKError.Code.init(rawValue:)) ?? .unknown)
  }
  /// Empty: the App Store hosts no content here.
  open var downloads: [SKDownload] { [] }
}

extension SKPayment.Fields {
  init(_ store: StoreTransaction) {
    self.init(
      productIdentifier: store.productID, quantity: store.quantity,
      applicationUsername: store.username)
  }
}

/// A download that goes with a purchase. The simulated App Store hosts none.
open class SKDownload: NSObject, @unchecked Sendable {
  /// Where a download stands.
  public enum State: Int, Sendable {
    /// Not begun.
    case waiting
    /// Under way.
    case active
    /// Stopped for a while.
    case paused
    /// Complete.
    case finished
    /// Given up, with ``SKDownload/error``.
    case failed
    /// Stopped for good.
    case cancelled
  }

  /// Always `waiting`: there is nothing to download.
  open var state: State { .waiting }
  /// Empty: the App Store hosts no content here.
  open var contentIdentifier: String { "" }
  /// Nil: the App Store hosts no content here.
  open var contentURL: URL? { nil }
  /// Empty: the App Store hosts no content here.
  open var contentVersion: String { "" }
  /// Zero: the App Store hosts no content here.
  open var expectedContentLength: Int64 { 0 }
  /// Nil: nothing is begun, so nothing fails.
  open var error: (any Error)? { nil }
  /// Zero: nothing is begun.
  open var progress: Float { 0 }
  /// Always ``SKDownloadTimeRemainingUnknown``.
  open var timeRemaining: TimeInterval { SKDownloadTimeRemainingUnknown }
  /// A transaction that is none: no purchase has a download.
  open var transaction: SKPaymentTransaction { SKPaymentTransaction() }
}

// The name is StoreKit's.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// What ``SKDownload/timeRemaining`` is while nobody can tell.
public let SKDownloadTimeRemainingUnknown: TimeInterval = -1

/// Where a download stands.
public typealias SKDownloadState = SKDownload.State
