import Invariants

/// Subscriptions, as the App Store keeps them: nothing asks whether it is time.
extension World {
  /// Apple begins to charge a day before what was paid for is over.
  private static let lead: Int64 = 86_400_000
  /// What begins again within 60 days goes on for Apple.
  private static let lapse: Int64 = 60 * 86_400_000
  /// In the sandbox a subscription is renewed so often (Apple: up to 12 times).
  private static let sandboxRenewals: UInt16 = 12

  /// Whether a purchase is one that its store account has now: owned for good, or subscribed to.
  @inline(__always)
  func isOwned(_ row: TransactionID) -> Bool {
    let purchase = purchases.at(row)
    guard purchase.pointee.flags.isOwned else { return false }
    if _fastPath(purchase.pointee.subscription == .none) { return true }
    return isEntitled(row)
  }

  /// What the store account owns of what is about to be charged: another phone was faster.
  @inline(__always)
  func ownedMeanwhile(_ row: TransactionID) -> TransactionID? {
    let wanted = purchases.at(row)
    guard !wanted.pointee.flags.contains(.consumable) else { return nil }
    var other = storeAccounts[wanted.pointee.storeAccount].first
    while other != .none {
      let purchase = purchases.at(other)
      if purchase.pointee.product == wanted.pointee.product, isOwned(other) {
        return other
      }
      other = purchase.pointee.next
    }
    return nil
  }

  /// Whether a subscription that it paid for is over, or was paid for again since.
  @inline(__always)
  func isOver(_ row: TransactionID) -> Bool {
    _slowPath(purchases.at(row).pointee.subscription != .none) && !isEntitled(row)
  }

  /// Whether it is the charge by which somebody is subscribed now.
  func isEntitled(_ row: TransactionID) -> Bool {
    let subscription = purchases[row].subscription
    guard subscription != .none else { return false }
    return subscriptions[subscription].latest == row && subscriptions[subscription].state.isUsable
  }

  /// A product that is renewed was charged: a subscription begins, goes on after it was over, or becomes another one
  /// of its group at once.
  mutating func subscribe(_ row: TransactionID) {
    let product = purchases[row].product
    guard setup.products[product.index].renewal != nil else { return }
    if _slowPath(makesOffers) { takeIntroduction(row) }
    let offer = purchases[row].offer
    let known = subscription(inGroupOf: product, of: purchases[row].storeAccount)
    guard let known else {
      let new = subscriptions.append(
        SubscriptionRow(
          first: row, began: row, latest: row, next: product, anchorMillis: now, recentMillis: now))
      purchases[row].subscription = new
      if _slowPath(makesOffers) { countOffer(offer, of: product, in: new) }
      restart(new)
      return notify(.subscribed, row, .initialBuy)
    }
    let isUpgrade = subscriptions[known].state.isUsable
    if !isUpgrade, now - subscriptions[known].expiresMillis >= Self.lapse {
      subscriptions[known].recentMillis = now
    }
    // Apple gives back what is left of the period that it takes the place of.
    if isUpgrade { purchases[subscriptions[known].latest].flags.insert(.upgraded) }
    subscriptions[known].beganAgain = true
    subscriptions[known].began = row
    subscriptions[known].latest = row
    subscriptions[known].next = product
    subscriptions[known].nextOffer = 0
    subscriptions[known].offerPeriods = 0
    purchases[row].subscription = known
    if _slowPath(makesOffers) { countOffer(offer, of: product, in: known) }
    restart(known)
    guard isUpgrade else { return notify(.subscribed, row, .resubscribe) }
    notify(offer > 0 ? .offerRedeemed : .renewalPreferenceChanged, row, .upgrade)
  }

  /// What somebody tapped for, or bought in the store, of the subscription that a charge pays for; the charge
  /// itself where it is for none.
  func chargeThatBegan(_ row: TransactionID) -> TransactionID {
    let subscription = purchases[row].subscription
    return subscription == .none ? row : subscriptions[subscription].began
  }

  /// What a store account has, or had, of the group of a product, and pays for itself.
  func subscription(
    inGroupOf product: ProductID, of account: StoreAccountID
  ) -> SubscriptionID? {
    var row = storeAccounts[account].first
    while row != .none {
      let purchase = purchases.at(row)
      if purchase.pointee.subscription != .none, isOneGroup(purchase.pointee.product, product),
        !purchase.pointee.flags.contains(.shared)
      {
        return purchase.pointee.subscription
      }
      row = purchase.pointee.next
    }
    return nil
  }

  /// What the ledger has one row for: a charge, or all of a subscription.
  @inline(__always)
  func ledgerKey(of row: TransactionID) -> TransactionID {
    guard _slowPath(sellsSubscriptions), purchases[row].subscription != .none else { return row }
    return subscriptions[purchases[row].subscription].first
  }

  /// The first transaction of what a charge belongs to; none where it is the first, or no subscription.
  func firstOfSubscription(_ row: TransactionID) -> TransactionID {
    let subscription = purchases[row].subscription
    guard subscription != .none else { return .none }
    let first = subscriptions[subscription].first
    return first == row ? .none : first
  }

  /// Periods are counted from now on.
  private mutating func restart(_ id: SubscriptionID) {
    recount(id, from: now)
    subscriptions[id].renews = true
    beginPeriod(id)
  }

  private mutating func recount(_ id: SubscriptionID, from millis: Int64) {
    subscriptions[id].anchorMillis = millis
    subscriptions[id].expiresMillis = millis
    subscriptions[id].periods = 0
  }

  private mutating func beginPeriod(_ id: SubscriptionID) {
    let latest = subscriptions[id].latest
    let product = purchases[latest].product
    guard let renewal = setup.products[product.index].renewal else { return }
    let period = offer(purchases[latest].offer, of: product)?.period ?? renewal.period
    subscriptions[id].periods += 1
    subscriptions[id].state = .active
    subscriptions[id].isUnpaid = false
    subscriptions[id].version &+= 1
    let row = subscriptions[id]
    let ends: Int64
    if purchases[latest].environment == .sandbox {
      ends = row.anchorMillis + Int64(row.periods) * period.sandboxMillis
    } else {
      let begin = setup.beginsSeconds + row.anchorMillis / 1000
      ends =
        (period.end(of: Int(row.periods), from: begin) - setup.beginsSeconds) * 1000
        + row.anchorMillis % 1000
    }
    subscriptions[id].expiresMillis = ends
    purchases[latest].expiresMillis = ends
    subscriptions[id].chargesMillis =
      ends - min(Self.lead, (ends - max(now, row.expiresMillis)) / 25)
    plan(.charge, id, at: subscriptions[id].chargesMillis)
    mayRefund(latest)
    subscriptions[id].consent = .none
    mayRaisePrice(id)
  }

  /// The period that is paid for ends so much later.
  mutating func prolong(_ id: SubscriptionID, by millis: Int64) {
    subscriptions[id].anchorMillis += millis
    subscriptions[id].expiresMillis += millis
    subscriptions[id].chargesMillis += millis
    purchases[subscriptions[id].latest].expiresMillis = subscriptions[id].expiresMillis
    if _slowPath(sharesPurchases) { passOn(id, .renewalExtended) }
    guard !subscriptions[id].renews else { return planCharge(id) }
    subscriptions[id].version &+= 1
    plan(.end, id, at: subscriptions[id].expiresMillis)
  }

  /// What had been planned for its end comes to nothing: it is charged for as if its renewal had never been off.
  mutating func planCharge(_ id: SubscriptionID) {
    subscriptions[id].version &+= 1
    plan(.charge, id, at: subscriptions[id].chargesMillis)
  }

  mutating func plan(_ event: SubscriptionEvent, _ id: SubscriptionID, at millis: Int64) {
    // What would come after every horizon need not be kept.
    guard millis <= setup.horizonMillis else { return }
    schedule(.subscription(event, id, version: subscriptions[id].version), at: max(millis, now))
  }

  /// Something that was planned for a subscription happens.
  mutating func subscriptionEvent(_ event: Event) {
    guard let kind = SubscriptionEvent(rawValue: event.tag) else { return }
    switch kind {
    case .refund: return refund(event.transaction)
    case .refundReversal: return reverseRefund(event.transaction)
    case .refundRequest: return askForRefund(event.transaction)
    case .refundDecision: return decideRefund(event.transaction)
    case .share: return share(event.transaction)
    case .familyLeft: return leaveFamily(purchases[event.transaction].storeAccount)
    case .charge, .end, .recovery, .priceRise, .consent: break
    }
    let id = event.subscription
    guard event.life == subscriptions[id].version else { return }
    switch kind {
    case .charge: chargeNext(id)
    case .end: end(id)
    case .recovery: renew(id)
    case .priceRise: announcePrice(id)
    case .consent: consent(id)
    case .refund, .refundReversal, .refundRequest, .refundDecision, .share, .familyLeft: break
    }
  }

  private mutating func chargeNext(_ id: SubscriptionID) {
    let row = subscriptions[id]
    let who = who(purchase: row.latest)
    let isSandbox = purchases[row.latest].environment == .sandbox
    if decisions.strikes(.cancelRenewal, who)
      || isSandbox && row.renewals >= Self.sandboxRenewals
    {
      return endRenewal(of: id)
    }
    // Who has not agreed to another price does not pay it.
    if row.consent == .pending {
      subscriptions[id].renews = false
      return plan(.end, id, at: row.expiresMillis)
    }
    guard decisions.strikes(.failRenewal, who) else { return renew(id) }
    subscriptions[id].isUnpaid = true
    let grace = setup.products[purchases[row.latest].product.index].renewal?.graceDays ?? 0
    if grace > 0 { subscriptions[id].state = .gracePeriod }
    let ends = row.expiresMillis + Int64(grace) * 86_400_000
    subscriptions[id].expiresMillis = ends
    let subtype: StoreNotification.Subtype? = grace > 0 ? .gracePeriod : nil
    notify(.renewalFailed, row.latest, subtype)
    if _slowPath(sharesPurchases) { passOn(id, .renewalFailed, subtype) }
    plan(.end, id, at: ends)
    guard !decisions.strikes(.abandonRenewal, who) else { return }
    plan(.recovery, id, at: now + decisions.delay(.delayRecovery, who))
  }

  /// A person turns the renewal off: what is paid for is the last period.
  private mutating func endRenewal(of id: SubscriptionID) {
    subscriptions[id].renews = false
    notify(.renewalStatusChanged, subscriptions[id].latest, .autoRenewDisabled)
    if _slowPath(sharesPurchases) { passOn(id, .renewalStatusChanged, .autoRenewDisabled) }
    plan(.end, id, at: subscriptions[id].expiresMillis)
  }

  /// A person turns the renewal of what is paid for off, or on again.
  mutating func turnRenewal(_ renews: Bool, of id: SubscriptionID) {
    subscriptions[id].version &+= 1
    guard renews else { return endRenewal(of: id) }
    subscriptions[id].renews = true
    notify(.renewalStatusChanged, subscriptions[id].latest, .autoRenewEnabled)
    if _slowPath(sharesPurchases) { passOn(id, .renewalStatusChanged, .autoRenewEnabled) }
    planCharge(id)
  }

  /// The next period is paid for.
  private mutating func renew(_ id: SubscriptionID) {
    let row = subscriptions[id]
    let offer = makesOffers ? offerOfRenewal(id) : 0
    if _slowPath(makesOffers) { countOffer(offer, of: row.next, in: id) }
    let renewal = addRenewal(id, product: row.next, offer: offer)
    if !row.state.isUsable {
      restart(id)
    } else {
      // The periods of another product, or of other terms, are counted from the end of those before.
      let last = purchases[row.latest]
      if last.product != row.next || last.offer != purchases[renewal].offer {
        recount(id, from: last.expiresMillis)
      }
      beginPeriod(id)
    }
    let subtype: StoreNotification.Subtype? = row.isUnpaid ? .billingRecovery : nil
    noteRenewal(renewal, id, subtype)
    if _slowPath(sharesPurchases) { renewShares(of: id, subtype) }
  }

  /// The charge for another period.
  mutating func addRenewal(
    _ id: SubscriptionID, product: ProductID, offer: UInt8 = 0
  ) -> TransactionID {
    let first = purchases[subscriptions[id].first]
    subscriptions[id].renewals += 1
    let renewal = purchases.nextID
    var purchase = PurchaseRow(
      key: Subject(key: first.key).renewal(UInt64(subscriptions[id].renewals)).key,
      slot: decisions.addSlot(), intent: .none, device: first.device, account: first.account,
      storeAccount: first.storeAccount, product: product, quantity: first.quantity,
      environment: first.environment, token: first.token, original: renewal)
    purchase.flags = first.flags.intersection(.storeKit2.union(.shared))
      .union(.charged.union(.renewal))
    purchase.subscription = id
    purchase.offer = offer
    purchases.append(purchase)
    enlist(renewal)
    subscriptions[id].latest = renewal
    return renewal
  }

  /// The history has it, and apps and the backend are told.
  mutating func noteRenewal(
    _ renewal: TransactionID, _ id: SubscriptionID, _ subtype: StoreNotification.Subtype?
  ) {
    let purchase = purchases[renewal]
    var fact = fact(.renewed)
    fact.transaction = renewal
    fact.original = subscriptions[id].first
    fact.account = purchase.account
    fact.storeAccount = purchase.storeAccount
    fact.product = purchase.product
    fact.quantity = purchase.quantity
    fact.environment = purchase.environment
    fact.amount = termsAmount(renewal)
    emit(fact)
    announce(renewal, .charged)
    notify(.renewed, renewal, subtype)
  }

  /// Transaction.updates of apps that run; others are told at their next launch.
  mutating func announce(_ row: TransactionID, _ kind: CallbackKind) {
    var device = storeAccounts[purchases[row].storeAccount].firstDevice
    while device != .none {
      if devices[device].isObserving { callBack(row, device, kind) }
      device = devices[device].nextOfAccount
    }
  }

  private mutating func end(_ id: SubscriptionID) {
    let hadGrace = subscriptions[id].state == .gracePeriod
    subscriptions[id].state = subscriptions[id].isUnpaid ? .billingRetry : .expired
    noteEnd(id, hadGrace: hadGrace)
    if _slowPath(sharesPurchases) { endShares(of: id) }
  }

  /// The history has that it is over, and the backend is told.
  mutating func noteEnd(_ id: SubscriptionID, hadGrace: Bool) {
    let latest = subscriptions[id].latest
    var fact = fact(.expired)
    fact.transaction = latest
    fact.original = subscriptions[id].first
    emit(fact)
    if hadGrace { return notify(.graceEnded, latest) }
    let isRefused = subscriptions[id].consent == .pending
    notify(
      .expired, latest,
      subscriptions[id].isUnpaid ? .billingRetry : isRefused ? .priceIncrease : .voluntary)
  }

  /// All the money of a charge was given back: with the last one a subscription ends.
  mutating func revokeSubscription(_ row: TransactionID) {
    let id = purchases[row].subscription
    guard subscriptions[id].latest == row else { return }
    subscriptions[id].state = .revoked
    subscriptions[id].renews = false
    subscriptions[id].version &+= 1
  }

  /// And taken again: what is left of the period is paid for.
  mutating func reinstateSubscription(_ row: TransactionID) {
    let id = purchases[row].subscription
    guard subscriptions[id].latest == row, subscriptions[id].state == .revoked else { return }
    subscriptions[id].state = .active
    plan(.end, id, at: subscriptions[id].expiresMillis)
    if _slowPath(sharesPurchases) { mayShare(row) }
  }

  /// Whoever serves the app lets an account use a subscription until then.
  mutating func grant(_ purchase: VerifiedPurchase, to account: AccountID, until: Int64) {
    var fact = fact(.granted)
    fact.transaction = purchase.transaction
    fact.account = account
    fact.product = purchase.product
    fact.quantity = 1
    fact.environment = purchase.environment
    // What ends within a second ends with it.
    fact.amount = UInt32(clamping: (until + 999) / 1000)
    emit(fact)
  }

  /// What Apple says of the subscription that a transaction belongs to.
  func status(ofSubscription row: TransactionID) -> SubscriptionStatus? {
    guard purchases.holds(row), purchases[row].subscription != .none else { return nil }
    let subscription = subscriptions[purchases[row].subscription]
    var until = subscription.expiresMillis
    // What was over before its money was given back was over then.
    if subscription.state == .revoked {
      until = min(until, purchases[subscription.latest].voidedMillis)
    }
    return SubscriptionStatus(
      state: subscription.state, original: subscription.first, latest: subscription.latest,
      product: purchases[subscription.latest].product, untilMillis: until,
      renews: subscription.renews, renewalProduct: subscription.next,
      isUnpaid: subscription.isUnpaid, recentStartMillis: subscription.recentMillis,
      priceConsent: subscription.consent,
      renewalOffer: makesOffers
        ? redeemed(offerOfRenewal(purchases[row].subscription), of: subscription.next) : nil)
  }
}

extension Phone {
  /// StoreKit 2: Transaction.currentEntitlements. Non-consumables that stand, all subscriptions that are not renewed,
  /// and of each other one that may be used now, grace included, its last transaction; newest first.
  public var entitlements: [PaymentTransaction] {
    history.filter {
      $0.revokedMillis == nil && !world.setup.products[$0.product.index].isConsumable
        && !world.isOver($0.row)
    }
  }
}
