import Invariants

/// What StoreKit remembers.
extension Phone {
  /// What the store still knows of this store account: charges that are unfinished, bought
  /// non-consumables, and what was taken back, with when; newest first. StoreKit 2: Transaction.all.
  public var history: [PaymentTransaction] {
    var found: [PaymentTransaction] = []
    eachKnown { row in
      if found.isEmpty { found.reserveCapacity(16) }
      found.append(world.transaction(row, .purchased))
    }
    return found
  }

  /// Goes through what ``history`` lists, without a list.
  @inline(__always)
  func eachKnown(_ body: (TransactionID) -> Void) {
    guard isAlive else { return }
    world.looksAtStore = true
    var row = world.storeAccounts[world.devices[device].storeAccount].first
    while row != .none {
      let current = row
      let purchase = world.purchases.at(current)
      let flags = purchase.pointee.flags
      row = purchase.pointee.next
      if flags.contains(.charged), flags.isDisjoint(with: .failed.union(.restore)),
        world.isKnown(current, to: device),
        flags.isUnfinished || flags.contains(.voided) || purchase.pointee.refunded > 0
          || !flags.isUsedUp
      {
        body(current)
      }
    }
  }
}
