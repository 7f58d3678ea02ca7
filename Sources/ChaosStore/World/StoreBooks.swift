import Invariants

/// What the App Store has written down, for whoever says it in Apple's words: transactions, subscriptions, notifications.
///
/// It is as it stands when it is asked, and asking changes nothing.
public struct StoreBooks: WorldUser {
  let handle: WorldHandle

  /// Milliseconds since the store began.
  public var now: Int64 { world.now }
  /// The date at which it began, in seconds since 1970.
  public var beginsSeconds: Int64 { world.setup.beginsSeconds }
  /// How many users the app has.
  public var accountCount: Int { world.setup.accounts }
  /// What is sold.
  public var products: [Setup.Product] { world.setup.products }
}

extension Server {
  /// What the App Store has written down. No backend can know it; a gateway between one and this world does.
  public var books: StoreBooks { StoreBooks(handle: handle) }
}

/// A transaction as the App Store has it, with all that it says of one.
public struct StoreCharge: Sendable, Equatable {
  /// What Apple vouches for.
  public var purchase: VerifiedPurchase
  /// The transaction that it began with: of a subscription the first, of a restored one the charge. Apple:
  /// originalTransactionId.
  public var original: TransactionID
  /// Whose account of the app it was bought for, from 0; nil where nobody can tell.
  public var account: Int?
  /// Which Apple account has paid, from 0.
  public var storeAccount: Int
  /// When it was charged, and when the original was, in milliseconds since the store began.
  public var chargedMillis: Int64
  /// The same of ``original``.
  public var originalMillis: Int64
  /// Until when it pays; nil for what is no subscription.
  public var expiresMillis: Int64?
  /// When money was given back; nil where it was not.
  public var revokedMillis: Int64?
  /// Whether another product of its group has taken its place before it was over.
  public var isUpgraded: Bool
  /// Whether an app has finished it.
  public var isFinished: Bool
}

extension StoreBooks {
  /// How many transactions there are or were, payments that failed included; each has a number below that.
  public var transactionCount: Int { world.purchases.count }

  /// A transaction as it stands now; nil where there is none, or it was never charged.
  public func charge(_ transaction: TransactionID) -> StoreCharge? {
    guard let row = chargeRow(transaction) else { return nil }
    let purchase = world.purchases[row]
    let first = world.firstOfSubscription(row)
    let original = first.isNone ? row : first
    let isBack = purchase.refunded > 0 || purchase.flags.contains(.voided)
    return StoreCharge(
      purchase: world.verified(transaction, hasToken: true), original: original,
      account: purchase.account.isNone ? nil : purchase.account.index,
      storeAccount: purchase.storeAccount.index,
      chargedMillis: purchase.chargedMillis,
      originalMillis: world.purchases[original].chargedMillis,
      expiresMillis: purchase.subscription == .none ? nil : purchase.expiresMillis,
      revokedMillis: isBack ? purchase.voidedMillis : nil,
      isUpgraded: purchase.flags.contains(.upgraded),
      isFinished: purchase.flags.contains(.removed))
  }

  /// How the subscription stands that a transaction belongs to; nil where it belongs to none.
  public func subscription(of transaction: TransactionID) -> SubscriptionStatus? {
    world.status(ofSubscription: transaction)
  }

  /// The charge that a transaction stands for; nil where there is none.
  func chargeRow(_ transaction: TransactionID) -> TransactionID? {
    guard world.purchases.holds(transaction) else { return nil }
    let charge = world.purchases[transaction].original
    return world.purchases[charge].flags.contains(.charged) ? charge : nil
  }

  /// All that an Apple account has been charged for, newest first.
  func transactions(of account: StoreAccountID) -> [TransactionID] {
    var found: [TransactionID] = []
    var row = world.storeAccounts[account].first
    while row != .none {
      let purchase = world.purchases[row]
      if purchase.flags.contains(.charged), purchase.original == row { found.append(row) }
      row = purchase.next
    }
    return found
  }

  /// The subscriptions among transactions: of each the one that it began with.
  func subscriptions(among transactions: [TransactionID]) -> [TransactionID] {
    var found: [TransactionID] = []
    for row in transactions where world.purchases[row].subscription != .none {
      let first = world.subscriptions[world.purchases[row].subscription].first
      if !found.contains(first) { found.append(first) }
    }
    return found
  }

  /// What whoever made a transaction subscribes to, or did: of each the transaction that it began with, newest first.
  public func subscriptions(ofBuyerOf transaction: TransactionID) -> [TransactionID] {
    guard world.purchases.holds(transaction) else { return [] }
    return subscriptions(among: transactions(of: world.purchases[transaction].storeAccount))
  }

  /// What the history calls a transaction, such as `tx1/n2`; nil where there is none.
  public func name(of transaction: TransactionID) -> String? {
    guard world.purchases.holds(transaction) else { return nil }
    return Subject(key: world.purchases[transaction].key).name
  }

  /// What a receipt shows, newest first, whatever Apple would say of it now.
  public func purchases(shownBy receipt: Evidence) -> [VerifiedPurchase] {
    Array(
      Server.Purchases(
        handle: handle,
        answer: VerifierAnswer(status: 0, evidence: receipt, question: .productionReceipt)))
  }
}
