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
