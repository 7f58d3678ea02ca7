import ChaosStore
import Foundation

/// An app under test: anything that can be built from a device and told to buy.
///
/// Build your purchase manager in `init`, as the app's launch does, and call it from `buy`. The
/// simulator builds a new one at every launch and drops it when the process dies.
@MainActor
public protocol SimulatedApp: AnyObject, Sendable {
  /// Whether the app has a shop page that a person visits after a launch.
  nonisolated static var hasShopPage: Bool { get }
  /// The process has started. Attach observers and begin to listen here, as the app does.
  init(device: SimulatedDevice)
  /// A person taps the button of a product, and is shown what this returns.
  func buy(_ productID: String) async -> PurchaseMessage
  /// A person opened the shop page.
  func visitedShop()
  /// Somebody else is logged in: `device.account` says who.
  func accountChanged()
}

extension SimulatedApp {
  /// False: nobody visits a shop page.
  public nonisolated static var hasShopPage: Bool { false }
  /// Does nothing.
  public func visitedShop() {}
  /// Does nothing; an app can as well ask `device.account` when it needs to know.
  public func accountChanged() {}
}

/// What the person reads when a purchase is over for them.
public enum PurchaseMessage: Sendable {
  /// The goods are there.
  case success
  /// It is not known yet; what was paid for will come.
  case pending
  /// Nothing was bought and nothing will be paid.
  case failure
  /// Nothing is said.
  case nothing
}

/// The device that an app process runs on: who is logged in, what is stored, and the backend.
@MainActor
public final class SimulatedDevice {
  /// Which device it is, from 1.
  public nonisolated let number: Int
  /// How often the app was started on it, this time included.
  public nonisolated let launches: Int
  /// What UserDefaults would keep. Lost is what had not reached the disk when the app died.
  public let defaults: SimulatedDefaults
  /// What files keep, with the same loss: the documents folder, also for code that writes there by itself.
  public let files: SimulatedFiles
  /// The app's own backend.
  public let backend: BackendLink

  private let port: HostedPhone

  init(_ port: HostedPhone) {
    self.port = port
    number = port.identity.number + 1
    launches = port.identity.launches
    defaults = SimulatedDefaults(port.storage)
    files = SimulatedFiles(port.storage)
    backend = BackendLink(port)
  }

  /// Who is logged in.
  public var account: SimulatedAccount { port.account }

  /// Shows the person something about a product they tapped, later than `buy` returned.
  public func show(_ message: PurchaseMessage, about productID: String) {
    port.tell(message, about: productID)
  }

  /// Shows the person how a transaction ended, also one that they tapped in an earlier process.
  public func show(_ message: PurchaseMessage, about transaction: SKPaymentTransaction) {
    guard let store = transaction.store else {
      let productID = transaction.payment.productIdentifier
      return port.tell(message, about: productID, for: transaction.wish)
    }
    port.tell(message, about: store.underlying)
  }

  /// The same, for a transaction that the app knows by its identifier.
  public func show(_ message: PurchaseMessage, aboutTransaction transactionID: UInt64) {
    port.tell(message, about: SimulatedJWS.transaction(transactionID))
  }

  /// The goods of a transaction are on the device now: written there, or about to be.
  ///
  /// For an app without a backend (`typealias Backend = NoBackend`), which is judged by this as others are
  /// by their ledger. Call it in the line before the one that writes what was bought to `UserDefaults` or a file: like
  /// that write it is lost if the app dies before it has reached the disk (`synchronize()` waits for it). After a write
  /// that is on the disk at once, the app may die before it says so, and the purchase counts as lost. A non-consumable that the app finds in `Transaction.currentEntitlements`
  /// needs no word.
  public func delivered(_ transactionID: UInt64) {
    port.delivered(SimulatedJWS.transaction(transactionID))
  }

  /// The same for a transaction of StoreKit 1.
  public func delivered(_ transaction: SKPaymentTransaction) {
    guard let store = transaction.store ?? transaction.deferral else { return }
    port.delivered(store.state == .deferred ? store.underlying.payment : store.underlying.id)
  }

  /// Counts what is added to a number in `UserDefaults` as goods handed out, for an app without a backend that
  /// is to stay as it is: say it before the app is built.
  ///
  /// `amounts` is what each product adds. An addition of such an amount belongs to a transaction of the product that
  /// the app was given in this process: the last one for which nothing was added, or else the last of all, which has
  /// then been handed out twice; an addition of all that is open belongs to each. Other changes are not counted.
  /// What else adds the same amount is taken for a purchase.
  ///
  /// With `isShown` the app's screen has the number, so whoever bought sees the goods as soon as they are there; without,
  /// people know what `buy` and `show` tell them.
  public func watchBalance(
    forKey key: String, suite: String? = nil, amounts: [String: Int], isShown: Bool = false
  ) {
    port.goods.watch(port.part(suite) + key, .balance(amounts), isShown: isShown)
  }

  /// The same for a key that is true, or there at all, once a product is owned.
  public func watchPurchase(
    of productID: String, forKey key: String, suite: String? = nil, isShown: Bool = false
  ) {
    port.goods.watch(port.part(suite) + key, .owned(productID), isShown: isShown)
  }

  /// Counts what is added to a number in a file as goods handed out, as ``watchBalance(forKey:suite:amounts:isShown:)``
  /// does.
  ///
  /// `name` is the file's path in the documents folder, such as `wallet.json` or
  /// `../Library/Application Support/wallet.json`. `number` reads what stands in it; where there is no file it is 0.
  public func watchBalance(
    inFile name: String, amounts: [String: Int], isShown: Bool = false,
    number: @escaping (Data) -> Int
  ) {
    port.goods.watch(
      StoredFile.key(named: name), .balance(amounts), isShown: isShown, reader: number)
  }

  /// The same for a file that says whether a product is owned; without the file it is not.
  public func watchPurchase(
    of productID: String, inFile name: String, isShown: Bool = false,
    isOwned: @escaping (Data) -> Bool
  ) {
    port.goods.watch(
      StoredFile.key(named: name), .owned(productID), isShown: isShown,
      reader: { isOwned($0) ? 1 : 0 })
  }

  /// The app's screen shows what `Transaction.currentEntitlements` has: whoever bought sees it as soon as the app has
  /// looked, and `buy` and `show` need not say it.
  ///
  /// For an app without a backend; say it before the app is built.
  public func showEntitlements() { port.goods.showEntitlements() }

  /// The order number that the backend opens for a purchase before it is paid, as a UUID.
  public func newOrder(for productID: String) -> UUID? { port.newOrder(for: productID) }
}

/// Somebody who is logged in to the app.
public struct SimulatedAccount: Sendable, Hashable {
  let number: Int
  /// The name at the backend, such as `user1`.
  public var name: String { "user\(number)" }
  /// What an app gives StoreKit as appAccountToken.
  public let token: UUID
}
