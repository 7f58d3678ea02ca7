import Invariants

/// What a backend does about money that the store has given back, and about notifications that never came.
extension Server {
  /// Whether Apple sends this backend notifications: a server URL is set in App Store Connect.
  public var receivesNotifications: Bool { world.isWholeStore }

  /// Notifications to which no success was answered, of those that were sent since then, in milliseconds since
  /// the history began; in the order in which they were signed.
  ///
  /// Nothing where the answer is none to ``VerifierQuestion/notificationHistory``, or not valid. Apple: Get
  /// Notification History goes back 180 days, in the sandbox 30.
  public func undelivered(
    in answer: VerifierAnswer, since millis: Int64
  ) -> [StoreNotification] {
    guard answer.question.kind == .notificationHistory, answer.status == 0 else { return [] }
    let environment = answer.question.environment
    let days: Int64 = environment == .production ? 180 : 30
    return world.undelivered(environment, since: max(millis, now - days * 86_400_000))
  }

  /// Leaves an account with as much of a purchase as Apple says was paid for in the end, in one commit: credits
  /// it where it was not, takes back what was refunded, gives again what no longer is.
  ///
  /// Asking again changes nothing until Apple says something else, whatever was lost or came twice before.
  @discardableResult
  public func settle(_ purchase: VerifiedPurchase, to account: AccountID) -> Commit {
    enters(purchase) { original in
      if world.purchases[original].flags.contains(.recorded) {
        return (isNew: false, isChanged: adjust(original, to: purchase.refunded))
      }
      guard !purchase.isRefunded else { return (isNew: false, isChanged: false) }
      world.enter(purchase, original, to: account)
      adjust(original, to: purchase.refunded)
      return (isNew: true, isChanged: true)
    }
  }

  /// Takes a part of a purchase back, in thousandths, without asking whether that was done before; less than
  /// nothing gives it again.
  @discardableResult
  public func takeBack(_ purchase: VerifiedPurchase, thousandths: Int) -> Commit {
    guard isValid(purchase), enter(.crashServerBeforeCredit) else { return .unavailable }
    if let failure = commitFails() { return failure }
    guard !purchase.transaction.isNone else { return .unavailable }
    let original = original(of: purchase)
    world.writes(.credit, original)
    noteCommit()
    world.takeBack(original, thousandths)
    dies(.crashServerAfterCredit)
    return .credited
  }

  @discardableResult
  private func adjust(_ original: TransactionID, to refunded: Int) -> Bool {
    let before = Int(world.purchases[original].takenBack)
    guard before != refunded else { return false }
    world.takeBack(original, refunded - before)
    return true
  }
}

extension World {
  /// The ledger takes a part of a purchase from whoever got it, or gives it again.
  mutating func takeBack(_ original: TransactionID, _ thousandths: Int) {
    let purchase = purchases[original]
    purchases[original].takenBack = UInt16(clamping: Int(purchase.takenBack) + thousandths)
    var fact = fact(thousandths > 0 ? .reversed : .regranted)
    fact.transaction = original
    fact.account = purchase.creditedTo
    fact.product = purchase.product
    fact.quantity = purchase.quantity
    fact.environment = purchase.environment
    fact.amount = UInt32(abs(thousandths))
    emit(fact)
  }
}
