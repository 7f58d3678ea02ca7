import Invariants

extension MutantShop {
  /// The app of `ExactlyOnce`, with the places at which a defect changes it.
  package struct App: PurchaseApp {
    private enum Timer {
      static let retry: UInt8 = 0
      static let patience: UInt8 = 1
      static let refresh: UInt8 = 2
      static let probe: UInt8 = 3
      static let look: UInt8 = 4
      static let deadline: UInt8 = 5
    }

    private enum Probe { case done, refreshing, asking }

    private static let patience: Int64 = 30_000

    private let usesStoreKit2: Bool
    private let defect: Defect?
    /// Taps whose payment has not come back yet.
    private var paying = TapList()
    /// Taps whose purchase has no final answer yet.
    private var delivering = TapList()
    /// Transactions that are being reported.
    private var open = TransactionSet()
    /// Transactions that were answered for good in this life.
    private var settled = TransactionSet()
    /// All taps that were paid for.
    private var asked = TapList()
    /// Taps that were answered with somebody else's older purchase.
    private var blocked: [(tap: Tap, by: TransactionID)] = []
    /// Timers at whose end is looked for what is unfinished.
    private var looks = 0
    /// StoreKit 1: a payment failed, or never came back, and may have been charged all the same.
    private var isInDoubt = false
    private var probing = Probe.done
    private var probes: UInt32 = 0

    // What only a defect needs to know.
    private var attempts = Tally()
    private var doubts = Tally()
    private var inFlight = TransactionSet()
    private var latest = TransactionID.none
    private var accountAtLaunch = AccountID.none

    package init(_ launch: Launch) {
      let build = Build(launch)
      usesStoreKit2 = build.usesStoreKit2
      defect = build.defect
    }

    package mutating func launched(_ phone: Phone) {
      accountAtLaunch = phone.account
      if defect != .observesAtFirstTap { phone.observe() }
      if defect?.keepsRecords == true { takeUpRecords(phone) }
      if usesStoreKit2 {
        guard defect != .ignoresUnfinished else { return }
        for transaction in phone.unfinished { begin(transaction.id, phone) }
      } else {
        beginProbe(phone)
      }
    }

    package mutating func sessionChanged(_ phone: Phone) {
      if defect == .logoutDropsReports { open = TransactionSet() }
    }

    // MARK: - Buying

    package mutating func tapped(_ tap: Tap, _ phone: Phone) {
      if defect == .observesAtFirstTap { phone.observe() }
      let isBusy =
        paying.contains(product: tap.product) || delivering.contains(product: tap.product)
      guard !isBusy || defect == .paysForEveryTap else {
        return phone.tell(.pending, about: tap)
      }
      paying.append(tap, at: phone.now)
      asked.append(tap, at: phone.now)
      if defect != .waitsForEver {
        looks += 1
        phone.startTimer(after: Self.patience, tag: Timer.patience)
      }
      if usesStoreKit2 {
        phone.purchase(tap, appAccountToken: token(for: tap, phone))
      } else {
        phone.add(tap, applicationUsername: token(for: tap, phone))
      }
    }

    private func token(for tap: Tap, _ phone: Phone) -> Token {
      if defect == .noAccountToken { return .none }
      if defect == .plainUserName { return .username(tap.account) }
      if defect == .userOfLaunch { return .account(accountAtLaunch) }
      if defect == .dedupeByOrder { return phone.newOrder(for: tap) }
      return .account(tap.account)
    }

    package mutating func purchaseEnded(
      _ result: PurchaseResult, for tap: Tap, _ phone: Phone
    ) {
      let tappedAt = paying.remove(product: tap.product)?.millis ?? 0
      switch result {
      case .failed:
        phone.tell(defect == .failureOnError ? .failure : .pending, about: tap)
      case .success(let transaction):
        phone.tell(.pending, about: tap)
        let isOlder =
          transaction.chargedMillis < tappedAt || transaction.original != transaction.id
        if isOlder, transaction.token.accountNumber != tap.account.raw {
          blocked.append((tap, by: transaction.id))
        }
        begin(transaction.id, for: isOlder ? .none : tap, phone)
        if settled.contains(transaction.id) { tellBlocked(by: transaction.id, isOf: .none, phone) }
      }
    }

    package mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone) {
      if defect == .ignoresUpdates { return }
      switch transaction.state {
      case .failed:
        phone.tell(.pending, about: transaction)
        isInDoubt = true
        phone.finish(transaction)
        lookLater(phone)
      case .purchased, .restored:
        var tap = Tap.none
        if !usesStoreKit2,
          let paid = paying.remove(product: transaction.product, until: transaction.chargedMillis)
        {
          if transaction.token.accountNumber == paid.tap.account.raw { tap = paid.tap }
          phone.tell(.pending, about: paid.tap)
        }
        if defect == .replayIsRestore, transaction.isFinished,
          !settled.contains(transaction.id)
        {
          send(transaction.id, isMarked: true, phone)
        } else if defect == .keyPerReport, open.contains(transaction.id) {
          send(transaction.id, isMarked: true, phone)
        } else {
          begin(transaction.id, for: tap, phone)
        }
      }
    }

    // MARK: - Reporting

    private mutating func begin(
      _ transaction: TransactionID, for tap: Tap = .none, _ phone: Phone
    ) {
      if settled.contains(transaction) { return phone.finish(transaction) }
      if !tap.isNone { delivering.append(tap, at: phone.now, bought: transaction) }
      if inFlight.contains(transaction) { return }
      guard open.insert(transaction) else { return }
      latest = transaction
      if defect?.keepsRecords == true {
        phone.save(StoredRecord(transaction: transaction), key: UInt64(transaction.raw))
      }
      if defect == .finishWithJournal { phone.flush() }
      if defect == .finishBeforeCredit || defect == .finishWithJournal {
        phone.finish(transaction)
      }
      if defect == .finishWhenPatienceEnds {
        phone.startTimer(after: 15_000, about: transaction, tag: Timer.deadline)
      }
      report(transaction, phone)
    }

    private mutating func report(_ transaction: TransactionID, _ phone: Phone) {
      let attempt = attempts.count(transaction)
      let isMarked =
        defect == .retryNamesOwner && attempt > 1 || defect == .secondRetryWithoutKey && attempt > 2
      send(transaction, isMarked: isMarked, phone)
      if defect == .neverRetries || defect == .retriesOnce && attempt > 1 { return }
      phone.startTimer(after: 8000, about: transaction, tag: Timer.retry)
    }

    /// A report that names its user takes another way through the backend of some defects.
    private func send(_ transaction: TransactionID, isMarked: Bool, _ phone: Phone) {
      phone.send(
        Report(
          session: phone.account, transaction: transaction,
          token: isMarked ? .account(phone.account) : .none,
          evidence: phone.evidence(for: transaction)),
        about: transaction)
    }

    package mutating func replied(_ reply: Reply, _ phone: Phone) {
      if reply.purpose == .probe {
        if probing == .asking, reply.tag == probes,
          isFinal(reply) || defect == .firstProbeAnswerCounts
        {
          probing = .done
        }
        return
      }
      let isForLatest =
        defect == .answerForLatest && attempts.isRepeated(reply.transaction)
      let transaction = isForLatest ? latest : reply.transaction
      guard isFinal(reply) else {
        if defect == .expiredSessionEndsReport, reply.outcome == .unauthorized {
          open.remove(transaction)
        }
        return phone.tell(
          defect == .successOnAnyAnswer ? .success : .pending, about: transaction)
      }
      if defect?.erasesRecords == true { eraseRecord(of: transaction, phone) }
      open.remove(transaction)
      let tap = delivering.remove(bought: transaction)
      let isNews = settled.insert(transaction)
      if reply.outcome != .refused || defect != .refusedStaysInQueue { phone.finish(transaction) }
      if isNews {
        let owner = AccountID(reply.payload &- 1)
        tellBlocked(by: transaction, isOf: owner, phone)
        if !reply.isDelivered {
          phone.tell(.failure, about: transaction)
        } else if !tap.isNone, tap.account == owner {
          phone.tell(.success, about: tap)
        } else if owner == phone.account {
          phone.tell(.success, about: transaction)
        }
      }
      lookLater(phone)
      if defect == .stopsObserving { phone.unobserve() }
    }

    private mutating func tellBlocked(
      by transaction: TransactionID, isOf owner: AccountID, _ phone: Phone
    ) {
      for entry in blocked where entry.by == transaction {
        let tap = entry.tap
        let isFirst = asked.count(tap.product, by: tap.account) == 1
        phone.tell(tap.account == owner ? .success : isFirst ? .failure : .pending, about: tap)
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
      return defect == .finishAfterThreeAnswers && doubts.count(reply.transaction) == 3
    }

    package mutating func timerFired(
      _ tag: UInt8, about transaction: TransactionID, _ phone: Phone
    ) {
      switch tag {
      case Timer.retry: if open.contains(transaction) { report(transaction, phone) }
      case Timer.patience:
        for tap in paying { phone.tell(.pending, about: tap) }
        if paying.removeAll(until: phone.now - Self.patience) { isInDoubt = true }
        look(phone)
      case Timer.refresh: phone.refreshReceipt()
      case Timer.deadline:
        guard open.contains(transaction) else { return }
        open.remove(transaction)
        phone.finish(transaction)
        phone.tell(.failure, about: transaction)
      case Timer.probe: if probing == .asking { probe(phone) }
      default: look(phone)
      }
    }

    // MARK: - What is called back at the next launch only, and the app stays open

    private mutating func lookLater(_ phone: Phone) {
      guard looks == 0 else { return }
      looks = 1
      phone.startTimer(after: Self.patience, tag: Timer.look)
    }

    private mutating func look(_ phone: Phone) {
      looks -= 1
      var isAnyLeft = false
      for transaction in usesStoreKit2 ? phone.unfinished : phone.queued {
        if defect?.looksAtLaunches == true { break }
        isAnyLeft = true
        begin(transaction.id, phone)
      }
      if !usesStoreKit2, isInDoubt, defect?.looksAtLaunches != true {
        isAnyLeft = true
        beginProbe(phone)
      }
      if isAnyLeft { lookLater(phone) }
    }

    // MARK: - What StoreKit 1 may never call back, the receipt still lists

    private mutating func beginProbe(_ phone: Phone) {
      guard probing == .done else { return }
      isInDoubt = false
      if defect == .noReceiptProbe { return }
      probing = .refreshing
      probes += 1
      guard defect == .probesWithoutRefresh else { return phone.refreshReceipt() }
      probing = .asking
      probe(phone)
    }

    package mutating func receiptRefreshed(_ succeeded: Bool, _ phone: Phone) {
      guard succeeded else {
        if defect != .refreshesOnce { phone.startTimer(after: 20_000, tag: Timer.refresh) }
        return
      }
      probing = .asking
      probe(phone)
    }

    private func probe(_ phone: Phone) {
      phone.send(
        Report(session: phone.account, purpose: .probe, evidence: phone.receipt()), about: .none,
        tag: probes)
      phone.startTimer(after: 15_000, tag: Timer.probe)
    }

    // MARK: - Records on the phone, which the sound design does not need

    private mutating func takeUpRecords(_ phone: Phone) {
      for (_, record) in phone.records {
        let transaction = record.transaction
        if defect == .finishWithJournal, open.insert(transaction) { report(transaction, phone) }
        if defect == .settledBeforeAnswer { settled.insert(transaction) }
        if defect == .inFlightIsSkipped { inFlight.insert(transaction) }
        if defect == .backupIsResent { send(transaction, isMarked: false, phone) }
      }
    }

    private func eraseRecord(of transaction: TransactionID, _ phone: Phone) {
      // An answer to what was resent at the launch is nobody's.
      if defect == .backupIsResent, !open.contains(transaction) { return }
      phone.erase(key: UInt64(transaction.raw))
      phone.flush()
    }
  }
}

extension Defect {
  /// Whether the app keeps a record of each report on the phone.
  fileprivate var keepsRecords: Bool { self == .settledBeforeAnswer || erasesRecords }

  /// Whether it looks for what is unfinished at launches at most: looking while the app stays open
  /// would make good what it does.
  fileprivate var looksAtLaunches: Bool {
    switch self {
    case .looksAtLaunchesOnly, .ignoresUnfinished, .ignoresUpdates, .stopsObserving,
      .expiredSessionEndsReport, .logoutDropsReports:
      true
    default: false
    }
  }

  /// Whether it removes the record again when there is an answer.
  fileprivate var erasesRecords: Bool {
    self == .finishWithJournal || self == .inFlightIsSkipped || self == .backupIsResent
  }
}
