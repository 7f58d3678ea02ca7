import Invariants

/// What an app without a backend has handed out, on the device on which it did.
struct Goods: BitwiseCopyable {
  var device: DeviceID
  /// The charge that was paid for it.
  var charge: TransactionID
  /// Whether the app has it; what it has no more may come back with a backup.
  var isHere = true
  var isOnDisk: Bool
  var isInBackup: Bool
  /// Whether this copy stands in the books: another phone's, of the same charge, does not.
  var isCredited = false
  /// Whether it went with the app once: what becomes of it after that is no fault of the app's.
  var hasGone = false
}

/// Goods that no backend keeps: on a device, where what had not reached the disk is lost with the process.
extension World {
  /// An app hands out the goods of a transaction: written down on the device, or found each time where
  /// StoreKit shows them.
  mutating func deliver(_ row: TransactionID, on device: DeviceID, isShownByStore: Bool) {
    let charge = purchases[row].original
    if let status = status(ofSubscription: charge) {
      return entitle(charge, on: device, until: status.untilMillis)
    }
    // To be shown a thing again is to have it once.
    let isShownAgain =
      !purchases[charge].flags.contains(.consumable)
      || purchases[charge].flags.contains(.nonRenewing)
    if isShownAgain,
      goods.contains(where: { $0.charge == charge && $0.device == device && $0.isHere })
    {
      return
    }
    // What went with the app is handed out anew, and not twice.
    let gone = goods.firstIndex {
      $0.charge == charge && $0.device == device && !$0.isHere && $0.isCredited
    }
    if let gone {
      goods[gone].isHere = true
      goods[gone].isOnDisk = isShownByStore
    } else {
      goods.append(
        Goods(device: device, charge: charge, isOnDisk: isShownByStore, isInBackup: isShownByStore))
      creditGoods(goods.count - 1)
    }
    if !isShownByStore { planFlush(device) }
  }

  /// A subscription is there for as long as StoreKit says, or the app believes: no copy of it is lost.
  mutating func entitle(_ charge: TransactionID, on device: DeviceID, until: Int64) {
    let began = chargeThatBegan(charge)
    let owner =
      purchases[began].account.isNone ? devices[device].account : purchases[began].account
    credit(verified(began, hasToken: true), to: owner, on: device)
    grant(verified(charge, hasToken: true), to: owner, until: until)
  }

  /// Two phones of one store account cannot know of each other without a backend, so that each hands out
  /// the same is no second credit.
  private mutating func creditGoods(_ index: Int) {
    let (device, charge) = (goods[index].device, goods[index].charge)
    if goods.contains(where: { $0.charge == charge && $0.device != device && $0.isCredited }) {
      return
    }
    goods[index].isCredited = true
    let owner = purchases[charge].account
    credit(
      verified(charge, hasToken: true), to: owner.isNone ? devices[device].account : owner,
      on: device)
  }

  /// What was handed out is on the disk, and in the next backup. A backup that lacks a record may lack any of the
  /// goods.
  mutating func flushGoods(_ device: DeviceID, isComplete: Bool) {
    for index in goods.indices where goods[index].device == device {
      goods[index].isOnDisk = goods[index].isHere
      goods[index].isInBackup = goods[index].isHere && isComplete
    }
  }

  /// The process ends, and what had not reached the disk with it.
  mutating func dropUnwrittenGoods(_ device: DeviceID) {
    for index in goods.indices where goods[index].device == device && !goods[index].isOnDisk {
      loseGoods(index)
    }
  }

  /// The app was deleted, or what it kept is damaged: what it had is gone, a backup is not.
  mutating func wipeGoods(_ device: DeviceID) {
    for index in goods.indices where goods[index].device == device { takeGoods(index) }
  }

  /// What the backup holds is back, and what it does not hold is gone.
  mutating func restoreGoods(_ device: DeviceID) {
    for index in goods.indices where goods[index].device == device {
      if !goods[index].isInBackup {
        takeGoods(index)
      } else if !goods[index].isHere {
        goods[index].isHere = true
        goods[index].isOnDisk = true
        if !goods[index].isCredited { creditGoods(index) }
      }
    }
  }

  /// People know that what an app keeps goes with it, so it stays in the books.
  private mutating func takeGoods(_ index: Int) {
    goods[index].isHere = false
    goods[index].isOnDisk = false
    goods[index].hasGone = true
  }

  /// It never reached the disk: the credit is taken back.
  private mutating func loseGoods(_ index: Int) {
    guard goods[index].isHere else { return }
    goods[index].isHere = false
    guard goods[index].isCredited, !goods[index].hasGone else { return }
    goods[index].isCredited = false
    let charge = goods[index].charge
    // What another phone of the account has is not lost: its copy is the one that counts now.
    let other = goods.firstIndex { $0.charge == charge && $0.isHere && !$0.isCredited }
    if let other {
      goods[other].isCredited = true
      return
    }
    purchases[charge].flags.remove(.credited)
    let wish = purchases[charge].intent
    if wish != .none { intents[wish].creditedAt = .max }
    var fact = fact(.goodsLost)
    fact.transaction = charge
    fact.device = goods[index].device
    fact.quantity = purchases[charge].quantity
    fact.environment = purchases[charge].environment
    emit(fact)
  }
}
