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

  func chargeRow(_ transaction: TransactionID) -> TransactionID? { books.chargeRow(transaction) }

  /// All that a person has been charged for in one of the two environments, newest first.
  public func transactions(of person: Int, in environment: Environment) -> [TransactionID] {
    books.transactions(of: world.devices[Self.device(of: person, in: environment)].storeAccount)
  }

  /// What a person subscribes to, or did, in one of the two environments: for each the transaction that it began with,
  /// newest first.
  public func subscriptions(of person: Int, in environment: Environment) -> [TransactionID] {
    books.subscriptions(among: transactions(of: person, in: environment))
  }
}
