import Invariants

/// What people do in the store itself.
extension LiveStore {
  /// What became of the wish to buy something.
  public enum Purchase: Sendable, Equatable {
    /// It was charged.
    case charged(TransactionID)
    /// Nothing was charged: the person has it already. Of a subscription of which another product was wanted, that is
    /// what the next period will be of.
    case returned(TransactionID)
    /// The payment was declined, or the offer was not for them.
    case refused
  }

  /// A person buys something, and is charged at once.
  ///
  /// `token` is the appAccountToken that their app gave, `offer` the place of one of the product's offers, from 0.
  public func buy(
    _ product: ProductID, by person: Int, in environment: Environment, quantity: UInt32 = 1,
    token: Token = .none, offer: Int? = nil
  ) -> Purchase {
    let number = intentsMade
    let intent = world.intents.nextID
    let row = world.purchases.nextID
    let device = Self.device(of: person, in: environment)
    lines.returned = .none
    openApp(on: device)
    world.buyOutside(
      origin: number, device: device, account: person,
      product: product.index, quantity: quantity, offer: UInt8(clamping: (offer ?? -1) + 1),
      token: token)
    settle()
    if world.purchases.holds(row), world.purchases[row].intent == intent,
      world.purchases[row].flags.contains(.charged)
    {
      return .charged(row)
    }
    return lines.returned.isNone ? .refused : .returned(lines.returned)
  }

  private var intentsMade: Int { world.intents.count }

  /// Whoever has bought something uses it from then on: what they miss they miss at once.
  private func openApp(on device: DeviceID) {
    guard world.devices[device].life == 0 else { return }
    world.devices[device].life = 1
    var fact = world.fact(.launched)
    fact.device = device
    fact.storeAccount = world.devices[device].storeAccount
    fact.account = world.devices[device].account
    world.emit(fact)
  }

  /// An app finishes a transaction; false where there is none that was charged and is unfinished.
  @discardableResult
  public func finish(_ transaction: TransactionID) -> Bool {
    guard world.purchases.holds(transaction), world.purchases[transaction].flags.isUnfinished
    else { return false }
    world.finishArrives(transaction, world.purchases[transaction].device)
    settle()
    return true
  }

  /// Somebody asks for the money of a transaction back, and Apple asks the backend first what became of it; it decides
  /// an hour to two days later.
  public func requestRefund(of transaction: TransactionID) -> RefundRequest {
    guard world.purchases.holds(transaction) else { return .unknown }
    let request = world.requestRefund(of: transaction, on: world.purchases[transaction].device)
    settle()
    return request
  }

  /// Apple gives the money of a charge back at once, all of it or so many thousandths; false where there is none to be
  /// given back.
  public func refund(_ transaction: TransactionID, thousandths: Int = 1000) -> Bool {
    guard (1...1000).contains(thousandths), let charge = chargeRow(transaction),
      world.purchases[charge].refunded == 0,
      world.purchases[charge].flags.isDisjoint(with: .voided.union(.shared))
    else { return false }
    world.refund(charge, part: thousandths)
    settle()
    return true
  }

  /// Apple takes money again that it had given back; false where it had not.
  public func reverseRefund(of transaction: TransactionID) -> Bool {
    guard let charge = chargeRow(transaction), world.purchases[charge].refunded > 0,
      !world.purchases[charge].flags.contains(.shared)
    else { return false }
    world.reverseRefund(charge)
    settle()
    return true
  }

  /// A person turns the renewal of a subscription off or on; false where there is none that can be used, or it is so
  /// already.
  public func setRenews(_ renews: Bool, ofSubscription transaction: TransactionID) -> Bool {
    guard let charge = chargeRow(transaction) else { return false }
    let id = world.purchases[charge].subscription
    guard id != .none, world.subscriptions[id].sharedFrom == .none,
      world.subscriptions[id].state == .active, world.subscriptions[id].renews != renews
    else { return false }
    world.turnRenewal(renews, of: id)
    settle()
    return true
  }

  /// A subscription is to cost more from the next period on, to which the person must agree; false where none is to be
  /// renewed. They agree within two weeks, unless F88 has them not.
  public func raisePrice(ofSubscription transaction: TransactionID) -> Bool {
    guard let charge = chargeRow(transaction) else { return false }
    let id = world.purchases[charge].subscription
    guard id != .none, world.subscriptions[id].sharedFrom == .none,
      world.subscriptions[id].state == .active, world.subscriptions[id].renews,
      world.subscriptions[id].consent == .none
    else { return false }
    world.announcePrice(id)
    settle()
    return true
  }

  /// A person leaves their family: what others of it have bought is theirs no more.
  public func leaveFamily(_ person: Int) {
    world.leaveFamily(
      world.devices[Self.device(of: person, in: .production)].storeAccount)
    settle()
  }

  func chargeRow(_ transaction: TransactionID) -> TransactionID? {
    guard world.purchases.holds(transaction) else { return nil }
    let charge = world.purchases[transaction].original
    return world.purchases[charge].flags.contains(.charged) ? charge : nil
  }
}

/// A transaction as the App Store has it, with all that it says of one.
public struct LiveCharge: Sendable, Equatable {
  /// What Apple vouches for.
  public var purchase: VerifiedPurchase
  /// The transaction that it began with: of a subscription the first, of a restored one the charge. Apple:
  /// originalTransactionId.
  public var original: TransactionID
  /// Whose account of the app it is, and so which person's, from 0; nil where nobody's.
  public var person: Int?
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

extension LiveStore {
  /// How many transactions there are or were, payments that failed included; each has a ``TransactionID`` below that.
  public var transactionCount: Int { world.purchases.count }

  /// A transaction as it stands now; nil where there is none, or it was never charged.
  public func charge(_ transaction: TransactionID) -> LiveCharge? {
    guard let row = chargeRow(transaction) else { return nil }
    let purchase = world.purchases[row]
    let first = world.firstOfSubscription(row)
    let original = first.isNone ? row : first
    let isBack = purchase.refunded > 0 || purchase.flags.contains(.voided)
    return LiveCharge(
      purchase: world.verified(transaction, hasToken: true), original: original,
      person: purchase.account.isNone ? nil : purchase.account.index,
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

  /// All that a person has been charged for in one of the two environments, newest first.
  public func transactions(of person: Int, in environment: Environment) -> [TransactionID] {
    var found: [TransactionID] = []
    let account = world.devices[Self.device(of: person, in: environment)].storeAccount
    var row = world.storeAccounts[account].first
    while row != .none {
      let purchase = world.purchases[row]
      if purchase.flags.contains(.charged), purchase.original == row { found.append(row) }
      row = purchase.next
    }
    return found
  }
}
