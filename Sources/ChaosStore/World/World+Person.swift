import Invariants

/// What people do: tap, log in, open and close apps.
extension World {
  /// A tap that the app is to handle now.
  struct TapCall {
    var device: DeviceID
    var tap: Tap
    var changesSession: Bool
  }

  /// A scripted tap: now, or as soon as the app runs. Nil if there is nothing for the app to do.
  mutating func tap(step index: StepID, hurried: Bool) -> TapCall? {
    let bit: UInt64 = index.raw < 64 ? 1 << UInt64(index.raw) : 0
    if doneSteps & bit != 0 { return nil }
    let step = setup.steps[index.index]
    guard case .buy(let product, let quantity, let account) = step.action else { return nil }
    let device = DeviceID(index: step.device)
    guard isReady(device, orAgain: .step(index, isHurried: hurried)) else { return nil }
    doneSteps |= bit
    let key = Subject.transaction(origin(ofStep: index)).key
    let intent = addIntent(
      key: key, device: device, account: AccountID(index: account),
      product: ProductID(index: product),
      quantity: quantity)
    intents[intent].offer = step.offerPosition
    hurryNext(after: index, intent)
    return beginTap(intent)
  }

  /// A further tap for a wish that is there already, or for one that grew out of it.
  mutating func tap(intent: IntentID, isRetry: Bool) -> TapCall? {
    let device = intents[intent].device
    if knowsOfGoods(intent) { return nil }
    // Who tapped again since they were told of the failure has tried once more already.
    if isRetry, !intents[intent].isToTryAgain { return nil }
    // A further tap for the same wish is made on the screen that is there, or not at all.
    guard
      intents[intent].payments == 0
        ? isReady(device, orAgain: isRetry ? .retry(intent) : .furtherTap(intent))
        : devices[device].isRunning
    else { return nil }
    return beginTap(intent)
  }

  mutating func beginTap(_ intent: IntentID) -> TapCall {
    let row = intents[intent]
    intents[intent].isTappedTwice = row.payments > 0 && !row.isToTryAgain
    intents[intent].wasAnswered = !row.awaitsAnswer
    let changes = devices[row.device].account != row.account
    devices[row.device].account = row.account
    intents[intent].isTapped = true
    intents[intent].awaitsPayment = true
    intents[intent].awaitsAnswer = true
    intents[intent].isToTryAgain = false
    var fact = fact(.tapped)
    fact.intent = intent
    fact.account = row.account
    fact.device = row.device
    fact.product = row.product
    fact.quantity = row.quantity
    emit(fact)
    return TapCall(device: row.device, tap: tapValue(intent), changesSession: changes)
  }

  func tapValue(_ intent: IntentID) -> Tap {
    let row = intents[intent]
    return Tap(
      intent: intent, product: row.product, quantity: row.quantity,
      account: row.account, offer: row.offer)
  }

  /// The second tap that follows at once (F08), asked when the app has handled the first.
  mutating func tapAgain(_ intent: IntentID) {
    let who = who(intent: intent)
    guard decisions.strikes(.tapAgain, who) else { return }
    schedule(.furtherTap(intent), after: decisions.delay(.delayTapAgain, who))
  }

  /// A purchase made in the App Store itself.
  mutating func buyOutside(
    origin: Int, device: DeviceID, account: Int, product: Int, quantity: UInt32, offer: UInt8 = 0,
    token: Token = .none
  ) {
    // Nobody has a phone that a plan leaves out.
    if devices[device].isOmitted { return }
    let intent = addIntent(
      key: Subject.transaction(origin).key, device: device, account: AccountID(index: account),
      product: ProductID(index: product), quantity: quantity)
    intents[intent].offer = offer
    pay(
      intent: intent, product: ProductID(index: product), device: device, token: token,
      usesStoreKit2: false, isOutside: true)
  }

  /// The next of many purchases that arrive evenly; it schedules the one after it.
  mutating func arrive() {
    guard let arrivals = setup.arrivals else { return }
    let index = arrived
    arrived += 1
    buyOutside(
      origin: index, device: DeviceID(index: index % setup.devices.count),
      account: setup.devices[index % setup.devices.count].account,
      product: index % setup.products.count, quantity: 1)
    guard arrived < arrivals.count else { return }
    let next = Int64(arrived) * arrivals.overMillis / Int64(arrivals.count)
    schedule(.arrival, at: next)
  }

  /// The same product again, as a new wish, while the first is unfinished (F16).
  mutating func buyAgain(_ purchase: TransactionID) {
    let intent = purchases[purchase].intent
    guard intent != .none, intents[intent].again == 0, intents[intent].key & 0xf << 20 == 0,
      decisions.strikes(.buyAgain, who(purchase: purchase))
    else { return }
    intents[intent].again += 1
    let row = intents[intent]
    let next = addIntent(
      key: Subject(key: row.key).again(1).key, device: row.device, account: row.account,
      product: row.product, quantity: row.quantity)
    let delay = decisions.delay(.delayBuyAgain, who(purchase: purchase))
    schedule(.furtherTap(next), after: delay)
  }

  /// Whether the person knows that the goods came: the app said so, or showed them in the balance
  /// when they looked at it. What the ledger holds meanwhile they cannot see.
  func knowsOfGoods(_ intent: IntentID) -> Bool {
    let row = intents[intent]
    let device = devices[row.device]
    return row.isServed || device.lookedBy == row.account && row.creditedAt < device.lookedAt
  }

  /// From now on whoever looks at the balance finds there what the wish was for.
  mutating func noteBalance(of intent: IntentID, _ account: AccountID) {
    guard intent != .none, intents[intent].account == account else { return }
    intents[intent].creditedAt = min(
      intents[intent].creditedAt, UInt32(truncatingIfNeeded: events))
  }

  /// Whoever is logged in sees their balance: an app that opens shows it, and one that somebody logs
  /// into. Without a network it shows nothing.
  mutating func lookAtBalance(_ device: DeviceID) {
    guard !devices[device].isOffline else { return }
    devices[device].lookedBy = devices[device].account
    devices[device].lookedAt = UInt32(truncatingIfNeeded: events)
  }

  /// A person told of a failure tries once more; one who knows of the goods does not tap again.
  mutating func react(_ intent: IntentID, to message: Fact.Message) {
    intents[intent].awaitsAnswer = false
    if message == .success { intents[intent].isServed = true }
    guard message == .failure, intents[intent].retaps < setup.retaps, !intents[intent].isGivenUp
    else { return }
    intents[intent].retaps += 1
    intents[intent].isToTryAgain = true
    schedule(.retry(intent), after: 3000)
  }

  mutating func addIntent(
    key: UInt64, device: DeviceID, account: AccountID, product: ProductID, quantity: UInt32
  ) -> IntentID {
    intents.append(
      IntentRow(
        key: key, slot: decisions.addSlot(), device: device, account: account, product: product,
        quantity: quantity))
  }

  private mutating func hurryNext(after step: StepID, _ intent: IntentID) {
    let next = step.index + 1
    guard next < min(setup.steps.count, 64), case .buy = setup.steps[next].action,
      decisions.strikes(.tapEarly, who(intent: intent))
    else { return }
    let delay = decisions.delay(.delayTapAgain, who(intent: intent))
    schedule(.step(StepID(index: next), isHurried: true), after: delay)
  }

  func who(intent: IntentID) -> Who {
    Who(slot: intents[intent].slot, key: intents[intent].key)
  }

  /// Whether an app runs that can be tapped; if not it is opened and the tap comes later.
  mutating func isReady(
    _ device: DeviceID, orAgain happening: Happening
  ) -> Bool {
    if devices[device].isRunning { return true }
    if devices[device].launchAt < 0 {
      guard setup.relaunches else { return false }
      if let sittings = setup.sittings, isLeftClosed(device) {
        return waitForNext(sittings, happening)
      }
      devices[device].launchAt = now
      schedule(.launch(device), after: 0)
    }
    schedule(
      happening, after: Self.tapAfterLaunch, theEndOf: .delayRelaunch, on: device,
      at: devices[device].launchAt)
    return false
  }

  /// How long after the launch of an app that was not open somebody taps in it.
  private static let tapAfterLaunch: Int64 = 500

  /// How many sittings follow one another for somebody who wants to tap in an app that dies.
  private static let mostSittings: UInt8 = 3

  /// Whether a sitting would be the next after another one: it is over, and they still want to tap.
  private func hasJustSat(_ device: DeviceID) -> Bool {
    let over = devices[device].sittingEnds
    return now >= over && now < over + Self.tapAfterLaunch
  }

  /// Whether somebody has given it up for now to open an app in which they want to tap.
  private func isLeftClosed(_ device: DeviceID) -> Bool {
    devices[device].sittings >= Self.mostSittings && hasJustSat(device)
  }

  /// They tap in the next sitting that they would begin anyway, if there is time for that.
  private mutating func waitForNext(
    _ sittings: Setup.Sittings, _ happening: Happening
  ) -> Bool {
    let next = (now / sittings.everyMillis + 1) * sittings.everyMillis
    if next + sittings.forMillis <= setup.horizonMillis {
      schedule(happening, at: next + Self.tapAfterLaunch)
    }
    return false
  }

  /// The app's process ends and is opened again later.
  mutating func endApp(_ device: DeviceID, relaunchAfter delay: Int64?) {
    guard devices[device].isRunning else { return }
    devices[device].isRunning = false
    devices[device].isObserving = false
    devices[device].extraHandlers = 0
    devices[device].follows = []
    devices[device].heldWish = .none
    devices[device].detachedAt = -1
    devices[device].foregroundAt = 0
    dropUnwritten(device)
    var fact = fact(.ended)
    fact.device = device
    fact.storeAccount = devices[device].storeAccount
    emit(fact)
    guard let delay else { return }
    devices[device].launchAt = now + delay
    schedule(.launch(device), after: delay)
  }

  /// The app dies here.
  @inline(never)
  mutating func crash(_ device: DeviceID) {
    var delay =
      setup.relaunches ? decisions.delay(.delayRelaunch, who(device: device)) : nil
    // Who would have closed the app by then leaves it closed.
    if setup.sittings != nil, now + (delay ?? 0) >= devices[device].sittingEnds { delay = nil }
    endApp(device, relaunchAfter: delay)
  }

  /// Opens the app; false if it runs already.
  mutating func launch(_ device: DeviceID, isFirst: Bool) -> Bool {
    devices[device].launchAt = -1
    guard !devices[device].isRunning, !devices[device].isOmitted else { return false }
    if !isFirst {
      let who = who(device: device)
      if decisions.strikes(.reinstallApp, who) { reinstall(device) }
      if decisions.strikes(.restoreBackup, who) { restoreBackup(device) }
      if devices[device].hasReceipt {
        if decisions.strikes(.loseReceipt, who) { devices[device].hasReceipt = false }
        if setup.storeAccounts > 1, decisions.strikes(.swapReceipt, who) {
          devices[device].receiptAccount = StoreAccountID(
            index: (devices[device].receiptAccount.index + 1) % setup.storeAccounts)
          // It shows nothing of this person's until it is fetched again, which nobody need do soon.
          decisions.disturb(until: setup.healMillis)
        }
      }
    }
    devices[device].isRunning = true
    devices[device].hasObservedInLife = false
    devices[device].life &+= 1
    devices[device].clockMinutes = Int32(decisions.choice(.shiftClock, who(device: device)) ?? 0)
    var fact = fact(.launched)
    fact.device = device
    fact.storeAccount = devices[device].storeAccount
    fact.account = devices[device].account
    emit(fact)
    lookAtBalance(device)
    if let sittings = setup.sittings {
      if devices[device].sittingEnds <= now {
        devices[device].sittings = hasJustSat(device) ? devices[device].sittings &+ 1 : 1
        devices[device].sittingEnds = now + sittings.forMillis
      }
      schedule(
        .leave(device, life: devices[device].life), at: devices[device].sittingEnds)
    }
    if hasShopPage { planVisit(device) }
    return true
  }

  private mutating func planVisit(_ device: DeviceID) {
    let who = who(device: device)
    guard !decisions.strikes(.skipVisit, who) else { return }
    schedule(
      .visit(device, life: devices[device].life), after: decisions.delay(.delayVisit, who))
  }

  /// The app is deleted and installed again: local data is gone, the store's is not.
  mutating func reinstall(_ device: DeviceID) {
    wipeStorage(device)
    beginInstallation(device)
  }

  /// A receipt belongs to one installation, and so does what StoreKit does not call back.
  mutating func beginInstallation(_ device: DeviceID) {
    devices[device].hasReceipt = false
    var row = storeAccounts[devices[device].storeAccount].first
    while row != .none {
      if purchases[row].swallowedOn == device { purchases[row].swallowedOn = .none }
      row = purchases[row].next
    }
  }

  /// From time to time an app is closed and opened again.
  mutating func reopen(_ device: DeviceID) {
    if let sittings = setup.sittings { return sit(down: sittings, device) }
    guard let every = setup.reopenEveryMillis else { return }
    if devices[device].isRunning {
      flush(device)
      endApp(device, relaunchAfter: 1000)
    } else if devices[device].launchAt < 0 {
      devices[device].launchAt = now
      schedule(.launch(device), after: 0)
    }
    if now + every + 10_000 <= setup.horizonMillis {
      schedule(.reopen(device), after: every)
    }
  }

  /// Somebody opens the app, unless it runs, and will open it again.
  private mutating func sit(down sittings: Setup.Sittings, _ device: DeviceID) {
    if !devices[device].isRunning, devices[device].launchAt < 0 {
      devices[device].launchAt = now
      schedule(.launch(device), after: 0)
    }
    if now + sittings.everyMillis <= setup.horizonMillis {
      schedule(.reopen(device), after: sittings.everyMillis)
    }
  }

  /// Another of the app's users logs in (F07), and later the first one again. It is asked when a
  /// payment is asked for, charged, called back, reported and answered.
  @inline(never)
  mutating func planSwitch(_ question: Question, on device: DeviceID, _ who: Who) {
    guard decisions.strikes(question, who) else { return }
    let delay = decisions.delay(.delaySwitch, who)
    guard now + delay < setup.healMillis else { return }
    schedule(.switchAway(device), after: delay)
  }

  /// From now on this is whose session it is.
  mutating func logIn(_ account: AccountID, _ device: DeviceID) {
    devices[device].account = account
    var fact = fact(.loggedIn)
    fact.account = account
    fact.device = device
    emit(fact)
  }

  /// Whether the app is to be told that somebody else is logged in.
  mutating func switchAccount(_ device: DeviceID, away: Bool) -> Bool {
    if away {
      logIn(
        AccountID(index: (devices[device].account.index + 1) % setup.accounts), device)
      let delay = decisions.delay(.delaySwitchBack, who(device: device))
      schedule(.switchBack(device), after: delay)
    } else {
      logIn(devices[device].home, device)
    }
    guard devices[device].isRunning else { return false }
    lookAtBalance(device)
    return true
  }
}
