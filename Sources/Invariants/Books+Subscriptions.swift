/// Subscriptions: what is paid for, and who may use it.
extension Books {
  /// What is known about one subscription.
  ///
  /// Only time in which an app of its store account runs without faults is counted: who does not look finds
  /// nothing missing, and an app that does not run is told nothing.
  public struct Subscription: Sendable, BitwiseCopyable {
    /// The charge with which it began.
    public internal(set) var first: TransactionID
    /// The charge with which it began again, where it was over; else the first.
    public internal(set) var began: TransactionID
    /// The last charge that was made for it.
    public internal(set) var latest: TransactionID
    /// The account of the store that pays.
    public internal(set) var storeAccount: StoreAccountID
    /// Whether it is paid for now, or in a grace period.
    public internal(set) var isPaid = true
    /// Who may use it, as the last `granted` says; none for nobody yet.
    public internal(set) var user: AccountID = .none
    /// Until when they may, in milliseconds since the history began; -1 for nobody yet.
    public internal(set) var untilMillis: Int64 = -1
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

    /// Counts the time until now, in which nothing has changed but what time itself changes.
    mutating func count(until now: Int64, isRunning: Bool, heal: Int64) {
      let from = max(countedUntil, heal)
      countedUntil = now
      guard isRunning, now > from else { return }
      if isPaid {
        // What was allowed until some moment of this time is missing from then on.
        if untilMillis > from { lack = 0 }
        lack += max(0, now - max(from, untilMillis))
        longestLack = max(longestLack, lack)
      } else {
        excess += max(0, min(now, untilMillis) - from)
        longestExcess = max(longestExcess, excess)
      }
    }
  }

  /// The subscription that a charge pays for; nil for any other.
  public func subscription(of transaction: TransactionID) -> Subscription? {
    guard transaction.index < charges.count else { return nil }
    let place = Int(charges[transaction.index].subscription)
    return place < subscriptions.count ? subscriptions[place] : nil
  }

  /// Whether this went on for longer than people bear.
  func isTooLong(_ millis: Int64) -> Bool { millis > terms.within ?? terms.patience }

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
    page.subscriptions[changing: place].count(
      until: now.millis, isRunning: isRunning, heal: terms.heal.millis)
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
      storeAccount: account,
      countedUntil: now.millis, next: storeAccounts[account.index].firstSubscription)
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
    page.subscriptions[changing: place].user = fact.account
    page.subscriptions[changing: place].untilMillis = Int64(fact.amount) * 1000
    // Whatever was missing is there, or whatever was too much is gone.
    if subscriptions[place].isPaid == (subscriptions[place].untilMillis > now.millis) {
      page.subscriptions[changing: place].lack = 0
      page.subscriptions[changing: place].excess = 0
    }
  }

  private mutating func setPaid(_ place: Int, _ isPaid: Bool) {
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
