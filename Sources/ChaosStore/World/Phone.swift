import Invariants

/// The ports of an app: payment queue, backend, storage, timer, and the person in front of it.
///
/// Every use is a place where the app can die, before the effect and after it. From then on the
/// ports of that process swallow everything.
public struct Phone {
  let world: UnsafeMutablePointer<World>
  let device: UInt32
  let life: UInt16

  /// Whether the process still runs.
  public var isAlive: Bool {
    world.pointee.devices[device].isRunning && world.pointee.devices[device].life == life
  }

  /// The process has died by itself, and is started again as after any other crash.
  public func crash() {
    if isAlive { world.pointee.crash(device) }
  }

  /// Who is logged in.
  public var account: AccountID { AccountID(world.pointee.devices[device].account) }
  /// Milliseconds since the history began.
  public var now: Int64 { world.pointee.now }

  @inline(__always)
  func enter(_ question: Question, _ who: Who) -> Bool {
    guard isAlive else { return false }
    return !dies(question, who)
  }

  @inline(__always)
  func leave(_ question: Question, _ who: Who) { _ = dies(question, who) }

  @inline(__always) @discardableResult
  private func dies(_ question: Question, _ who: Who) -> Bool {
    guard world.pointee.decisions.strikes(question, who) else { return false }
    world.pointee.crash(device)
    return true
  }

  @inline(__always)
  var me: Who { world.pointee.who(device: device) }

  @inline(__always)
  func who(_ transaction: TransactionID) -> Who {
    world.pointee.who(about: transaction.raw, device: device)
  }

  /// A design may hold a transaction that is none: a failed one has no identifier.
  @inline(__always)
  private func exists(_ transaction: TransactionID) -> Bool {
    transaction.index < world.pointee.purchases.count
  }

  private func who(_ tap: Tap) -> Who {
    if tap.isNone { return me }
    return world.pointee.who(intent: tap.intent.raw)
  }
}

// MARK: - The payment queue

extension Phone {
  /// StoreKit 1: adds the app as transaction observer. StoreKit 2: begins to listen to updates.
  ///
  /// Each unfinished transaction is called back once, soon.
  public func observe() {
    guard enter(.crashBeforeObserve, me) else { return }
    world.pointee.attachListener(device)
    leave(.crashAfterObserve, me)
  }

  /// Removes the observer; callbacks that come now are lost on the app.
  public func unobserve() {
    guard enter(.crashBeforeUnobserve, me) else { return }
    world.pointee.detachListener(device)
    leave(.crashAfterUnobserve, me)
  }

  /// SKProductsRequest; answered by `productsArrived`.
  public func loadProducts(for tap: Tap) {
    guard !tap.isNone, enter(.crashBeforeProducts, who(tap)) else { return }
    let delay = world.pointee.decisions.delay(.delayProducts, who(tap))
    world.pointee.queue.schedule(
      at: now + delay, .productList, subject: tap.intent.raw, life: life)
    leave(.crashAfterProducts, who(tap))
  }

  /// The products of the catalogue.
  public var products: Range<Int> { 0..<world.pointee.setup.products.count }

  /// StoreKit 1: SKPaymentQueue.add; the outcome is called back.
  public func add(_ tap: Tap, applicationUsername token: Token = .none) {
    pay(tap, token, usesStoreKit2: false)
  }

  /// StoreKit 2: product.purchase(); the outcome is its result.
  public func purchase(_ tap: Tap, appAccountToken token: Token = .none) {
    pay(tap, token, usesStoreKit2: true)
  }

  private func pay(_ tap: Tap, _ token: Token, usesStoreKit2: Bool) {
    guard !tap.isNone, enter(.crashBeforePay, who(tap)) else { return }
    world.pointee.pay(
      intent: tap.intent.raw, product: tap.product.raw, device: device, token: token,
      usesStoreKit2: usesStoreKit2)
    leave(.crashAfterPay, who(tap))
  }

  /// Finishes a transaction. Nothing is returned, and the message can be lost.
  public func finish(_ transaction: TransactionID) {
    guard exists(transaction) else { return }
    let who = who(transaction)
    guard enter(.crashBeforeFinish, who) else { return }
    var fact = world.pointee.fact(.finishing)
    fact.transaction = transaction
    fact.device = DeviceID(device)
    world.pointee.emit(fact)
    world.pointee.sendFinish(transaction.raw, device: device)
    leave(.crashAfterFinish, who)
  }

  /// Finishes a transaction of any state. A failed one is an object of its own: finishing it
  /// leaves a charge of the same purchase alone.
  public func finish(_ transaction: PaymentTransaction) {
    guard transaction.state == .failed else { return finish(transaction.id) }
    let who = world.pointee.who(purchase: transaction.row)
    guard enter(.crashBeforeFinish, who) else { return }
    leave(.crashAfterFinish, who)
  }

  /// StoreKit 1: restoreCompletedTransactions. StoreKit 2: AppStore.sync.
  public func restore() {
    guard enter(.crashBeforeRestore, me) else { return }
    world.pointee.restore(device)
    leave(.crashAfterRestore, me)
  }

  /// StoreKit 2: Transaction.unfinished, a snapshot.
  public var unfinished: Unfinished {
    Unfinished(
      phone: self,
      row: isAlive
        ? world.pointee.storeAccounts[world.pointee.devices[device].storeAccount].first : .max)
  }

  /// The unfinished transactions, newest first.
  public struct Unfinished: Sequence, IteratorProtocol {
    let phone: Phone
    var row: UInt32

    public mutating func next() -> PaymentTransaction? {
      while row != .max {
        let current = row
        row = phone.world.pointee.purchases[current].next
        if phone.world.pointee.purchases[current].flags.isUnfinished {
          let isRestore = phone.world.pointee.purchases[current].flags.contains(.restore)
          return phone.world.pointee.transaction(current, isRestore ? .restored : .purchased)
        }
      }
      return nil
    }
  }
}

extension Phone {
  /// What the store still knows of this store account: charges that are unfinished, and bought
  /// non-consumables; newest first. StoreKit 2: Transaction.all.
  public var history: [PaymentTransaction] {
    guard isAlive else { return [] }
    var found: [PaymentTransaction] = []
    var row = world.pointee.storeAccounts[world.pointee.devices[device].storeAccount].first
    while row != .max {
      let flags = world.pointee.purchases[row].flags
      if flags.contains(.charged), flags.isDisjoint(with: [.failed, .voided, .restore]),
        flags.isUnfinished || !flags.contains(.consumable)
      {
        found.append(world.pointee.transaction(row, .purchased))
      }
      row = world.pointee.purchases[row].next
    }
    return found
  }

  /// A product of the catalogue, by its position.
  public func product(_ product: ProductID) -> Setup.Product {
    world.pointee.setup.products[product.index]
  }

  /// Which phone it is, from 0.
  public var number: Int { Int(device) }
  /// How often the app was started on it.
  public var launches: Int { Int(life) }
  /// Whether it is a production device; the others pay nothing.
  public var environment: Environment { world.pointee.devices[device].environment }
}

// MARK: - The receipt

extension Phone {
  /// The receipt file as it is; empty evidence if there is none.
  public func receipt() -> Evidence {
    guard enter(.crashBeforeReceipt, me) else { return Evidence() }
    let row = world.pointee.devices[device]
    var evidence = Evidence()
    if row.hasReceipt {
      evidence.kind = .receipt
      evidence.environment = row.environment
      evidence.storeAccount = row.receiptAccount
      evidence.asOf = row.receiptAsOf
    }
    leave(.crashAfterReceipt, me)
    return evidence
  }

  /// SKReceiptRefreshRequest: asks for the password and needs network; answered by `receiptRefreshed`.
  public func refreshReceipt() {
    guard enter(.crashBeforeRefresh, me) else { return }
    let delay = world.pointee.decisions.delay(.delayRefresh, me)
    world.pointee.queue.schedule(at: now + delay, .receiptRefresh, subject: device, life: life)
    leave(.crashAfterRefresh, me)
  }

  /// StoreKit 2's signed transaction, or its identifier for a server look-up.
  public func evidence(for transaction: TransactionID) -> Evidence {
    var evidence = Evidence()
    guard exists(transaction) else { return evidence }
    evidence.kind = .transaction
    evidence.environment = world.pointee.purchases[transaction.raw].environment
    evidence.storeAccount = world.pointee.purchases[transaction.raw].storeAccount
    evidence.transaction = transaction.raw
    return evidence
  }

  /// The app posts the receipt to Apple itself and believes what comes back.
  ///
  /// The answer passes through a network that the person controls (F94).
  public func verifyLocally(_ evidence: Evidence, about transaction: TransactionID) -> Evidence {
    guard isAlive, exists(transaction) else { return Evidence() }
    var verdict = evidence
    verdict.kind = .verdict
    if world.pointee.decisions.strikes(.spoofLocalVerifier, who(transaction)) {
      verdict.isForged = true
      verdict.transaction = .max
    } else {
      verdict.transaction = transaction.raw
    }
    return verdict
  }
}

// MARK: - Backend, storage, time, person

extension Phone {
  /// Sends a report to the backend; `about` is what the app itself knows it to be about.
  ///
  /// `tag` comes back with the reply. Nothing says whether it arrived.
  public func send(_ report: Report, about transaction: TransactionID, tag: UInt32 = 0) {
    let transaction = exists(transaction) ? transaction : .none
    let who = who(transaction)
    guard enter(.crashBeforeSend, who) else { return }
    let exchange = world.pointee.addExchange(
      ExchangeRow(
        route: .init(about: transaction.raw, device: device, life: life),
        session: report.session.raw, product: report.product.raw, tag: tag,
        payload: report.payload, token: report.token, evidence: report.evidence,
        purpose: report.purpose, claimsTransaction: !report.transaction.isNone))
    world.pointee.send(exchange)
    leave(.crashAfterSend, who)
  }

  /// Gets an order number from the backend before a purchase; its UUID form is the token.
  public func newOrder(for tap: Tap) -> Token {
    guard isAlive, !tap.isNone else { return .none }
    return .order(tap.intent)
  }

  /// Writes a record under a key; it is on the disk after the next flush.
  ///
  /// A record about no transaction is the app's own affair: no invariant looks at it.
  public func save(_ record: StoredRecord, key: UInt64) {
    let isOwn = record.transaction.isNone
    let who = who(exists(record.transaction) ? record.transaction : .none)
    guard isOwn || exists(record.transaction), enter(.crashBeforeSave, who) else { return }
    world.pointee.save(record, key: key, device: device)
    leave(.crashAfterSave, who)
  }

  /// Removes the record under a key.
  public func erase(key: UInt64) {
    guard enter(.crashBeforeErase, me) else { return }
    world.pointee.erase(key: key, device: device)
    leave(.crashAfterErase, me)
  }

  /// Waits until everything written is on the disk.
  public func flush() {
    guard enter(.crashBeforeFlush, me) else { return }
    world.pointee.flush(device)
    leave(.crashAfterFlush, me)
  }

  /// The records in storage, newest first.
  public var records: Records {
    Records(
      phone: self, row: isAlive ? world.pointee.devices[device].firstRecord : .max)
  }

  public struct Records: Sequence, IteratorProtocol {
    let phone: Phone
    var row: UInt32

    public mutating func next() -> (key: UInt64, record: StoredRecord)? {
      while row != .max {
        let current = phone.world.pointee.records[row]
        row = current.next
        if current.isLive { return (current.key, current.record) }
      }
      return nil
    }
  }

  /// Calls `timerFired` with this tag after so many milliseconds, unless the app dies before.
  public func startTimer(
    after millis: Int64, about transaction: TransactionID = .none, tag: UInt8 = 0
  ) {
    guard enter(.crashBeforeTimer, me) else { return }
    let transaction = exists(transaction) ? transaction : .none
    let wait = min(max(0, millis), Event.lastMillis - now)
    world.pointee.queue.schedule(
      at: now + wait, .timer, subject: transaction.raw, tag: tag, life: life,
      detail: UInt64(device))
    leave(.crashAfterTimer, me)
  }

  /// Notes that the app did what the platform answers with an exception: there is no verdict.
  public func note(problem: String) { note(.misuse, problem) }

  /// Notes that something left the simulation, or came into it: the run is not reproducible.
  public func note(leak: String) { note(.leak, leak) }

  private func note(_ kind: Problem.Kind, _ text: String) {
    guard !world.pointee.problems.contains(where: { $0.kind == kind && $0.text == text })
    else { return }
    world.pointee.problems.append(
      Problem(kind, text, event: world.pointee.events, at: Instant(millis: world.pointee.now)))
  }

  /// Which of the app's ready tasks runs next, 0 being the one that waited longest.
  public func nextTask(of count: Int) -> Int {
    guard isAlive, count > 1, let turn = world.pointee.decisions.choice(.reorderTask, me) else {
      return 0
    }
    return min(turn, count - 1)
  }

  /// Tells the person how their tap ended.
  public func tell(_ message: Fact.Message, about tap: Tap) {
    tell(message, intent: tap.intent.raw, transaction: .none)
  }

  /// Tells the person how a transaction of any state ended.
  public func tell(_ message: Fact.Message, about transaction: PaymentTransaction) {
    tell(
      message, intent: world.pointee.purchases[transaction.row].intent,
      transaction: transaction.id)
  }

  /// Tells the person how a transaction ended.
  public func tell(_ message: Fact.Message, about transaction: TransactionID) {
    guard exists(transaction) else { return }
    tell(
      message, intent: world.pointee.purchases[transaction.raw].intent, transaction: transaction)
  }

  private func tell(_ message: Fact.Message, intent: UInt32, transaction: TransactionID) {
    let who = who(transaction)
    guard enter(.crashBeforeTell, who) else { return }
    var fact = world.pointee.fact(.told)
    fact.intent = IntentID(intent)
    fact.transaction = transaction
    fact.message = message
    fact.device = DeviceID(device)
    world.pointee.emit(fact)
    if intent != .max { world.pointee.react(intent, to: message) }
    leave(.crashAfterTell, who)
  }
}
