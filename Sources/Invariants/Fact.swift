/// What one event did to money or goods, or what somebody was told about them.
///
/// A fact is plain data without references. Fields a kind does not use are `none` or zero.
public struct Fact: Equatable, Sendable, BitwiseCopyable {
  /// New kinds go to the end: trace hashes have their numbers in them.
  public enum Kind: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// A person asked for a purchase: `intent`, `account`, `device`, `product`, `quantity`.
    case tapped
    /// The store took money: `transaction`, `intent`, `account` (who tapped), `storeAccount`,
    /// `device`, `product`, `quantity`, `environment`.
    case charged
    /// The store made a new transaction for an old charge, without money: `transaction` is the
    /// new one, `original` the charge, `account` who asked, `device`.
    case restored
    /// A purchase was answered with an unfinished transaction, without money: `intent`,
    /// `transaction`, `device`.
    case returned
    /// The store says for good that this charge is to be treated as never made: `transaction`.
    case voided
    /// The store handed a transaction to a running app: `transaction`, `device`.
    case delivered
    /// The store will not hand a transaction to this installation again: `transaction`, `device`.
    case withheld
    /// The app sent evidence to its backend: `transaction` (none for a whole receipt),
    /// `account` (the session), `device`.
    case reported
    /// The verifier answered the backend about `transaction`: `verdict`.
    case verified
    /// The backend answered a report about `transaction`: `verdict`.
    case answered
    /// The backend wrote down whose purchase it is: `transaction`, `account`.
    case attributed
    /// The backend can tell the owner from the store's data alone: `transaction`, `account`.
    case traceable
    /// The ledger holds a credit durably: `transaction` (none where the evidence proves no
    /// charge), `account`, `product`, `quantity`, `environment` (the ledger's).
    case credited
    /// The app called finish: `transaction`, `device`.
    case finishing
    /// The store removed the transaction from the unfinished: `transaction`.
    case finished
    /// A person was told something: `intent`, `transaction` (may be none), `message`, `device`.
    case told
    /// The app kept a record for a later retry, durably: `transaction`, `device`.
    case saved
    /// The app removed that record itself: `transaction`, `device`.
    case erased
    /// That record is gone although the app did not remove it: `transaction`, `device`.
    case recordLost
    /// An app process began to run: `device`, `storeAccount`.
    case launched
    /// An app process ended: `device`, `storeAccount`.
    case ended
  }

  /// What a verifier or a backend concluded. Three values: an outage is not a refusal.
  public enum Verdict: UInt8, Sendable, BitwiseCopyable {
    case none, accepted, refused, inconclusive
  }

  /// What a person reads on the screen.
  public enum Message: UInt8, Sendable, BitwiseCopyable {
    case none
    /// The goods are there.
    case success
    /// Nothing was bought and nothing will be paid.
    case failure
    /// It is not known yet; what was paid for will come.
    case pending
  }

  public var at: Instant
  public var kind: Kind
  public var environment: Environment = .production
  public var verdict: Verdict = .none
  public var message: Message = .none
  public var intent: IntentID = .none
  public var transaction: TransactionID = .none
  public var original: TransactionID = .none
  public var account: AccountID = .none
  public var storeAccount: StoreAccountID = .none
  public var device: DeviceID = .none
  public var product: ProductID = .none
  public var quantity: UInt32 = 0

  @inlinable public init(_ kind: Kind, at: Instant) {
    self.kind = kind
    self.at = at
  }
}
