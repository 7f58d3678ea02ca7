import Invariants

// How the app reports a purchase, hears of it, and looks for what it has not heard of.
extension MutantShop.App {
  // MARK: - Reporting

  mutating func begin(
    _ bought: PaymentTransaction, for tap: Tap = .none, _ phone: Phone
  ) {
    let transaction = bought.id
    if settled.contains(transaction) { return phone.finish(transaction) }
    if defect == .settledByProduct, memory.settledProducts.contains(bought.product) {
      return phone.finish(transaction)
    }
    if defect == .expiredByClock, let ends = bought.expiresMillis,
      phone.beginsSeconds + ends / 1000 < phone.clockSeconds
    {
      return phone.finish(transaction)
    }
    if !tap.isNone { delivering.append(tap, at: phone.now, bought: transaction) }
    if memory.inFlight.contains(transaction) { return }
    if defect == .openByProduct,
      memory.products.contains(where: { $0.product == bought.product && $0.id != transaction })
    {
      return
    }
    guard open.insert(transaction) else { return }
    memory.latest = transaction
    if defect?.goesByProduct == true { memory.products.append((transaction, bought.product)) }
    if defect?.keepsRecords == true {
      phone.save(StoredRecord(transaction: transaction), key: key(of: transaction))
    }
    if defect?.keepsJournal == true, defect != .journalNotFlushed { phone.flush() }
    if defect == .finishBeforeCredit || defect?.keepsJournal == true {
      phone.finish(transaction)
    }
    if defect == .finishWhenPatienceEnds {
      phone.startTimer(after: 15_000, about: transaction, tag: Timer.deadline)
    }
    report(transaction, phone)
  }

  mutating func report(_ transaction: TransactionID, _ phone: Phone) {
    let attempt = memory.attempts.count(transaction)
    let isMarked =
      defect == .retryNamesOwner && attempt > 1 || defect == .secondRetryWithoutKey && attempt > 2
    if defect == .erasedBeforeSend { eraseRecord(of: transaction, phone) }
    send(transaction, isMarked: isMarked, phone)
    if defect == .neverRetries || defect == .retriesOnce && attempt > 1 { return }
    memory.timed = transaction
    let wait: Int64 = defect == .backOffGrows && attempt > 1 ? 200_000 : 8000
    phone.startTimer(after: wait, about: transaction, tag: Timer.retry)
  }

  /// A report that names its user takes another way through the backend of some defects.
  func send(_ transaction: TransactionID, isMarked: Bool, _ phone: Phone) {
    phone.send(
      Report(
        session: phone.account, transaction: transaction,
        token: isMarked ? .account(phone.account) : .none,
        evidence: phone.evidence(for: proof(of: transaction, phone))),
      about: transaction)
  }

  /// The transaction that is shown to the backend.
  private func proof(of transaction: TransactionID, _ phone: Phone) -> TransactionID {
    guard defect == .reportsLatestOfProduct, let product = product(of: transaction) else {
      return transaction
    }
    for newest in phone.unfinished where newest.product == product { return newest.id }
    return transaction
  }

  private func product(of transaction: TransactionID) -> ProductID? {
    memory.products.first { $0.id == transaction }?.product
  }

  package mutating func replied(_ reply: Reply, _ phone: Phone) {
    if reply.purpose == .probe {
      return reply.tag == SubscriptionReports.tag
        ? subscriptions.answered(reply) : probed(reply, phone)
    }
    let isForLatest =
      defect == .answerForLatest && memory.attempts.isRepeated(reply.transaction)
    let transaction = isForLatest ? memory.latest : reply.transaction
    guard isFinal(reply) else { return doubted(reply, transaction, phone) }
    if defect?.erasesRecords == true { eraseRecord(of: transaction, phone) }
    open.remove(transaction)
    memory.settledAt = phone.now
    let tap = delivering.remove(bought: transaction)
    let isNews = settled.insert(transaction)
    if reply.outcome != .refused || defect != .refusedStaysInQueue { phone.finish(transaction) }
    if let product = product(of: transaction) {
      memory.products.removeAll { $0.id == transaction }
      memory.settledProducts.append(product)
      if defect == .finishesByProduct { finishAll(of: product, phone) }
    }
    if defect == .replyFinishesAll { finishAll(of: nil, phone) }
    if isNews {
      let owner = AccountID(reply.payload &- 1)
      tellBlocked(by: transaction, isOf: owner, phone)
      if reply.isDelivered {
        tellSuccess(tap, transaction, isOf: owner, phone)
      } else if defect != .refusalIsSilent {
        phone.tell(.failure, about: transaction)
      }
    }
    if !usesStoreKit2 { writeNote(phone) }
    lookLater(phone)
    if defect == .stopsObserving { phone.unobserve() }
  }

  /// An answer that decides nothing.
  private mutating func doubted(
    _ reply: Reply, _ transaction: TransactionID, _ phone: Phone
  ) {
    switch defect {
    case .expiredSessionEndsReport: if reply.outcome == .unauthorized { open.remove(transaction) }
    case .tryAgainWaitsForLaunch: memory.parked.insert(transaction)
    case .erasedOnAnyAnswer: eraseRecord(of: transaction, phone)
    case .lateErrorIsFailure:
      if settled.contains(transaction) { return phone.tell(.failure, about: transaction) }
    default: break
    }
    phone.tell(defect == .successOnAnyAnswer ? .success : .pending, about: transaction)
  }

  private func finishAll(of product: ProductID?, _ phone: Phone) {
    for transaction in phone.unfinished
    where product == nil || transaction.product == product {
      phone.finish(transaction.id)
    }
  }

  // MARK: - Telling

  private mutating func tellSuccess(
    _ tap: Tap, _ transaction: TransactionID, isOf owner: AccountID, _ phone: Phone
  ) {
    switch defect {
    case .retryIsSilent: if memory.attempts.isRepeated(transaction) { return }
    case .updatesAreSilent: if tap.isNone { return }
    case .otherSessionIsFailure:
      if owner != phone.account { return phone.tell(.failure, about: transaction) }
    case .answersLatestTap:
      if let last = memory.waiting.last { return phone.tell(.success, about: last) }
    case .answersFirstTap:
      if !memory.waiting.isEmpty {
        return phone.tell(.success, about: memory.waiting.removeFirst())
      }
    case .successToAllWaiting:
      if tap.isNone { break }
      for other in memory.waiting where other.product == tap.product {
        phone.tell(.success, about: other)
      }
      return memory.waiting.removeAll { $0.product == tap.product }
    case .successToSession:
      if owner != phone.account,
        let other = memory.waiting.last(where: { $0.account == phone.account })
      {
        return phone.tell(.success, about: other)
      }
    case .returnedIsOwn, .ownerlessEndsTap:
      if !tap.isNone { return phone.tell(.success, about: tap) }
    default: break
    }
    if usesStoreKit2, !tap.isNone, tap.account == owner {
      if !memory.waiting.isEmpty { memory.waiting.removeAll { $0 == tap } }
      phone.tell(.success, about: tap)
    } else if owner == phone.account || !tap.isNone && owner == tap.account {
      phone.tell(.success, about: transaction)
    }
  }

  mutating func tellBlocked(
    by transaction: TransactionID, isOf owner: AccountID, _ phone: Phone
  ) {
    for entry in blocked where entry.by == transaction {
      let tap = entry.tap
      let isFirst = asked.count(tap.product, by: tap.account) == 1
      let isUnderWay =
        paying.contains(product: tap.product) || delivering.contains(product: tap.product)
      let answer: Fact.Message =
        switch tap.account == owner {
        case true: isUnderWay ? .pending : .success
        case false: isFirst ? .failure : .pending
        }
      phone.tell(answer, about: tap)
    }
    blocked.removeAll { $0.by == transaction }
  }

  /// Whether asking again can change nothing.
  private mutating func isFinal(_ reply: Reply) -> Bool {
    switch reply.outcome {
    case .delivered, .alreadyDelivered: return true
    case .refused: return defect != .retriesAfterRefusal
    case .retry: if defect == .finishOnRetry { return true }
    case .businessError: if defect == .status200IsFinal { return true }
    case .unauthorized, .serverError: break
    }
    return defect == .finishAfterThreeAnswers && memory.doubts.count(reply.transaction) == 3
  }

  // MARK: - Time

  package mutating func timerFired(
    _ tag: UInt8, about transaction: TransactionID, _ phone: Phone
  ) {
    switch tag {
    case Timer.subscription: subscriptions.timerFired(tag, about: transaction, phone)
    case Timer.retry:
      if open.contains(transaction), isStillTimed(transaction, phone) { report(transaction, phone) }
    case Timer.patience:
      for tap in paying { phone.tell(.pending, about: tap) }
      if paying.removeAll(until: phone.now - Self.patience) { doubts += 1 }
      if !usesStoreKit2, isInDoubt, !looksAtLaunches { beginProbe(phone) }
      look(phone)
    case Timer.refresh:
      isLeftAlone = false
      beginProbe(phone)
    case Timer.deadline:
      guard open.contains(transaction) else { return }
      open.remove(transaction)
      phone.finish(transaction)
      phone.tell(.failure, about: transaction)
    case Timer.payAgain: payAgain(phone)
    case Timer.probe: if probing == .onDisk || probing == .refreshed { probe(phone) }
    case Timer.watch:
      guard !looksAtLaunches else { return }
      if takeUp(phone) { lookLater(phone) }
      if !usesStoreKit2, !isInDoubt { beginProbe(phone) }
      phone.startTimer(after: Self.watch, tag: Timer.watch)
    default: look(phone)
    }
  }

  /// Whether nothing has stopped the timer at whose end this is reported again.
  private func isStillTimed(_ transaction: TransactionID, _ phone: Phone) -> Bool {
    switch defect {
    case .oneRetryTimer: memory.timed == transaction
    case .replyStopsRetries: memory.settledAt <= phone.now - 8000
    case .tryAgainWaitsForLaunch: !memory.parked.contains(transaction)
    default: true
    }
  }

  // MARK: - What is called back at the next launch only, and the app stays open

  mutating func lookLater(_ phone: Phone) {
    guard looks == 0 else { return }
    looks = 1
    phone.startTimer(after: Self.patience, tag: Timer.look)
  }

  private mutating func look(_ phone: Phone) {
    looks -= 1
    if takeUp(phone) { lookLater(phone) }
  }

  private mutating func takeUp(_ phone: Phone) -> Bool {
    var isAny = false
    for transaction in usesStoreKit2 ? phone.unfinished : phone.queued {
      if looksAtLaunches { break }
      if settled.contains(transaction.id) {
        if defect == .finishesAgainOnce, memory.hasFinishedAgain { continue }
        memory.hasFinishedAgain = true
      }
      isAny = true
      begin(transaction, phone)
    }
    return isAny
  }

  /// Whether it looks for what is unfinished at launches at most: looking while the app stays open
  /// would make good what its defect does.
  private var looksAtLaunches: Bool {
    switch defect {
    case .looksAtLaunchesOnly, .ignoresUnfinished, .ignoresUpdates, .stopsObserving,
      .expiredSessionEndsReport, .logoutDropsReports, .scansFirstLaunchOnly,
      .failedEndsObserving, .openByProduct:
      true
    default: false
    }
  }

  // MARK: - What StoreKit 1 may never call back, the receipt still lists

  private var isInDoubt: Bool { answeredDoubts < doubts }

  private var mayAsk: Bool { isInDoubt && paying.isEmpty && !isLeftAlone }

  mutating func beginProbe(_ phone: Phone) {
    guard probing == .done, defect != .noReceiptProbe else { return }
    let receipt = phone.receipt()
    if mayAsk, defect != .probesWithoutRefresh {
      probing = .refreshing
      note.asks(receipt, on: phone)
      phone.refreshReceipt()
    } else if !receipt.isNone {
      show(.onDisk, phone)
    }
  }

  private mutating func show(_ receipt: Probe, _ phone: Phone) {
    probing = receipt
    probes += 1
    probe(phone)
  }

  private mutating func probed(_ reply: Reply, _ phone: Phone) {
    guard reply.tag == probes, isFinal(reply) || defect == .firstProbeAnswerCounts else { return }
    switch probing {
    case .onDisk:
      probing = .done
      if defect == .probesWithoutRefresh { answeredDoubts = doubts }
    case .refreshed:
      probing = .done
      answeredDoubts = coveredDoubts
      writeNote(phone)
    case .done, .refreshing: return
    }
    if mayAsk { beginProbe(phone) }
  }

  package mutating func receiptRefreshed(_ succeeded: Bool, _ phone: Phone) {
    if succeeded {
      coveredDoubts = doubts
      return show(.refreshed, phone)
    }
    probing = .done
    leaveAlone(phone)
    beginProbe(phone)
  }

  private mutating func leaveAlone(_ phone: Phone) {
    guard let rest = note.ask?.rest(at: phone.now), rest > 0 else { return }
    isLeftAlone = true
    if defect != .refreshesOnce { phone.startTimer(after: rest, tag: Timer.refresh) }
  }

  mutating func writeNote(_ phone: Phone) {
    note.write(isOpen: isInDoubt || !paying.isEmpty || !delivering.isEmpty, on: phone)
  }

  private func probe(_ phone: Phone) {
    phone.send(
      Report(session: phone.account, purpose: .probe, evidence: phone.receipt()), about: .none,
      tag: probes)
    phone.startTimer(after: 15_000, tag: Timer.probe)
  }
}

extension Defect {
  /// Whether the app keeps book of the product of what it reports.
  fileprivate var goesByProduct: Bool {
    switch self {
    case .settledByProduct, .openByProduct, .finishesByProduct, .reportsLatestOfProduct: true
    default: false
    }
  }
}
