import Invariants

/// A history in the making, told step by step; a tenth of a second lies between two steps.
struct History {
  private(set) var facts: [Fact] = []
  /// Until when what had struck before each fact went on; nil where nobody says what strikes.
  private var disturbances: [Int64?] = []
  private var disturbedUntil: Int64?
  private var now = Instant.start
  private var intents = 0
  private var transactions = 0
  var terms: Books.Terms

  /// What a history amounts to under one invariant.
  enum Outcome: Equatable {
    case holds
    case broken(by: Fact.Kind)
    case brokenAtEnd
  }

  init(
    heal: Int64 = 0, within: Int64? = nil, transfersOnRestore: Bool = false,
    isOfSubscriptions: Bool = false, knowsStrikes: Bool = false
  ) {
    if knowsStrikes { disturbedUntil = -1 }
    var terms = Books.Terms(
      heal: Instant(millis: heal), within: within, transfersOnRestore: transfersOnRestore)
    if isOfSubscriptions { terms.levels = [1, 2] }
    self.terms = terms
  }

  /// Whether the invariant with this code holds, or how it was first broken.
  func outcome(of code: String) -> Outcome {
    guard let rule = Catalogue.invariant(named: code) else { fatalError("no invariant \(code)") }
    guard let violation = judged(by: [rule]).violations.first else { return .holds }
    return violation.fact.map { .broken(by: $0.kind) } ?? .brokenAtEnd
  }

  /// The codes of all invariants it breaks, in the order in which it breaks them.
  var broken: [String] {
    judged(by: Catalogue.invariants).violations.map { Catalogue.invariants[$0.rule].code }
  }

  func judged(by rules: [any Invariant]) -> Judge {
    var judge = Judge(rules: rules, terms: terms)
    tell(to: &judge)
    return judge
  }

  /// Puts the whole history, its end included, before a judge.
  func tell(to judge: inout Judge) {
    for (fact, disturbance) in zip(facts, disturbances) {
      if let disturbance { judge.disturb(until: disturbance) }
      judge.observe(fact)
    }
    if let disturbedUntil { judge.disturb(until: disturbedUntil) }
    judge.close(at: end)
  }

  /// The end comes when patience is over, unless the terms say how long goods may take.
  private var end: Instant {
    Instant(millis: now.millis + (terms.within == nil ? terms.patience + terms.timeOut + 100 : 0))
  }

  mutating func wait(_ millis: Int64) { now.millis += millis }

  /// A fault strikes, and goes on for so long.
  mutating func strike(for millis: Int64 = 0) { disturbedUntil = now.millis + millis }

  private mutating func add(_ kind: Fact.Kind, _ fill: (inout Fact) -> Void) {
    var fact = Fact(kind, at: now)
    fill(&fact)
    facts.append(fact)
    disturbances.append(disturbedUntil)
    wait(100)
  }

  private mutating func add(_ kind: Fact.Kind, _ transaction: TransactionID) {
    add(kind) {
      $0.transaction = transaction
      $0.device = .phone
    }
  }
}

extension AccountID {
  static let alice = AccountID(0)
  static let bob = AccountID(1)
}

extension StoreAccountID {
  static let family = StoreAccountID(0)
  static let office = StoreAccountID(1)
}

extension DeviceID {
  static let phone = DeviceID(0)
  static let tablet = DeviceID(1)
}

extension ProductID {
  static let coins = ProductID(0)
  static let chest = ProductID(1)
}

// The person and the app.
extension History {
  mutating func launch(_ device: DeviceID = .phone, _ storeAccount: StoreAccountID = .family) {
    add(.launched) {
      $0.device = device
      $0.storeAccount = storeAccount
    }
  }

  mutating func end(_ device: DeviceID = .phone, _ storeAccount: StoreAccountID = .family) {
    add(.ended) {
      $0.device = device
      $0.storeAccount = storeAccount
    }
  }

  mutating func tap(as account: AccountID = .alice, on device: DeviceID = .phone) -> IntentID {
    let intent = newIntent()
    tapAgain(intent, as: account, on: device)
    return intent
  }

  /// The phone asks for the password: of the app's own accord, or for somebody's restore.
  mutating func ask(on device: DeviceID = .phone, for account: AccountID = .none) {
    add(.asked) {
      $0.device = device
      $0.account = account
    }
  }

  /// Somebody else must agree to a payment first.
  mutating func postpone(_ transaction: TransactionID, for intent: IntentID = .none) {
    add(.deferred) {
      $0.transaction = transaction
      $0.intent = intent
    }
  }

  /// Somebody may use what was bought until then.
  mutating func grant(
    _ transaction: TransactionID, untilSeconds: UInt32 = 60, _ product: ProductID = .coins
  ) {
    add(.granted) {
      $0.transaction = transaction
      $0.product = product
      $0.amount = untilSeconds
    }
  }

  /// The store gives back so many thousandths altogether.
  mutating func refund(_ transaction: TransactionID, _ thousandths: UInt32 = 1000) {
    add(.refunded) {
      $0.transaction = transaction
      $0.amount = thousandths
    }
  }

  /// The ledger takes so many thousandths back, or gives them again.
  mutating func takeBack(_ transaction: TransactionID, _ thousandths: UInt32 = 1000) {
    add(.reversed) {
      $0.transaction = transaction
      $0.amount = thousandths
    }
  }

  /// The store stops to tell the backend of a refund.
  mutating func giveUp(_ transaction: TransactionID, ofRefund: Bool = true) {
    add(.givenUp) {
      $0.transaction = transaction
      $0.amount = ofRefund ? 1 : 0
    }
  }

  mutating func giveAgain(_ transaction: TransactionID, _ thousandths: UInt32 = 1000) {
    add(.regranted) {
      $0.transaction = transaction
      $0.amount = thousandths
    }
  }

  /// The store takes money for another period of what began with a charge.
  mutating func renew(_ first: TransactionID) -> TransactionID {
    let transaction = newTransaction()
    add(.renewed) {
      $0.transaction = transaction
      $0.original = first
      $0.storeAccount = .family
      $0.product = .coins
    }
    return transaction
  }

  /// A payment will never be made.
  mutating func decline(_ transaction: TransactionID, for intent: IntentID = .none) {
    add(.declined) {
      $0.transaction = transaction
      $0.intent = intent
    }
  }

  /// A wish that nobody taps for in the app.
  mutating func newIntent() -> IntentID {
    intents += 1
    return IntentID(index: intents - 1)
  }

  mutating func tapAgain(
    _ intent: IntentID, as account: AccountID = .alice, on device: DeviceID = .phone
  ) {
    add(.tapped) {
      $0.intent = intent
      $0.account = account
      $0.device = device
      $0.product = .coins
      $0.quantity = 1
    }
  }

  mutating func tell(
    _ message: Fact.Message, about intent: IntentID = .none, _ transaction: TransactionID = .none,
    on device: DeviceID = .phone
  ) {
    add(.told) {
      $0.message = message
      $0.intent = intent
      $0.transaction = transaction
      $0.device = device
    }
  }

  mutating func tell(_ message: Fact.Message, ofProduct product: ProductID) {
    add(.told) {
      $0.message = message
      $0.product = product
      $0.device = .phone
    }
  }

  /// Told about a product, in a way that leaves open which wish is meant.
  mutating func tellAboutProduct(_ message: Fact.Message) {
    add(.told) {
      $0.message = message
      $0.product = .coins
      $0.device = .phone
    }
  }

  mutating func report(_ transaction: TransactionID, as account: AccountID = .alice) {
    add(.reported) {
      $0.transaction = transaction
      $0.account = account
      $0.device = .phone
    }
  }

  mutating func callFinish(_ transaction: TransactionID) { add(.finishing, transaction) }
  mutating func save(_ transaction: TransactionID) { add(.saved, transaction) }
  mutating func erase(_ transaction: TransactionID) { add(.erased, transaction) }
  mutating func loseRecord(_ transaction: TransactionID) { add(.recordLost, transaction) }
}

// The store.
extension History {
  /// A transaction that nobody has paid for yet.
  mutating func newTransaction() -> TransactionID {
    transactions += 1
    return TransactionID(index: transactions - 1)
  }

  mutating func charge(
    _ intent: IntentID = .none, quantity: UInt32 = 1, in environment: Environment = .production,
    to storeAccount: StoreAccountID = .family
  ) -> TransactionID {
    let transaction = newTransaction()
    add(.charged) {
      $0.transaction = transaction
      $0.intent = intent
      $0.account = .alice
      $0.storeAccount = storeAccount
      $0.device = .phone
      $0.product = .coins
      $0.quantity = quantity
      $0.environment = environment
    }
    return transaction
  }

  /// A charge for one of several taps, and nobody can tell for which.
  mutating func chargeSomebody(of product: ProductID = .coins) {
    let transaction = newTransaction()
    add(.charged) {
      $0.transaction = transaction
      $0.storeAccount = .family
      $0.device = .phone
      $0.product = product
      $0.quantity = 1
    }
  }

  mutating func restore(_ original: TransactionID, as account: AccountID = .alice) -> TransactionID
  {
    let transaction = newTransaction()
    add(.restored) {
      $0.transaction = transaction
      $0.original = original
      $0.account = account
      $0.device = .phone
    }
    return transaction
  }

  mutating func giveBack(
    _ transaction: TransactionID, for intent: IntentID, on device: DeviceID = .phone
  ) {
    add(.returned) {
      $0.transaction = transaction
      $0.intent = intent
      $0.device = device
    }
  }

  mutating func deliver(_ transaction: TransactionID, on device: DeviceID = .phone) {
    add(.delivered) {
      $0.transaction = transaction
      $0.device = device
    }
  }
  mutating func void(_ transaction: TransactionID) { add(.voided, transaction) }
  mutating func expire(_ transaction: TransactionID) { add(.expired, transaction) }
  mutating func forget(_ transaction: TransactionID) { add(.forgotten, transaction) }
  mutating func removeFromQueue(_ transaction: TransactionID) { add(.finished, transaction) }

  /// The app calls finish, and the call arrives.
  mutating func finish(_ transaction: TransactionID) {
    callFinish(transaction)
    removeFromQueue(transaction)
  }
}

// The backend.
extension History {
  mutating func verify(_ transaction: TransactionID, _ verdict: Fact.Verdict) {
    add(.verified) {
      $0.transaction = transaction
      $0.verdict = verdict
    }
  }

  mutating func answer(_ transaction: TransactionID, _ verdict: Fact.Verdict) {
    add(.answered) {
      $0.transaction = transaction
      $0.verdict = verdict
    }
  }

  mutating func attribute(_ transaction: TransactionID, to account: AccountID) {
    add(.attributed) {
      $0.transaction = transaction
      $0.account = account
    }
  }

  mutating func makeTraceable(_ transaction: TransactionID) { add(.traceable, transaction) }

  mutating func credit(
    _ transaction: TransactionID, to account: AccountID = .alice, product: ProductID = .coins,
    quantity: UInt32 = 1, in environment: Environment = .production
  ) {
    add(.credited) {
      $0.transaction = transaction
      $0.account = account
      $0.product = product
      $0.quantity = quantity
      $0.environment = environment
    }
  }
}
