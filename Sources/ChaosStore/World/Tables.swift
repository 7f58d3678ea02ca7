import Invariants

/// Whose purchase the store is told it is, as far as it is told.
///
/// Apple: appAccountToken and applicationUsername. Only a UUID reaches the store's servers.
public struct Token: BitwiseCopyable, Equatable, Sendable {
  enum Kind: UInt8 { case none, account, order, username }
  var kind: Kind
  var value: UInt32

  public static let none = Token(kind: .none, value: .max)
  /// The UUID of an account.
  public static func account(_ account: AccountID) -> Token {
    Token(kind: .account, value: account.raw)
  }
  /// An account's plain name, which is no UUID and is not kept by the store.
  public static func username(_ account: AccountID) -> Token {
    Token(kind: .username, value: account.raw)
  }
  /// The UUID of the order that the backend opened for a wish; a retry has the same one.
  static func order(_ intent: IntentID) -> Token { Token(kind: .order, value: intent.raw) }
  /// The UUID of an order, by the number that ``orderNumber`` gave.
  public static func order(number: UInt32) -> Token { Token(kind: .order, value: number) }

  /// The account whose UUID it is, from 0; nil if it is something else.
  public var accountNumber: UInt32? { kind == .account ? value : nil }
  /// The account whose plain name it is, from 0; nil if it is something else.
  public var usernameNumber: UInt32? { kind == .username ? value : nil }
  /// The order whose UUID it is; nil if it is something else.
  public var orderNumber: UInt32? { kind == .order ? value : nil }

  public var isNone: Bool { kind == .none }
  /// Whether the store's servers keep it.
  public var isUUID: Bool { kind == .account || kind == .order }
}

/// One payment: asked for, charged or failed, delivered, finished.
struct PurchaseRow: BitwiseCopyable {
  var key: UInt64
  /// Where its decisions are counted.
  var slot: UInt32
  var intent: UInt32
  var device: UInt32
  var account: UInt32
  var storeAccount: UInt32
  var product: UInt32
  var quantity: UInt32
  var environment: Environment
  var token: Token
  var flags: PurchaseFlags = []
  var chargedMillis: Int64 = 0
  /// The store's clock of changes, for receipts: when it was charged, and when it was removed.
  var chargedAt: UInt32 = .max
  var removedAt: UInt32 = .max
  /// The charge a restore stands for; itself otherwise.
  var original: UInt32
  /// The next purchase of the same store account.
  var next: UInt32 = .max
  /// The listener session that was handed it last: device and session.
  var deliveredTo: UInt64 = .max
  /// The installation that will never be called back with it again.
  var swallowedOn: UInt32 = .max
  /// The life of the app that is not called back with it.
  var heldInLife: UInt16 = 0
  var restores: UInt16 = 0
  /// Whom it was credited to first.
  var creditedTo: UInt32 = .max
  /// The life of the app that asked for it.
  var askedInLife: UInt16 = 0
}

struct PurchaseFlags: OptionSet, BitwiseCopyable {
  let rawValue: UInt32
  static let charged = PurchaseFlags(rawValue: 1)
  static let failed = PurchaseFlags(rawValue: 2)
  /// Bought in the App Store itself; nothing says for which account of the app.
  static let outside = PurchaseFlags(rawValue: 128)
  static let removed = PurchaseFlags(rawValue: 4)
  static let restore = PurchaseFlags(rawValue: 8)
  static let voided = PurchaseFlags(rawValue: 16)
  static let tokenHidden = PurchaseFlags(rawValue: 32)
  /// Bought with StoreKit 2's purchase().
  static let storeKit2 = PurchaseFlags(rawValue: 64)
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

  var isUnfinished: Bool { isDisjoint(with: [.removed, .failed]) && contains(.charged) }
}

/// Something a person wants once.
struct IntentRow: BitwiseCopyable {
  var key: UInt64
  var slot: UInt32
  var device: UInt32
  var account: UInt32
  var product: UInt32
  var quantity: UInt32
  var payments: UInt32 = 0
  var again: UInt32 = 0
  var retaps: UInt32 = 0
  /// The person has the goods, or was told so.
  var isServed = false
  /// Whether the backend holds its order for delivered.
  var isOrderDone = false
}

/// An installation of the app on a device, and the process if it runs.
struct DeviceRow: BitwiseCopyable {
  var storeAccount: UInt32
  var account: UInt32
  var home: UInt32
  var environment: Environment
  var isRunning = false
  var isObserving = false
  var hasObservedInLife = false
  var isOffline = false
  var hasReceipt = false
  var life: UInt16 = 0
  /// Counts the listener sessions.
  var session: UInt32 = 0
  var receiptAsOf: UInt32 = 0
  var receiptAccount: UInt32 = 0
  /// When a launch is scheduled for; -1 for none.
  var launchAt: Int64 = -1
  var firstRecord: UInt32 = .max
  var isFlushing = false
  /// A plan leaves it out: its app is never started.
  var isOmitted = false
}

/// A store account: its purchases, newest first.
struct StoreAccountRow: BitwiseCopyable {
  var first: UInt32 = .max
}

/// What proves a purchase.
public struct Evidence: BitwiseCopyable, Equatable, Sendable {
  enum Kind: UInt8 {
    case none, receipt, transaction, verdict
  }
  var storeAccount: UInt32 = 0
  /// A receipt is what the file said when it was written.
  var asOf: UInt32 = 0
  var transaction: UInt32 = .max
  var kind: Kind = .none
  var environment: Environment = .production
  /// Never signed by the store.
  var isForged = false
  /// Of another app.
  var isForeign = false
  /// Of a purchase that this world does not hold: another app's, or an attacker's in the sandbox.
  var isOutside = false

  /// No evidence.
  public init() {}

  /// Whether it is a whole receipt file.
  public var isReceipt: Bool { kind == .receipt }

  /// Whether there is anything to send.
  public var isNone: Bool { kind == .none }
}

/// One request, the job it becomes, and its answer.
struct ExchangeRow: BitwiseCopyable {
  /// Who sent it, and what about.
  struct Route: BitwiseCopyable {
    var about: UInt32
    var device: UInt32
    var life: UInt16
    var isFromAttacker = false
  }

  var route: Route
  var session: UInt32
  var product: UInt32
  var tag: UInt32
  /// What the app sent along, and what the backend answered.
  var payload: UInt32
  var answer: UInt32 = 0
  var status: Int32 = 0
  var token: Token
  var evidence: Evidence
  var purpose: Report.Purpose
  /// Whether the sender named the transaction.
  var claimsTransaction: Bool
  var replica: UInt8 = 0
  var hasCommitted = false
  /// Answered or dropped; the backend has no more say.
  var isClosed = false
  var outcome: Reply.Outcome = .serverError
  /// Counts the requests that this row has held.
  var generation: UInt16 = 0
  var serverLife: UInt16 = 0
  var nextFree: UInt32 = .max
}

/// A process of the backend.
struct ServerRow: BitwiseCopyable {
  var isRunning = true
  var life: UInt16 = 1
}

/// A record in an app's local storage: what the app sees, and what the disk holds.
struct RecordRow: BitwiseCopyable {
  var device: UInt32
  var key: UInt64
  var record: StoredRecord
  var isLive = true
  var isDurable = false
  var isInBackup = false
  var neverReachesDisk = false
  var next: UInt32
}
