import Invariants

/// The App Store and the payment queue of each device.
///
/// The rules it keeps at all times are named R1 to R10 where they are kept.
extension World {
  /// A payment is asked for; it becomes a charge later, or an old transaction now.
  mutating func pay(
    intent: IntentID, product: ProductID, device: DeviceID, token: Token, usesStoreKit2: Bool,
    isOutside: Bool = false
  ) {
    if !isOutside {
      let who = who(intent: intent)
      if _slowPath(asksSwitch) { planSwitch(.switchAtPay, on: device, who) }
      if goesOfflineToPay(device, who) {
        return failUnsent(
          intent, product: product, device: device, token: token, usesStoreKit2: usesStoreKit2)
      }
    }
    let storeAccount = devices[device].storeAccount
    intents[intent].awaitsPayment = false
    if _slowPath(intents[intent].isOpen) { unattributed += 1 }
    looksAtStore = true
    if let old = standing(
      product: product, storeAccount: storeAccount, device: device,
      usesStoreKit2: usesStoreKit2)
    {
      answer(
        intent: intent, with: old, device: device, life: devices[device].life,
        usesStoreKit2: usesStoreKit2)
      return
    }
    let row = addPurchase(
      intent, product: product, device: device, token: token, usesStoreKit2: usesStoreKit2)
    if _slowPath(takesAnyOutcome), cancelsSecondSheet(row) { return }
    schedule(.charge(row), after: decisions.delay(.delayCharge, who(purchase: row)))
  }

  /// A payment is asked for on a phone without a network: an error, at once, and no charge ever.
  private mutating func failUnsent(
    _ intent: IntentID, product: ProductID, device: DeviceID, token: Token, usesStoreKit2: Bool
  ) {
    // It is one of the payments that the store account has.
    looksAtStore = true
    let row = addPurchase(
      intent, product: product, device: device, token: token, usesStoreKit2: usesStoreKit2)
    purchases[row].flags.formUnion([.failed, .unsent])
    link(row)
    announceFailure(row, device)
  }

  private mutating func addPurchase(
    _ intent: IntentID, product: ProductID, device: DeviceID, token: Token, usesStoreKit2: Bool
  ) -> TransactionID {
    let wish = intents[intent]
    intents[intent].payments += 1
    let isFirst = wish.payments == 0
    let key =
      isFirst ? wish.key : Subject(key: wish.key).payment(UInt64(wish.payments)).key
    let row = purchases.nextID
    var purchase = PurchaseRow(
      key: key, slot: isFirst ? wish.slot : decisions.addSlot(), intent: intent, device: device,
      account: wish.account, storeAccount: devices[device].storeAccount, product: product,
      quantity: wish.quantity, environment: devices[device].environment, token: token,
      original: row)
    purchase.askedInLife = devices[device].life
    purchase.offer = wish.offer
    if usesStoreKit2 { purchase.flags.insert(.storeKit2) }
    purchase.flags.formUnion(flags(of: product))
    purchases.append(purchase)
    return row
  }

  @inline(__always)
  private func flags(of product: ProductID) -> PurchaseFlags {
    switch setup.products[product.index].kind {
    case .consumable: .consumable
    case .nonRenewing: .consumable.union(.nonRenewing)
    case .nonConsumable, .autoRenewable: []
    }
  }

  /// R5: what answers a purchase instead of a charge. An unfinished transaction of the product;
  /// or a non-consumable that is owned already, which is asked again when it is to be charged.
  private mutating func standing(
    product: ProductID, storeAccount: StoreAccountID, device: DeviceID, usesStoreKit2: Bool
  ) -> TransactionID? {
    var row = storeAccounts[storeAccount].first
    while row != .none {
      let purchase = purchases.at(row)
      let flags = purchase.pointee.flags
      if purchase.pointee.product == product, flags.contains(.charged), !isOver(row) {
        if !flags.contains(.removed), usesStoreKit2 || purchase.pointee.swallowedOn != device {
          return row
        }
        if isOwned(row) { return row }
      }
      row = purchase.pointee.next
    }
    return nil
  }

  private mutating func answer(
    intent: IntentID, with old: TransactionID, device: DeviceID, life: UInt16,
    usesStoreKit2: Bool
  ) {
    if _slowPath(sellsSubscriptions) {
      choosePlan(intents[intent].product, instead: old, offer: intents[intent].offer)
    }
    // What this queue will not call back, or holds no more, comes as a new transaction.
    let isGone =
      purchases[old].flags.contains(.removed)
      || !usesStoreKit2 && purchases[old].swallowedOn == device
    let row = isGone ? addRestore(of: old, device) : old
    var fact = fact(.returned)
    fact.intent = stated(intent)
    fact.transaction = row
    fact.device = device
    emit(fact)
    let who = who(purchase: row)
    if usesStoreKit2 {
      schedule(
        .purchaseResult(row, of: intent, to: device, life: life, .charged),
        after: decisions.delay(.delayPurchaseResult, who))
    } else {
      callBack(row, device, .duplicate)
    }
  }

  /// R3: the charge happens at the store, whatever the app does meanwhile.
  mutating func charge(_ row: TransactionID) {
    let who = who(purchase: row)
    let device = purchases[row].device
    if _slowPath(takesAnyOutcome), endsOtherwise(row, device, who) { return }
    var owned = ownedMeanwhile(row)
    if _slowPath(sellsSubscriptions), owned == nil { owned = transactionBeforeChange(row) }
    if let old = owned {
      return answer(
        intent: purchases[row].intent, with: old, device: device,
        life: purchases[row].askedInLife,
        usesStoreKit2: purchases[row].flags.contains(.storeKit2))
    }
    if _slowPath(makesOffers), refusesOffer(row, device) { return }
    if !purchases[row].flags.contains(.deferred), decisions.strikes(.declinePayment, who) {
      purchases[row].flags.insert(.failed)
      link(row)
      announceFailure(row, device)
      return
    }
    let isOutside = purchases[row].intent == .none || !intents[purchases[row].intent].isTapped
    // Nobody who buys in the store itself, or waits for somebody else, has seen another price.
    if !isOutside, !purchases[row].flags.contains(.deferred),
      let place = decisions.choice(.moveStorefront, who), isRefusedElsewhere(row, place)
    {
      return announceFailure(row, device)
    }
    purchases[row].flags.insert(.charged)
    enlist(row)
    if _slowPath(sellsSubscriptions) { subscribe(row) }
    noteCharge(row)
    if _slowPath(isWholeStore) { beginAftermath(row) }
    if _slowPath(sharesPurchases) { mayShare(row) }
    // What was bought in the store itself reaches the app in one way at least: if it is not called back
    // either, nothing would tell an app that cannot know of it, and which must not ask each time.
    if isOutside || !decisions.strikes(.staleReceipt, who) {
      if _slowPath(devices[device].isOffline) {
        devices[device].isReceiptDue = true
      } else {
        writeReceipt(device)
      }
    }
    if _slowPath(asksSwitch) { planSwitch(.switchAccount, on: device, who) }
    // Of what was bought in the store itself nobody else would know whose it is.
    if _slowPath(isWholeStore), !isOutside, decisions.strikes(.takeTransaction, who) {
      finishArrives(row, device)
    }
    announceCharge(row, device, who)
  }

  /// From now on the store account holds it, and receipts show it.
  mutating func enlist(_ row: TransactionID) {
    storeClock += 1
    let purchase = purchases.at(row)
    purchase.pointee.chargedAt = storeClock
    purchase.pointee.chargedMillis = now
    link(row)
  }

  /// Puts a row before the others of its store account.
  @inline(__always)
  mutating func link(_ row: TransactionID) {
    let purchase = purchases.at(row)
    purchase.pointee.next = storeAccounts[purchase.pointee.storeAccount].first
    storeAccounts[purchase.pointee.storeAccount].first = row
  }

  @inline(__always)
  mutating func noteCharge(_ row: TransactionID) {
    let purchase = purchases.at(row)
    let isOpen =
      purchase.pointee.intent != .none && _slowPath(intents[purchase.pointee.intent].isOpen)
    var fact = fact(.charged)
    fact.transaction = row
    fact.intent = stated(purchase.pointee.intent)
    fact.account = isOpen ? .none : purchase.pointee.account
    fact.storeAccount = purchase.pointee.storeAccount
    fact.device = purchase.pointee.device
    fact.product = purchase.pointee.product
    fact.quantity = purchase.pointee.quantity
    fact.environment = purchase.pointee.environment
    if _slowPath(sellsSubscriptions) {
      fact.original = firstOfSubscription(row)
    }
    if _slowPath(sellsSubscriptions || sharesPurchases) { fact.amount = termsAmount(row) }
    emit(fact)
    // R10: the buyer travels with a transaction only as a UUID.
    if purchase.pointee.token.isUUID { noteTraceable(row) }
  }

  /// Whoever made a charge can be found out from what the store knows of it.
  mutating func noteTraceable(_ row: TransactionID) {
    let intent = purchases[row].intent
    let isOpen = intent != .none && _slowPath(intents[intent].isOpen)
    var fact = fact(.traceable)
    fact.transaction = row
    fact.account = isOpen ? .none : purchases[row].account
    emit(fact)
  }

  @inline(__always)
  private mutating func announceCharge(_ row: TransactionID, _ device: DeviceID, _ who: Who) {
    if _slowPath(purchases[row].flags.contains(.deferred)) {
      // Whoever asked was told that it is pending: it comes as whatever else happens to transactions.
      callBack(row, device, .charged)
      return mayCallBackTwice(row, device, who)
    }
    if mayWaitForLaunch(.failThoughCharged, on: device), decisions.strikes(.failThoughCharged, who)
    {
      purchases[row].heldInLife = devices[device].life
      announceFailure(row, device)
      return
    }
    if decisions.strikes(.interruptPayment, who) {
      announceFailure(row, device)
      let delay = decisions.delay(.delayInterrupted, who)
      schedule(.callback(row, to: device, .charged), after: delay)
      return
    }
    if mayWaitForLaunch(.holdCallback, on: device), decisions.strikes(.holdCallback, who) {
      purchases[row].heldInLife = devices[device].life
      return
    }
    if purchases[row].flags.contains(.storeKit2) {
      let delay = decisions.delay(.delayPurchaseResult, who)
      schedule(purchaseResult(row, device, .charged), after: delay)
    } else {
      callBack(row, device, .charged)
    }
    mayCallBackTwice(row, device, who)
  }

  mutating func announceFailure(_ row: TransactionID, _ device: DeviceID) {
    if purchases[row].flags.contains(.storeKit2) {
      let delay = decisions.delay(.delayPurchaseResult, who(purchase: row))
      schedule(purchaseResult(row, device, .failed), after: delay)
    } else {
      // It stays in this device's queue until it is finished.
      purchases[row].flags.insert(.failureInQueue)
      callBack(row, device, .failed)
    }
  }

  /// The result for the app that asked, as long as it lives.
  func purchaseResult(
    _ row: TransactionID, _ device: DeviceID, _ kind: CallbackKind
  ) -> Happening {
    let purchase = purchases.at(row)
    return .purchaseResult(
      row, of: purchase.pointee.intent, to: device, life: purchase.pointee.askedInLife, kind)
  }

  @inline(__always)
  mutating func callBack(_ row: TransactionID, _ device: DeviceID, _ kind: CallbackKind) {
    let delay = decisions.delay(.delayCallback, who(purchase: row))
    schedule(.callback(row, to: device, kind), after: delay)
  }

  /// Whether the next thing to happen is another callback to this phone, in the same millisecond.
  func isCalledBackNext(_ device: DeviceID) -> Bool {
    let next = queue.earliest
    return next.kind == .callback && next.millis == now && next.phone == device
  }

  /// A listener is attached: each unfinished transaction will be handed to it (R1, R2).
  mutating func attachListener(_ device: DeviceID) {
    guard !devices[device].isObserving else { return }
    looksAtStore = true
    devices[device].isObserving = true
    devices[device].session &+= 1
    let isFirst = !devices[device].hasObservedInLife
    devices[device].hasObservedInLife = true
    // A hosted app attaches its listeners itself, each as often as it does.
    if !takesAnyOutcome, decisions.strikes(.attachTwice, who(device: device)) {
      devices[device].extraHandlers = 1
    }
    var row = storeAccounts[devices[device].storeAccount].first
    while row != .none {
      redeliver(row, device, isFirstInLife: isFirst)
      row = purchases[row].next
    }
  }

  @inline(__always)
  private mutating func redeliver(_ row: TransactionID, _ device: DeviceID, isFirstInLife: Bool) {
    let flags = purchases[row].flags
    if flags.contains(.failureInQueue), purchases[row].device == device {
      callBack(row, device, .failed)
    }
    guard flags.contains(.charged) else { return }
    if isFirstInLife, _slowPath(flags.isOwned) { mayRenumber(row, device) }
    if flags.contains(.removed) {
      if isFirstInLife, decisions.strikes(.replayFinished, who(purchase: row)) {
        callBack(row, device, .replay)
      }
      return
    }
    if purchases[row].swallowedOn == device { return }
    if purchases[row].heldInLife == devices[device].life, purchases[row].device == device {
      return
    }
    let who = who(purchase: row)
    if isFirstInLife {
      if purchases[row].swallowedOn == .none, decisions.strikes(.swallowCallback, who) {
        purchases[row].swallowedOn = device
        var fact = fact(.withheld)
        fact.transaction = row
        fact.device = device
        emit(fact)
        return
      }
      // StoreKit 2 signs the token into the transaction; only StoreKit 1's name is forgotten.
      if !flags.contains(.storeKit2), !purchases[row].token.isNone,
        decisions.strikes(.hideToken, who)
      {
        purchases[row].flags.insert(.tokenHidden)
      }
    }
    callBack(row, device, .charged)
    mayCallBackTwice(row, device, who)
  }

  /// One transaction is handed over twice (F10), when it is charged or at a launch.
  @inline(__always)
  private mutating func mayCallBackTwice(_ row: TransactionID, _ device: DeviceID, _ who: Who) {
    guard decisions.strikes(.duplicateCallback, who) else { return }
    let delay = decisions.delay(.delayDuplicate, who)
    schedule(.callback(row, to: device, .duplicate), after: delay)
  }

  /// What is called back in the same millisecond came in one array, of which the observer gets the rest.
  mutating func detachListener(_ device: DeviceID) {
    detachesListener = true
    devices[device].isObserving = false
    devices[device].extraHandlers = 0
    devices[device].detachedAt = now
  }

  /// The listener session that the device is in.
  func session(of device: DeviceID) -> ListenerSession {
    ListenerSession(device: device, number: devices[device].session)
  }

  /// A callback arrives; nil if nobody listens or the listener had it already (R2).
  @inline(__always)
  mutating func callbackArrives(_ event: Event) -> PaymentTransaction? {
    let row = event.transaction
    let device = event.phone
    if waits(event, for: device) { return nil }
    guard devices[device].isRunning,
      devices[device].isObserving || devices[device].detachedAt == now
    else { return nil }
    let kind = event.callback
    let session = session(of: device)
    if _slowPath(kind == .deferred) {
      return purchases[row].flags.isDisjoint(with: .charged.union(.failed))
        ? transaction(row, .deferred) : nil
    }
    if kind == .failed {
      guard purchases[row].flags.contains(.failureInQueue), purchases[row].failedTo != session
      else { return nil }
      purchases[row].failedTo = session
      return transaction(row, .failed)
    }
    if purchases[row].swallowedOn == device { return nil }
    if kind == .charged || kind == .restored {
      if purchases[row].deliveredTo == session || purchases[row].flags.contains(.removed) {
        return nil
      }
    }
    purchases[row].deliveredTo = session
    markDelivered(row, device)
    if _slowPath(takesAnyOutcome) { mayDoubt(row, device) }
    if _slowPath(asksSwitch) { planSwitch(.switchAtCallback, on: device, who(purchase: row)) }
    return transaction(row, purchases[row].flags.contains(.restore) ? .restored : .purchased)
  }

  @inline(__always)
  mutating func markDelivered(_ row: TransactionID, _ device: DeviceID) {
    var fact = fact(.delivered)
    fact.transaction = row
    fact.device = device
    emit(fact)
    if purchases[row].flags.isUnfinished { buyAgain(row) }
  }

  /// What the app sees of a transaction.
  @inline(__always)
  func transaction(_ row: TransactionID, _ state: PaymentTransaction.State)
    -> PaymentTransaction
  {
    let purchase = purchases.at(row)
    let flags = purchase.pointee.flags
    var transaction = PaymentTransaction(
      id: state == .failed || state == .deferred ? .none : row, row: row,
      intent: purchase.pointee.intent,
      original: purchase.pointee.original,
      product: purchase.pointee.product, quantity: purchase.pointee.quantity,
      state: state, token: flags.contains(.tokenHidden) ? .none : purchase.pointee.token,
      isFinished: flags.contains(.removed), chargedMillis: purchase.pointee.chargedMillis,
      revokedMillis: revokedMillis(purchase.pointee.original),
      refunded: Int(purchases.at(purchase.pointee.original).pointee.refunded))
    transaction.isElsewhere = flags.contains(.elsewhere)
    transaction.isShared = purchases.at(purchase.pointee.original).pointee.flags.contains(.shared)
    if _slowPath(sellsSubscriptions), purchase.pointee.subscription != .none {
      transaction.expiresMillis = purchase.pointee.expiresMillis
      transaction.renewalOf = firstOfSubscription(row)
      transaction.isRenewal =
        purchases.at(purchase.pointee.original).pointee.flags.contains(.renewal)
      transaction.isUpgraded = flags.contains(.upgraded)
      if _slowPath(makesOffers) {
        transaction.offer = redeemed(
          purchases.at(purchase.pointee.original).pointee.offer, of: purchase.pointee.product)
      }
    }
    if _slowPath(takesAnyOutcome) { addOutcome(of: row, to: &transaction) }
    return transaction
  }

  /// When the charge behind a transaction was taken back; nil if it stands.
  @inline(__always)
  private func revokedMillis(_ charge: TransactionID) -> Int64? {
    let row = purchases.at(charge)
    return row.pointee.flags.contains(.voided) || row.pointee.refunded > 0
      ? row.pointee.voidedMillis : nil
  }

  /// R4: finish is a message; only its arrival removes.
  @inline(__always)
  mutating func sendFinish(_ row: TransactionID, device: DeviceID) {
    let who = who(purchase: row)
    if mayWaitForLaunch(.dropFinish, on: device), decisions.strikes(.dropFinish, who) { return }
    let delay = decisions.delay(.delayFinish, who)
    if _slowPath(devices[device].isOffline) {
      // StoreKit keeps it and sends it once it can.
      schedule(
        .finishArrives(row, from: device), after: delay, theEndOf: .delayNetworkHeal, on: device,
        at: devices[device].onlineAt)
    } else if delay == 0 {
      finishArrives(row, device)
    } else {
      schedule(.finishArrives(row, from: device), after: delay)
    }
  }

  @inline(__always)
  mutating func finishArrives(_ row: TransactionID, _ device: DeviceID) {
    guard !purchases[row].flags.contains(.removed) else { return }
    purchases[row].flags.insert(.removed)
    guard purchases[row].flags.contains(.charged) else { return }
    storeClock += 1
    purchases[row].removedAt = storeClock
    var fact = fact(.finished)
    fact.transaction = row
    emit(fact)
    if decisions.strikes(.rewriteReceipt, who(purchase: row)) { writeReceipt(device) }
  }
}
