import Invariants

/// The ports of an app: payment queue, backend, storage, timer, and the person in front of it.
///
/// Every use is a place where the app can die, before the effect and after it. From then on the
/// ports of that process swallow everything.
public struct Phone: WorldUser {
  let handle: WorldHandle
  let device: DeviceID
  let life: UInt16

  /// Whether the process still runs.
  public var isAlive: Bool {
    world.devices[device].isRunning && world.devices[device].life == life
  }

  /// The process has died by itself, and is started again as after any other crash.
  public func crash() {
    if isAlive { world.crash(device) }
  }

  /// Who is logged in.
  public var account: AccountID { world.devices[device].account }
  /// Milliseconds since the history began.
  public var now: Int64 {
    world.readsClock = true
    return world.now
  }
  /// The same for the simulator's own use, which reads no clock of the code under test.
  package var time: Int64 { world.now }

  @inline(__always)
  func enter(_ question: Question, _ who: Who) -> Bool {
    guard isAlive else { return false }
    return !dies(question, who)
  }

  @inline(__always)
  func leave(_ question: Question, _ who: Who) { _ = dies(question, who) }

  @inline(__always) @discardableResult
  private func dies(_ question: Question, _ who: Who) -> Bool {
    guard world.decisions.strikes(question, who) else { return false }
    world.crash(device)
    return true
  }

  @inline(__always)
  var me: Who { world.who(device: device) }

  @inline(__always)
  func who(_ transaction: TransactionID) -> Who {
    world.who(about: transaction, device: device)
  }

  /// A design may hold a transaction that is none: a failed one has no identifier.
  @inline(__always)
  private func exists(_ transaction: TransactionID) -> Bool { world.purchases.holds(transaction) }

  /// Whether a tap is one of this simulation, for a product that there is.
  private func isValid(_ tap: Tap) -> Bool {
    if tap.isNone { return false }
    guard world.intents.holds(tap.intent) else { return world.refuse("a tap") }
    return tap.product.index < world.setup.products.count
      || world.refuse(tap.product, in: "a tap")
  }

  private func who(_ tap: Tap) -> Who {
    if !world.intents.holds(tap.intent) { return me }
    return world.who(intent: tap.intent)
  }
}

// MARK: - The payment queue

extension Phone {
  /// StoreKit 1: adds the app as transaction observer. StoreKit 2: begins to listen to updates.
  ///
  /// Each unfinished transaction is called back once, soon.
  public func observe() {
    guard enter(.crashBeforeObserve, me) else { return }
    world.attachListener(device)
    leave(.crashAfterObserve, me)
  }

  /// Removes the observer; callbacks that come later are lost on the app. Those of the same millisecond
  /// came with the one that is being handled, in one array.
  public func unobserve() {
    guard enter(.crashBeforeUnobserve, me) else { return }
    world.detachListener(device)
    leave(.crashAfterUnobserve, me)
  }

  /// SKProductsRequest; answered by ``PurchaseApp/productsArrived(for:_:)``, or by
  /// ``PurchaseApp/productsFailed(for:_:)`` where there is an error, as without a network.
  public func loadProducts(for tap: Tap) {
    if isValid(tap) { load(tap.intent, who(tap)) }
  }

  /// The same before anybody has tapped, as many an app does when it starts; the answer is for
  /// ``Tap/none``.
  public func loadProducts() { load(.none, me) }

  private func load(_ intent: IntentID, _ who: Who) {
    guard enter(.crashBeforeProducts, who) else { return }
    let fails =
      world.devices[device].isOffline || world.decisions.strikes(.failProducts, who)
    let delay = world.decisions.delay(.delayProducts, who)
    world.schedule(
      .productList(intent, to: device, life: life, hasFailed: fails), after: delay)
    leave(.crashAfterProducts, who)
  }

  /// Whether a request is answered to nobody, which the app has not kept: Apple does not say who does.
  package func losesRequest() -> Bool { world.decisions.strikes(.loseRequest, me) }

  /// The products of the catalogue.
  public var products: Range<Int> { 0..<world.setup.products.count }

  /// Whether any of them is a subscription.
  public var sellsSubscriptions: Bool { world.sellsSubscriptions }

  /// StoreKit 1: SKPaymentQueue.add; the outcome is called back.
  public func add(_ tap: Tap, applicationUsername token: Token = .none) {
    pay(tap, token, usesStoreKit2: false)
  }

  /// StoreKit 2: product.purchase(); the outcome is its result.
  public func purchase(_ tap: Tap, appAccountToken token: Token = .none) {
    pay(tap, token, usesStoreKit2: true)
  }

  private func pay(_ tap: Tap, _ token: Token, usesStoreKit2: Bool) {
    guard isValid(tap), enter(.crashBeforePay, who(tap)) else { return }
    if _slowPath(world.makesOffers) { world.intents[tap.intent].offer = tap.offer }
    world.pay(
      intent: tap.intent, product: tap.product, device: device, token: token,
      usesStoreKit2: usesStoreKit2)
    leave(.crashAfterPay, who(tap))
  }

  /// Finishes a transaction. Nothing is returned, and the message can be lost.
  public func finish(_ transaction: TransactionID) {
    guard exists(transaction) else { return }
    let who = who(transaction)
    guard enter(.crashBeforeFinish, who) else { return }
    var fact = world.fact(.finishing)
    fact.transaction = transaction
    fact.device = device
    world.emit(fact)
    world.sendFinish(transaction, device: device)
    leave(.crashAfterFinish, who)
  }

  /// Finishes a transaction of any state. A failed one is an object of its own: finishing it
  /// leaves a charge of the same purchase alone. Until then StoreKit 1 keeps it in the queue, and calls
  /// back with it whenever an observer is added.
  public func finish(_ transaction: PaymentTransaction) {
    guard transaction.state == .failed else { return finish(transaction.id) }
    guard exists(transaction.row) || world.refuse("a transaction") else { return }
    let who = world.who(purchase: transaction.row)
    guard enter(.crashBeforeFinish, who) else { return }
    world.purchases[transaction.row].flags.remove(.failureInQueue)
    leave(.crashAfterFinish, who)
  }

  /// StoreKit 1: restoreCompletedTransactions. StoreKit 2: AppStore.sync. Both ask for the password.
  public func restore() { restore(for: .none) }

  /// The same, for somebody who has tapped "restore"; for none where the app does it unasked.
  func restore(for account: AccountID) {
    guard enter(.crashBeforeRestore, me) else { return }
    world.restore(device, for: account)
    leave(.crashAfterRestore, me)
  }

  /// StoreKit 2: Transaction.unfinished, a snapshot.
  public var unfinished: Unfinished {
    world.looksAtStore = true
    return Unfinished(
      phone: self,
      row: isAlive
        ? world.storeAccounts[world.devices[device].storeAccount].first : .none)
  }

  /// StoreKit 1: SKPaymentQueue.transactions, as far as they are paid: what was called back since the
  /// observer was added, and is not finished.
  public var queued: Unfinished {
    var queued = unfinished
    queued.session = world.session(of: device)
    return queued
  }

  /// The unfinished transactions, newest first.
  public struct Unfinished: Sequence, IteratorProtocol {
    let phone: Phone
    var row: TransactionID
    /// Only what this listener session was handed; nil for all.
    var session: ListenerSession?

    /// The next transaction; nil after the last.
    @inline(__always)
    public mutating func next() -> PaymentTransaction? {
      while row != .none {
        let current = row
        let purchase = phone.world.purchases.at(current)
        row = purchase.pointee.next
        if purchase.pointee.flags.isUnfinished,
          session == nil || purchase.pointee.deliveredTo == session,
          phone.world.isKnown(current, to: phone.device)
        {
          let isRestore = phone.world.purchases[current].flags.contains(.restore)
          return phone.world.transaction(current, isRestore ? .restored : .purchased)
        }
      }
      return nil
    }
  }
}

extension Phone {
  /// A product of the catalogue, by its position in ``products``.
  ///
  /// One that is not in the catalogue has no name, and the run has no verdict.
  public func product(_ product: ProductID) -> Setup.Product {
    guard !product.isNone, world.knows(product) else {
      _ = world.refuse(product, in: "the app")
      return Setup.Product("")
    }
    return world.setup.products[product.index]
  }

  /// Which phone it is, from 0.
  public var number: Int { device.index }
  /// How often the app was started on it.
  public var launches: Int { Int(life) }
  /// The date at which the run began, in seconds since 1970: ``now`` is counted from it.
  public var beginsSeconds: Int64 { world.setup.beginsSeconds }
  /// Whether it is a production device; the others pay nothing.
  public var environment: Environment { world.devices[device].environment }
}

// MARK: - The receipt

extension Phone {
  /// The receipt file as it is; empty evidence if there is none.
  public func receipt() -> Evidence {
    guard enter(.crashBeforeReceipt, me) else { return Evidence() }
    // A charge may write the file.
    world.looksAtStore = true
    let evidence = world.receipt(on: device)
    leave(.crashAfterReceipt, me)
    return evidence
  }

  /// SKReceiptRefreshRequest: asks for the password and needs network; answered by `receiptRefreshed`.
  public func refreshReceipt() {
    guard enter(.crashBeforeRefresh, me) else { return }
    // Without a network there is an error, and no prompt.
    let fails = world.devices[device].isOffline || !world.givesPassword(device)
    let delay = world.decisions.delay(.delayRefresh, me)
    world.schedule(.receiptRefresh(device, life: life, hasFailed: fails), after: delay)
    leave(.crashAfterRefresh, me)
  }

  /// StoreKit 2's signed transaction, or its identifier for a server look-up.
  public func evidence(for transaction: TransactionID) -> Evidence {
    var evidence = Evidence()
    guard exists(transaction) else { return evidence }
    evidence.kind = .transaction
    evidence.environment = world.purchases[transaction].environment
    evidence.storeAccount = world.purchases[transaction].storeAccount
    evidence.transaction = transaction
    return evidence
  }

  /// The app posts the receipt to Apple itself and believes what comes back.
  ///
  /// The answer passes through a network that the person controls (F94).
  public func verifyLocally(_ evidence: Evidence, about transaction: TransactionID) -> Evidence {
    guard isAlive, exists(transaction) else { return Evidence() }
    var verdict = evidence
    verdict.kind = .verdict
    if world.decisions.strikes(.spoofLocalVerifier, who(transaction)) {
      verdict.isForged = true
      verdict.transaction = .none
    } else {
      verdict.transaction = transaction
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
    guard world.knows(report.evidence) || world.refuse("a report's evidence"),
      world.knows(report.product) || world.refuse(report.product, in: "a report"),
      enter(.crashBeforeSend, who)
    else { return }
    let exchange = world.addExchange(
      ExchangeRow(
        route: .init(about: transaction, device: device, life: life),
        session: report.session, product: report.product, tag: tag,
        payload: report.payload, token: report.token, evidence: report.evidence,
        purpose: report.purpose, claimsTransaction: !report.transaction.isNone))
    world.send(exchange)
    leave(.crashAfterSend, who)
  }

  /// Gets an order number from the backend before a purchase; its UUID form is the token.
  public func newOrder(for tap: Tap) -> Token {
    guard isAlive, !tap.isNone else { return .none }
    return .order(tap.intent)
  }

  /// Writes a record under a key; it is on the disk after the next flush, or when this returns.
  ///
  /// A record about no transaction is the app's own affair: no invariant looks at it.
  public func save(_ record: StoredRecord, key: UInt64, isFlushed: Bool = false) {
    let isOwn = record.transaction.isNone
    let who = who(exists(record.transaction) ? record.transaction : .none)
    guard isOwn || exists(record.transaction), enter(.crashBeforeSave, who) else { return }
    world.save(record, key: key, device: device, isFlushed: isFlushed)
    leave(.crashAfterSave, who)
  }

  /// Hands out the goods of a transaction on the device itself, where an app without a backend keeps them:
  /// a credit to whoever paid.
  ///
  /// It is a write like ``save(_:key:isFlushed:)``: if the app dies before it is on the disk, the goods are
  /// gone. What StoreKit shows of its own, a non-consumable among the current entitlements, is not written
  /// and not lost. Of two phones of one store account each may hand out the same; that is counted once.
  public func deliver(_ transaction: TransactionID, isShownByStore: Bool = false) {
    let who = who(exists(transaction) ? transaction : .none)
    guard exists(transaction) else { return }
    if isShownByStore {
      if isAlive { world.deliver(transaction, on: device, isShownByStore: true) }
      return
    }
    guard enter(.crashBeforeSave, who) else { return }
    world.deliver(transaction, on: device, isShownByStore: false)
    leave(.crashAfterSave, who)
  }

  /// Removes the record under a key.
  public func erase(key: UInt64) {
    guard enter(.crashBeforeErase, me) else { return }
    world.erase(key: key, device: device)
    leave(.crashAfterErase, me)
  }

  /// Waits until everything written is on the disk.
  public func flush() {
    guard enter(.crashBeforeFlush, me) else { return }
    world.flush(device)
    leave(.crashAfterFlush, me)
  }

  /// The records in storage, newest first.
  public var records: Records {
    Records(
      phone: self, row: isAlive ? world.devices[device].firstRecord : .none)
  }

  /// What is in storage, on the disk or not yet, newest first.
  public struct Records: Sequence, IteratorProtocol {
    let phone: Phone
    var row: RecordID

    /// The next record with its key; nil after the last.
    public mutating func next() -> (key: UInt64, record: StoredRecord)? {
      while row != .none {
        let current = phone.world.records[row]
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
    world.schedule(.timer(tag, about: transaction, on: device, life: life), after: wait)
    leave(.crashAfterTimer, me)
  }

  /// Notes that the app did what the platform answers with an exception: there is no verdict.
  public func note(problem: String) { world.note(.misuse, problem) }

  /// Whether the app has a server to report to; else it keeps its goods itself.
  package var hasBackend: Bool { world.hasBackend }

  /// Whether anybody wants to know what the app prints.
  package var keepsOutput: Bool { world.observer?.keepsOutput ?? false }

  /// Why something on this phone comes to nothing; no part of the history.
  package func note(remark: String) {
    world.observer?.saw(remark: "\(Subject.phone(device.index).name) \(remark)")
  }

  /// A line that the app has printed; no part of the history.
  package func note(output: String) {
    world.observer?.saw(
      PrintedLine(
        at: Instant(millis: world.now), place: "phone\(number + 1), launch \(launches)",
        text: output))
  }

  /// Notes that something left the simulation, or came into it: the run is not reproducible.
  public func note(leak: String) { world.note(.leak, leak) }

  /// Which of the app's ready tasks runs next, 0 being the one that waited longest.
  public func nextTask(of count: Int) -> Int {
    guard isAlive, count > 1, let turn = world.decisions.choice(.reorderTask, me) else {
      return 0
    }
    return min(turn, count - 1)
  }

  /// Tells the person how their tap ended.
  public func tell(_ message: Fact.Message, about tap: Tap) {
    guard tap.isNone || isValid(tap) else { return }
    tell(message, about: tap.intent, transaction: .none)
  }

  /// Tells the person how a transaction of any state ended.
  public func tell(_ message: Fact.Message, about transaction: PaymentTransaction) {
    guard exists(transaction.row) || world.refuse("a transaction") else { return }
    tell(message, about: world.purchases[transaction.row].intent, transaction: transaction.id)
  }

  /// Tells the person how a transaction ended.
  public func tell(_ message: Fact.Message, about transaction: TransactionID) {
    guard exists(transaction) else { return }
    tell(message, about: world.purchases[transaction].intent, transaction: transaction)
  }

  /// Of what may be anybody's wish for a product, everybody is told who waits for that product.
  private func tell(_ message: Fact.Message, about wish: IntentID, transaction: TransactionID) {
    let stated = world.stated(wish)
    tell(
      message, intent: stated, product: stated == wish ? .none : world.intents[wish].product,
      transaction: transaction)
  }

  func tell(
    _ message: Fact.Message, intent: IntentID, product: ProductID, transaction: TransactionID
  ) {
    let who = who(transaction)
    guard enter(.crashBeforeTell, who) else { return }
    if _slowPath(world.takesAnyOutcome), intent != .none,
      world.isOfOneSheet(message, intent)
    {
      return leave(.crashAfterTell, who)
    }
    var fact = world.fact(.told)
    fact.intent = intent
    fact.product = product
    fact.transaction = transaction
    fact.message = message
    fact.device = device
    world.emit(fact)
    if intent != .none {
      world.react(intent, to: message)
      world.mayUse(intent, device, wasTold: true)
    }
    leave(.crashAfterTell, who)
  }
}
