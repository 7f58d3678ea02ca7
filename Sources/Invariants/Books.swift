/// What a history amounts to so far: one record a charge, an intent, a store account.
///
/// Facts are entered one by one, each with a constant amount of work. Invariants read the books
/// instead of keeping state of their own, so a fact is understood in one place. A rule borrows the
/// books, and nothing that can be reached through a borrow can be changed.
public struct Books: ~Copyable {
  /// What stands in the books.
  struct Pages: ~Copyable {
    var terms: Terms
    var now: Instant = .start
    /// Until when what struck last goes on; `Int64.max` before the heal where nobody says so.
    var disturbedUntil: Int64 = .max
    var charges = Entries<Charge>()
    var intents = Entries<Intent>()
    var owed: (production: Int64, sandbox: Int64) = (0, 0)
    var subscriptions = Entries<Subscription>()
    var storeAccounts = Entries<StoreAccount>()
    var devices = Entries<Device>()
    /// When each life of an app ended, on any device; `Int64.max` while it runs.
    var lifeEnds = Entries<Int64>()
    /// What was charged, or returned, for one of several taps, and nobody can tell for which.
    var unattributed: [(device: DeviceID, product: ProductID)] = []
    /// How many reports have no answer yet.
    var openReports = OpenReports()
  }

  /// One pointer, so that books can be lent to each rule at each fact: Swift copies a longer
  /// value for such a call.
  private let pages: UnsafeMutablePointer<Pages>

  /// The only way to what is written, and a mutating one: whoever borrows the books can only read.
  var page: Pages {
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
  /// Units charged, not voided and not refunded, less units credited and not taken back; production and
  /// sandbox. What is subscribed to has no units.
  public var owed: (production: Int64, sandbox: Int64) { pages.pointee.owed }

  /// One record a subscription, in the order in which they began.
  public var subscriptions: Entries<Subscription> {
    @inline(__always) _read { yield pages.pointee.subscriptions }
  }

  /// How many reports have no answer yet.
  var openReports: OpenReports { pages.pointee.openReports }

  var storeAccounts: Entries<StoreAccount> {
    @inline(__always) _read { yield pages.pointee.storeAccounts }
  }
  var devices: Entries<Device> {
    @inline(__always) _read { yield pages.pointee.devices }
  }
  var lifeEnds: Entries<Int64> {
    @inline(__always) _read { yield pages.pointee.lifeEnds }
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
    page.disturbedUntil = .max
    page.charges.removeAll()
    page.intents.removeAll()
    page.subscriptions.removeAll()
    page.storeAccounts.removeAll()
    page.devices.removeAll()
    page.lifeEnds.removeAll()
    if !page.unattributed.isEmpty { page.unattributed.removeAll() }
    page.owed = (0, 0)
    page.openReports = OpenReports()
  }

  /// From now on these products are subscriptions, as ``Terms/levels`` has them.
  mutating func take(levels: [Int]) { page.terms.levels = levels }

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

  /// Milliseconds for which an app of this store account ran after the heal, up to now.
  public func faultFreeRunning(_ account: StoreAccountID) -> Int64 {
    guard account.index < storeAccounts.count else { return 0 }
    let record = storeAccounts[account.index]
    guard record.runningApps > 0 else { return record.running }
    return record.running + max(0, now.millis - max(record.runningSince, terms.heal.millis))
  }

  /// Whether a transaction that is worth nothing is in the hands of this device's app: charged,
  /// voided, delivered there all the same, and not finished.
  public func holdsPoison(_ device: DeviceID) -> Bool {
    device.index < devices.count && devices[device.index].poison > 0
  }

  /// How often the app on this device has asked for the password of its own accord: since the heal,
  /// and since the person tapped "buy" or "restore" there.
  public func prompts(on device: DeviceID) -> UInt32 {
    device.index < devices.count ? devices[device.index].prompts : 0
  }

  /// Whether this account may not have the goods of a charge.
  ///
  /// The store does not tell an app who bought outside of it, so whoever uses the app with the store
  /// account that paid is right for such a charge; for any other, its owner alone.
  public func isStranger(_ account: AccountID, to charge: Charge) -> Bool {
    guard charge.belongsToOther(than: account) else { return false }
    guard charge.isBoughtOutside, charge.storeAccount.index < storeAccounts.count else {
      return true
    }
    return storeAccounts[charge.storeAccount.index].users & account.bit == 0
  }

  /// The longest that a person was left without a word in front of an app that ran, without faults:
  /// since a tap; or, told no more than "pending", since the goods came to an app that had them in
  /// hand, or since the backend refused for good what it had in hand, which may take as long as a request
  /// that is lost.
  ///
  /// In milliseconds, of which ``Terms/patience`` is the most that they bear. A wait ends with the life
  /// of the app in which it began, and when somebody else logs in.
  public func longestWait(_ intent: Intent) -> Int64 { max(intent.longestWait, wait(of: intent)) }

  /// How long it has been, now or when the app ended, since there was something to say.
  private func wait(of intent: Intent) -> Int64 {
    let over = min(now.millis, end(of: intent.life))
    if intent.awaitsAnswer { return over - max(intent.tappedAt, terms.heal.millis) }
    guard let since = unsaidSince(intent) else { return 0 }
    return over - max(since, terms.heal.millis) - terms.timeOut
  }

  /// Since when the goods are there, or will never come, of which the app has said only that they are
  /// pending.
  private func unsaidSince(_ intent: Intent) -> Int64? {
    guard !intent.handed.isNone, !intent.isToldOutcome else { return nil }
    let charge = charge(behind: intent.handed)
    if charge.credits > 0 {
      return charge.isVoided || charge.wasRefunded
        ? nil : max(charge.creditedAt, intent.deliveredAt)
    }
    return charge.firstRefusedAt < 0 ? nil : max(charge.firstRefusedAt, intent.deliveredAt)
  }

  /// The life that the app on this device is in.
  func life(on device: DeviceID) -> Life {
    Life(device: device, number: device.index < devices.count ? devices[device.index].life : .max)
  }

  private func end(of life: Life) -> Int64 {
    Int(life.number) < lifeEnds.count ? lifeEnds[Int(life.number)] : .max
  }

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
      seat(fact.account, at: fact.device)
      forgetPrompts(on: fact.device)
      noteWish(fact.intent, on: fact.device)
      noteWait(fact.intent.index)
      page.intents[changing: fact.intent.index].becomeTapped(fact, life: life(on: fact.device))
    case .charged:
      page.charges[changing: t].becomeCharged(
        fact, running: faultFreeRunning(fact.storeAccount),
        isOutside: !intent(fact.intent).isTapped)
      if !fact.intent.isNone {
        page.intents[changing: fact.intent.index].becomeCharged(fact.transaction)
      } else if fact.account.isNone {
        noteUnattributed(fact.device, fact.product)
      }
      if _slowPath(terms.renews(fact.product)) {
        subscribe(fact)
      } else {
        owe(Int64(fact.quantity), fact.environment)
      }
    case .restored: restore(t, fact)
    case .returned:
      if !fact.intent.isNone {
        page.intents[changing: fact.intent.index].transaction = fact.transaction
        page.charges[changing: t].returnedTo = fact.intent
      } else if !fact.transaction.isNone {
        noteUnattributed(fact.device, charges[t].product)
      }
    case .voided: void(root(of: t))
    case .delivered: deliver(t, fact.device)
    case .withheld: change(t) { $0.isDelivered = false }
    case .reported:
      noteUser(fact.account, of: fact.device)
      guard !fact.transaction.isNone else { break }
      page.charges[changing: t].isReported = true
      page.charges[changing: root(of: t)].isReported = true
      openReport(t, by: fact.account)
      if charges[t].answered == .refused, now >= terms.heal {
        page.charges[changing: t].reportsAfterRefusal += 1
      }
    case .verified:
      guard !fact.transaction.isNone else { break }
      page.charges[changing: t].verified = fact.verdict
      page.charges[changing: root(of: t)].wasAskedAbout = true
      if fact.verdict == .refused {
        page.charges[changing: root(of: t)].wasRefusedByVerifier = true
        page.charges[changing: root(of: t)].refusalsKept += 1
      }
    case .answered:
      guard !fact.transaction.isNone else { break }
      page.charges[changing: t].answered = fact.verdict
      closeReport(t)
      if _slowPath(fact.verdict == .refused) { noteRefusal(t) }
    case .attributed: page.charges[changing: root(of: t)].isAttributed = true
    case .traceable: page.charges[changing: root(of: t)].isTraceable = true
    case .credited:
      if !fact.transaction.isNone, _slowPath(charges[root(of: t)].isVoided) {
        noteVoidedCredit(root(of: t), fact)
      } else if fact.transaction.isNone || _fastPath(!charges[root(of: t)].isOfSubscription) {
        owe(-Int64(fact.quantity), fact.environment)
      }
      guard !fact.transaction.isNone else { break }
      page.charges[changing: root(of: t)].becomeCredited(fact)
    case .finishing: page.charges[changing: t].isFinishing = true
    case .finished: change(t) { $0.isFinished = true }
    case .told: tell(fact)
    case .saved: page.charges[changing: t].isRecorded = true
    case .erased: page.charges[changing: t].isRecorded = false
    case .recordLost: page.charges[changing: t].isRecorded = false
    case .renewed: renew(fact)
    case .expired: endSubscription(fact)
    case .refunded:
      refund(root(of: t), fact)
    case .granted: grant(fact)
    case .reversed: takeBack(root(of: t), Int32(clamping: fact.amount))
    case .regranted: takeBack(root(of: t), -Int32(clamping: fact.amount))
    case .givenUp: giveUp(root(of: t), fact)
    case .launched:
      countSubscriptions(of: fact.storeAccount)
      beginLife(of: fact.device, fact.storeAccount)
      start(fact.storeAccount)
      seat(fact.account, at: fact.device)
    case .loggedIn: seat(fact.account, at: fact.device)
    case .asked: countPrompt(fact)
    case .forgotten: forgetRefusal(root(of: t))
    case .goodsLost: loseGoods(root(of: t), fact)
    case .deferred, .declined: postpone(fact)
    case .ended:
      countSubscriptions(of: fact.storeAccount)
      endLife(of: fact.device)
      stop(fact.storeAccount)
    }
  }

  /// What struck last goes on until then.
  @inline(__always)
  mutating func disturb(until millis: Int64) { page.disturbedUntil = millis }

  /// Moves the clock to the end of the history.
  package mutating func close(at end: Instant) {
    page.now = max(now, end)
    closeSubscriptions()
  }

  /// Whoever tapped knows from the store that it is pending, or over: they wait for no word of the app's.
  @inline(never) private mutating func postpone(_ fact: Fact) {
    if !fact.transaction.isNone {
      page.charges[changing: fact.transaction.index].isUnpaid = true
      page.charges[changing: fact.transaction.index].intent = fact.intent
      page.charges[changing: fact.transaction.index].product = fact.product
    }
    guard !fact.intent.isNone else { return }
    noteWait(fact.intent.index)
    page.intents[changing: fact.intent.index].becomePostponed()
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
  private mutating func endWaits(
    on device: DeviceID, for product: ProductID, by message: Fact.Message
  ) {
    for index in intents.indices
    where intents[index].device == device && intents[index].product == product {
      noteWait(index)
      page.intents[changing: index].becomeTold(message)
    }
  }

  @inline(never)
  private mutating func tell(_ fact: Fact) {
    var subject = fact.transaction
    if !fact.intent.isNone {
      let device = intents[fact.intent.index].device
      // What another phone shows, the person in front of this one does not see.
      if device == fact.device || device.isNone || fact.device.isNone {
        noteWait(fact.intent.index)
        page.intents[changing: fact.intent.index].becomeTold(fact.message)
      }
      let bought = charge(behind: fact.transaction)
      if fact.message == .failure, !bought.isVoided, !bought.wasRefunded {
        page.intents[changing: fact.intent.index].isToldFailure = true
      }
      if subject.isNone { subject = intents[fact.intent.index].transaction }
    } else if !fact.product.isNone {
      endWaits(on: fact.device, for: fact.product, by: fact.message)
    }
    if fact.message == .failure, !subject.isNone, charges[subject.index].isDelivered {
      page.charges[changing: subject.index].toldFailureIn = life(on: fact.device)
    }
  }

  /// Keeps which wishes people had in this life of an app.
  private mutating func noteWish(_ wish: IntentID, on device: DeviceID) {
    guard device.index < devices.count, intent(wish).life != life(on: device) else { return }
    page.intents[changing: wish.index].wishBefore = devices[device.index].lastWish
    page.devices[changing: device.index].lastWish = wish
  }

  /// Keeps how long the person has waited so far; a tap or a word ends a wait.
  @inline(__always)
  private mutating func noteWait(_ intent: Int) {
    if now > terms.heal { keepWait(intent) }
  }

  @inline(never)
  private mutating func keepWait(_ intent: Int) {
    let waited = longestWait(intents[intent])
    page.intents[changing: intent].longestWait = waited
  }

  /// Whoever uses the app on a device uses the store account that pays there.
  @inline(__always)
  mutating func noteUser(_ account: AccountID, of device: DeviceID) {
    guard device.index < devices.count, devices[device.index].noted != account else { return }
    let storeAccount = devices[device.index].storeAccount.index
    guard storeAccount < storeAccounts.count else { return }
    page.devices[changing: device.index].noted = account
    page.storeAccounts[changing: storeAccount].users |= account.bit
  }

  @inline(__always)
  private mutating func deliver(_ t: Int, _ device: DeviceID) {
    change(t) {
      $0.isDelivered = true
      $0.deliveredOn = device
    }
    if _slowPath(charges[t].hasStandIn) { endStandIn(t) }
    if device.index < devices.count, _slowPath(!devices[device.index].lastWish.isNone) {
      standIn(t, on: device)
    }
    let wanted = charges[t].intent.index
    guard wanted < intents.count, intents[wanted].life == life(on: device) else { return }
    guard intents[wanted].handed != TransactionID(index: t), !charges[root(of: t)].isVoided else {
      return
    }
    page.intents[changing: wanted].handed = TransactionID(index: t)
    page.intents[changing: wanted].deliveredAt = now.millis
  }

  /// Changes one record and keeps count of the poison in the hands of a device's app.
  @inline(__always)
  mutating func change(_ t: Int, _ edit: (inout Charge) -> Void) {
    let (wasPoison, device) = (charges[t].isPoison, charges[t].deliveredOn)
    edit(&page.charges[changing: t])
    if _slowPath(wasPoison || charges[t].isPoison) { countPoison(t, wasPoison ? device : .none) }
  }

  @inline(never)
  private mutating func countPoison(_ t: Int, _ before: DeviceID) {
    if !before.isNone { page.devices[changing: room(for: before)].poison.countDown() }
    let device = charges[t].deliveredOn
    // A log may leave out the device.
    guard charges[t].isPoison, !device.isNone else { return }
    page.devices[changing: room(for: device)].poison += 1
  }

  /// A tap explains a prompt: the person's own "restore" is none of the app's.
  @inline(never) private mutating func countPrompt(_ fact: Fact) {
    guard fact.account.isNone else { return forgetPrompts(on: fact.device) }
    guard now >= terms.heal else { return }
    page.devices[changing: room(for: fact.device)].prompts += 1
  }

  @inline(__always)
  private mutating func forgetPrompts(on device: DeviceID) {
    guard device.index < devices.count, devices[device.index].prompts > 0 else { return }
    page.devices[changing: device.index].prompts = 0
  }

  /// The position of the charge that a transaction stands for: its own, unless it is a restore.
  func root(of t: Int) -> Int {
    charges[t].original.isNone ? t : charges[t].original.index
  }

  mutating func owe(_ units: Int64, _ environment: Environment) {
    switch environment {
    case .production: page.owed.production += units
    case .sandbox: page.owed.sandbox += units
    }
  }

  @inline(__always)
  mutating func makeRoom(forTransaction index: Int) {
    page.charges.makeRoom(for: index, Charge())
  }

  var storeAccountCount: Int { storeAccounts.count }
  var deviceCount: Int { devices.count }

  mutating func makeRoom(forStoreAccount index: Int) {
    page.storeAccounts.makeRoom(for: index, StoreAccount())
  }

  /// The position of a device's record, which is there afterwards.
  mutating func room(for device: DeviceID) -> Int {
    page.devices.makeRoom(for: device.index, Device())
    return device.index
  }
}
