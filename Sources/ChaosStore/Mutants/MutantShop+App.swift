import Invariants

extension MutantShop {
  /// The app of `ExactlyOnce`, with the places at which a defect changes it.
  package struct App: PurchaseApp {
    enum Timer {
      static let retry: UInt8 = 0
      static let patience: UInt8 = 1
      static let refresh: UInt8 = 2
      static let probe: UInt8 = 3
      static let look: UInt8 = 4
      static let watch: UInt8 = 5
      static let subscription: UInt8 = 6
      static let deadline: UInt8 = 7
      static let payAgain: UInt8 = 8
    }

    enum Probe { case done, onDisk, refreshing, refreshed }

    static let patience: Int64 = 30_000
    static let watch: Int64 = 120_000

    let usesStoreKit2: Bool
    let defect: Defect?
    /// Taps whose payment has not come back yet.
    var paying = TapList()
    /// Taps whose purchase has no final answer yet.
    var delivering = TapList()
    /// Transactions that are being reported.
    var open = TransactionSet()
    /// Transactions that were answered for good in this life.
    var settled = TransactionSet()
    /// All taps that were paid for.
    var asked = TapList()
    /// Taps that were answered with somebody else's older purchase.
    var blocked: [(tap: Tap, by: TransactionID)] = []
    /// Timers at whose end is looked for what is unfinished.
    var looks = 0
    var probing = Probe.done
    var probes: UInt32 = 0
    /// StoreKit 1: what is on the disk about payments that are under way.
    var note = PaymentNote()
    /// What may have been paid for and never called back, and how much of it a fresh receipt answered.
    var doubts = 0
    var answeredDoubts = 0
    var coveredDoubts = 0
    var isLeftAlone = false
    var subscriptions = SubscriptionReports()
    var memory = Memory()

    /// What only a defect needs to know.
    struct Memory {
      var attempts = Tally()
      var doubts = Tally()
      var inFlight = TransactionSet()
      var latest = TransactionID.none
      var accountAtLaunch = AccountID.none
      /// Payments that have not come back, as a number.
      var payments = 0
      /// Taps that nobody has told an outcome yet, in their order.
      var waiting: [Tap] = []
      /// Taps that are to be paid again.
      var again: [Tap] = []
      /// Products whose payment has failed.
      var failed: [ProductID] = []
      /// What is being reported, with its product.
      var products: [(id: TransactionID, product: ProductID)] = []
      var settledProducts: [ProductID] = []
      /// Transactions that are not reported again in this life.
      var parked = TransactionSet()
      /// The transaction that the only retry timer is for.
      var timed = TransactionID.none
      /// When the last purchase was settled.
      var settledAt = Int64.min
      /// Whether something was finished again because it was still there.
      var hasFinishedAgain = false
    }

    package init(_ launch: Launch) {
      let build = Build(launch)
      usesStoreKit2 = build.usesStoreKit2
      defect = build.defect
    }

    package mutating func launched(_ phone: Phone) {
      memory.accountAtLaunch = phone.account
      if defect != .observesAtFirstTap { phone.observe() }
      phone.follow(.wishes)
      if defect?.keepsRecords == true { takeUpRecords(phone) }
      if !usesStoreKit2 {
        note = PaymentNote(on: phone)
        let receipt = phone.receipt()
        if note.isOpen || receipt.isNone { doubts += 1 }
        if defect == .asksAtEachLaunch {
          beginProbe(phone)
        } else {
          receiptRefreshed(note.isAnswered(by: receipt), phone)
        }
      } else if takesUpUnfinished(phone) {
        for transaction in phone.unfinished { begin(transaction, phone) }
      }
      if usesStoreKit2, phone.sellsSubscriptions {
        subscriptions.begin(timer: Timer.subscription, phone)
      }
      phone.startTimer(after: Self.watch, tag: Timer.watch)
    }

    package mutating func heard(_ news: StoreNews, _ phone: Phone) {
      if case .wish(let tap) = news { tapped(tap, phone) }
    }

    private func takesUpUnfinished(_ phone: Phone) -> Bool {
      switch defect {
      case .ignoresUnfinished: false
      case .scansFirstLaunchOnly: beginsFirstLife(phone)
      default: true
      }
    }

    package mutating func sessionChanged(_ phone: Phone) {
      if defect == .logoutDropsReports { open = TransactionSet() }
      if defect == .loginNamesOwner {
        for transaction in phone.unfinished where open.contains(transaction.id) {
          send(transaction.id, isMarked: true, phone)
        }
      }
    }

    // MARK: - Buying

    package mutating func tapped(_ tap: Tap, _ phone: Phone) {
      if defect == .observesAtFirstTap { phone.observe() }
      if defect?.remembersTaps == true { memory.waiting.append(tap) }
      if isIgnored(tap, phone) { return }
      guard !isBusy(tap.product) || defect == .paysForEveryTap else {
        return phone.tell(.pending, about: tap)
      }
      paying.append(tap, at: phone.now)
      asked.append(tap, at: phone.now)
      memory.payments += 1
      if defect == .guardOutlivesApp {
        phone.save(StoredRecord(transaction: .none), key: Self.key(of: tap.product))
        phone.flush()
      }
      if defect != .waitsForEver {
        looks += 1
        phone.startTimer(after: Self.patience, tag: Timer.patience)
      }
      if defect == .tokenAfterProducts { return phone.loadProducts(for: tap) }
      pay(tap, token(for: tap, phone), phone)
    }

    private func isBusy(_ product: ProductID) -> Bool {
      let isPaying =
        defect == .guardBelowZero ? memory.payments > 0 : paying.contains(product: product)
      return isPaying || delivering.contains(product: product)
    }

    /// Whether a tap comes to nothing, without a word.
    private func isIgnored(_ tap: Tap, _ phone: Phone) -> Bool {
      switch defect {
      case .errorKeepsGuard: memory.failed.contains(tap.product)
      case .guardOutlivesApp: phone.records.contains { $0.key == Self.key(of: tap.product) }
      default: false
      }
    }

    /// Where a purchase of a product that is under way is kept.
    private static func key(of product: ProductID) -> UInt64 { 1 << 32 | UInt64(product.raw) }

    private mutating func pay(_ tap: Tap, _ token: Token, _ phone: Phone) {
      if usesStoreKit2 {
        phone.purchase(tap, appAccountToken: token)
      } else {
        note.pays(on: phone)
        phone.add(tap, applicationUsername: token)
      }
    }

    private func token(for tap: Tap, _ phone: Phone) -> Token {
      if defect == .noAccountToken { return .none }
      if defect == .plainUserName { return .username(tap.account) }
      if defect == .userOfLaunch { return .account(memory.accountAtLaunch) }
      if defect == .dedupeByOrder { return phone.newOrder(for: tap) }
      return .account(tap.account)
    }

    package mutating func productsArrived(for tap: Tap, _ phone: Phone) {
      if !tap.isNone { pay(tap, .account(phone.account), phone) }
    }

    package mutating func productsFailed(for tap: Tap, _ phone: Phone) {
      guard !tap.isNone else { return }
      paying.remove(product: tap.product)
      // No payment was asked for.
      phone.tell(.failure, about: tap)
    }

    package mutating func purchaseEnded(
      _ result: PurchaseResult, for tap: Tap, _ phone: Phone
    ) {
      memory.payments -= 1
      if defect == .guardOutlivesApp {
        phone.erase(key: Self.key(of: tap.product))
        phone.flush()
      }
      switch result {
      case .failed, .refused: failed(tap, phone)
      case .pending: phone.tell(.pending, about: tap)
      case .success(let transaction):
        phone.tell(.pending, about: tap)
        let tappedAt = paying.remove(product: tap.product)?.millis ?? 0
        let isOlder =
          transaction.chargedMillis < tappedAt || transaction.original != transaction.id
        if defect == .returnedIsOwn { return begin(transaction, for: tap, phone) }
        if isOlder, transaction.token.accountNumber != tap.account.raw {
          blocked.append((tap, by: transaction.id))
        }
        begin(transaction, for: isOlder ? .none : tap, phone)
        if settled.contains(transaction.id) { tellBlocked(by: transaction.id, isOf: .none, phone) }
      }
    }

    /// A payment ended with an error, which says nothing about a charge.
    private mutating func failed(_ tap: Tap, _ phone: Phone) {
      if defect == .errorIsSilent {
        paying.remove(product: tap.product)
        return
      }
      phone.tell(defect == .failureOnError ? .failure : .pending, about: tap)
      switch defect {
      case .errorKeepsGuard: memory.failed.append(tap.product)
      case .errorFailsOthers:
        for other in memory.waiting where other != tap { phone.tell(.failure, about: other) }
        memory.waiting = []
      case .paysAgainAfterError:
        memory.again.append(tap)
        phone.startTimer(after: 20_000, tag: Timer.payAgain)
      default: break
      }
    }

    mutating func payAgain(_ phone: Phone) {
      guard !memory.again.isEmpty else { return }
      let tap = memory.again.removeFirst()
      paying.append(tap, at: phone.now)
      pay(tap, token(for: tap, phone), phone)
    }

    package mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone) {
      if defect == .ignoresUpdates { return }
      switch transaction.state {
      case .deferred: phone.tell(.pending, about: transaction)
      case .failed:
        if defect == .failedEndsObserving { phone.unobserve() }
        phone.tell(.pending, about: transaction)
        phone.finish(transaction)
      case .purchased where isEndOfSubscription(transaction):
        subscriptions.report(transaction.id, timer: Timer.subscription, phone)
      case .purchased, .restored:
        memory.payments -= 1
        if defect == .secondCallbackFinishes, open.contains(transaction.id) {
          return phone.finish(transaction.id)
        }
        if defect == .anyUpdateEndsPayment { paying.remove(product: transaction.product) }
        let tap = usesStoreKit2 ? .none : paid(with: transaction, phone)
        if defect == .replayIsRestore, transaction.isFinished,
          !settled.contains(transaction.id)
        {
          send(transaction.id, isMarked: true, phone)
        } else if defect == .keyPerReport, open.contains(transaction.id) {
          send(transaction.id, isMarked: true, phone)
        } else {
          begin(transaction, for: tap, phone)
        }
      }
    }

    private func isEndOfSubscription(_ transaction: PaymentTransaction) -> Bool {
      transaction.revokedMillis != nil && transaction.expiresMillis != nil
        && (usesStoreKit2 || transaction.isFinished)
    }

    /// StoreKit 1: the tap whose payment is called back; none if that may be another's.
    private mutating func paid(with transaction: PaymentTransaction, _ phone: Phone) -> Tap {
      let last = defect == .anyCallbackEndsPayment ? Int64.max : transaction.chargedMillis
      let paid =
        defect == .ownerlessEndsTap
        ? paying.remove(product: transaction.product, until: last)?.tap
        : paying.remove(product: transaction.product, by: transaction.token, until: last)
      guard let paid else { return .none }
      phone.tell(.pending, about: paid)
      return paid
    }
  }
}

extension Defect {
  /// Whether the app keeps its own list of who waits for a word.
  fileprivate var remembersTaps: Bool {
    switch self {
    case .answersLatestTap, .answersFirstTap, .successToAllWaiting, .errorFailsOthers,
      .successToSession:
      true
    default: false
    }
  }
}
