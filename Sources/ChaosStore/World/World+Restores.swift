import Invariants

/// What was paid before comes again, as a new transaction.
extension World {
  /// A new transaction with an id of its own for something that was paid before.
  mutating func addRestore(of old: TransactionID, _ device: DeviceID) -> TransactionID {
    let charge = purchases[old].original
    // A renewal has no room for one in its name, so that it is named after what somebody bought.
    let bought = chargeThatBegan(charge)
    purchases[bought].restores &+= 1
    var purchase = purchases[charge]
    let number = UInt64(purchases[bought].restores)
    purchase.key = Subject(key: purchases[bought].key).restore(number).key
    purchase.slot = decisions.addSlot()
    purchase.flags = .charged.union(.restore)
      .union(purchases[charge].flags.intersection(.elsewhere.union(.renewal).union(.shared)))
    purchase.device = device
    purchase.removedAt = .max
    purchase.deliveredTo = .none
    purchase.swallowedOn = .none
    purchase.heldInLife = 0
    purchase.askedInLife = devices[device].life
    purchase.firstSeen = -1
    purchase.original = charge
    let row = purchases.append(purchase)
    enlist(row)
    var fact = fact(.restored)
    fact.transaction = row
    fact.original = charge
    fact.account = devices[device].account
    fact.device = device
    emit(fact)
    return row
  }

  /// What is owned comes once more unasked, with an id of its own (F17): R5 as well, so not as long as it is there
  /// under another id and nobody has finished that.
  @inline(never)
  mutating func mayRenumber(_ row: TransactionID, _ device: DeviceID) {
    guard purchases[row].subscription == .none || isEntitled(row), !hasUnfinishedCopy(of: row),
      decisions.strikes(.renumber, who(purchase: row))
    else { return }
    callBack(addRestore(of: row, device), device, .charged)
  }

  private func hasUnfinishedCopy(of charge: TransactionID) -> Bool {
    guard purchases[chargeThatBegan(charge)].restores > 0 else { return false }
    var row = storeAccounts[purchases[charge].storeAccount].first
    while row != .none {
      let purchase = purchases.at(row)
      if purchase.pointee.original == charge, row != charge,
        !purchase.pointee.flags.contains(.removed)
      {
        return true
      }
      row = purchase.pointee.next
    }
    return false
  }

  /// Hands over what was bought before and is finished: non-consumables, each as a new transaction.
  ///
  /// Without a network that begins when the phone is back.
  mutating func restore(_ device: DeviceID, for account: AccountID) {
    if devices[device].isOffline {
      return schedule(
        .restoreSent(device, life: devices[device].life, for: account),
        theEndOf: .delayNetworkHeal, on: device, at: devices[device].onlineAt)
    }
    askForPassword(on: device, for: account, isGiven: true)
    looksAtStore = true
    let who = who(device: device)
    let delay = decisions.delay(.delayRestore, who)
    var row = storeAccounts[devices[device].storeAccount].first
    while row != .none {
      let purchase = purchases[row]
      row = purchase.next
      guard purchase.flags.isDisjoint(with: .consumable.union(.restore).union(.voided)),
        purchase.flags.contains(.removed), purchase.original != .none,
        purchase.subscription == .none || isEntitled(purchase.original)
      else { continue }
      let restored = addRestore(of: purchase.original, device)
      schedule(.callback(restored, to: device, .restored), after: delay)
    }
    schedule(.restoreEnd(device, life: devices[device].life), after: delay)
    writeReceipt(device)
  }
}
