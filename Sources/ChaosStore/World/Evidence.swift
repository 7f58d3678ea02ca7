import Invariants

/// Whose purchase the store is told it is, as far as it is told.
///
/// Apple: appAccountToken and applicationUsername. Only a UUID reaches the store's servers.
public struct Token: BitwiseCopyable, Equatable, Sendable {
  enum Kind: UInt8 { case none, account, order, username }
  var kind: Kind
  var value: UInt32

  /// Nothing was said: nobody knows whose purchase it is.
  public static let none = Token(kind: .none, value: .max)
  /// The UUID of an account.
  public static func account(_ account: AccountID) -> Token {
    Token(kind: .account, value: account.raw)
  }
  /// An account's plain name, which is no UUID and is not kept by the store.
  public static func username(_ account: AccountID) -> Token {
    Token(kind: .username, value: account.raw)
  }
  /// The UUID of the order that the backend opened for an intent; a retry has the same one.
  static func order(_ intent: IntentID) -> Token { Token(kind: .order, value: intent.raw) }
  /// The UUID of an order, by the number that ``orderNumber`` gave.
  public static func order(number: UInt32) -> Token { Token(kind: .order, value: number) }

  /// The account whose UUID it is, from 0; nil if it is something else.
  public var accountNumber: UInt32? { kind == .account ? value : nil }
  /// The account whose plain name it is, from 0; nil if it is something else.
  public var usernameNumber: UInt32? { kind == .username ? value : nil }
  /// The order whose UUID it is; nil if it is something else.
  public var orderNumber: UInt32? { kind == .order ? value : nil }

  /// Whether nothing was said.
  public var isNone: Bool { kind == .none }
  /// Whether the store's servers keep it.
  public var isUUID: Bool { @inline(__always) get { kind == .account || kind == .order } }
}

/// What proves a purchase: a receipt file, a signed transaction, or an answer of Apple's that the app has.
public struct Evidence: BitwiseCopyable, Equatable, Sendable {
  enum Kind: UInt8 {
    case none, receipt, transaction, verdict
  }
  var storeAccount = StoreAccountID(0)
  /// A receipt is what the file said when it was written.
  var asOf: UInt32 = 0
  /// Which of the receipts of its phone it is, from 1: what the creation date tells.
  var edition: UInt32 = 0
  var transaction: TransactionID = .none
  var kind: Kind = .none
  var environment: Environment = .production
  /// Shown by another device than the one for which the store made it.
  var isCopied = false
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

  /// Whether it is a receipt that was made later than another one of this phone, or there was no other.
  ///
  /// Apple: a receipt says when it was created (field 12, `receipt_creation_date`), by the store's clock.
  public func isNewer(than other: Evidence) -> Bool {
    isReceipt && (!other.isReceipt || edition > other.edition)
  }
}
