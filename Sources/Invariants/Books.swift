/// What a history amounts to so far: one record a charge, an intent, a store account.
///
/// Facts are entered one by one, each with a constant amount of work. Invariants read the books
/// instead of keeping state of their own, so a fact is understood in one place. A rule borrows the
/// books, and nothing that can be reached through a borrow can be changed.
public struct Books: ~Copyable {
  /// What stands in the books.
  private struct Pages: ~Copyable {
    var terms: Terms
    var now: Instant = .start
    var charges = Entries<Charge>()
    var intents = Entries<Intent>()
    var owed: (production: Int64, sandbox: Int64) = (0, 0)
    var storeAccounts = Entries<StoreAccount>()
    /// What was charged, or returned, for one of several taps, and nobody can tell for which.
    var unattributed: [(device: DeviceID, product: ProductID)] = []
    /// How often each device's app has started or ended.
    var lives = Entries<UInt32>()
  }

  /// One pointer, so that books can be lent to each rule at each fact: Swift copies a longer
  /// value for such a call.
  private let pages: UnsafeMutablePointer<Pages>

  /// The only way to what is written, and a mutating one: whoever borrows the books can only read.
  private var page: Pages {
    @inline(__always) _read { yield pages.pointee }
    @inline(__always) _modify { yield &pages.pointee }
  }

  /// How this history is judged.
  public var terms: Terms { pages.pointee.terms }
  /// The instant of the last fact, or the end of the history once that has come.
  public var now: Instant { pages.pointee.now }
  /// One record a transaction, by ``Identifier/index``; restores and failed attempts have theirs.
  public var charges: Entries<Charge> {
    @inline(__always) _read { yield pages.pointee.charges }
  }
  /// One record an intent, by ``Identifier/index``.
  public var intents: Entries<Intent> {
    @inline(__always) _read { yield pages.pointee.intents }
  }
  /// Units charged and not voided, less units credited; production and sandbox.
  public var owed: (production: Int64, sandbox: Int64) { pages.pointee.owed }

  private var storeAccounts: Entries<StoreAccount> {
    @inline(__always) _read { yield pages.pointee.storeAccounts }
  }
  private var lives: Entries<UInt32> {
    @inline(__always) _read { yield pages.pointee.lives }
  }

  /// Empty books. A ``Judge`` keeps its own; rules are lent them.
  package init(terms: Terms = Terms()) {
    pages = .allocate(capacity: 1)
    pages.initialize(to: Pages(terms: terms))
  }

  deinit {
    pages.deinitialize(count: 1)
    pages.deallocate()
  }

  /// Forgets the history and keeps the memory.
  package mutating func clear() {
    page.now = .start
    page.charges.removeAll()
    page.intents.removeAll()
    page.storeAccounts.removeAll()
    page.lives.removeAll()
    if !page.unattributed.isEmpty { page.unattributed.removeAll() }
    page.owed = (0, 0)
  }

  /// Makes room for so many purchases at once.
  package mutating func reserve(purchases: Int) {
    page.charges.reserve(purchases)
    page.intents.reserve(purchases)
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
  ///
  /// What most rules that are judged at the end look for.
  public func firstBreak(where isWrong: (Charge, borrowing Books) -> Bool) -> Break? {
    for position in charges.indices where isWrong(charges[position], self) {
      return Break(transaction: TransactionID(index: position))
    }
    return nil
  }

  /// Whether a transaction that is worth nothing sits in this store account's queue: charged, voided,
  /// in the app's hands all the same, and not finished.
  public func holdsPoison(_ account: StoreAccountID) -> Bool {
    account.index < storeAccounts.count && storeAccounts[account.index].poison > 0
  }

  /// Whether the person still looks at an app that has told them nothing since their tap.
  public func isWaiting(_ intent: Intent) -> Bool {
    intent.awaitsAnswer && intent.life == lifeNumber(on: intent.device)
  }

  /// The life that the app on this device is in.
  func life(on device: DeviceID) -> Life { Life(device: device, number: lifeNumber(on: device)) }

  /// Enters one fact.
  @inline(__always)
  package mutating func enter(_ fact: Fact) {
    assert(fact.at >= now, "bug: \(fact.kind) at \(fact.at.millis) ms after \(now.millis) ms")
    page.now = fact.at
    let t = fact.transaction.index
    if !fact.transaction.isNone { makeRoom(forTransaction: t) }
    if !fact.intent.isNone { page.intents.makeRoom(for: fact.intent.index, Intent()) }
    switch fact.kind {
    case .tapped:
      page.intents[changing: fact.intent.index].becomeTapped(
        fact, life: lifeNumber(on: fact.device))
    case .charged:
      page.charges[changing: t].becomeCharged(fact, running: faultFreeRunning(fact.storeAccount))
      if !fact.intent.isNone {
        page.intents[changing: fact.intent.index].becomeCharged(fact.transaction)
      } else if fact.account.isNone {
        noteUnattributed(fact.device, fact.product)
      }
      owe(Int64(fact.quantity), fact.environment)
    case .restored: restore(t, fact)
    case .returned:
      if !fact.intent.isNone {
        page.intents[changing: fact.intent.index].transaction = fact.transaction
      } else if !fact.transaction.isNone {
        noteUnattributed(fact.device, charges[t].product)
      }
    case .voided: void(root(of: t))
    case .delivered: change(t) { $0.isDelivered = true }
    case .withheld: change(t) { $0.isDelivered = false }
    case .reported:
      guard !fact.transaction.isNone else { break }
      page.charges[changing: t].isReported = true
      page.charges[changing: root(of: t)].isReported = true
      if charges[t].answered == .refused, now >= terms.heal {
        page.charges[changing: t].reportsAfterRefusal += 1
      }
    case .verified:
      guard !fact.transaction.isNone else { break }
      page.charges[changing: t].verified = fact.verdict
      if fact.verdict == .refused {
        page.charges[changing: root(of: t)].wasRefusedByVerifier = true
      }
    case .answered:
      guard !fact.transaction.isNone else { break }
      page.charges[changing: t].answered = fact.verdict
    case .attributed: page.charges[changing: root(of: t)].isAttributed = true
    case .traceable: page.charges[changing: root(of: t)].isTraceable = true
    case .credited:
      owe(-Int64(fact.quantity), fact.environment)
      guard !fact.transaction.isNone else { break }
      page.charges[changing: root(of: t)].credits += 1
    case .finishing: page.charges[changing: t].isFinishing = true
    case .finished: change(t) { $0.isFinished = true }
    case .told: tell(fact)
    case .saved: page.charges[changing: t].isRecorded = true
    case .erased: page.charges[changing: t].isRecorded = false
    case .recordLost: page.charges[changing: t].isRecorded = false
    case .launched:
      beginLife(of: fact.device)
      start(fact.storeAccount)
    case .ended:
      beginLife(of: fact.device)
      stop(fact.storeAccount)
    }
  }

  /// Moves the clock to the end of the history.
  package mutating func close(at end: Instant) { page.now = max(now, end) }

  @inline(never)
  private mutating func restore(_ t: Int, _ fact: Fact) {
    guard !fact.original.isNone else { return }
    makeRoom(forTransaction: fact.original.index)
    let source = root(of: fact.original.index)
    let original = charges[source]
    page.charges[changing: t].original = TransactionID(index: source)
    page.charges[changing: t].intent = original.intent
    page.charges[changing: t].storeAccount = original.storeAccount
    page.charges[changing: t].product = original.product
    page.charges[changing: t].quantity = original.quantity
    page.charges[changing: t].environment = original.environment
    page.charges[changing: t].runningAtCharge = faultFreeRunning(original.storeAccount)
    if terms.transfersOnRestore { page.charges[changing: source].owner = fact.account }
  }

  @inline(never)
  private mutating func void(_ t: Int) {
    let record = charges[t]
    if record.isCharged, !record.isVoided {
      owe(-Int64(record.quantity), record.environment)
      if !record.intent.isNone { page.intents[changing: record.intent.index].standingCharges -= 1 }
    }
    change(t) { $0.isVoided = true }
  }

  @inline(never)
  private mutating func noteUnattributed(_ device: DeviceID, _ product: ProductID) {
    if !device.isNone, !mayBeAnswered(device, product) {
      page.unattributed.append((device, product))
    }
  }

  private func mayBeAnswered(_ device: DeviceID, _ product: ProductID) -> Bool {
    pages.pointee.unattributed.contains { $0.device == device && $0.product == product }
  }

  /// Whether something was bought on its device that may belong to this intent, and nobody can tell.
  public func mayBeAnsweredUnseen(_ intent: Intent) -> Bool {
    !pages.pointee.unattributed.isEmpty && mayBeAnswered(intent.device, intent.product)
  }

  /// Whoever waits for a product on a device has seen what was said of it.
  private mutating func endWaits(on device: DeviceID, for product: ProductID) {
    for index in intents.indices
    where intents[index].device == device && intents[index].product == product {
      page.intents[changing: index].awaitsAnswer = false
    }
  }

  @inline(never)
  private mutating func tell(_ fact: Fact) {
    var subject = fact.transaction
    if !fact.intent.isNone {
      page.intents[changing: fact.intent.index].awaitsAnswer = false
      if fact.message == .failure, !charge(behind: fact.transaction).isVoided {
        page.intents[changing: fact.intent.index].isToldFailure = true
      }
      if subject.isNone { subject = intents[fact.intent.index].transaction }
    } else if !fact.product.isNone {
      endWaits(on: fact.device, for: fact.product)
    }
    if fact.message == .failure, !subject.isNone, charges[subject.index].isDelivered {
      page.charges[changing: subject.index].toldFailureIn = life(on: fact.device)
    }
  }

  /// Changes one record and keeps count of the poison in its store account's queue.
  private mutating func change(_ t: Int, _ edit: (inout Charge) -> Void) {
    let wasPoison = charges[t].isPoison
    edit(&page.charges[changing: t])
    guard charges[t].isPoison != wasPoison, !charges[t].storeAccount.isNone else { return }
    let account = charges[t].storeAccount.index
    makeRoom(forStoreAccount: account)
    if wasPoison {
      page.storeAccounts[changing: account].poison -= 1
    } else {
      page.storeAccounts[changing: account].poison += 1
    }
  }

  /// The position of the charge that a transaction stands for: its own, unless it is a restore.
  private func root(of t: Int) -> Int {
    charges[t].original.isNone ? t : charges[t].original.index
  }

  private mutating func owe(_ units: Int64, _ environment: Environment) {
    switch environment {
    case .production: page.owed.production += units
    case .sandbox: page.owed.sandbox += units
    }
  }

  @inline(__always)
  private mutating func makeRoom(forTransaction index: Int) {
    page.charges.makeRoom(for: index, Charge())
  }

  var storeAccountCount: Int { storeAccounts.count }
  var deviceCount: Int { lives.count }

  private mutating func makeRoom(forStoreAccount index: Int) {
    page.storeAccounts.makeRoom(for: index, StoreAccount())
  }

  private func lifeNumber(on device: DeviceID) -> UInt32 {
    device.index < lives.count ? lives[device.index] : 0
  }

  private mutating func beginLife(of device: DeviceID) {
    page.lives.makeRoom(for: device.index, 0)
    page.lives[changing: device.index] += 1
  }

  @inline(never)
  private mutating func start(_ account: StoreAccountID) {
    makeRoom(forStoreAccount: account.index)
    if storeAccounts[account.index].runningApps == 0 {
      page.storeAccounts[changing: account.index].runningSince = now.millis
    }
    page.storeAccounts[changing: account.index].runningApps += 1
  }

  private mutating func stop(_ account: StoreAccountID) {
    guard account.index < storeAccounts.count else { return }
    guard storeAccounts[account.index].runningApps > 0 else { return }
    let running = faultFreeRunning(account)
    page.storeAccounts[changing: account.index].runningApps -= 1
    if storeAccounts[account.index].runningApps == 0 {
      page.storeAccounts[changing: account.index].running = running
    }
  }
}
