import Invariants

extension Server {
  /// Whether any product of the app is a subscription.
  public var sellsSubscriptions: Bool { world.sellsSubscriptions }

  /// What Apple says of the subscription that was asked about; nil where it was asked something else, or
  /// the answer is not valid.
  public func subscription(in answer: VerifierAnswer) -> SubscriptionStatus? {
    guard answer.question.kind == .subscriptions else { return nil }
    guard answer.status == 0, !answer.evidence.isOutside else { return nil }
    return world.status(ofSubscription: answer.evidence.transaction)
  }

  /// Until when a payment for a subscription lasts, in milliseconds since the history began; nil for what is
  /// none. Apple: expiresDate.
  public func expiresMillis(of purchase: VerifiedPurchase) -> Int64? {
    guard purchase.isSubscription, world.purchases.holds(purchase.transaction) else { return nil }
    return world.purchases[key(of: purchase)].expiresMillis
  }

  /// The transaction with which the subscription began that a payment is for; of anything else the one that was
  /// paid for. Apple: originalTransactionId.
  public func originalTransaction(of purchase: VerifiedPurchase) -> TransactionID {
    guard world.purchases.holds(purchase.transaction) else { return .none }
    return world.ledgerKey(of: key(of: purchase))
  }

  /// Enters until when an account may use a subscription, in one commit: instead of what was there before.
  ///
  /// `until` is in milliseconds since the history began, and in the past where the account may not use it any
  /// more. The charge with which it begins is credited by that, once, and so are those with which it had
  /// begun before.
  @discardableResult
  public func entitle(
    _ purchase: VerifiedPurchase, to account: AccountID, until: Int64
  ) -> Commit {
    enters(purchase) { original in
      let isNew = world.creditCharges(ofSubscription: original, to: account)
      world.grant(purchase, to: account, until: until)
      return (isNew: isNew, isChanged: true)
    }
  }
}
