import Invariants

/// The App Store and the payment queue of each device.
///
/// The rules it keeps at all times are named R1 to R10 where they are kept.
extension World {
  /// What a callback event carries.
  enum CallbackTag {
    static let plain: UInt8 = 0
    static let duplicate: UInt8 = 1
    static let failed: UInt8 = 2
    static let replay: UInt8 = 3
    static let restored: UInt8 = 4
  }

  /// A payment is asked for; it becomes a charge later, or an old transaction now.
  mutating func pay(
    intent: UInt32, product: UInt32, device: UInt32, token: Token, usesStoreKit2: Bool,
    isOutside: Bool = false
  ) {
    let storeAccount = devices[device].storeAccount
    if let old = standing(
      product: product, storeAccount: storeAccount, device: device,
      usesStoreKit2: usesStoreKit2)
    {
      answer(intent: intent, with: old, device: device, usesStoreKit2: usesStoreKit2)
      return
    }
    let row = addPurchase(
      intent, product: product, device: device, isOutside: isOutside, token: token,
      usesStoreKit2: usesStoreKit2)
    queue.schedule(
      at: now + decisions.delay(.delayCharge, who(purchase: row)), .charge, subject: row)
  }

  private mutating func addPurchase(
    _ intent: UInt32, product: UInt32, device: UInt32, isOutside: Bool, token: Token,
    usesStoreKit2: Bool
  ) -> UInt32 {
    let wish = intents[intent]
    intents[intent].payments += 1
    let isFirst = wish.payments == 0
    let key =
      isFirst ? wish.key : Subject(key: wish.key).payment(UInt64(wish.payments)).key
    let row = UInt32(purchases.count)
    var purchase = PurchaseRow(
      key: key, slot: isFirst ? wish.slot : decisions.addSlot(), intent: intent, device: device,
      account: wish.account, storeAccount: devices[device].storeAccount, product: product,
      quantity: wish.quantity, environment: devices[device].environment, token: token,
      original: row)
    purchase.askedInLife = devices[device].life
    if usesStoreKit2 { purchase.flags.insert(.storeKit2) }
    if isOutside { purchase.flags.insert(.outside) }
    if setup.products[Int(product)].isConsumable { purchase.flags.insert(.consumable) }
    purchases.append(purchase)
    return row
  }

  /// R5: what answers a purchase instead of a charge. An unfinished transaction of the product;
  /// or a non-consumable that is owned already.
  private mutating func standing(
    product: UInt32, storeAccount: UInt32, device: UInt32, usesStoreKit2: Bool
  ) -> UInt32? {
    var row = storeAccounts[storeAccount].first
    while row != .max {
      let purchase = purchases.at(row)
      let flags = purchase.pointee.flags
      if purchase.pointee.product == product, flags.contains(.charged) {
        if !flags.contains(.removed) {
          if usesStoreKit2 || purchase.pointee.swallowedOn != device { return row }
        } else if flags.isDisjoint(with: [.consumable, .voided]) {
          return row
        }
      }
      row = purchase.pointee.next
    }
    return nil
  }

  private mutating func answer(
    intent: UInt32, with old: UInt32, device: UInt32, usesStoreKit2: Bool
  ) {
    let row = purchases[old].flags.contains(.removed) ? addRestore(of: old, device) : old
    var fact = fact(.returned)
    fact.intent = IntentID(intent)
    fact.transaction = TransactionID(row)
    fact.device = DeviceID(device)
    emit(fact)
    let who = who(purchase: row)
    if usesStoreKit2 {
      queue.schedule(
        at: now + decisions.delay(.delayPurchaseResult, who), .purchaseResult, subject: row,
        life: devices[device].life, detail: UInt64(device) | UInt64(intent) << 32)
    } else {
      callBack(row, device, CallbackTag.duplicate)
    }
  }

  /// A new transaction with an id of its own for something that was paid before.
  mutating func addRestore(of old: UInt32, _ device: UInt32) -> UInt32 {
    let charge = purchases[old].original
    purchases[charge].restores &+= 1
    var purchase = purchases[charge]
    purchase.key = Subject(key: purchase.key).restore(UInt64(purchase.restores)).key
    purchase.slot = decisions.addSlot()
    purchase.flags = [.charged, .restore]
    purchase.device = device
    purchase.removedAt = .max
    purchase.deliveredTo = .max
    purchase.swallowedOn = .max
    purchase.heldInLife = 0
    purchase.askedInLife = devices[device].life
    purchase.original = charge
    let row = UInt32(purchases.append(purchase))
    enlist(row)
    var fact = fact(.restored)
    fact.transaction = TransactionID(row)
    fact.original = TransactionID(charge)
    fact.account = AccountID(devices[device].account)
    fact.device = DeviceID(device)
    emit(fact)
    return row
  }

  /// R3: the charge happens at the store, whatever the app does meanwhile.
  mutating func charge(_ row: UInt32) {
    let who = who(purchase: row)
    let device = purchases[row].device
    if decisions.strikes(.declinePayment, who) {
      purchases[row].flags.insert(.failed)
      announceFailure(row, device)
      return
    }
    purchases[row].flags.insert(.charged)
    enlist(row)
    noteCharge(row)
    if !decisions.strikes(.staleReceipt, who) { writeReceipt(device) }
    planSwitch(row)
    announceCharge(row, device, who)
  }

  /// From now on the store account holds it, and receipts show it.
  mutating func enlist(_ row: UInt32) {
    storeClock += 1
    let purchase = purchases.at(row)
    purchase.pointee.chargedAt = storeClock
    purchase.pointee.chargedMillis = now
    purchase.pointee.next = storeAccounts[purchase.pointee.storeAccount].first
    storeAccounts[purchase.pointee.storeAccount].first = row
  }

  mutating func noteCharge(_ row: UInt32) {
    let purchase = purchases.at(row)
    var fact = fact(.charged)
    fact.transaction = TransactionID(row)
    fact.intent = IntentID(purchase.pointee.intent)
    fact.account =
      purchase.pointee.flags.contains(.outside) ? .none : AccountID(purchase.pointee.account)
    fact.storeAccount = StoreAccountID(purchase.pointee.storeAccount)
    fact.device = DeviceID(purchase.pointee.device)
    fact.product = ProductID(purchase.pointee.product)
    fact.quantity = purchase.pointee.quantity
    fact.environment = purchase.pointee.environment
    emit(fact)
    // R10: the buyer travels with a transaction only as a UUID.
    guard purchase.pointee.token.isUUID else { return }
    fact = self.fact(.traceable)
    fact.transaction = TransactionID(row)
    fact.account = AccountID(purchase.pointee.account)
    emit(fact)
  }

  private mutating func announceCharge(_ row: UInt32, _ device: UInt32, _ who: Who) {
    if decisions.strikes(.failThoughCharged, who) {
      purchases[row].heldInLife = devices[device].life
      announceFailure(row, device)
      return
    }
    if decisions.strikes(.interruptPayment, who) {
      announceFailure(row, device)
      let delay = decisions.delay(.delayInterrupted, who)
      queue.schedule(at: now + delay, .callback, subject: row, detail: UInt64(device))
      return
    }
    if decisions.strikes(.holdCallback, who) {
      purchases[row].heldInLife = devices[device].life
      return
    }
    if purchases[row].flags.contains(.storeKit2) {
      let delay = decisions.delay(.delayPurchaseResult, who)
      queue.schedule(
        at: now + delay, .purchaseResult, subject: row, life: purchases[row].askedInLife,
        detail: UInt64(device) | UInt64(purchases[row].intent) << 32)
    } else {
      callBack(row, device, CallbackTag.plain)
    }
    if decisions.strikes(.duplicateCallback, who) {
      let delay = decisions.delay(.delayDuplicate, who)
      queue.schedule(
        at: now + delay, .callback, subject: row, tag: CallbackTag.duplicate,
        detail: UInt64(device))
    }
  }

  private mutating func announceFailure(_ row: UInt32, _ device: UInt32) {
    if purchases[row].flags.contains(.storeKit2) {
      let delay = decisions.delay(.delayPurchaseResult, who(purchase: row))
      queue.schedule(
        at: now + delay, .purchaseResult, subject: row, tag: CallbackTag.failed,
        life: purchases[row].askedInLife,
        detail: UInt64(device) | UInt64(purchases[row].intent) << 32)
    } else {
      callBack(row, device, CallbackTag.failed)
    }
  }

  @inline(__always)
  mutating func callBack(_ row: UInt32, _ device: UInt32, _ tag: UInt8) {
    let delay = decisions.delay(.delayCallback, who(purchase: row))
    queue.schedule(at: now + delay, .callback, subject: row, tag: tag, detail: UInt64(device))
  }

  /// A listener is attached: each unfinished transaction will be handed to it (R1, R2).
  mutating func attachListener(_ device: UInt32) {
    guard !devices[device].isObserving else { return }
    devices[device].isObserving = true
    devices[device].session &+= 1
    let isFirst = !devices[device].hasObservedInLife
    devices[device].hasObservedInLife = true
    var row = storeAccounts[devices[device].storeAccount].first
    while row != .max {
      redeliver(row, device, isFirstInLife: isFirst)
      row = purchases[row].next
    }
  }

  @inline(__always)
  private mutating func redeliver(_ row: UInt32, _ device: UInt32, isFirstInLife: Bool) {
    let flags = purchases[row].flags
    if flags.contains(.removed) {
      if isFirstInLife, decisions.strikes(.replayFinished, who(purchase: row)) {
        callBack(row, device, CallbackTag.replay)
      }
      return
    }
    if purchases[row].swallowedOn == device { return }
    if purchases[row].heldInLife == devices[device].life, purchases[row].device == device {
      return
    }
    let who = who(purchase: row)
    if isFirstInLife {
      if purchases[row].swallowedOn == .max, decisions.strikes(.swallowCallback, who) {
        purchases[row].swallowedOn = device
        var fact = fact(.withheld)
        fact.transaction = TransactionID(row)
        fact.device = DeviceID(device)
        emit(fact)
        return
      }
      if decisions.strikes(.hideToken, who) { purchases[row].flags.insert(.tokenHidden) }
    }
    callBack(row, device, CallbackTag.plain)
  }

  mutating func detachListener(_ device: UInt32) { devices[device].isObserving = false }

  /// The listener session that the device is in.
  func session(of device: UInt32) -> UInt64 {
    UInt64(device) << 32 | UInt64(devices[device].session)
  }

  /// A callback arrives; nil if nobody listens or the listener had it already (R2).
  @inline(__always)
  mutating func callbackArrives(_ event: Event) -> PaymentTransaction? {
    let row = event.subject
    let device = UInt32(truncatingIfNeeded: event.detail)
    guard devices[device].isRunning, devices[device].isObserving else { return nil }
    if event.tag == CallbackTag.failed { return transaction(row, .failed) }
    let session = session(of: device)
    if purchases[row].swallowedOn == device { return nil }
    if event.tag == CallbackTag.plain || event.tag == CallbackTag.restored {
      if purchases[row].deliveredTo == session || purchases[row].flags.contains(.removed) {
        return nil
      }
    }
    purchases[row].deliveredTo = session
    markDelivered(row, device)
    return transaction(row, purchases[row].flags.contains(.restore) ? .restored : .purchased)
  }

  mutating func markDelivered(_ row: UInt32, _ device: UInt32) {
    var fact = fact(.delivered)
    fact.transaction = TransactionID(row)
    fact.device = DeviceID(device)
    emit(fact)
    if purchases[row].flags.isUnfinished { buyAgain(row) }
  }

  /// What the app sees of a transaction.
  ///
  /// Mutating only so that no copy of the world is made for the call.
  mutating func transaction(_ row: UInt32, _ state: PaymentTransaction.State) -> PaymentTransaction
  {
    let purchase = purchases.at(row)
    let flags = purchase.pointee.flags
    return PaymentTransaction(
      id: state == .failed ? .none : TransactionID(row), row: row,
      original: TransactionID(purchase.pointee.original),
      product: ProductID(purchase.pointee.product), quantity: purchase.pointee.quantity,
      state: state, token: flags.contains(.tokenHidden) ? .none : purchase.pointee.token,
      isFinished: flags.contains(.removed), chargedMillis: purchase.pointee.chargedMillis)
  }

  /// R4: finish is a message; only its arrival removes.
  @inline(__always)
  mutating func sendFinish(_ row: UInt32, device: UInt32) {
    let who = who(purchase: row)
    if decisions.strikes(.dropFinish, who) { return }
    let delay = decisions.delay(.delayFinish, who)
    if delay == 0 {
      finishArrives(row, device)
    } else {
      queue.schedule(at: now + delay, .finishArrives, subject: row, detail: UInt64(device))
    }
  }

  @inline(__always)
  mutating func finishArrives(_ row: UInt32, _ device: UInt32) {
    guard !purchases[row].flags.contains(.removed) else { return }
    purchases[row].flags.insert(.removed)
    guard purchases[row].flags.contains(.charged) else { return }
    storeClock += 1
    purchases[row].removedAt = storeClock
    var fact = fact(.finished)
    fact.transaction = TransactionID(row)
    emit(fact)
    if decisions.strikes(.rewriteReceipt, who(purchase: row)) { writeReceipt(device) }
  }

  /// Hands over what was bought before and is finished: non-consumables, each as a new transaction.
  mutating func restore(_ device: UInt32) {
    let who = who(device: device)
    let delay = decisions.delay(.delayRestore, who)
    var row = storeAccounts[devices[device].storeAccount].first
    while row != .max {
      let purchase = purchases[row]
      row = purchase.next
      guard purchase.flags.isDisjoint(with: [.consumable, .restore, .voided]),
        purchase.flags.contains(.removed), purchase.original != .max
      else { continue }
      let restored = addRestore(of: purchase.original, device)
      queue.schedule(
        at: now + delay, .callback, subject: restored, tag: CallbackTag.restored,
        detail: UInt64(device))
    }
    queue.schedule(at: now + delay, .restoreEnd, subject: device, life: devices[device].life)
    writeReceipt(device)
  }

  /// The receipt file as of now (R6b: a snapshot).
  mutating func writeReceipt(_ device: UInt32) {
    devices[device].hasReceipt = true
    devices[device].receiptAsOf = storeClock
    devices[device].receiptAccount = devices[device].storeAccount
  }

  /// Whether a receipt shows a purchase: R6, a consumable from charge to finish.
  @inline(__always)
  func receipt(asOf: UInt32, shows purchase: PurchaseRow) -> Bool {
    purchase.chargedAt <= asOf
      && (!purchase.flags.contains(.consumable) || purchase.removedAt > asOf)
      && !purchase.flags.contains(.restore) && !purchase.flags.contains(.voided)
  }
}
