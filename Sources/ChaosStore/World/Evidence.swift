import Invariants

/// Whose purchase the store is told it is, as far as it is told.
///
/// Apple: appAccountToken and applicationUsername. Only a UUID reaches the store's servers.
public struct Token: BitwiseCopyable, Equatable, Sendable {
  enum Kind: UInt8 { case none, account, order, username }
  private var halves: Halves

  private init(kind: Kind, value: UInt32) {
    halves = Halves(low: value, high: UInt32(kind.rawValue))
  }

  var kind: Kind {
    // Made of a kind and of nothing else.
    @inline(__always) get { unsafeBitCast(UInt8(truncatingIfNeeded: halves.high), to: Kind.self) }
  }
  var value: UInt32 {
    @inline(__always) get { halves.low }
    set { halves.low = newValue }
  }

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
  // In three words, as each field of its own would be taken apart and put together at every call.
  private var receipt = Halves(low: 0, high: 0)
  private var purchase = Halves(low: TransactionID.none.raw, high: 0)
  private var marks: Marks = []

  private struct Marks: OptionSet, BitwiseCopyable {
    let rawValue: UInt8
    /// The kind, as a number.
    static let kind = Marks(rawValue: 3)
    static let sandbox = Marks(rawValue: 4)
    static let copied = Marks(rawValue: 8)
    static let forged = Marks(rawValue: 16)
    static let foreign = Marks(rawValue: 32)
    static let outside = Marks(rawValue: 64)
  }

  var storeAccount: StoreAccountID {
    @inline(__always) get { StoreAccountID(receipt.low) }
    set { receipt.low = newValue.raw }
  }
  /// A receipt is what the file said when it was written.
  var asOf: UInt32 {
    @inline(__always) get { receipt.high }
    set { receipt.high = newValue }
  }
  /// Which of the receipts of its phone it is, from 1: what the creation date tells.
  var edition: UInt32 {
    @inline(__always) get { purchase.high }
    set { purchase.high = newValue }
  }
  var transaction: TransactionID {
    @inline(__always) get { TransactionID(purchase.low) }
    set { purchase.low = newValue.raw }
  }
  var kind: Kind {
    // There are as many kinds as two bits have values.
    @inline(__always) get { unsafeBitCast(marks.intersection(.kind).rawValue, to: Kind.self) }
    set {
      marks = marks.subtracting(.kind).union(Marks(rawValue: newValue.rawValue))
    }
  }
  var environment: Environment {
    @inline(__always) get { marks.contains(.sandbox) ? .sandbox : .production }
    set { marks.set(.sandbox, newValue == .sandbox) }
  }
  /// Shown by another device than the one for which the store made it.
  var isCopied: Bool {
    @inline(__always) get { marks.contains(.copied) }
    set { marks.set(.copied, newValue) }
  }
  /// Never signed by the store.
  var isForged: Bool {
    @inline(__always) get { marks.contains(.forged) }
    set { marks.set(.forged, newValue) }
  }
  /// Of another app.
  var isForeign: Bool {
    @inline(__always) get { marks.contains(.foreign) }
    set { marks.set(.foreign, newValue) }
  }
  /// Of a purchase that this world does not hold: another app's, or an attacker's in the sandbox.
  var isOutside: Bool {
    @inline(__always) get { marks.contains(.outside) }
    set { marks.set(.outside, newValue) }
  }

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
