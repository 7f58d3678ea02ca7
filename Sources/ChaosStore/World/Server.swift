import Invariants

/// The ports of a backend while it handles one request, or works without one: verifier, ledger, tables,
/// answer.
///
/// Every use is a place where the process can die, before the effect and after it. What a handler does
/// until it returns runs as one step, with no other request in between but where it says ``pause(_:about:)``.
/// After the answer the work may go on for as long as the process lives.
public struct Server: WorldUser {
  let handle: WorldHandle
  /// The row of the request; none of what no request began.
  let exchange: ExchangeID
  /// Tells the request from a later one in the same row.
  let generation: UInt16
  let replica: ReplicaID
  /// The life of the process.
  let life: UInt16
  /// Whom decisions are about.
  let who: Who

  /// What became of an attempt to credit.
  public enum Commit: Sendable {
    /// The goods are there now.
    case credited
    /// They were there before; nothing happened.
    case alreadyThere
    /// The database is down; nothing happened.
    case unavailable
    /// The connection to the database broke: they are there now, or nothing happened.
    ///
    /// Asking again is safe with ``Server/commit(_:to:)``, which enters each transaction once.
    case unknown

    /// Whether the goods are there for certain.
    public var isThere: Bool { self == .credited || self == .alreadyThere }
  }

  /// Whether the process still runs, and the work was not ended by ``drop()``.
  @inline(__always)
  public var isAlive: Bool {
    world.isRunning(replica, life: life) && world.dropped != request
  }

  /// Whether the row still holds this request.
  @inline(__always)
  var isOfRow: Bool {
    world.exchanges.holds(exchange) && world.exchanges.at(exchange).pointee.generation == generation
  }

  /// Whether the app waits for an answer.
  @inline(__always)
  var isOpen: Bool { isOfRow && !world.exchanges.at(exchange).pointee.isClosed }

  @inline(__always)
  func enter(_ question: Question) -> Bool {
    guard isAlive else { return false }
    return !dies(question)
  }

  @inline(__always) @discardableResult
  func dies(_ question: Question) -> Bool {
    guard world.decisions.strikes(question, who) else { return false }
    world.crashServer(replica: replica, who)
    return true
  }

  /// The row on which the work waits for something, which it keeps until that has come.
  @inline(__always)
  private func beginWait() -> (exchange: ExchangeID, generation: UInt16) {
    let isHere = isOpen || isOfRow && world.exchanges.at(exchange).pointee.isWork
    let place = _fastPath(isHere) ? exchange : world.rowForWork(of: self)
    world.exchanges.at(place).pointee.waits &+= 1
    return (place, world.exchanges.at(place).pointee.generation)
  }

  // MARK: - Verifier

  /// Asks Apple about the evidence of the request; answered by ``PurchaseBackend/verified(_:for:_:)``.
  ///
  /// Where Apple is silent that is a time-out after ten seconds.
  public func verify(_ question: VerifierQuestion) {
    guard enter(.crashServerBeforeVerify) else { return }
    let (place, generation) = beginWait()
    world.askVerifier(place, generation, question, who)
    dies(.crashServerAfterVerify)
  }

  /// Asks Apple about a transaction that no request names; answered by ``PurchaseBackend/verified(_:for:_:)``
  /// for a report about it that nobody has sent.
  ///
  /// As work of its own: the request at hand can be answered meanwhile. Of a transaction that nobody has made Apple
  /// knows nothing (4040010).
  ///
  /// - Returns: the ``request`` of the work that gets the answer; nil where none will come, because the process has
  ///   died.
  @discardableResult
  public func verify(_ question: VerifierQuestion, about transaction: TransactionID) -> UInt64? {
    ask(question, about: transaction) { _ in }
  }

  func ask(
    _ question: VerifierQuestion, about transaction: TransactionID,
    with change: (inout ExchangeRow) -> Void
  ) -> UInt64? {
    guard enter(.crashServerBeforeVerify) else { return nil }
    let place = world.rowForWork(of: self)
    let row = world.exchanges.at(place)
    row.pointee.session = .none
    row.pointee.evidence = world.lookUp(of: transaction)
    let isKnown = world.purchases.holds(transaction)
    row.pointee.route.about = isKnown ? transaction : .none
    row.pointee.claimsTransaction = isKnown
    row.pointee.waits = 1
    change(&row.pointee)
    let generation = row.pointee.generation
    world.askVerifier(place, generation, question, isKnown ? world.who(purchase: transaction) : who)
    dies(.crashServerAfterVerify)
    return Self.number(place, generation)
  }

  /// What the answer proves: a receipt's in_app, or the one transaction looked up.
  public func purchases(in answer: VerifierAnswer) -> Purchases {
    Purchases(handle: handle, answer: answer)
  }

  /// What Apple's answer lists, newest first; nothing where the answer is not valid.
  public struct Purchases: Sequence, IteratorProtocol, WorldUser {
    let handle: WorldHandle
    let evidence: Evidence
    var row: TransactionID
    var isOver: Bool

    init(handle: WorldHandle, answer: VerifierAnswer) {
      self.handle = handle
      evidence = answer.evidence
      row = .none
      isOver = answer.status != 0 || evidence.isNone || !handle.world.knows(evidence)
      if !isOver, evidence.kind == .receipt, !evidence.isOutside {
        row = world.storeAccounts[evidence.storeAccount].first
      }
    }

    /// The next purchase; nil after the last.
    public mutating func next() -> VerifiedPurchase? {
      if isOver { return nil }
      if evidence.isOutside {
        isOver = true
        return VerifiedPurchase(
          transaction: .none, product: ProductID(0), quantity: 1,
          environment: evidence.environment, token: .none, isConsumable: true,
          isOurs: !evidence.isForeign)
      }
      if evidence.kind == .transaction {
        isOver = true
        return verified(evidence.transaction, hasToken: true)
      }
      while row != .none {
        let current = row
        row = world.purchases[current].next
        if world.receipt(asOf: evidence.asOf, shows: world.purchases[current]) {
          return verified(current, hasToken: false)
        }
      }
      isOver = true
      return nil
    }

    private func verified(_ row: TransactionID, hasToken: Bool) -> VerifiedPurchase {
      var purchase = world.verified(row, hasToken: hasToken)
      purchase.isDeviceVerified = !evidence.isCopied
      return purchase
    }
  }

  /// Whether a receipt lists this transaction's charge as taken back or refunded: its entry has a cancellation
  /// date.
  ///
  /// ``purchases(in:)`` leaves such entries out. A receipt that lists nothing else is 21010.
  public func isCancelled(_ transaction: TransactionID, in answer: VerifierAnswer) -> Bool {
    let receipt = answer.evidence
    guard answer.status == 0, receipt.isReceipt, !receipt.isOutside,
      world.purchases.holds(transaction)
    else { return false }
    let charge = world.charge(of: transaction)
    return !charge.flags.isDisjoint(with: .voided.union(.refunded))
      && charge.storeAccount == receipt.storeAccount
      && world.receipt(asOf: receipt.asOf, holds: charge)
  }

  /// A purchase that was verified before, as the backend has it in its own tables.
  @inline(__always)
  public func purchase(_ id: TransactionID) -> VerifiedPurchase {
    guard world.purchases.holds(id) else { return .none }
    return world.verified(id, hasToken: true)
  }

  /// Whether two transactions stand for one charge (Apple: original_transaction_id).
  public func isSame(_ a: TransactionID, _ b: TransactionID) -> Bool {
    let purchases = world.purchases
    guard purchases.holds(a), purchases.holds(b) else { return a == b }
    return purchases[a].original == purchases[b].original
  }

  /// What a report says of itself, which nobody has verified.
  public func claim(_ report: Report) -> VerifiedPurchase {
    guard !report.evidence.isForged, !report.evidence.isOutside,
      report.evidence.transaction != .none
    else {
      return VerifiedPurchase(
        transaction: .none, product: report.product, quantity: 1, environment: .production,
        token: .none, isConsumable: true, isOurs: true)
    }
    return purchase(report.evidence.transaction)
  }

  /// App Store Server API, Get Transaction Info, for a transaction that a receipt named.
  ///
  /// A receipt has no account token; the look-up has, if a UUID was given at the purchase.
  public func token(of purchase: VerifiedPurchase) -> Token {
    guard world.purchases.holds(purchase.transaction) else { return .none }
    let token = world.purchases[key(of: purchase)].token
    return token.isUUID ? token : .none
  }

  /// Whose token it is: an account's own, or that of the account that opened the order.
  public func owner(of token: Token) -> AccountID {
    switch token.kind {
    case .none: .none
    case .account, .username: AccountID(token.value)
    case .order:
      world.intents.holds(IntentID(token.value))
        ? world.intents[IntentID(token.value)].account : .none
    }
  }

  /// Whether these very bytes were seen before, and from now on are.
  public func hasSeen(_ evidence: Evidence) -> Bool {
    guard isAlive else { return false }
    let hash = Hashing.fold(
      UInt64(evidence.storeAccount.raw) << 32 | UInt64(evidence.asOf) ^ 0x9e37_79b9_7f4a_7c15,
      UInt64(evidence.transaction.raw) << 16 | UInt64(evidence.kind.rawValue) << 8
        | UInt64(evidence.environment.rawValue) << 2 | (evidence.isForeign ? 2 : 0)
        | (evidence.isForged ? 1 : 0) ^ 0xd6e8_feb8_6659_fd93)
    world.writes(.hasSeen, .none)
    if world.seenReceipts.contains(hash) { return true }
    world.seenReceipts.append(hash)
    return false
  }

  /// Whether an order was delivered, and from now on is.
  public func closeOrder(_ token: Token) -> Bool {
    guard isAlive, token.kind == .order, world.intents.holds(IntentID(token.value)) else {
      return false
    }
    world.writes(.closeOrder, .none)
    let wasDone = world.intents[IntentID(token.value)].isOrderDone
    world.intents[IntentID(token.value)].isOrderDone = true
    return wasDone
  }

  // MARK: - Tables of transactions

  /// Whether the table of paid and unclaimed transactions has it.
  public func isUnclaimed(_ purchase: VerifiedPurchase) -> Bool {
    has(.white, purchase, .isUnclaimed)
  }

  /// Enters it into the table of paid and unclaimed transactions.
  public func addUnclaimed(_ purchase: VerifiedPurchase) {
    put(.white, purchase, true, .addUnclaimed)
  }

  /// Removes it from the table of paid and unclaimed transactions.
  public func removeUnclaimed(_ purchase: VerifiedPurchase) {
    put(.white, purchase, false, .removeUnclaimed)
  }

  /// Whether a cache of handled requests has it; the cache may have forgotten (F53).
  public func isCached(_ purchase: VerifiedPurchase) -> Bool {
    guard has(.cached, purchase, .isCached) else { return false }
    return !world.decisions.strikes(.pruneDedupe, who)
  }

  /// Remembers it in a cache of handled requests.
  public func cache(_ purchase: VerifiedPurchase) { put(.cached, purchase, true, .cache) }

  /// Writes down when a transaction was first reported, once and durably, and says when that was.
  ///
  /// In milliseconds since the history began; now, for what is no transaction at all.
  public func firstSeen(_ transaction: TransactionID) -> Int64 {
    guard isAlive, world.purchases.holds(transaction) else { return world.now }
    if world.purchases[transaction].firstSeen < 0 {
      world.purchases[transaction].firstSeen = world.now
    }
    return world.purchases[transaction].firstSeen
  }

  /// Writes down whose purchase it is.
  public func attribute(_ purchase: VerifiedPurchase, to account: AccountID) {
    guard isAlive, world.purchases.holds(purchase.transaction), !account.isNone else { return }
    var fact = world.fact(.attributed)
    fact.transaction = key(of: purchase)
    fact.account = account
    world.emit(fact)
  }

  /// Waits for a round trip to the database; ``PurchaseBackend/resumed(at:about:for:_:)`` gets this
  /// step.
  ///
  /// What the database holds may be another thing by then.
  public func pause(_ step: UInt8, about purchase: VerifiedPurchase) {
    guard isAlive else { return }
    wait(step, purchase.transaction, world.decisions.delay(.delayDatabase, who))
  }

  /// Goes on after so many milliseconds, if the process still lives: a job that is looked at again.
  ///
  /// ``PurchaseBackend/resumed(at:about:for:_:)`` gets this step.
  public func wake(after millis: Int64, _ step: UInt8, about purchase: VerifiedPurchase = .none) {
    guard isAlive else { return }
    wait(step, purchase.transaction, max(millis, 0))
  }

  /// Waits for the database on behalf of whoever has this ticket, at step 0.
  package func wait(forDatabase ticket: UInt32) {
    guard isAlive else { return }
    wait(0, TransactionID(ticket), world.decisions.delay(.delayDatabase, who))
  }

  /// The same work in a row that stays until ``release()``, whether it is answered or not.
  package func held() -> Server {
    let (place, generation) = beginWait()
    return Server(
      handle: handle, exchange: place, generation: generation, replica: replica, life: life,
      who: who)
  }

  /// Lets go of what ``held()`` kept, once.
  package func release() { world.release(exchange) }

  /// The date at which the run begins, in seconds since 1970.
  public var beginsSeconds: Int64 { world.setup.beginsSeconds }
  /// How many processes of this name there were, this one included.
  package var starts: Int { Int(life) }
  /// Which of the backend's processes it is, from 0.
  package var number: Int { replica.index }

  /// Whether anybody wants to know what the backend prints.
  public var keepsOutput: Bool { world.observer?.keepsOutput ?? false }

  /// A line that the backend has printed; no part of the history.
  public func note(output: String) {
    world.observer?.saw(
      PrintedLine(
        at: Instant(millis: world.now), place: "server\(Int(replica.raw) + 1)", text: output))
  }

  func wait(_ step: UInt8, _ about: TransactionID, _ millis: Int64) {
    world.endStep()
    let (place, generation) = beginWait()
    world.schedule(
      .resume(place, generation: generation, at: step, about: about), after: millis)
  }

  /// Milliseconds since the history began.
  public var now: Int64 {
    world.readsClock = true
    return world.now
  }
  /// The same for the simulator's own use, which reads no clock of the code under test.
  package var time: Int64 { world.now }

  /// Which request it is; no two that are open at once have the same number.
  public var request: UInt64 { Self.number(exchange, generation) }

  private static func number(_ exchange: ExchangeID, _ generation: UInt16) -> UInt64 {
    UInt64(generation) << 32 | UInt64(exchange.raw)
  }

  /// Answers the app, once. Work may go on afterwards, for as long as the process lives.
  @inline(__always)
  public func reply(_ outcome: Reply.Outcome, payload: UInt32 = 0) {
    guard isAlive, isOpen, !dies(.crashServerBeforeReply) else { return }
    let row = world.exchanges.at(exchange)
    let answer = _slowPath(row.pointee.waits > 0) ? world.rowForAnswer(of: exchange) : exchange
    world.exchanges[answer].answer = payload
    world.exchanges[answer].isClosed = true
    world.reply(answer, outcome, status: outcome.status)
    dies(.crashServerAfterReply)
  }

  /// Ends work that nobody waits for; a request that has no answer yet gets none.
  public func drop() {
    guard isAlive, isOfRow else { return }
    let row = world.exchanges.at(exchange)
    let isFree = !row.pointee.isClosed && row.pointee.waits == 0
    row.pointee.isDropped = true
    world.dropped = request
    row.pointee.isClosed = true
    if isFree { world.free(exchange) }
  }

  /// Whether a purchase can be credited as what it says it is.
  @inline(__always)
  func isValid(_ purchase: VerifiedPurchase) -> Bool {
    world.knows(purchase) || world.refuse("a purchase of product \(purchase.product.raw)")
  }

  @inline(__always)
  func key(of purchase: VerifiedPurchase) -> TransactionID {
    world.purchases[purchase.transaction].original
  }

  /// The charge that it stands for; none of what is no transaction.
  @inline(__always)
  func original(of purchase: VerifiedPurchase) -> TransactionID {
    purchase.transaction.isNone ? .none : key(of: purchase)
  }

  func has(_ flag: PurchaseFlags, _ purchase: VerifiedPurchase, _ use: TableUses) -> Bool {
    guard isAlive, world.purchases.holds(purchase.transaction) else { return false }
    world.reads(use, key(of: purchase))
    return world.purchases[key(of: purchase)].flags.contains(flag)
  }

  func put(
    _ flag: PurchaseFlags, _ purchase: VerifiedPurchase, _ isIn: Bool, _ use: TableUses
  ) {
    guard enter(.crashServerBeforeRecord) else { return }
    if world.purchases.holds(purchase.transaction) {
      world.writes(use, key(of: purchase))
      if isIn {
        world.purchases[key(of: purchase)].flags.insert(flag)
        if flag == .recorded { world.noteRecorded(key(of: purchase)) }
      } else {
        world.purchases[key(of: purchase)].flags.remove(flag)
      }
    }
    dies(.crashServerAfterRecord)
  }
}

extension World {
  /// What Apple says about one of its own transactions.
  @inline(__always)
  func verified(_ row: TransactionID, hasToken: Bool) -> VerifiedPurchase {
    let purchase = purchases.at(row)
    let paid = purchases.at(purchase.pointee.original)
    var verified = VerifiedPurchase(
      transaction: row, product: purchase.pointee.product,
      quantity: purchase.pointee.quantity, environment: purchase.pointee.environment,
      token: hasToken && paid.pointee.token.isUUID ? paid.pointee.token : .none,
      isConsumable: paid.pointee.flags.contains(.consumable), isOurs: true)
    verified.isSubscription = purchase.pointee.subscription != .none
    verified.isRenewal = paid.pointee.flags.contains(.renewal)
    verified.isShared = paid.pointee.flags.contains(.shared)
    verified.isElsewhere = paid.pointee.flags.contains(.elsewhere)
    verified.refunded = Int(paid.pointee.refunded)
    if _slowPath(makesOffers) {
      verified.offer = redeemed(paid.pointee.offer, of: purchase.pointee.product)
    }
    return verified
  }
}
