/// What one event did to money or goods, or what somebody was told about them.
///
/// A fact is plain data without references. Fields a kind does not use are `none` or zero, and each
/// kind says which it uses. Make one, fill them in, and hand it to a ``Judge``:
///
///     var fact = Fact(.credited, at: Instant(millis: 1_200))
///     fact.transaction = TransactionID(0)
///     fact.account = AccountID(0)
///     fact.quantity = 1
public struct Fact: Equatable, Sendable, BitwiseCopyable {
  /// What happened. Its raw value is part of every trace hash, so new kinds go to the end.
  public enum Kind: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// A person asked for a purchase: `intent`, `account`, `device`, `product`, `quantity`.
    case tapped
    /// The store took money: `transaction`, `intent` (one nobody tapped for, or none, where it was
    /// bought in the store itself), `account` (who bought), `storeAccount`, `device`, `product`,
    /// `quantity`, `environment`. Intent and account are none where an app bought for one of several
    /// taps and nobody can tell for which. `original` where a subscription begins again: the charge with which
    /// it began first. `amount`: the offer.
    case charged
    /// The store made a new transaction for an old charge, without money: `transaction` is the
    /// new one, `original` the charge, `account` who asked, `device`.
    case restored
    /// A purchase was answered with an unfinished transaction, without money: `intent` (as in
    /// `charged`), `transaction`, `device`.
    case returned
    /// The store says for good that this charge is to be treated as never made: `transaction`.
    case voided
    /// The store handed a transaction to a running app: `transaction`, `device`.
    case delivered
    /// The store will not hand a transaction to this installation again: `transaction`, `device`.
    case withheld
    /// Evidence that the app sent reached its backend: `transaction` (none for a whole receipt),
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
    /// charge), `account`, `product`, `quantity`, `environment` (the ledger's); `device` where an app
    /// without a backend hands it out there.
    case credited
    /// The app called finish: `transaction`, `device`.
    case finishing
    /// The store removed the transaction from the unfinished: `transaction`.
    case finished
    /// A person was told something: `intent`, `transaction` (may be none), `message`, `device`;
    /// `product` in place of an intent where it may be about any tap for it on the device.
    case told
    /// The app kept a record for a later retry, durably: `transaction`, `device`.
    case saved
    /// The app removed that record itself: `transaction`, `device`.
    case erased
    /// That record is gone although the app did not remove it: `transaction`, `device`.
    case recordLost
    /// An app process began to run: `device`, `storeAccount`, `account` (who is logged in).
    case launched
    /// An app process ended: `device`, `storeAccount`.
    case ended
    /// Somebody else is logged in on a device from now on: `device`, `account`.
    case loggedIn
    /// A device asked for the password of its store account: `device`, `account` (who had tapped
    /// "restore" for it; none where the app asks of its own accord), `verdict` (refused where it was
    /// not given).
    case asked
    /// Goods that an app had handed out on a device are gone before they had reached its disk: the
    /// credit is taken back. `transaction`, `device`, `quantity`, `environment`.
    case goodsLost
    /// A payment waits until somebody else agrees to it, and who tapped knows that: `transaction`, `intent`,
    /// `device`, `product`.
    case deferred
    /// A payment will never be charged, and who tapped knows that: they cancelled it, it was declined, or
    /// they never meant to pay. `intent`, `device`, `product`; `transaction`, where it was a payment.
    case declined
    /// A process of the backend ended with a report that it had not answered and about which the verifier
    /// had refused: what it was told is lost with it. `transaction`.
    case forgotten
    /// The store took money for another period of a subscription: `transaction`, `original` (the charge with
    /// which it began), `account` (who began it), `storeAccount`, `product`, `quantity`, `environment`, `amount`: the
    /// offer.
    case renewed
    /// What was paid for of a subscription is over, and so is any grace: `transaction` (its last charge),
    /// `original` (its first).
    case expired
    /// The store gave money of a charge back, instead of what it had given back before: `transaction`;
    /// `original`, the first charge of a subscription; `amount`, how much of it altogether.
    case refunded
    /// Whoever serves the app lets an account use a subscription until then, and no longer, instead of what was
    /// said before: `transaction` (a charge of it), `account`, `product`, `quantity`, `environment`,
    /// `amount`.
    case granted
    /// The ledger durably took back goods that it had credited: `transaction`, `account`, `product`,
    /// `quantity`, `environment`, `amount`: which part of them, beside what was taken back before.
    case reversed
    /// The ledger durably gave goods again that it had taken back: the same, with `amount`.
    case regranted
    /// The store will not send a notification about a charge again, and none arrived: `transaction`, `amount` (1
    /// where it told of money given back or taken again).
    case givenUp
  }

  /// What a verifier or a backend concluded. Three values: an outage is not a refusal.
  public enum Verdict: UInt8, Sendable, BitwiseCopyable {
    /// Nothing was concluded, or the kind of fact has no verdict.
    case none
    /// The purchase is good.
    case accepted
    /// The purchase is not good, and never will be.
    case refused
    /// It could not be found out; it may be asked again.
    case inconclusive
  }

  /// What a person reads on the screen.
  public enum Message: UInt8, Sendable, BitwiseCopyable {
    /// Nothing, or the kind of fact has no message.
    case none
    /// The goods are there.
    case success
    /// Nothing was bought and nothing will be paid.
    case failure
    /// It is not known yet; what was paid for will come.
    case pending
  }

  /// When it happened. In a history no fact is earlier than the one before it.
  public var at: Instant
  /// What happened.
  public var kind: Kind
  /// Where the money is real, or the ledger's units are.
  public var environment: Environment = .production
  /// What the verifier or the backend concluded.
  public var verdict: Verdict = .none
  /// What the person was told.
  public var message: Message = .none
  /// What the person wants.
  public var intent: IntentID = .none
  /// The transaction that it is about.
  public var transaction: TransactionID = .none
  /// The charge that a restored transaction stands for.
  public var original: TransactionID = .none
  /// The account of the app: who tapped, asked, or was credited.
  public var account: AccountID = .none
  /// The account of the store: who pays.
  public var storeAccount: StoreAccountID = .none
  /// The device on which it happened.
  public var device: DeviceID = .none
  /// What is bought or credited.
  public var product: ProductID = .none
  /// How many units are bought or credited.
  public var quantity: UInt32 = 0
  /// A number whose meaning depends on the kind; 0 for any other kind than these.
  ///
  /// - `charged`, `renewed`: the offer behind the charge. 0 is the full price, 1 an introductory offer, 2 a
  ///   promotional offer, 3 an offer code, 4 a win-back offer. 5 is a share of a purchase that a family member
  ///   paid for. No invariant reads it.
  /// - `granted`: the end of the access, in whole seconds since the history began, rounded up. 0 is no access.
  /// - `refunded`: how much of the charge the store has given back in total, in thousandths. 1000 is all of it,
  ///   0 a refund that was reversed.
  /// - `reversed`, `regranted`: the part of the goods that this fact takes or gives, in thousandths.
  /// - `givenUp`: 1 if the lost notification told of a refund or of its reversal, 0 if it told of anything else.
  public var amount: UInt32 = 0

  /// A fact of this kind with every other field none, zero or production.
  @inlinable public init(_ kind: Kind, at: Instant) {
    self.kind = kind
    self.at = at
  }
}
