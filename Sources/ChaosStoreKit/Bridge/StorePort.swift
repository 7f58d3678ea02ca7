import ChaosStore
import Foundation
import Invariants

/// A product of the simulated catalogue, as both generations of StoreKit show it.
struct StoreProduct: Sendable, Hashable {
  var id: String
  var displayName: String
  var description: String
  var price: Decimal
  var isConsumable: Bool
  /// Whether it is a subscription that is not renewed.
  var isNonRenewing = false
  /// Whether the family of whoever buys it has it as well.
  var isFamilyShareable = false
  /// How it is renewed; nil for what is no subscription.
  var renewal: Setup.Product.Renewal? = nil

  /// The group of which a person has one subscription at a time: its own where it is in none; nil for what is no
  /// subscription.
  var groupID: String? { renewal.map { $0.group ?? id } }

  /// One of its offers, by its place from 1.
  func offer(_ redeemed: RedeemedOffer?) -> Setup.Product.Offer? {
    guard let redeemed, let offers = renewal?.offers, redeemed.position <= offers.count else {
      return nil
    }
    return offers[Int(redeemed.position) - 1]
  }

  /// What one period of an offer costs: nothing, or half of the price.
  func price(of offer: Setup.Product.Offer) -> Decimal {
    offer.payment == .freeTrial ? 0 : price / 2
  }
}

/// A subscription as the simulated phone shows it.
struct StoreSubscription: Sendable, Hashable {
  var status: SubscriptionStatus
  /// The one with which it began.
  var originalID: UInt64
  /// The last one that was made for it.
  var transaction: StoreTransaction
  /// What the next period will be of.
  var renewalProductID: String

  func hash(into hasher: inout Hasher) {
    hasher.combine(transaction)
    hasher.combine(status.state)
  }
}

/// What the App Store says to the app, beside transactions.
enum StoreMessage: Sendable {
  case subscription(StoreSubscription)
  case revoked(productID: String)
  case billingIssue
  case priceIncrease
  /// Somebody wants to buy this, and has tapped for it in the App Store.
  case wish(productID: String)
}

/// A transaction as the simulated phone hands it out.
struct StoreTransaction: Sendable, Hashable {
  enum State: Sendable { case purchased, failed, restored, deferred }

  /// 0 in a failed one, and in one that is deferred.
  var id: UInt64
  var originalID: UInt64
  var productID: String
  var quantity: Int
  var state: State
  /// appAccountToken, StoreKit 2.
  var accountToken: UUID?
  /// applicationUsername, StoreKit 1, if it is not the text of ``accountToken``.
  var plainUsername: String?
  /// Virtual time.
  var purchaseMillis: Int64
  var isProduction: Bool
  var underlying: PaymentTransaction

  /// Until when it pays, in virtual time; nil for what is no subscription.
  var expiresMillis: Int64? { underlying.expiresMillis }
  /// Whether another one of its group has taken its place.
  var isUpgraded: Bool { underlying.isUpgraded }
  /// The offer with which it was charged; nil for none.
  var offer: RedeemedOffer? { underlying.offer }
  var isElsewhere: Bool { underlying.isElsewhere }
  /// Whether the store made it, to renew a subscription.
  var isRenewal: Bool { underlying.isRenewal }
  /// Whether somebody of the family has paid for it.
  var isShared: Bool { underlying.isShared }
  /// When the store took the charge back, in virtual time; nil if it stands.
  var revokedMillis: Int64? { underlying.revokedMillis }
  /// The payment behind it, which a failed one has too; nil where it is nobody's.
  var payment: TransactionID? { underlying.original.isNone ? nil : underlying.original }
  /// The wish that it was asked for.
  var wish: IntentID { underlying.intent }

  /// The code of the `SKError` that it was refused with; nil where StoreKit has no name for that.
  var errorCode: Int? { underlying.error.map { Int($0.rawValue) } }
  /// Why the device cannot verify it; nil where it has.
  var doubt: StoreDoubt? { underlying.doubt == 0 ? nil : StoreDoubt(rawValue: underlying.doubt) }

  /// applicationUsername, StoreKit 1.
  var username: String? { plainUsername ?? accountToken?.uuidString }

  func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(productID)
    hasher.combine(purchaseMillis)
  }
}

/// What the façade asks of the simulated phone: one object for each app process.
///
/// Every call may kill the process (`isAlive` turns false); the port of a dead process answers with
/// nothing and never calls back. Callbacks come on the simulation's thread, inside `Host.enter`, and
/// never from within the call itself.
protocol StorePort: AnyObject {
  var isAlive: Bool { get }
  /// Virtual milliseconds since the run began.
  var now: Int64 { get }
  /// Whether this phone buys with real money.
  var isProduction: Bool { get }
  var catalogue: [StoreProduct] { get }

  /// Nil: the store could not be asked.
  func loadProducts(_ done: @escaping ([StoreProduct]?) -> Void)
  /// Whether a request that the app has not kept is answered to nobody.
  var losesRequest: Bool { get }
  /// Says why something comes to nothing, to whoever wants to know.
  func remark(_ text: @autoclosure () -> String)
  /// StoreKit 2; with an offer of the product, or nil.
  func purchase(
    _ productID: String, quantity: Int, token: UUID?, offer: String?,
    _ done: @escaping (StorePurchase) -> Void)
  /// StoreKit 1; what comes of it is delivered. Returns the wish that it is made for, if any.
  func addPayment(
    _ productID: String, quantity: Int, username: String?, offer: String?
  ) -> IntentID

  /// The first listener or observer is there.
  func observe()
  /// The last one is gone.
  func unobserve()

  /// The app reads what a transaction that it holds is about.
  func look(at transaction: StoreTransaction)
  func finish(_ transaction: StoreTransaction)
  func restore(_ done: @escaping (_ succeeded: Bool) -> Void)
  var unfinished: [StoreTransaction] { get }
  /// Non-consumables that were bought, finished or not, and the subscriptions that may be used now.
  var entitlements: [StoreTransaction] { get }
  /// The subscriptions that this person has or had.
  var subscriptions: [StoreSubscription] { get }
  /// Whether the introductory offer of a product is for this person.
  func isEligibleForIntroductoryOffer(of productID: String) -> Bool
  /// Asks for the money of a transaction back.
  func requestRefund(of transactionID: UInt64) -> RefundRequest
  /// The app is told such news from now on.
  func follow(_ kinds: StoreNews.Kinds)
  /// Whether there can be any.
  var hasNews: Bool { get }
  /// What `Transaction.all` shows: what is unfinished, and non-consumables.
  var history: [StoreTransaction] { get }

  /// What is at `Bundle.main.appStoreReceiptURL`.
  func receiptFile() -> Data?
  func refreshReceipt(_ done: @escaping (_ succeeded: Bool) -> Void)
  func jws(of transaction: StoreTransaction) -> String
}

extension StorePort {
  var isProduction: Bool { true }
}

extension StorePort {
  func look(at transaction: StoreTransaction) {}
  var subscriptions: [StoreSubscription] { [] }
  func isEligibleForIntroductoryOffer(of productID: String) -> Bool { false }
  func requestRefund(of transactionID: UInt64) -> RefundRequest { .unknown }
  func follow(_ kinds: StoreNews.Kinds) {}
  var hasNews: Bool { false }
  var losesRequest: Bool { false }
  func remark(_ text: @autoclosure () -> String) {}

  /// An app has asked for products, some of which nobody sells.
  func remark(askedFor identifiers: some Collection<String>, sold products: [StoreProduct]) {
    // Mostly all are sold.
    if identifiers.allSatisfy({ asked in products.contains { $0.id == asked } }) { return }
    let sold = products.map(\.id)
    let missing = Set(identifiers).subtracting(sold).sorted()
    remark(
      "asked for \(list(missing)), \(RemarkWords.isNotSold): it sells \(list(sold)); name them in "
        + "the products of the system's entry, or of the scenario")
  }

  private func list(_ names: [String]) -> String {
    let shown = names.prefix(6).map { "'\($0)'" }.joined(separator: ", ")
    return names.count > 6 ? "\(shown) and \(names.count - 6) more" : shown
  }
}
