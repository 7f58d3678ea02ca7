/// Subscriptions: what is paid for, and who may use it.
extension Books {
  /// What is known about one subscription.
  ///
  /// Only time in which an app of its store account runs is counted: who does not look finds nothing missing,
  /// and an app that does not run is told nothing. Before the heal it is the time of apps that were launched
  /// well after all that had struck was over, and while nothing strikes: a fault may last as long as the app
  /// runs, and make the next one wait before it tries again.
  public struct Subscription: Sendable, BitwiseCopyable {
    /// The charge with which it began.
    public internal(set) var first: TransactionID
    /// The charge with which it began again, where it was over; else the first.
    public internal(set) var began: TransactionID
    /// The last charge that was made for it.
    public internal(set) var latest: TransactionID
    /// The account of the store that pays.
    public internal(set) var storeAccount: StoreAccountID
    /// What is paid for, as the last charge says.
    public internal(set) var product: ProductID
    /// What the user may use, as the last `granted` says.
    public internal(set) var granted: ProductID = .none
    /// Whether that is what is paid for, or better than that.
    var isGrantedRight = true
    var isGrantedBetter = false
    /// Whether it is paid for now, or in a grace period.
    public internal(set) var isPaid = true
    /// Who may use it, as the last `granted` says; none for nobody yet.
    public internal(set) var user: AccountID = .none
    /// Until when they may, in milliseconds since the history began; -1 for nobody yet.
    public internal(set) var untilMillis: Int64 = -1
    /// Whether who may use it was right, and is now what it was before.
    public internal(set) var isOutdated = false
    /// When something last happened to it at the store.
    var changedAt: Int64
    /// When it was last said who may use it; -1 for never.
    var grantedAt: Int64 = -1
    /// For how many milliseconds at a stretch, at most, somebody who had paid could not use it.
    public internal(set) var longestLack: Int64 = 0
    /// For how many milliseconds at a stretch, at most, somebody could use it who had not paid.
    public internal(set) var longestExcess: Int64 = 0
    /// The same at a stretch that goes on, and up to when it was counted.
    var lack: Int64 = 0
    var excess: Int64 = 0
    var countedUntil: Int64
    /// The next one of the same store account; -1 for none.
    var next: Int32

    /// Whether who has paid may use what they paid for now, or nobody may use anything.
    func isRight(_ now: Int64) -> Bool {
      // Until when is said in whole seconds, so that what is over by now can be said to end with this one.
      isPaid ? untilMillis > now && isGrantedRight : untilMillis < now + 1000
    }

    /// Something else is paid for, or may be used.
    mutating func compare(_ terms: Terms) {
      isGrantedRight = granted == product || granted.isNone
      isGrantedBetter = !isGrantedRight && terms.level(of: granted) < terms.level(of: product)
    }

    /// Counts the time until now, in which nothing has changed but what time itself changes.
    mutating func count(until now: Int64, isRunning: Bool, undisturbedSince calm: Int64) {
      let from = max(countedUntil, calm)
      countedUntil = now
      guard isRunning, now > from else { return }
      if isPaid {
        // What was allowed until some moment of this time is missing from then on.
        if isGrantedRight, untilMillis > from { lack = 0 }
        lack +=
          isGrantedRight || isGrantedBetter ? max(0, now - max(from, untilMillis)) : now - from
        longestLack = max(longestLack, lack)
      }
      if !isPaid || isGrantedBetter {
        excess += max(0, min(now, untilMillis) - from)
        longestExcess = max(longestExcess, excess)
      }
    }
  }

  /// The subscription that a charge pays for; nil for any other.
  public func subscription(of transaction: TransactionID) -> Subscription? {
    transaction.index < charges.count ? subscription(paidBy: charges[transaction.index]) : nil
  }

  /// The subscription that this record of a charge pays for; nil for any other.
  func subscription(paidBy charge: Charge) -> Subscription? {
    let place = Int(charge.subscription)
    return place < subscriptions.count ? subscriptions[place] : nil
  }

  /// Whether this went on for longer than people bear.
  func isTooLong(_ millis: Int64) -> Bool { millis > bearable }

  /// For how many milliseconds people bear that use does not follow payment.
  package var bearable: Int64 { terms.within ?? terms.slack }

  // MARK: - Entering

  /// Counts up to now for each subscription of a store account, before its apps begin or end to run.
  @inline(__always)
  mutating func countSubscriptions(of account: StoreAccountID) {
    if _slowPath(subscriptions.count > 0) { countAll(of: account) }
  }

  @inline(never)
  private mutating func countAll(of account: StoreAccountID) {
    guard account.index < storeAccounts.count else { return }
    var place = storeAccounts[account.index].firstSubscription
    while place >= 0 {
      count(Int(place))
      place = subscriptions[Int(place)].next
    }
  }

  private mutating func count(_ place: Int) {
    let account = subscriptions[place].storeAccount.index
    let isRunning = account < storeAccounts.count && storeAccounts[account].runningApps > 0
    let disturbed = min(page.disturbedUntil, terms.heal.millis)
    // Who waits for an answer that was lost right before the heal cannot know it before their time is out.
    var calm = terms.heal.millis
    if page.disturbedUntil < .max { calm = max(calm, disturbed + terms.timeOut) }
    if isRunning {
      let since = storeAccounts[account].runningSince
      if disturbed < 0 || disturbed + terms.recovery < since { calm = min(calm, since) }
    }
    // Whatever strikes gives everybody their time once more.
    if disturbed >= subscriptions[place].countedUntil {
      page.subscriptions[changing: place].lack = 0
      page.subscriptions[changing: place].excess = 0
    }
    page.subscriptions[changing: place].count(
      until: now.millis, isRunning: isRunning, undisturbedSince: calm)
  }

  /// A charge has begun a subscription, or one that was over goes on.
  @inline(never)
  mutating func subscribe(_ fact: Fact) {
    if !fact.original.isNone { return renew(fact) }
    let account = fact.storeAccount
    makeRoom(forStoreAccount: account.index)
    let place = subscriptions.count
    let subscription = Subscription(
      first: fact.transaction, began: fact.transaction, latest: fact.transaction,
      storeAccount: account, product: fact.product, changedAt: now.millis, countedUntil: now.millis,
      next: storeAccounts[account.index].firstSubscription)
    page.subscriptions.makeRoom(for: place, subscription)
    page.storeAccounts[changing: account.index].firstSubscription = Int32(place)
    page.charges[changing: fact.transaction.index].subscription = UInt32(place)
  }

  /// It is paid for once more.
  @inline(never)
  mutating func renew(_ fact: Fact) {
    guard let place = place(of: fact.original) else { return }
    count(place)
    page.charges[changing: fact.transaction.index].subscription = UInt32(place)
    page.subscriptions[changing: place].latest = fact.transaction
    page.subscriptions[changing: place].product = fact.product
    page.subscriptions[changing: place].compare(terms)
    if fact.kind == .charged { page.subscriptions[changing: place].began = fact.transaction }
    setPaid(place, true)
  }

  /// Money of one of its charges was given back, or taken again.
  mutating func refundSubscription(_ fact: Fact) {
    if fact.amount > 0 { return endSubscription(fact) }
    guard let place = place(of: fact.transaction), subscriptions[place].latest == fact.transaction
    else { return }
    count(place)
    setPaid(place, true)
  }

  /// Nothing is paid for any more.
  @inline(never)
  mutating func endSubscription(_ fact: Fact) {
    guard let place = place(of: fact.transaction) else { return }
    count(place)
    // Of what was paid for once more meanwhile the last charge counts.
    guard subscriptions[place].latest == fact.transaction, subscriptions[place].isPaid else {
      return
    }
    setPaid(place, false)
    // Who pays for it again pays for another time.
    if fact.kind == .expired { endStanding(subscriptions[place].began.index) }
  }

  @inline(never)
  mutating func grant(_ fact: Fact) {
    guard let place = place(of: fact.transaction) else { return }
    count(place)
    let wasRight =
      subscriptions[place].grantedAt >= subscriptions[place].changedAt
      && subscriptions[place].isRight(now.millis)
    let before = subscriptions[place].untilMillis
    page.subscriptions[changing: place].user = fact.account
    page.subscriptions[changing: place].granted = fact.product
    page.subscriptions[changing: place].compare(terms)
    page.subscriptions[changing: place].untilMillis = Int64(fact.amount) * 1000
    page.subscriptions[changing: place].grantedAt = now.millis
    let isRight = subscriptions[place].isRight(now.millis)
    // What is paid for becomes no shorter by itself.
    let isShorter = subscriptions[place].isPaid && subscriptions[place].untilMillis < before
    page.subscriptions[changing: place].isOutdated = wasRight && (!isRight || isShorter)
    // Whatever was missing is there, or whatever was too much is gone.
    if isRight {
      page.subscriptions[changing: place].lack = 0
      page.subscriptions[changing: place].excess = 0
    }
  }

  private mutating func setPaid(_ place: Int, _ isPaid: Bool) {
    page.subscriptions[changing: place].changedAt = now.millis
    guard subscriptions[place].isPaid != isPaid else { return }
    page.subscriptions[changing: place].isPaid = isPaid
    page.subscriptions[changing: place].lack = 0
    page.subscriptions[changing: place].excess = 0
  }

  /// Counts what is left at the end of the history.
  mutating func closeSubscriptions() {
    for place in subscriptions.indices { count(place) }
  }

  private func place(of transaction: TransactionID) -> Int? {
    guard !transaction.isNone, transaction.index < charges.count else { return nil }
    let place = Int(charges[transaction.index].subscription)
    return place < subscriptions.count ? place : nil
  }
}
