import Invariants

/// Other products of the group that somebody subscribes to.
///
/// Source: Apple, App Store Connect Help, subscription groups and levels: what is higher, or as high and paid for
/// as often, begins at once; anything else with the next period.
extension World {
  /// Whether a person has one of the two at a time.
  func isOneGroup(_ product: ProductID, _ other: ProductID) -> Bool {
    if product == other { return true }
    guard let group = setup.products[product.index].renewal?.group else { return false }
    return setup.products[other.index].renewal?.group == group
  }

  /// What answers the wish for a product that will be subscribed to with the next period, instead of a charge: the
  /// last charge of what is subscribed to now.
  ///
  /// Source: RevenueCat/purchases-ios#3020, where the transaction of a downgrade is the one that was there.
  func transactionBeforeChange(_ row: TransactionID) -> TransactionID? {
    let wanted = purchases[row]
    guard let new = setup.products[wanted.product.index].renewal,
      let known = subscription(inGroupOf: wanted.product, of: wanted.storeAccount),
      subscriptions[known].state.isUsable
    else { return nil }
    let latest = subscriptions[known].latest
    guard let old = setup.products[purchases[latest].product.index].renewal else { return nil }
    let isAtOnce = new.level < old.level || new.level == old.level && new.period == old.period
    return isAtOnce ? nil : latest
  }

  /// Enters the charge with which a subscription began, and those with which it had begun before, unless they are
  /// there; whether it was not.
  mutating func creditCharges(
    ofSubscription row: TransactionID, to account: AccountID
  ) -> Bool {
    let began = chargeThatBegan(row)
    let subscription = purchases[row].subscription
    if _slowPath(subscription != .none && subscriptions[subscription].beganAgain) {
      var other = storeAccounts[purchases[row].storeAccount].first
      while other != .none {
        let purchase = purchases[other]
        if purchase.subscription == subscription, !purchase.flags.contains(.renewal), other != began
        {
          enter(verified(other, hasToken: true), other, to: account)
        }
        other = purchase.next
      }
    }
    return enter(verified(began, hasToken: true), began, to: account)
  }

  /// Somebody who is subscribed has asked for a product of the group, which costs nothing now: it is what the next
  /// period is paid for.
  mutating func choosePlan(
    _ product: ProductID, instead old: TransactionID, offer: UInt8 = 0
  ) {
    guard isEntitled(old) else { return }
    let id = purchases[old].subscription
    let before = subscriptions[id]
    subscriptions[id].next = product
    if product != before.next {
      subscriptions[id].nextOffer = 0
      subscriptions[id].offerPeriods = 0
    }
    if _slowPath(offer > 0), isEligible(purchases[old].storeAccount, for: offer, of: product) {
      redeem(offer, of: product, in: id)
    } else if product != before.next {
      let isChange = product != purchases[old].product
      notify(.renewalPreferenceChanged, old, isChange ? .downgrade : nil)
    }
    guard !before.renews else { return }
    subscriptions[id].renews = true
    notify(.renewalStatusChanged, old, .autoRenewEnabled)
    planCharge(id)
  }
}
