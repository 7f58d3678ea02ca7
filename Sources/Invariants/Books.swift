/// What a history amounts to so far: one record a charge, an intent, a store account.
///
/// Facts are entered one by one, each with a constant amount of work. Invariants read the books
/// instead of keeping state of their own, so a fact is understood in one place.
public struct Books: ~Copyable {
  /// What is known about one transaction, and about the charge if it is one.
  public struct Charge: Sendable, BitwiseCopyable {
    public var intent: IntentID = .none
    /// The transaction that was paid: itself, or what a restore stands for.
    public var original: TransactionID = .none
    /// Who must get the goods.
    public var owner: AccountID = .none
    public var storeAccount: StoreAccountID = .none
    public var product: ProductID = .none
    public var quantity: UInt32 = 0
    public var environment: Environment = .production
    public var isCharged = false
    public var isVoided = false
    /// Credits of the charge, its restores included.
    public var credits: UInt32 = 0
    /// Fault-free reports by the app after the backend refused it for good.
    public var reportsAfterRefusal: UInt32 = 0
    /// Fault-free running time of the store account's apps when it was charged or restored, in ms.
    public var runningAtCharge: Int64 = 0
    public var isDelivered = false
    public var isReported = false
    public var isFinishing = false
    public var isFinished = false
    public var isAttributed = false
    public var isTraceable = false
    /// The last thing the verifier said.
    public var verified: Fact.Verdict = .none
    /// The last thing the backend answered.
    public var answered: Fact.Verdict = .none
    /// Whether the verifier ever refused the charge for good.
    public var wasRefusedByVerifier = false
    /// Where its failure was last told, once the app had it in hand.
    var toldFailureIn: Sitting?
    /// Whether a retry record of it is kept on a device.
    public var isRecorded = false

    /// Whether the backend has met it: in a report of its own, or as an entry of a receipt.
    public var isSeenByBackend: Bool { isReported || verified != .none || answered != .none }

    /// Whether money stands behind it: it is a charge, or the restore of one.
    public var isPaid: Bool { !original.isNone }

    /// Whether it is a charge that is still to be credited.
    public var awaitsCredit: Bool { isCharged && !isVoided && credits == 0 }

    /// Whether nobody may credit it any more: the store or the verifier has said so.
    public var isRefusedForGood: Bool { isVoided || wasRefusedByVerifier }

    /// Whether it is a charge, and known to be somebody else's.
    func belongsToOther(than account: AccountID) -> Bool {
      isCharged && !owner.isNone && owner != account
    }

    mutating func becomeCharged(_ fact: Fact, running: Int64) {
      intent = fact.intent
      original = fact.transaction
      owner = fact.account
      storeAccount = fact.storeAccount
      product = fact.product
      quantity = fact.quantity
      environment = fact.environment
      isCharged = true
      runningAtCharge = running
    }

    /// Whether it is worth nothing, delivered all the same, and still in the queue.
    var isPoison: Bool { isCharged && isVoided && isDelivered && !isFinished }
  }

  /// One life of the app on one device, from launch to end.
  struct Sitting: Equatable, Sendable, BitwiseCopyable {
    var device: DeviceID
    var life: UInt32
  }

  /// What is known about one thing a person wants.
  public struct Intent: Sendable, BitwiseCopyable {
    public var charges: UInt32 = 0
    /// Charges that were not voided.
    public var standingCharges: UInt32 = 0
    /// The transaction that last answered a tap: charged, or returned without a charge.
    public var transaction: TransactionID = .none
    /// Told nothing yet since the tap. A wait ends with the app; see ``Books/isWaiting(_:)``.
    var awaitsAnswer = false
    /// Which life of the device's app the tap fell into.
    var life: UInt32 = 0
    /// Told that nothing will be paid, and has not tapped since.
    public var isToldFailure = false
    public var device: DeviceID = .none
    public var product: ProductID = .none

    mutating func becomeTapped(_ fact: Fact, life: UInt32) {
      awaitsAnswer = true
      self.life = life
      isToldFailure = false
      device = fact.device
      product = fact.product
    }

    mutating func becomeCharged(_ transaction: TransactionID) {
      charges += 1
      standingCharges += 1
      self.transaction = transaction
    }
  }

  struct StoreAccount: Sendable, BitwiseCopyable {
    var runningApps: UInt32 = 0
    var runningSince: Int64 = 0
    var running: Int64 = 0
    var poison: UInt32 = 0
  }

  /// How a scenario wants its history judged.
  public struct Terms: Sendable, Equatable {
    /// After this instant no fault strikes.
    public var heal: Instant
    /// The most fault-free time, with the app running, from charge to credit; nil: by the end.
    public var within: Int64?
    /// Whether a restore by another account moves the ownership to that account.
    public var transfersOnRestore: Bool

    public init(heal: Instant = .start, within: Int64? = nil, transfersOnRestore: Bool = false) {
      self.heal = heal
      self.within = within
      self.transfersOnRestore = transfersOnRestore
    }
  }

  /// What stands in the books.
  private struct Pages: ~Copyable {
    var terms: Terms
    var now: Instant = .start
    var charges = Entries<Charge>()
    var intents = Entries<Intent>()
    var owed: (production: Int64, sandbox: Int64) = (0, 0)
    var storeAccounts = Entries<StoreAccount>()
    var lives = Entries<UInt32>()
  }

  /// One pointer, so that books can be lent to each rule at each fact: Swift copies a longer
  /// value for such a call.
  private let pages: UnsafeMutablePointer<Pages>

  public var terms: Terms {
    get { pages.pointee.terms }
    nonmutating set { pages.pointee.terms = newValue }
  }
  public private(set) var now: Instant {
    get { pages.pointee.now }
    nonmutating set { pages.pointee.now = newValue }
  }
  public private(set) var charges: Entries<Charge> {
    @inline(__always) _read { yield pages.pointee.charges }
    @inline(__always) nonmutating _modify { yield &pages.pointee.charges }
  }
  public private(set) var intents: Entries<Intent> {
    @inline(__always) _read { yield pages.pointee.intents }
    @inline(__always) nonmutating _modify { yield &pages.pointee.intents }
  }
  /// Units charged and not voided, less units credited; production and sandbox.
  public private(set) var owed: (production: Int64, sandbox: Int64) {
    get { pages.pointee.owed }
    nonmutating _modify { yield &pages.pointee.owed }
  }
  private var storeAccounts: Entries<StoreAccount> {
    @inline(__always) _read { yield pages.pointee.storeAccounts }
    @inline(__always) nonmutating _modify { yield &pages.pointee.storeAccounts }
  }
  /// How often each device's app has started or ended.
  private var lives: Entries<UInt32> {
    @inline(__always) _read { yield pages.pointee.lives }
    @inline(__always) nonmutating _modify { yield &pages.pointee.lives }
  }

  public init(terms: Terms = Terms()) {
    pages = .allocate(capacity: 1)
    pages.initialize(to: Pages(terms: terms))
  }

  deinit {
    pages.deinitialize(count: 1)
    pages.deallocate()
  }

  /// Forgets the history and keeps the memory.
  public mutating func clear() {
    now = .start
    charges.removeAll()
    intents.removeAll()
    storeAccounts.removeAll()
    lives.removeAll()
    owed = (0, 0)
  }

  /// Makes room for so many purchases at once.
  public mutating func reserve(purchases: Int) {
    charges.reserve(purchases)
    intents.reserve(purchases)
  }

  /// The charge that a transaction stands for; an empty record for none.
  @inline(__always)
  public func charge(behind id: TransactionID) -> Charge {
    guard id.index < charges.count else { return Charge() }
    return charges[root(of: id.index)]
  }

  /// The record of the transaction itself, be it a charge or a restore; an empty one for none.
  @inline(__always)
  public func transaction(_ id: TransactionID) -> Charge {
    id.index < charges.count ? charges[id.index] : Charge()
  }

  /// What is known about an intent; an empty record for none.
  @inline(__always)
  public func intent(_ id: IntentID) -> Intent {
    id.index < intents.count ? intents[id.index] : Intent()
  }

  /// Milliseconds for which an app of this store account ran after the heal, up to now.
  public func faultFreeRunning(_ account: StoreAccountID) -> Int64 {
    guard account.index < storeAccounts.count else { return 0 }
    let record = storeAccounts[account.index]
    guard record.runningApps > 0 else { return record.running }
    return record.running + max(0, now.millis - max(record.runningSince, terms.heal.millis))
  }

  /// Milliseconds of fault-free running since the charge, or since the heal if that was later.
  public func runningSince(_ charge: Charge) -> Int64 {
    faultFreeRunning(charge.storeAccount) - charge.runningAtCharge
  }

  /// Whether the apps ran long enough for it: longer than the terms allow, or else at all.
  public func isOverdue(_ charge: Charge) -> Bool {
    runningSince(charge) > terms.within ?? 0
  }

  /// The first transaction in the books of which this is true, as something left wrong.
  func firstBreak(where isWrong: (Charge, borrowing Books) -> Bool) -> Break? {
    for position in charges.indices where isWrong(charges[position], self) {
      return Break(transaction: TransactionID(index: position))
    }
    return nil
  }

  /// Whether a transaction that is worth nothing sits in this store account's queue.
  public func holdsPoison(_ account: StoreAccountID) -> Bool {
    account.index < storeAccounts.count && storeAccounts[account.index].poison > 0
  }

  /// Whether the person still looks at an app that has told them nothing since their tap.
  public func isWaiting(_ intent: Intent) -> Bool {
    intent.awaitsAnswer && intent.life == life(of: intent.device)
  }

  /// The life that the app on this device is in.
  func sitting(on device: DeviceID) -> Sitting { Sitting(device: device, life: life(of: device)) }

  /// Enters one fact.
  @inline(__always)
  public mutating func enter(_ fact: Fact) {
    now = fact.at
    let t = fact.transaction.index
    if !fact.transaction.isNone { makeRoom(forTransaction: t) }
    if !fact.intent.isNone { intents.makeRoom(for: fact.intent.index, Intent()) }
    switch fact.kind {
    case .tapped:
      intents[fact.intent.index].becomeTapped(fact, life: life(of: fact.device))
    case .charged:
      charges[t].becomeCharged(fact, running: faultFreeRunning(fact.storeAccount))
      if !fact.intent.isNone { intents[fact.intent.index].becomeCharged(fact.transaction) }
      owe(Int64(fact.quantity), fact.environment)
    case .restored: restore(t, fact)
    case .returned:
      if !fact.intent.isNone { intents[fact.intent.index].transaction = fact.transaction }
    case .voided: void(root(of: t))
    case .delivered: change(t) { $0.isDelivered = true }
    case .withheld: change(t) { $0.isDelivered = false }
    case .reported:
      guard !fact.transaction.isNone else { break }
      charges[t].isReported = true
      charges[root(of: t)].isReported = true
      if charges[t].answered == .refused, now >= terms.heal {
        charges[t].reportsAfterRefusal += 1
      }
    case .verified:
      guard !fact.transaction.isNone else { break }
      charges[t].verified = fact.verdict
      if fact.verdict == .refused { charges[root(of: t)].wasRefusedByVerifier = true }
    case .answered:
      guard !fact.transaction.isNone else { break }
      charges[t].answered = fact.verdict
    case .attributed: charges[root(of: t)].isAttributed = true
    case .traceable: charges[root(of: t)].isTraceable = true
    case .credited:
      owe(-Int64(fact.quantity), fact.environment)
      guard !fact.transaction.isNone else { break }
      charges[root(of: t)].credits += 1
    case .finishing: charges[t].isFinishing = true
    case .finished: change(t) { $0.isFinished = true }
    case .told: tell(fact)
    case .saved: charges[t].isRecorded = true
    case .erased: charges[t].isRecorded = false
    case .recordLost: charges[t].isRecorded = false
    case .launched:
      beginLife(of: fact.device)
      start(fact.storeAccount)
    case .ended:
      beginLife(of: fact.device)
      stop(fact.storeAccount)
    }
  }

  /// Moves the clock to the end of the history.
  public mutating func close(at end: Instant) { now = max(now, end) }

  @inline(never)
  private mutating func restore(_ t: Int, _ fact: Fact) {
    guard !fact.original.isNone else { return }
    makeRoom(forTransaction: fact.original.index)
    let source = root(of: fact.original.index)
    let original = charges[source]
    charges[t].original = TransactionID(index: source)
    charges[t].intent = original.intent
    charges[t].storeAccount = original.storeAccount
    charges[t].product = original.product
    charges[t].quantity = original.quantity
    charges[t].environment = original.environment
    charges[t].runningAtCharge = faultFreeRunning(original.storeAccount)
    if terms.transfersOnRestore { charges[source].owner = fact.account }
  }

  @inline(never)
  private mutating func void(_ t: Int) {
    let record = charges[t]
    if record.isCharged, !record.isVoided {
      owe(-Int64(record.quantity), record.environment)
      if !record.intent.isNone { intents[record.intent.index].standingCharges -= 1 }
    }
    change(t) { $0.isVoided = true }
  }

  @inline(never)
  private mutating func tell(_ fact: Fact) {
    var subject = fact.transaction
    if !fact.intent.isNone {
      intents[fact.intent.index].awaitsAnswer = false
      if fact.message == .failure, !charge(behind: fact.transaction).isVoided {
        intents[fact.intent.index].isToldFailure = true
      }
      if subject.isNone { subject = intents[fact.intent.index].transaction }
    }
    if fact.message == .failure, !subject.isNone, charges[subject.index].isDelivered {
      charges[subject.index].toldFailureIn = sitting(on: fact.device)
    }
  }

  /// Changes one record and keeps count of the poison in its store account's queue.
  private mutating func change(_ t: Int, _ edit: (inout Charge) -> Void) {
    let wasPoison = charges[t].isPoison
    edit(&charges[t])
    guard charges[t].isPoison != wasPoison, !charges[t].storeAccount.isNone else { return }
    let account = charges[t].storeAccount.index
    makeRoom(forStoreAccount: account)
    if wasPoison {
      storeAccounts[account].poison -= 1
    } else {
      storeAccounts[account].poison += 1
    }
  }

  /// The position of the charge that a transaction stands for: its own, unless it is a restore.
  private func root(of t: Int) -> Int {
    charges[t].original.isNone ? t : charges[t].original.index
  }

  private mutating func owe(_ units: Int64, _ environment: Environment) {
    switch environment {
    case .production: owed.production += units
    case .sandbox: owed.sandbox += units
    }
  }

  @inline(__always)
  private mutating func makeRoom(forTransaction index: Int) {
    charges.makeRoom(for: index, Charge())
  }

  private mutating func makeRoom(forStoreAccount index: Int) {
    storeAccounts.makeRoom(for: index, StoreAccount())
  }

  private func life(of device: DeviceID) -> UInt32 {
    device.index < lives.count ? lives[device.index] : 0
  }

  private mutating func beginLife(of device: DeviceID) {
    lives.makeRoom(for: device.index, 0)
    lives[device.index] += 1
  }

  @inline(never)
  private mutating func start(_ account: StoreAccountID) {
    makeRoom(forStoreAccount: account.index)
    if storeAccounts[account.index].runningApps == 0 {
      storeAccounts[account.index].runningSince = now.millis
    }
    storeAccounts[account.index].runningApps += 1
  }

  private mutating func stop(_ account: StoreAccountID) {
    guard account.index < storeAccounts.count else { return }
    guard storeAccounts[account.index].runningApps > 0 else { return }
    let running = faultFreeRunning(account)
    storeAccounts[account.index].runningApps -= 1
    if storeAccounts[account.index].runningApps == 0 {
      storeAccounts[account.index].running = running
    }
  }
}
