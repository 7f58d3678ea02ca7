import Invariants

/// The backend's processes, the verifier they ask, and the ledger they keep.
extension World {
  /// A request reaches the backend; nil if it is answered, or lost, before the design sees it.
  @inline(__always)
  mutating func requestArrives(_ exchange: ExchangeID) -> Report? {
    var replica = exchanges[exchange].replica
    if !servers[replica].isRunning { replica = replica.other }
    guard servers[replica].isRunning else {
      free(exchange)
      return nil
    }
    exchanges[exchange].replica = replica
    exchanges[exchange].serverLife = servers[replica].life
    let row = exchanges.at(exchange).pointee.route
    let who = who(row)
    if decisions.strikes(.failRequest, who) {
      reply(exchange, .serverError, status: 503)
      return nil
    }
    if decisions.strikes(.expireSession, who) {
      reply(exchange, .unauthorized, status: 401)
      return nil
    }
    if decisions.strikes(.businessError, who) {
      reply(exchange, .businessError, status: 200)
      return nil
    }
    if !row.isFromAttacker {
      var fact = fact(.reported)
      fact.transaction = row.about
      fact.account = exchanges.at(exchange).pointee.session
      fact.device = row.device
      emit(fact)
    }
    return report(exchange)
  }

  @inline(__always)
  func report(_ exchange: ExchangeID) -> Report {
    let row = exchanges.at(exchange)
    return Report(
      session: row.pointee.session,
      transaction: row.pointee.claimsTransaction ? row.pointee.route.about : .none,
      token: row.pointee.token, product: row.pointee.product,
      purpose: row.pointee.purpose, evidence: row.pointee.evidence,
      payload: row.pointee.payload)
  }

  /// Whether this process runs, and no later one in its place.
  @inline(__always)
  func isRunning(_ replica: ReplicaID, life: UInt16) -> Bool {
    servers[replica].isRunning && servers[replica].life == life
  }

  /// One thing comes for which work waited; whether its process still runs to take it.
  @inline(__always)
  mutating func endsWait(_ exchange: ExchangeID) -> Bool {
    let row = exchanges.at(exchange)
    row.pointee.waits &-= 1
    if isRunning(row.pointee.replica, life: row.pointee.serverLife), !row.pointee.isDropped {
      return true
    }
    if row.pointee.waits == 0 { free(exchange) }
    return false
  }

  /// Nobody holds the work any more.
  mutating func release(_ exchange: ExchangeID) {
    let row = exchanges.at(exchange)
    row.pointee.waits &-= 1
    let isOver =
      row.pointee.isWork || row.pointee.isDropped
      || !isRunning(row.pointee.replica, life: row.pointee.serverLife)
    if row.pointee.waits == 0, isOver { free(exchange) }
  }

  /// After a handler: work that waits for nothing more, and has no answer to give, is over.
  @inline(__always)
  mutating func leaveWork(_ exchange: ExchangeID) {
    let row = exchanges.at(exchange)
    if _slowPath(row.pointee.isWork), row.pointee.waits == 0 { free(exchange) }
  }

  /// A row for the answer of a request whose work goes on in its own.
  @inline(never)
  mutating func rowForAnswer(of exchange: ExchangeID) -> ExchangeID {
    let answer = addExchange(copyOf: exchange)
    exchanges[answer].waits = 0
    exchanges[exchange].isWork = true
    exchanges[exchange].isClosed = true
    return answer
  }

  /// A row for work that goes on after its request was answered, or that no request began.
  @inline(never)
  mutating func rowForWork(of server: Server) -> ExchangeID {
    let work =
      server.isOfRow
      ? addExchange(copyOf: server.exchange)
      : addExchange(
        ExchangeRow(
          route: .init(
            about: .none, device: .none, life: 0,
            sender: server.replica == ReplicaID(0) ? .server1 : .server2),
          session: .none, product: .none, tag: 0, payload: 0, token: .none, evidence: Evidence(),
          purpose: .deliver, claimsTransaction: false))
    let row = exchanges.at(work)
    row.pointee.replica = server.replica
    row.pointee.serverLife = server.life
    row.pointee.isClosed = true
    row.pointee.isWork = true
    row.pointee.waits = 0
    return work
  }

  /// A process dies and is back later; what it was doing is lost.
  @inline(never)
  mutating func crashServer(replica: ReplicaID, _ who: Who) {
    forgetRefusals(of: replica)
    handBackJobs(of: replica)
    servers[replica].isRunning = false
    servers[replica].life &+= 1
    // After the heal every process runs.
    let start = min(now + decisions.delay(.delayServerStart, who), max(now, setup.healMillis))
    decisions.disturb(until: start)
    schedule(.serverStart(replica), at: start)
  }

  /// What the verifier said of a voided charge is lost with a process that has not answered yet.
  private mutating func forgetRefusals(of replica: ReplicaID) {
    guard hasRefused else { return }
    for id in exchanges.ids {
      let row = exchanges.at(id)
      guard row.pointee.wasRefused, !row.pointee.isClosed, row.pointee.replica == replica,
        isRunning(replica, life: row.pointee.serverLife)
      else { continue }
      var fact = fact(.forgotten)
      fact.transaction = row.pointee.route.about
      emit(fact)
    }
  }

  /// Answers the app, and notes what the answer says about the purchase.
  mutating func reply(_ exchange: ExchangeID, _ outcome: Reply.Outcome, status: Int32) {
    var outcome = outcome
    var status = status
    let exchangeRow = exchanges.at(exchange)
    let row = exchangeRow.pointee.route
    if _slowPath(row.sender == .store) {
      return notificationAnswered(exchange, status: status)
    }
    if exchangeRow.pointee.hasCommitted,
      decisions.strikes(.failAfterCommit, who(row))
    {
      outcome = .serverError
      status = 500
      exchangeRow.pointee.answer = 0
    }
    exchangeRow.pointee.outcome = outcome
    exchangeRow.pointee.status = status
    if row.about != .none, !row.isFromAttacker {
      var fact = fact(.answered)
      fact.transaction = row.about
      fact.verdict = outcome.verdict
      emit(fact)
    }
    sendReply(exchange)
  }

  // MARK: - The verifier

  /// Asks Apple about the evidence. The answer, or a time-out, comes later.
  @inline(__always)
  mutating func askVerifier(
    _ exchange: ExchangeID, _ generation: UInt16, _ question: VerifierQuestion, _ who: Who
  ) {
    var delay: Int64
    var fate = VerifierQuestion.Fate.answered
    if _slowPath(question.kind.isCommand), decisions.strikes(.dropCommand, who) {
      delay = 10_000
      fate = .lost
    } else if decisions.strikes(.dropVerifier, who) {
      delay = 10_000
      fate = .unanswered
    } else {
      if decisions.strikes(.failVerifier, who) { fate = .failed }
      delay = decisions.delay(.delayVerifier, who)
    }
    if _slowPath(holdsQuestions) {
      heldQuestion = (exchange, question, fate)
      return
    }
    schedule(
      .verifierAnswer(exchange, generation: generation, question, fate), after: delay)
  }

  /// What Apple says.
  @inline(__always)
  mutating func verifierAnswers(
    _ exchange: ExchangeID, _ question: VerifierQuestion, _ fate: VerifierQuestion.Fate
  ) -> VerifierAnswer {
    let row = exchanges.at(exchange).pointee.route
    let evidence = exchanges.at(exchange).pointee.evidence
    let who = who(row)
    var answer = VerifierAnswer(status: 0, evidence: evidence, question: question)
    if fate == .unanswered || fate == .lost {
      answer.status = VerifierAnswer.timedOut
      // Apple may have done what it was asked, and its answer was lost.
      if _slowPath(question.kind.isCommand), fate == .unanswered,
        status(of: evidence, question) == 0
      {
        _ = obey(question, exchange)
      }
    } else if fate == .failed {
      answer.status = 503
    } else {
      // A look-up has error codes of its own.
      if !question.isLookUp, let transient = decisions.choice(.statusVerifier, who) {
        answer.status = Int32(transient)
      } else {
        if row.about != .none, !row.isFromAttacker { mayVoid(row.about, who) }
        answer.status =
          question.isLookUp
          ? statusOfLookUp(evidence, question, who) : status(of: evidence, question)
        if _slowPath(question.kind.isCommand), answer.status == 0 {
          answer.status = obey(question, exchange)
          answer.evidence = exchanges[exchange].evidence
        }
        if _slowPath(question.kind == .history), answer.status == 0,
          decisions.strikes(.hideFinished, who)
        {
          answer.evidence.isShortened = true
        }
      }
    }
    if row.about != .none, !row.isFromAttacker { noteVerdict(answer, of: exchange) }
    return answer
  }

  /// The store says for good that a charge is to be treated as never made (21010, 4040001).
  @inline(__always)
  private mutating func mayVoid(_ row: TransactionID, _ who: Who) {
    guard purchases[row].flags.contains(.charged), purchases[row].subscription == .none,
      purchases[row].flags.isDisjoint(with: .judged.union(.credited).union(.restore))
    else { return }
    purchases[row].flags.insert(.judged)
    guard decisions.strikes(.voidCharge, who)
    else { return }
    purchases[row].flags.insert(.voided)
    purchases[row].voidedMillis = now
    var fact = fact(.voided)
    fact.transaction = row
    emit(fact)
  }

  /// For how long after a charge Apple's servers may not have it yet (F62).
  private static let freshMillis: Int64 = 30_000

  /// What a look-up comes to: the transaction, or what went wrong with asking for it.
  @inline(__always)
  private mutating func statusOfLookUp(
    _ evidence: Evidence, _ question: VerifierQuestion, _ who: Who
  ) -> Int32 {
    if let busy = decisions.choice(.limitVerifier, who) { return Int32(busy) }
    let status = status(of: evidence, question)
    if status == 4_040_010 {
      return question.environment == .production && decisions.strikes(.refuseLookUp, who)
        ? 401 : status
    }
    guard status == 0 else { return status }
    guard evidence.kind == .transaction, question.kind != .notificationHistory else {
      return _slowPath(question.kind == .orderLookUp)
        ? statusOfOrder(OrderID(number: evidence.asOf), who) : status
    }
    if now - purchases[evidence.transaction].chargedMillis < Self.freshMillis,
      decisions.strikes(.hideTransaction, who)
    {
      return 4_040_010
    }
    // What Apple has done is not signed.
    if _slowPath(question.kind.isCommand) { return status }
    return decisions.strikes(.failSignature, who) ? VerifierAnswer.signatureUnchecked : status
  }

  /// The status of evidence as such, before any outage (Apple: App Store receipt status codes; App
  /// Store Server API error codes).
  @inline(__always)
  private func status(of evidence: Evidence, _ question: VerifierQuestion) -> Int32 {
    if _slowPath(question.kind.namesNoTransaction) {
      return statusWithoutTransaction(evidence, question)
    }
    if evidence.isNone { return question.isLookUp ? 4_000_006 : 21002 }
    let isThere = evidence.environment == question.environment
    if question.isLookUp {
      // An invented identifier is nobody's.
      guard isThere, !evidence.isForged, !evidence.isForeign, !isInvented(evidence) else {
        return 4_040_010
      }
    } else {
      if evidence.isForged { return 21003 }
      if !isThere { return evidence.environment == .sandbox ? 21007 : 21008 }
    }
    if !evidence.isOutside, isVoided(evidence) { return question.isLookUp ? 4_040_001 : 21010 }
    return _slowPath(question.kind == .history) ? filter(evidence.filter).status : 0
  }

  /// The status of what names no transaction.
  private func statusWithoutTransaction(
    _ asked: Evidence, _ question: VerifierQuestion
  ) -> Int32 {
    switch question.kind {
    // Apple: this endpoint is not available in the sandbox.
    case .orderLookUp where question.environment == .sandbox: 404
    case .testNotificationStatus: statusOfTest(asked.asOf, question.environment)
    default: 0
    }
  }

  /// Whether nothing was charged for it: a person's own device has made it up.
  @inline(__always)
  private func isInvented(_ evidence: Evidence) -> Bool {
    takesAnyOutcome && !evidence.transaction.isNone && !evidence.isOutside
      && !charge(of: evidence.transaction).flags.contains(.charged)
  }

  /// Whether what it proves was taken back: the transaction's charge, or all that a receipt lists.
  @inline(__always)
  private func isVoided(_ evidence: Evidence) -> Bool {
    switch evidence.kind {
    case .none, .verdict: return false
    case .transaction:
      return !evidence.transaction.isNone
        && charge(of: evidence.transaction).flags.contains(.voided)
    case .receipt: return listsVoidedOnly(evidence)
    }
  }

  private func listsVoidedOnly(_ receipt: Evidence) -> Bool {
    var isAny = false
    var row = storeAccounts[receipt.storeAccount].first
    while row != .none {
      let purchase = purchases[row]
      if self.receipt(asOf: receipt.asOf, holds: purchase) {
        guard purchase.flags.contains(.voided) else { return false }
        isAny = true
      }
      row = purchase.next
    }
    return isAny
  }

  /// The charge that a transaction stands for: its own, unless it is a restore.
  @inline(__always)
  func charge(of row: TransactionID) -> PurchaseRow { purchases[purchases[row].original] }

  @inline(__always)
  private mutating func noteVerdict(_ answer: VerifierAnswer, of exchange: ExchangeID) {
    let row = exchanges.at(exchange).pointee.route.about
    var fact = fact(.verified)
    fact.transaction = row
    fact.verdict = .inconclusive
    switch answer.class {
    case .valid, .permanent:
      if charge(of: row).flags.contains(.voided) {
        fact.verdict = .refused
        exchanges.at(exchange).pointee.wasRefused = true
        hasRefused = true
      } else if answer.class == .valid, proves(answer, row) {
        fact.verdict = .accepted
      }
    case .retry, .otherEnvironment, .notFound: break
    }
    emit(fact)
  }

  private mutating func proves(_ answer: VerifierAnswer, _ row: TransactionID) -> Bool {
    switch answer.evidence.kind {
    case .none: false
    case .transaction, .verdict: true
    case .receipt:
      answer.evidence.storeAccount == purchases[row].storeAccount
        && receipt(asOf: answer.evidence.asOf, shows: purchases[purchases[row].original])
    }
  }

  // MARK: - The ledger

  /// Credits a charge and enters it into the table of credited transactions, unless it is there; whether it was not.
  @inline(__always) @discardableResult
  mutating func enter(
    _ purchase: VerifiedPurchase, _ charge: TransactionID, to account: AccountID
  ) -> Bool {
    guard !purchases[charge].flags.contains(.recorded) else { return false }
    noteRecorded(charge)
    credit(purchase, to: account)
    return true
  }

  /// Adds a credit to a balance, durably and at once; without a backend it is that of a device.
  @inline(__always)
  mutating func credit(
    _ entry: VerifiedPurchase, to account: AccountID, on device: DeviceID = .none
  ) {
    var fact = fact(.credited)
    fact.device = device
    fact.transaction = entry.transaction
    fact.account = account
    fact.product = entry.product
    fact.quantity = entry.quantity
    fact.environment = entry.environment
    if !entry.transaction.isNone {
      let original = purchases[entry.transaction].original
      // Owning a thing twice is owning it once; a transfer moves it.
      if !entry.isConsumable, purchases[original].flags.contains(.credited),
        purchases[original].creditedTo == account || setup.transfersOnRestore
      {
        return
      }
      purchases[original].flags.insert(.credited)
      purchases[original].creditedTo = account
      noteBalance(of: purchases[original].intent, account)
    }
    emit(fact)
  }
}
