import Invariants

/// Judges a log of production purchase by purchase, and forgets each when nothing is to come of it any more.
///
/// The facts of a purchase are collected, put in the order of time when it is closed, and handed to one ``Judge``,
/// whose memory serves them all. Of a closed one three words are kept.
struct PurchaseAudit: ~Copyable {
  /// A purchase with more facts is judged in parts.
  static let mostFacts: UInt32 = 10_000
  /// A subscription of which nothing is heard is open for so long.
  static let subscriptionHold: Int64 = 400 * 86_400_000

  let terms: AuditTerms
  var open = OpenPurchases()
  var products: ProductNames
  var judging: PurchaseJudging
  /// Transactions that are open, and those that were closed.
  private var transactions = KeyTable()
  /// The wishes of purchases that are open.
  private var intents = KeyTable()
  private var due = DueList()
  /// The latest moment of any fact so far.
  private(set) var latest: Int64 = .min
  private var latestPlace = LogPlace.unknown

  init(_ terms: AuditTerms) {
    self.terms = terms
    products = ProductNames(terms.subscriptions)
    judging = PurchaseJudging(terms)
  }

  /// Enters the fact of a line, and closes what is due.
  mutating func enter(_ line: borrowing FactLine, at place: LogPlace, _ result: inout AuditResult) {
    let at = line.at
    if latest != .min, at < latest - terms.window { return leaveOut(line, place, &result) }
    if at > latest { (latest, latestPlace) = (at, place) }
    var fact = line.fact
    let isRenewal = fact.kind == .renewed
    result.happened |= 1 << UInt64(fact.kind.rawValue)
    switch fact.kind {
    case .launched, .ended, .loggedIn, .asked:
      result.unused += 1
      return close(until: latest - terms.window, &result)
    default: break
    }
    result.judgesPurchases = true
    if at < result.begins { result.begins = at }
    fact.product = products.number(line.product)
    // A renewal that does not say of what it is one is taken for one of the subscriptions.
    let isSubscription =
      fact.product.isNone
      ? isRenewal && !terms.subscriptions.isEmpty
      : fact.product.index < terms.subscriptions.count
    // A renewal that nobody calls a subscription's is a purchase of its own.
    if fact.kind == .renewed, !isSubscription { fact.kind = .charged }
    if fact.kind == .charged || isRenewal {
      result.charges += 1
    }
    // What a renewal of its own continues is another purchase. What names no product may be of a subscription.
    let mayContinue =
      isSubscription
      || fact.product.isNone && !terms.subscriptions.isEmpty && fact.kind != .charged
    let usesOriginal = !line.original.isNone && (fact.kind == .restored || mayContinue)
    let key = line.transaction.isNone ? 0 : KeyTable.key(line.transaction, kind: 0)
    let original = usesOriginal ? KeyTable.key(line.original, kind: 0) : 0
    let intent = line.intent.isNone ? 0 : KeyTable.key(line.intent, kind: 1)
    guard key != 0 || intent != 0 || fact.kind == .credited else {
      // Nobody can tell about what it is.
      return close(until: latest - terms.window, &result)
    }
    let purchase = find(key, line.transaction, original, line.original, intent, at)
    if key != 0 {
      fact.transaction = TransactionID(
        open.number(of: line.transaction, key, .transaction, in: purchase))
    }
    if original != 0, original != key {
      fact.original = TransactionID(
        open.number(of: line.original, original, .transaction, in: purchase))
    }
    if intent != 0 {
      fact.intent = IntentID(open.number(of: line.intent, intent, .intent, in: purchase))
    }
    if !line.account.isNone {
      line.account.lowerIfUUID()
      let key = KeyTable.key(line.account, kind: 2)
      fact.account = AccountID(open.number(of: line.account, key, .account, in: purchase))
    }
    if !line.storeAccount.isNone {
      let key = KeyTable.key(line.storeAccount, kind: 3)
      fact.storeAccount = StoreAccountID(
        open.number(of: line.storeAccount, key, .storeAccount, in: purchase))
    }
    if !line.device.isNone {
      let key = KeyTable.key(line.device, kind: 4)
      fact.device = DeviceID(open.number(of: line.device, key, .device, in: purchase))
    }
    note(fact, &result)
    open.add(
      OpenPurchases.Entry(fact: fact, place: place, isRenewal: isRenewal), to: purchase)
    count(fact, isSubscription, in: purchase)
    if fact.kind == .expired {
      // It was to be looked at when a subscription is given up.
      let order = open.purchases[purchase].order
      due.add(DueList.Entry(due: end(of: purchase), order: order, number: purchase))
    }
    if open.purchases[purchase].facts >= Self.mostFacts {
      judge(
        purchase, until: max(latest - terms.window, open.purchases[purchase].lastAt), isDue: false,
        &result)
    }
    close(until: latest - terms.window, &result)
  }

  /// Judges all that is left, as nothing more will come.
  mutating func finish(_ result: inout AuditResult) {
    while let entry = due.first {
      due.removeFirst()
      if open.purchases[entry.number].order == entry.order {
        judge(entry.number, until: latest, &result)
      }
    }
    judging.finish(products.names, &result)
  }

  /// Notes what facts of this kind name.
  @inline(__always)
  private func note(_ fact: Fact, _ result: inout AuditResult) {
    // The first access that comes of a charge is its credit.
    let kind = fact.kind == .granted ? Fact.Kind.credited : fact.kind
    if !fact.account.isNone { result.namesAccount |= 1 << UInt64(kind.rawValue) }
    if !fact.product.isNone { result.namesProduct |= 1 << UInt64(kind.rawValue) }
    if fact.quantity > 1, kind == .charged || kind == .credited { result.hasQuantities = true }
  }

  // MARK: - Finding the purchase

  private mutating func find(
    _ key: UInt64, _ name: FactLine.Name, _ original: UInt64, _ originalName: FactLine.Name,
    _ intent: UInt64, _ at: Int64
  ) -> UInt32 {
    var found = OpenPurchases.none
    if key != 0, let place = transactions.place(of: key) {
      found = openPurchase(at: place)
      // What a restore that was closed stands for may be open once more.
      if found == OpenPurchases.none, ClosedPurchase(bits: transactions[place].value).isRestore,
        let root = transactions.place(of: transactions[place].extra)
      {
        found = openPurchase(at: root)
      }
    }
    if original != 0, original != key, let place = transactions.place(of: original) {
      let other = openPurchase(at: place)
      if other != OpenPurchases.none { found = joined(found, other) }
    }
    if intent != 0, let place = intents.place(of: intent) {
      found = joined(found, UInt32(intents[place].value))
    }
    if found == OpenPurchases.none {
      found = open.begin(at: at)
      due.add(DueList.Entry(due: at, order: open.purchases[found].order, number: found))
    }
    if key != 0 { attach(key, name, to: found, at) }
    if original != 0, original != key { attach(original, originalName, to: found, at) }
    if intent != 0 { intents.set(intent, UInt64(found)) }
    return found
  }

  private func openPurchase(at place: Int) -> UInt32 {
    let value = transactions[place].value
    return value & 1 == 1 ? UInt32(value >> 1) : OpenPurchases.none
  }

  /// The transaction belongs to this purchase from now on, with what was known of it.
  @inline(__always)
  private mutating func attach(
    _ key: UInt64, _ name: FactLine.Name, to purchase: UInt32, _ at: Int64
  ) {
    guard let place = transactions.place(of: key) else {
      return transactions.set(key, UInt64(purchase) << 1 | 1)
    }
    let slot = transactions[place]
    if slot.value & 1 == 1 { return }
    transactions[place].value = UInt64(purchase) << 1 | 1
    transactions[place].extra = 0
    revive(slot, name, in: purchase, at)
  }

  @inline(never)
  private mutating func revive(
    _ slot: KeyTable.Slot, _ name: FactLine.Name, in purchase: UInt32, _ at: Int64
  ) {
    let closed = ClosedPurchase(bits: slot.value)
    let number = TransactionID(open.number(of: name, slot.key, .transaction, in: purchase))
    if closed.isRestore {
      var fact = Fact(.restored, at: Instant(millis: at))
      fact.transaction = number
      fact.original = TransactionID(open.number(of: .none, slot.extra, .transaction, in: purchase))
      attach(slot.extra, .none, to: purchase, at)
      open.add(OpenPurchases.Entry(fact: fact, place: .unknown, isOld: true), to: purchase)
      return
    }
    for fact in closed.facts(about: number, at: Instant(millis: at)) {
      let place = LogPlace(packed: slot.extra)
      open.add(
        OpenPurchases.Entry(fact: fact, place: place, isOld: true, state: closed.state),
        to: purchase)
      count(fact, false, in: purchase)
    }
  }

  private mutating func joined(_ one: UInt32, _ other: UInt32) -> UInt32 {
    if one == OpenPurchases.none || one == other { return other }
    let isLarger = open.purchases[one].facts >= open.purchases[other].facts
    let (kept, gone) = isLarger ? (one, other) : (other, one)
    var node = open.purchases[gone].firstName
    while node != OpenPurchases.none {
      let name = open.names[node]
      switch name.kind {
      case .transaction:
        // What is only named as another one's original has no place of its own.
        if let place = transactions.place(of: name.key), transactions[place].value & 1 == 1 {
          transactions[place].value = UInt64(kept) << 1 | 1
        }
      case .intent: intents.set(name.key, UInt64(kept))
      case .account, .storeAccount, .device: break
      }
      node = name.next
    }
    open.merge(gone, into: kept)
    return kept
  }

  @inline(__always)
  private mutating func count(_ fact: Fact, _ isSubscription: Bool, in purchase: UInt32) {
    let at = fact.at.millis
    if at > open.purchases[purchase].lastAt { open.purchases[purchase].lastAt = at }
    switch fact.kind {
    case .charged, .renewed:
      open.purchases[purchase].charges += 1
      if isSubscription { open.purchases[purchase].hasSubscription = true }
    case .credited: open.purchases[purchase].credits += 1
    case .finished: open.purchases[purchase].finishes += 1
    case .refunded: open.purchases[purchase].hasRefund = true
    case .expired: open.purchases[purchase].hasSubscription = false
    case .tapped: open.purchases[purchase].hasTap = true
    default: break
    }
  }

  // MARK: - Closing

  /// Judges what nothing is to come of any more, if nothing comes that is earlier than this.
  @inline(__always)
  private mutating func close(until certain: Int64, _ result: inout AuditResult) {
    while let entry = due.first, entry.due <= certain { close(entry, certain, &result) }
  }

  @inline(never)
  private mutating func close(
    _ entry: DueList.Entry, _ certain: Int64, _ result: inout AuditResult
  ) {
    due.removeFirst()
    guard open.purchases[entry.number].order == entry.order else { return }
    let end = end(of: entry.number)
    if end > certain {
      due.add(DueList.Entry(due: end, order: entry.order, number: entry.number))
    } else {
      judge(entry.number, until: certain, &result)
    }
  }

  /// From when on nothing is to come of it any more, as far as it is known.
  private func end(of number: UInt32) -> Int64 {
    let purchase = open.purchases[number]
    if purchase.isComplete { return purchase.lastAt }
    var hold = terms.within
    if purchase.hasRefund { hold = max(hold, Books.settling) }
    if purchase.hasSubscription { hold = max(hold, Self.subscriptionHold) }
    return purchase.lastAt + hold + 1
  }

  private mutating func judge(
    _ purchase: UInt32, until end: Int64, isDue: Bool = true, _ result: inout AuditResult
  ) {
    judging.judge(purchase, open, products, until: end, isDue: isDue, &result)
    var node = open.purchases[purchase].firstName
    while node != OpenPurchases.none {
      let name = open.names[node]
      switch name.kind {
      case .transaction:
        if let place = transactions.place(of: name.key) {
          let kept = judging.kept(Int(name.number))
          transactions[place].value = kept.bits
          transactions[place].extra = kept.extra
        }
      case .intent: intents.remove(name.key)
      case .account, .storeAccount, .device: break
      }
      node = name.next
    }
    open.forget(purchase)
  }

  private mutating func leaveOut(
    _ line: borrowing FactLine, _ place: LogPlace, _ result: inout AuditResult
  ) {
    result.late += 1
    guard result.lateLines.count < AuditResult.mostShown else { return }
    let damage = LineDamage(
      found: "\(line.fact.kind) \(ISOTime.text(line.at))",
      expected: "\(ISOTime.text(latest - terms.window)) or later, as "
        + "\(result.files[latestPlace.file]):\(latestPlace.line) is of \(ISOTime.text(latest))")
    result.lateLines.append(DamagedLine(place: place, damage: damage))
  }
}
