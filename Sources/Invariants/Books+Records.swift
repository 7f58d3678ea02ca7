extension Books {
  /// Milliseconds of fault-free running since the charge, or since the heal if that was later; where another
  /// purchase came in its place, since it was handed to an app.
  public func runningSince(_ charge: Charge) -> Int64 {
    faultFreeRunning(charge.storeAccount) - charge.runningAtCharge
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

  /// Whether the apps ran long enough for it: longer than the terms allow, or than people wait.
  ///
  /// A charge in whose place a purchase from elsewhere has come has time until its app is closed: see
  /// ``Charge/hasStandIn``.
  public func isOverdue(_ charge: Charge) -> Bool {
    if charge.hasStandIn, intent(charge.intent).life == life(on: intent(charge.intent).device) {
      return false
    }
    return runningSince(charge) > terms.within ?? terms.slack
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

  /// Whether the payment of a credit is still pending, or will never be made: that of its transaction, or
  /// where it names none any that its account made for the product.
  func isUnpaid(_ credit: Fact) -> Bool {
    if !credit.transaction.isNone {
      return charges.indices.contains(credit.transaction.index)
        && charges[credit.transaction.index].isUnpaid
    }
    return charges.indices.contains {
      charges[$0].isUnpaid && charges[$0].product == credit.product
        && intent(charges[$0].intent).account == credit.account
    }
  }

  /// What is known about one transaction, and about the charge if it is one.
  ///
  /// A copy of what stood in the books when they were asked.
  public struct Charge: Sendable, BitwiseCopyable {
    /// What the person wanted who was charged; none where nobody tapped in the app. From `charged`.
    public internal(set) var intent: IntentID = .none
    /// The transaction that was paid: itself, or what a restore stands for; none while unpaid.
    public internal(set) var original: TransactionID = .none
    /// Who must get the goods: the account of `charged`, or of a later restore if the terms say so.
    public internal(set) var owner: AccountID = .none
    /// The account of the store that paid. From `charged`.
    public internal(set) var storeAccount: StoreAccountID = .none
    /// What was bought. From `charged`.
    public internal(set) var product: ProductID = .none
    /// How many units were bought. From `charged`.
    public internal(set) var quantity: UInt32 = 0
    /// Whether the money was real. From `charged`.
    public internal(set) var environment: Environment = .production
    /// Whether the store took money for this very transaction; false for a restore.
    public internal(set) var isCharged = false
    /// Whether it waits for somebody to agree to it, or will never be charged.
    public internal(set) var isUnpaid = false
    /// Whether the store has said for good that it is to be treated as never made.
    public internal(set) var isVoided = false
    /// Whether it was bought in the store itself: nobody tapped for it in the app. From `charged`.
    public internal(set) var isBoughtOutside = false
    /// Credits of the charge, those given for its restores included.
    public internal(set) var credits: UInt32 = 0
    /// Who got the last of them.
    public internal(set) var creditedTo: AccountID = .none
    /// When the last of them came.
    var creditedAt: Int64 = 0
    /// Fault-free reports by the app after the backend refused it for good.
    public internal(set) var reportsAfterRefusal: UInt32 = 0
    /// How often the verifier refused it, but for what was lost with the process that was told.
    var refusalsKept: UInt32 = 0
    /// When the backend first refused it for good without a fault.
    public internal(set) var refusedAt: Instant = .never
    /// When the backend first answered that it, or a restore of it, is refused for good; -1 for never.
    var firstRefusedAt: Int64 = -1
    /// Fault-free running time of the store account's apps when it was charged or restored, in ms.
    public internal(set) var runningAtCharge: Int64 = 0
    /// Whether an app has it in hand: `delivered`, and not `withheld` since.
    public internal(set) var isDelivered = false
    /// Whose app has it in hand, or had it last.
    public internal(set) var deliveredOn: DeviceID = .none
    /// Whose tap it answered last although it was there already.
    public internal(set) var returnedTo: IntentID = .none
    /// Whether the app that paid for it was handed a purchase of the same product that was made elsewhere, on
    /// another device or in the store itself, and not yet this one.
    ///
    /// Nobody can know of such a charge. StoreKit 1 does not say which payment a transaction answers, so the
    /// app has got what it asked for; and the receipt may be stale. The store hands the charge over when the
    /// app is next launched, and its time begins then.
    public internal(set) var hasStandIn = false
    /// Whether evidence of it, or of a restore of it, ever reached the backend.
    public internal(set) var isReported = false
    /// Whether an app called finish.
    public internal(set) var isFinishing = false
    /// Whether the store took it out of the queue of unfinished transactions.
    public internal(set) var isFinished = false
    /// Whether a report of this very transaction has reached the backend and is not answered.
    var isReportOpen = false
    /// Who asked for it, where it is a restore.
    var restoredBy = AccountID.none
    /// How many restores of it are reported and not answered.
    var openRestores: UInt16 = 0
    /// Whether the backend wrote down whose purchase it is.
    public internal(set) var isAttributed = false
    /// Whether the backend can tell the owner from the store's data alone.
    public internal(set) var isTraceable = false
    /// The last thing the verifier said about this very transaction.
    public internal(set) var verified: Fact.Verdict = .none
    /// The last thing the backend answered about this very transaction.
    public internal(set) var answered: Fact.Verdict = .none
    /// Whether the verifier ever said anything to the backend about the charge, or about a restore of it.
    public internal(set) var wasAskedAbout = false
    /// Whether the verifier ever refused the charge, or a restore of it, for good.
    public internal(set) var wasRefusedByVerifier = false
    /// Whether it was credited while nobody could know that it was voided.
    var isCreditedUnaware = false
    /// Where its failure was last told, once the app had it in hand.
    var toldFailureIn: Life?
    /// Whether a retry record of it is kept on a device.
    public internal(set) var isRecorded = false
    /// How many thousandths of the money the store has given back.
    public internal(set) var refunded: UInt16 = 0
    /// The most that it ever were.
    public internal(set) var mostRefunded: UInt16 = 0
    /// How many thousandths of the goods the ledger has taken back.
    public internal(set) var takenBack: Int32 = 0
    /// How many it were before that changed last.
    var refundedBefore: UInt16 = 0
    /// Whether the store ever gave money back, and when that changed last.
    public internal(set) var wasRefunded = false
    var refundChangedAt: Int64 = 0
    /// Whether the store has stopped to tell the backend of that change.
    public internal(set) var isNewsLost = false
    /// Whether the ledger had it right, and has put what was so before in its place.
    public internal(set) var isOutdated = false
    /// Whether it is one of the standing charges of its intent.
    var isStanding = false
    /// The subscription that it pays for, by its place; `.max` for none.
    var subscription: UInt32 = .max

    /// Whether the backend has met it: in a report of its own, or as an entry of a receipt.
    public var isSeenByBackend: Bool { isReported || verified != .none || answered != .none }

    /// Whether it was bought in the store itself, and no app has had it in hand since: nobody but the store
    /// can know of it.
    var neverReachedAnApp: Bool { isBoughtOutside && !intent.isNone && deliveredOn.isNone }

    /// Whether money stands behind it: it is a charge, or the restore of one.
    public var isPaid: Bool { !original.isNone }

    /// Whether it is another transaction for an old charge.
    public var isRestore: Bool { isPaid && !isCharged }

    /// Whether it pays for a subscription.
    var isOfSubscription: Bool { subscription != .max }

    /// Whether it is a charge that is still to be credited. One whose refund was reversed is another rule's
    /// affair: its app may have finished it meanwhile.
    public var awaitsCredit: Bool {
      isCharged && !isVoided && credits == 0 && !(wasRefunded && (isRefunded || refunded == 0))
    }

    /// Whether it was voided, and whoever credits it could know.
    ///
    /// The store voids a charge when it is asked about it, and its answer may still be "busy": a backend
    /// that accepted the purchase before, and has only still to enter it, has been told nothing; nor has
    /// one whose process was told and ended before it could answer. One that never asked has only itself to
    /// blame.
    public var isKnownToBeVoided: Bool { isVoided && (refusalsKept > 0 || !wasAskedAbout) }

    /// Whether nobody need credit it any more: the store or the verifier has said so.
    public var isRefusedForGood: Bool { isVoided || wasRefunded || wasRefusedByVerifier }

    /// Whether it is a charge, and known to be another account's.
    public func belongsToOther(than account: AccountID) -> Bool {
      isCharged && !owner.isNone && owner != account
    }

    mutating func becomeCharged(_ fact: Fact, running: Int64, isOutside: Bool) {
      intent = fact.intent
      original = fact.transaction
      owner = fact.account
      storeAccount = fact.storeAccount
      product = fact.product
      quantity = fact.quantity
      environment = fact.environment
      isCharged = true
      isStanding = !intent.isNone
      isUnpaid = false
      runningAtCharge = running
      isBoughtOutside = isOutside
    }

    mutating func becomeCredited(_ fact: Fact) {
      credits += 1
      creditedTo = fact.account
      creditedAt = fact.at.millis
    }

    /// Whether it is worth nothing, delivered all the same, and still in the queue.
    var isPoison: Bool { isCharged && isVoided && isDelivered && !isFinished }
  }

  /// What is known about one thing a person wants.
  ///
  /// A copy of what stood in the books when they were asked.
  public struct Intent: Sendable, BitwiseCopyable {
    /// How often the store took money for it.
    public internal(set) var charges: UInt32 = 0
    /// Charges that were not voided.
    public internal(set) var standingCharges: UInt32 = 0
    /// The transaction that last answered a tap: charged, or returned without a charge.
    public internal(set) var transaction: TransactionID = .none
    /// Who tapped.
    public internal(set) var account: AccountID = .none
    /// Where the last tap was made.
    public internal(set) var device: DeviceID = .none
    /// What the last tap asked for.
    public internal(set) var product: ProductID = .none
    /// Told that nothing will be paid, and has not tapped since.
    public internal(set) var isToldFailure = false
    /// Whether anybody tapped for it in the app.
    public internal(set) var isTapped = false
    /// Told nothing yet since the tap.
    var awaitsAnswer = false
    /// Told more than "pending" since the tap.
    var isToldOutcome = false
    /// What was bought for it and handed to the app in the life of the tap, and when.
    var handed: TransactionID = .none
    var deliveredAt: Int64 = 0
    /// Into which life of the device's app the tap fell.
    var life = Life(device: .none, number: .max)
    /// What was tapped for before it in the same life.
    var wishBefore: IntentID = .none
    var tappedAt: Int64 = 0
    /// The longest wait that is over.
    var longestWait: Int64 = 0

    mutating func becomeTapped(_ fact: Fact, life: Life) {
      isTapped = true
      awaitsAnswer = true
      isToldOutcome = false
      isToldFailure = false
      handed = .none
      self.life = life
      tappedAt = fact.at.millis
      account = fact.account
      device = fact.device
      product = fact.product
    }

    mutating func becomeTold(_ message: Fact.Message) {
      awaitsAnswer = false
      if message == .success || message == .failure { isToldOutcome = true }
    }

    mutating func becomePostponed() {
      awaitsAnswer = false
      isToldOutcome = true
    }

    mutating func becomeCharged(_ transaction: TransactionID) {
      charges += 1
      standingCharges += 1
      self.transaction = transaction
    }
  }

  /// One life of the app on one device, from launch to end or until somebody else logs in; of no number where none was launched.
  struct Life: Equatable, Sendable, BitwiseCopyable {
    var device: DeviceID
    var number: UInt32
  }

  /// What is known about one device: the life its app is in, and what stands in its way.
  struct Device: Sendable, BitwiseCopyable {
    var life: UInt32 = .max
    var storeAccount: StoreAccountID = .none
    /// Who is logged in.
    var user: AccountID = .none
    /// Who was last noted as somebody who uses its store account.
    var noted: AccountID = .none
    var poison: UInt32 = 0
    /// How often the app asked for the password since something explained it.
    var prompts: UInt32 = 0
    /// What was tapped for last in this life.
    var lastWish: IntentID = .none
  }

  /// What is known about one account of the store: who uses it, and how long its apps ran.
  struct StoreAccount: Sendable, BitwiseCopyable {
    var runningApps: UInt32 = 0
    var runningSince: Int64 = 0
    var running: Int64 = 0
    /// The subscription that it began last; -1 for none.
    var firstSubscription: Int32 = -1
    /// A bit for each account of the app that was used with it.
    var users: UInt64 = 0
  }

  /// How a history is to be judged.
  public struct Terms: Sendable, Equatable {
    /// After this instant no fault strikes, so from then on the app's running time counts.
    public var heal: Instant
    /// The most fault-free milliseconds, with the app running, from charge to credit; nil: by the end.
    public var within: Int64?
    /// For how many fault-free milliseconds people in front of a running app wait for a word.
    public var patience: Int64 = 120_000
    /// For how many fault-free milliseconds what is on its way may still be under way.
    public var slack: Int64 = 30_000
    /// For how many milliseconds an app may wait for an answer that was lost; the time-out of a
    /// `URLRequest` is a minute. People who have been told "pending" leave it so much more time.
    public var timeOut: Int64 = 60_000
    /// For how many milliseconds an app that something has failed for may wait before it tries once more, and
    /// for longer before the next time.
    package var recovery: Int64 = 300_000
    /// Whether a restore by another account moves the ownership to that account.
    public var transfersOnRestore: Bool
    /// Whether there is a backend; where there is none, goods are on the devices and nobody has accounts.
    package var hasBackend = true
    /// By product, whether the store itself goes on saying who owns it, finished or not; empty where nobody says so.
    package var isKeptByStore: [Bool] = []
    /// By product, the level of a subscription in its group, 1 being the highest; 0 for what is none. Empty where
    /// none is.
    public var levels: [Int] = []

    /// Whether a product is a subscription.
    @inline(__always)
    func renews(_ product: ProductID) -> Bool { level(of: product) > 0 }

    @inline(__always)
    func level(of product: ProductID) -> Int {
      product.index < levels.count ? levels[product.index] : 0
    }

    /// Whether finishing a purchase of this product takes nothing away.
    func isKept(_ product: ProductID) -> Bool {
      !product.isNone && product.index < isKeptByStore.count && isKeptByStore[product.index]
    }

    /// Terms under which everything has until the end of the history, unless `within` says otherwise.
    public init(heal: Instant = .start, within: Int64? = nil, transfersOnRestore: Bool = false) {
      self.heal = heal
      self.within = within
      self.transfersOnRestore = transfersOnRestore
    }
  }
}

extension AccountID {
  /// Its place among 64, of which all from the 63rd on share the last.
  var bit: UInt64 { isNone ? 0 : 1 << UInt64(min(index, 63)) }
}
