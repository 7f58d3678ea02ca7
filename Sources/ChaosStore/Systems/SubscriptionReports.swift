import Invariants

/// What an app reports of its subscriptions at each launch, however often that was done before: what became
/// of them while it was closed, nobody may have told its backend.
struct SubscriptionReports {
  /// Marks these reports, so that their answers are taken for no others.
  static let tag = UInt32.max

  /// What has no answer yet.
  private var open = TransactionSet()

  /// Reports the last transaction of each subscription that the store knows of, also where it is over.
  mutating func begin(timer: UInt8, _ phone: Phone) {
    phone.eachLastOfSubscription { transaction in
      // What is unfinished is reported anyway.
      if transaction.isFinished { report(transaction.id, timer: timer, phone) }
    }
  }

  /// Reports it, and again until there is an answer, with a timer of this tag.
  mutating func report(_ transaction: TransactionID, timer: UInt8, _ phone: Phone) {
    _ = open.insert(transaction)
    phone.send(
      Report(
        session: phone.account, transaction: transaction, purpose: .probe,
        evidence: phone.evidence(for: transaction)),
      about: transaction, tag: Self.tag)
    phone.startTimer(after: 8000, about: transaction, tag: timer)
  }

  mutating func timerFired(
    _ timer: UInt8, about transaction: TransactionID, _ phone: Phone
  ) {
    if open.contains(transaction) { report(transaction, timer: timer, phone) }
  }

  /// An answer that decides nothing leaves it open.
  mutating func answered(_ reply: Reply) {
    switch reply.outcome {
    case .delivered, .alreadyDelivered, .refused: open.remove(reply.transaction)
    case .retry, .businessError, .unauthorized, .serverError: break
    }
  }
}

extension Phone {
  /// The last transaction of each subscription in ``history``, newest first.
  fileprivate func eachLastOfSubscription(_ body: (PaymentTransaction) -> Void) {
    var seen = TransactionSet()
    eachKnown { row in
      let subscription = world.purchases.at(row).pointee.subscription
      if subscription != .none, seen.insert(world.subscriptions[subscription].first) {
        body(world.transaction(row, .purchased))
      }
    }
  }
}
