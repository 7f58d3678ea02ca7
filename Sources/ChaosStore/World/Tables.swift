import Invariants

/// A request, the job it becomes, and its answer.
struct ExchangeID: Identifier, BitwiseCopyable {
  let raw: UInt32
  init(_ raw: UInt32) { self.raw = raw }
}

/// One of the backend's two processes.
struct ReplicaID: Identifier, BitwiseCopyable {
  let raw: UInt32
  init(_ raw: UInt32) { self.raw = raw }

  /// The other one.
  var other: ReplicaID { ReplicaID(raw ^ 1) }

  static let all = [ReplicaID(0), ReplicaID(1)]
}

/// A record in some app's local storage.
struct RecordID: Identifier, BitwiseCopyable {
  let raw: UInt32
  init(_ raw: UInt32) { self.raw = raw }
}

/// Something that the scenario says a person does.
struct StepID: Identifier, BitwiseCopyable {
  let raw: UInt32
  init(_ raw: UInt32) { self.raw = raw }
}

/// One payment: asked for, charged or failed, delivered, finished.
struct PurchaseRow: BitwiseCopyable {
  // In the order of their sizes where nothing speaks against it: a world can have millions of these.
  var key: UInt64
  /// Where its decisions are counted.
  var slot: UInt32
  var intent: IntentID
  var device: DeviceID
  var account: AccountID
  var storeAccount: StoreAccountID
  var product: ProductID
  var quantity: UInt32
  var flags: PurchaseFlags = []
  var token: Token
  var chargedMillis: Int64 = 0
  /// The store's clock of changes, for receipts: when it was charged, and when it was removed.
  var chargedAt: UInt32 = .max
  var removedAt: UInt32 = .max
  /// The charge a restore stands for; itself otherwise.
  var original: TransactionID
  /// The next purchase of the same store account.
  var next: TransactionID = .none
  /// The listener session that was handed it last, and the one that was handed its failed transaction last.
  var deliveredTo = ListenerSession.none
  var failedTo = ListenerSession.none
  /// The installation that will never be called back with it again.
  var swallowedOn: DeviceID = .none
  /// Whom it was credited to first.
  var creditedTo: AccountID = .none
  /// What it is a payment for, and until when it pays.
  var subscription = SubscriptionID.none
  /// The life of the app that is not called back with it, and that of the one that asked for it.
  var heldInLife: UInt16 = 0
  var askedInLife: UInt16 = 0
  var expiresMillis: Int64 = 0
  /// When the store took the charge back.
  var voidedMillis: Int64 = 0
  /// When a backend first wrote down that it was reported; -1 for not yet.
  var firstSeen: Int64 = -1
  var restores: UInt16 = 0
  /// How many thousandths of the money were given back, and how many of the goods a backend has taken back.
  var refunded: UInt16 = 0
  var takenBack: UInt16 = 0
  /// The life of the app in which the device cannot verify it, and which of the verification errors that is.
  var doubtedInLife: UInt16 = 0
  var doubt: UInt8 = 0
  /// What it was refused with; 0 where StoreKit has no name for it.
  var error: UInt8 = 0
  /// Which offer of the product was asked for, and once it is charged which it was charged with, from 1; 0 for none.
  var offer: UInt8 = 0
  var environment: Environment

  init(
    key: UInt64, slot: UInt32, intent: IntentID, device: DeviceID, account: AccountID,
    storeAccount: StoreAccountID, product: ProductID, quantity: UInt32, environment: Environment,
    token: Token, original: TransactionID
  ) {
    self.key = key
    self.slot = slot
    self.intent = intent
    self.device = device
    self.account = account
    self.storeAccount = storeAccount
    self.product = product
    self.quantity = quantity
    self.environment = environment
    self.token = token
    self.original = original
  }
}

/// The time from when a device began to listen until it ends.
struct ListenerSession: BitwiseCopyable, Equatable {
  var device: DeviceID
  var number: UInt32

  static let none = ListenerSession(device: .none, number: .max)
}

struct PurchaseFlags: OptionSet, BitwiseCopyable {
  let rawValue: UInt32
  static let charged = PurchaseFlags(rawValue: 1)
  static let failed = PurchaseFlags(rawValue: 2)
  static let removed = PurchaseFlags(rawValue: 4)
  static let restore = PurchaseFlags(rawValue: 8)
  static let voided = PurchaseFlags(rawValue: 16)
  static let tokenHidden = PurchaseFlags(rawValue: 32)
  /// Bought with StoreKit 2's purchase().
  static let storeKit2 = PurchaseFlags(rawValue: 64)
  /// Can be bought again, and nobody owns it.
  static let consumable = PurchaseFlags(rawValue: 256)
  /// In the ledger's table of credited transactions.
  static let recorded = PurchaseFlags(rawValue: 512)
  /// In the table of paid and unclaimed transactions.
  static let white = PurchaseFlags(rawValue: 1024)
  /// Credited at least once.
  static let credited = PurchaseFlags(rawValue: 2048)
  /// In a cache of handled requests.
  static let cached = PurchaseFlags(rawValue: 4096)
  /// The verifier has answered about it once.
  static let judged = PurchaseFlags(rawValue: 8192)
  /// StoreKit 1: its device's queue holds a failed transaction of it, which was not finished yet.
  static let failureInQueue = PurchaseFlags(rawValue: 16_384)
  /// Asked for without a network: it failed on the phone, and the store never heard of it.
  static let unsent = PurchaseFlags(rawValue: 32_768)
  /// Somebody else must agree to it first, and has not decided yet; or had to.
  static let deferred = PurchaseFlags(rawValue: 65_536)
  /// Nothing was charged: the person's device has invented it.
  static let forged = PurchaseFlags(rawValue: 131_072)
  /// The store has given all of the money back.
  static let refunded = PurchaseFlags(rawValue: 262_144)
  /// Another product of its group has taken its place.
  static let upgraded = PurchaseFlags(rawValue: 524_288)

  /// Charged in another storefront than the one whose price was shown.
  static let elsewhere = PurchaseFlags(rawValue: 1_048_576)

  /// The same, but the store goes on showing it when it is finished.
  static let nonRenewing = PurchaseFlags(rawValue: 2_097_152)

  /// Nobody paid for it: somebody of the family did.
  static let shared = PurchaseFlags(rawValue: 4_194_304)
  /// A further period of a subscription.
  static let renewal = PurchaseFlags(rawValue: 8_388_608)

  /// Somebody has asked for the money back.
  static let refundAsked = PurchaseFlags(rawValue: 16_777_216)

  /// Whether the store shows it no more.
  var isUsedUp: Bool {
    isSuperset(of: .consumable.union(.removed)) && isDisjoint(with: .nonRenewing)
  }

  /// A charge for good, and not taken back.
  var isOwned: Bool {
    contains(.charged)
      && isDisjoint(with: .consumable.union(.voided).union(.restore).union(.refunded))
  }

  // A union is a constant, where the compiler makes an array of a literal that it may or may not see through.
  var isUnfinished: Bool { isDisjoint(with: .removed.union(.failed)) && contains(.charged) }
}

/// Something a person wants once.
struct IntentRow: BitwiseCopyable {
  var key: UInt64
  var slot: UInt32
  var device: DeviceID
  var account: AccountID
  var product: ProductID
  var quantity: UInt32
  var payments: UInt32 = 0
  var again: UInt32 = 0
  var retaps: UInt32 = 0
  /// The event in which the person's balance first had the goods; `.max` for never.
  var creditedAt: UInt32 = .max
  /// The person was told that the goods are there.
  var isServed = false
  /// Whether the person has tapped for it.
  var isTapped = false
  /// Tapped for, and nothing was asked of the store since.
  var awaitsPayment = false
  /// Tapped for, and the person was told nothing since.
  var awaitsAnswer = false
  /// The person was told that it failed and means to try once more, and has not tapped since.
  var isToTryAgain = false
  /// What an app bought where it cannot be told for which of several wishes: it may be anybody's on
  /// this device, and facts name no wish and no owner.
  var isOpen = false
  /// Whether the backend holds its order for delivered.
  var isOrderDone = false
  /// The person has tapped once more while a payment for it was under way.
  var isTappedTwice = false
  /// What was tapped before had its answer when the person tapped once more.
  var wasAnswered = false
  /// The person has cancelled a second payment sheet, and was not told of that yet.
  var hasCancelledSheet = false
  /// The person has confirmed a second payment sheet, and was not told of a failure since.
  var hasConfirmedSheet = false
  /// The person has given it up, so that no failure makes them try once more.
  var isGivenUp = false
  /// Which offer of the product is wanted, from 1; 0 for none.
  var offer: UInt8 = 0
}

/// An installation of the app on a device, and the process if it runs.
struct DeviceRow: BitwiseCopyable {
  var storeAccount: StoreAccountID
  /// The next phone of the same store account.
  var nextOfAccount: DeviceID = .none
  var account: AccountID
  var home: AccountID
  var environment: Environment
  var isRunning = false
  var isObserving = false
  var hasObservedInLife = false
  var isOffline = false
  /// A charge was made while the phone was offline: its receipt is written when it is back.
  var isReceiptDue = false
  var hasReceipt = false
  var life: UInt16 = 0
  /// Counts the listener sessions.
  var session: UInt32 = 0
  var receiptAsOf: UInt32 = 0
  /// How many there have been; what their creation dates are told apart by.
  var receiptsWritten: UInt32 = 0
  var receiptAccount = StoreAccountID(0)
  /// What had been charged when the phone was last cut off from the network, and when it is back.
  var offlineAsOf: UInt32 = 0
  var onlineAt: Int64 = 0
  /// When whoever uses the app closes it, where it is not left open.
  var sittingEnds: Int64 = -1
  /// How many of those have followed one another.
  var sittings: UInt8 = 0
  /// When a launch is scheduled for; -1 for none.
  var launchAt: Int64 = -1
  /// What its app wants to hear of, and what somebody wants that it has not followed yet.
  var follows: StoreNews.Kinds = []
  var heldWish = IntentID.none
  var firstRecord: RecordID = .none
  var isFlushing = false
  /// When the app, which is in the background, is back.
  var foregroundAt: Int64 = 0
  /// Who looked at the app's balance last, and in which event: it opened, or somebody logged in.
  var lookedBy: AccountID = .none
  var lookedAt: UInt32 = 0
  /// When the app last removed its observer; -1 if that process is over.
  var detachedAt: Int64 = -1
  /// How often the code that attaches the listener has run beside the first time.
  var extraHandlers: UInt8 = 0
  /// By how many minutes the phone's clock is fast in this life of the app.
  var clockMinutes: Int32 = 0
  /// A plan leaves it out: its app is never started.
  var isOmitted = false
}

/// A store account: its purchases, newest first.
struct StoreAccountRow: BitwiseCopyable {
  var first: TransactionID = .none
  /// The first phone of it.
  var firstDevice: DeviceID = .none
  /// Whether it was in a family and is in none any more.
  var hasLeftFamily = false
}

/// One request, the job it becomes, and its answer.
struct ExchangeRow: BitwiseCopyable {
  /// Who sent it, and what about.
  struct Route: BitwiseCopyable {
    var about: TransactionID
    var device: DeviceID
    var life: UInt16
    var sender = Sender.app

    var isFromAttacker: Bool { sender == .attacker }
  }

  enum Sender: UInt8, BitwiseCopyable {
    case app, attacker
    /// Apple, which tells the backend what has happened.
    case store
    /// Nobody: what a process of the backend does of its own accord.
    case server1, server2
  }

  var route: Route
  var session: AccountID
  var product: ProductID
  var tag: UInt32
  /// What the app sent along, and what the backend answered.
  var payload: UInt32
  var answer: UInt32 = 0
  var status: Int32 = 0
  var token: Token
  var evidence: Evidence
  var purpose: Report.Purpose
  private var marks: Marks
  var replica = ReplicaID(0)
  var jobStep: UInt8 = 0
  /// For how many answers of Apple, of the database and of clocks the work waits, and who holds it: no
  /// other request gets the row until there are none.
  var waits: UInt16 = 0
  var outcome: Reply.Outcome = .serverError
  /// Counts the requests that this row has held.
  var generation: UInt16 = 0
  var serverLife: UInt16 = 0
  var nextFree: ExchangeID = .none

  @inline(__always)
  init(
    route: Route, session: AccountID, product: ProductID, tag: UInt32, payload: UInt32,
    token: Token, evidence: Evidence, purpose: Report.Purpose, claimsTransaction: Bool
  ) {
    self.route = route
    self.session = session
    self.product = product
    self.tag = tag
    self.payload = payload
    self.token = token
    self.evidence = evidence
    self.purpose = purpose
    marks = claimsTransaction ? .claimsTransaction : []
  }
}

extension ExchangeRow {
  private struct Marks: OptionSet, BitwiseCopyable {
    let rawValue: UInt8
    static let claimsTransaction = Marks(rawValue: 1)
    static let committed = Marks(rawValue: 2)
    static let refused = Marks(rawValue: 4)
    static let closed = Marks(rawValue: 8)
    static let work = Marks(rawValue: 16)
    static let dropped = Marks(rawValue: 32)
    static let job = Marks(rawValue: 64)
  }

  /// Whether the sender named the transaction.
  var claimsTransaction: Bool {
    get { marks.contains(.claimsTransaction) }
    set { marks.set(.claimsTransaction, newValue) }
  }
  var hasCommitted: Bool {
    get { marks.contains(.committed) }
    set { marks.set(.committed, newValue) }
  }
  /// Whether the verifier has refused the charge, as it was voided.
  var wasRefused: Bool {
    get { marks.contains(.refused) }
    set { marks.set(.refused, newValue) }
  }
  /// Answered, dropped, or never to be answered.
  var isClosed: Bool {
    get { marks.contains(.closed) }
    set { marks.set(.closed, newValue) }
  }
  /// The answer, if there was one, has a row of its own; this one is work that goes on.
  var isWork: Bool {
    get { marks.contains(.work) }
    set { marks.set(.work, newValue) }
  }
  /// The backend has ended its work.
  var isDropped: Bool {
    get { marks.contains(.dropped) }
    set { marks.set(.dropped, newValue) }
  }
  /// It is work at a job of a queue, of which the job's step is kept.
  var isJob: Bool {
    get { marks.contains(.job) }
    set { marks.set(.job, newValue) }
  }
}

/// A process of the backend.
struct ServerRow: BitwiseCopyable {
  var isRunning = true
  var life: UInt16 = 1
}

/// A record in an app's local storage: what the app sees, and what the disk holds.
struct RecordRow: BitwiseCopyable {
  var device: DeviceID
  var key: UInt64
  var record: StoredRecord
  var isLive = true
  var isDurable = false
  var isInBackup = false
  var neverReachesDisk = false
  var next: RecordID
}
