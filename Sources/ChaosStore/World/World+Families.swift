import Invariants

/// Family Sharing: what somebody has bought, the others of their family have as well, without money and as
/// transactions of their own.
///
/// Source: Apple, Supporting Family Sharing in your app; ONE_TIME_CHARGE and SUBSCRIBED, which are sent for who gets
/// access, and REVOKE for who loses it.
extension World {
  /// As many as there are names for.
  private static let mostShares: UInt64 = 15

  /// Something that can be shared was charged, or is paid for again after a refund was reversed.
  mutating func mayShare(_ row: TransactionID) {
    guard setup.products[purchases[row].product.index].isFamilyShareable,
      !family(of: purchases[row].storeAccount).isEmpty
    else { return }
    scheduleInTime(.share(row), after: decisions.delay(.delayShare, who(purchase: row)))
  }

  /// The others of a family, but for who has left it; nobody for who is in none.
  private func family(of account: StoreAccountID) -> [StoreAccountID] {
    guard !storeAccounts[account].hasLeftFamily,
      let family = setup.families.first(where: { $0.contains(account.index) })
    else { return [] }
    return family.map { StoreAccountID(index: $0) }
      .filter { $0 != account && !storeAccounts[$0].hasLeftFamily }
  }

  /// The others of the family get it, unless it was taken back or has ended meanwhile.
  mutating func share(_ row: TransactionID) {
    let purchase = purchases[row]
    guard purchase.refunded < 1000, !purchase.flags.contains(.voided) else { return }
    var source = row
    if purchase.subscription != .none {
      let subscription = subscriptions[purchase.subscription]
      guard subscription.state.isUsable else { return }
      source = subscription.latest
    }
    for member in family(of: purchase.storeAccount) {
      share(source, boughtBy: row, with: member)
    }
  }

  private mutating func share(
    _ source: TransactionID, boughtBy row: TransactionID, with member: StoreAccountID
  ) {
    // Who has no phone has no use for it, and nobody would see it.
    var phone = storeAccounts[member].firstDevice
    while phone != .none, devices[phone].isOmitted { phone = devices[phone].nextOfAccount }
    guard phone != .none, !has(member, source) else { return }
    let number = UInt64(shares(of: row) + 1)
    guard number <= Self.mostShares else { return }
    let share = addShare(
      of: source, named: Subject(key: purchases[row].key).share(number), to: member, on: phone)
    if purchases[source].subscription == .none {
      enterShare(share, phone)
      notify(.oneTimeCharge, share)
    } else {
      shareSubscription(share, of: purchases[source].subscription, phone)
    }
    guard decisions.strikes(.leaveFamily, who(purchase: share)) else { return }
    scheduleInTime(
      .familyLeft(share), after: decisions.delay(.delayRefund, who(purchase: share)),
      struckBy: .leaveFamily)
  }

  /// Whether somebody of a family has it already, bought or shared.
  private func has(_ member: StoreAccountID, _ source: TransactionID) -> Bool {
    let product = purchases[source].product
    var row = storeAccounts[member].first
    while row != .none {
      let purchase = purchases.at(row)
      if isOwned(row), purchase.pointee.product == product { return true }
      // Of a group somebody has one, whoever pays for it; what is shared becomes another one with what it is a share of.
      if purchase.pointee.subscription != .none, isEntitled(row),
        isOneGroup(purchase.pointee.product, product),
        subscriptions[purchase.pointee.subscription].sharedFrom != purchases[source].subscription
      {
        return true
      }
      row = purchase.pointee.next
    }
    return false
  }

  /// How often a purchase was shared with anybody.
  private func shares(of row: TransactionID) -> Int {
    let key = purchases[row].key
    var count = 0
    for member in family(of: purchases[row].storeAccount) {
      var other = storeAccounts[member].first
      while other != .none {
        let share = purchases.at(other)
        if share.pointee.flags.contains(.shared),
          share.pointee.flags.isDisjoint(with: .renewal.union(.restore)),
          Subject(key: share.pointee.key).boughtKey == key
        {
          count += 1
        }
        other = share.pointee.next
      }
    }
    return count
  }

  private mutating func addShare(
    of source: TransactionID, named subject: Subject, to member: StoreAccountID,
    on phone: DeviceID
  ) -> TransactionID {
    let row = purchases.nextID
    var purchase = PurchaseRow(
      key: subject.key, slot: decisions.addSlot(), intent: .none, device: phone, account: .none,
      storeAccount: member, product: purchases[source].product, quantity: 1,
      environment: devices[phone].environment, token: .none, original: row)
    purchase.flags = purchases[source].flags.intersection(.storeKit2).union(.charged).union(.shared)
    return purchases.append(purchase)
  }

  /// The store account of whoever it is shared with holds it, and their phones are told.
  private mutating func enterShare(_ row: TransactionID, _ phone: DeviceID) {
    enlist(row)
    noteCharge(row)
    if devices[phone].isOffline {
      devices[phone].isReceiptDue = true
    } else {
      writeReceipt(phone)
    }
    announce(row, .charged)
  }

  /// A subscription is shared, or what is shared becomes another one of the group.
  private mutating func shareSubscription(
    _ row: TransactionID, of source: SubscriptionID, _ phone: DeviceID
  ) {
    let account = purchases[row].storeAccount
    var known = subscriptions[source].firstShare
    while known != .none, purchases[subscriptions[known].first].storeAccount != account {
      known = subscriptions[known].nextShare
    }
    guard known != .none else {
      var new = SubscriptionRow(
        first: row, began: row, latest: row, next: purchases[row].product, anchorMillis: now,
        recentMillis: now)
      new.sharedFrom = source
      new.nextShare = subscriptions[source].firstShare
      let id = subscriptions.append(new)
      subscriptions[source].firstShare = id
      purchases[row].subscription = id
      mirror(id)
      enterShare(row, phone)
      return notify(.subscribed, row, .initialBuy)
    }
    let isChange = subscriptions[known].state.isUsable
    if isChange { purchases[subscriptions[known].latest].flags.insert(.upgraded) }
    subscriptions[known].beganAgain = true
    subscriptions[known].began = row
    subscriptions[known].latest = row
    purchases[row].subscription = known
    mirror(known)
    enterShare(row, phone)
    if isChange {
      notify(.renewalPreferenceChanged, row, .upgrade)
    } else {
      notify(.subscribed, row, .resubscribe)
    }
  }

  /// What is shared lasts as long as what it is a share of.
  private mutating func mirror(_ id: SubscriptionID) {
    let source = subscriptions[subscriptions[id].sharedFrom]
    subscriptions[id].state = source.state
    subscriptions[id].expiresMillis = source.expiresMillis
    subscriptions[id].renews = source.renews
    subscriptions[id].next = source.next
    subscriptions[id].isUnpaid = source.isUnpaid
    purchases[subscriptions[id].latest].expiresMillis = purchases[source.latest].expiresMillis
  }

  /// Something has become of a subscription that may be shared; what there is to tell of it.
  @inline(never)
  mutating func passOn(
    _ id: SubscriptionID, _ kind: StoreNotification.Kind,
    _ subtype: StoreNotification.Subtype? = nil
  ) {
    forEachShare(of: id) { world, share in
      guard world.subscriptions[share].state.isUsable else { return }
      world.mirror(share)
      world.notify(kind, world.subscriptions[share].latest, subtype)
    }
  }

  /// Another period of what is shared was paid for.
  @inline(never)
  mutating func renewShares(of id: SubscriptionID, _ subtype: StoreNotification.Subtype?) {
    forEachShare(of: id) { world, share in
      guard world.subscriptions[share].state != .revoked, world.areOneFamily(share, id) else {
        return
      }
      let product = world.purchases[world.subscriptions[id].latest].product
      let row = world.addRenewal(share, product: product)
      world.mirror(share)
      world.noteRenewal(row, share, subtype)
    }
  }

  /// What is shared is over with what it is a share of.
  @inline(never)
  mutating func endShares(of id: SubscriptionID) {
    forEachShare(of: id) { world, share in
      guard world.subscriptions[share].state.isUsable else { return }
      let hadGrace = world.subscriptions[share].state == .gracePeriod
      world.mirror(share)
      world.noteEnd(share, hadGrace: hadGrace)
    }
  }

  /// Whether neither who pays for a subscription nor who has a share of it has left the family: what was over when
  /// somebody left is not theirs again when it is paid for once more.
  private func areOneFamily(_ share: SubscriptionID, _ source: SubscriptionID) -> Bool {
    [share, source].allSatisfy {
      !storeAccounts[purchases[subscriptions[$0].first].storeAccount].hasLeftFamily
    }
  }

  private mutating func forEachShare(
    of id: SubscriptionID, _ body: (inout World, SubscriptionID) -> Void
  ) {
    var share = subscriptions[id].firstShare
    while share != .none {
      let next = subscriptions[share].nextShare
      body(&self, share)
      share = next
    }
  }

  /// All the money of a charge was given back, so that nobody has a share of it.
  @inline(never)
  mutating func revokeShares(of row: TransactionID) {
    for member in family(of: purchases[row].storeAccount) {
      var other = storeAccounts[member].first
      while other != .none {
        let next = purchases[other].next
        if isShare(other, of: row) { revokeShare(other) }
        other = next
      }
    }
  }

  private func isShare(_ row: TransactionID, of source: TransactionID) -> Bool {
    let share = purchases.at(row)
    guard share.pointee.flags.contains(.shared), share.pointee.refunded == 0 else { return false }
    let id = purchases[source].subscription
    guard id == .none else {
      let own = share.pointee.subscription
      return own != .none && subscriptions[own].sharedFrom == id && subscriptions[own].latest == row
        && subscriptions[id].latest == source
    }
    return share.pointee.subscription == .none
      && Subject(key: share.pointee.key).boughtKey == purchases[source].key
      && share.pointee.original == row
  }

  /// Somebody leaves their family: what the others have bought is theirs no more, and the other way round.
  mutating func leaveFamily(_ account: StoreAccountID) {
    guard !storeAccounts[account].hasLeftFamily else { return }
    var row = storeAccounts[account].first
    while row != .none {
      let next = purchases[row].next
      // What a restore has made of a share goes with the share.
      let flags = purchases[row].flags
      if flags.contains(.charged), !flags.contains(.restore) {
        flags.contains(.shared) ? revokeShare(row) : revokeShares(of: row)
      }
      row = next
    }
    storeAccounts[account].hasLeftFamily = true
  }

  /// Who has it from their family has it no more: they have left, or the money was given back.
  private mutating func revokeShare(_ row: TransactionID) {
    let id = purchases[row].subscription
    if id != .none {
      guard subscriptions[id].latest == row, subscriptions[id].state.isUsable else { return }
      revokeSubscription(row)
    }
    guard purchases[row].refunded == 0 else { return }
    purchases[row].refunded = 1000
    purchases[row].voidedMillis = now
    purchases[row].flags.insert(.refunded)
    noteRefund(row)
    notify(.revoked, row)
  }
}
