/// One bad transaction stays one bad transaction.
///
/// A person meets it when the app that has just told them "failed" hands the same transaction back
/// for their next tap. Before the app has learned of the refusal, it is not the app's fault.
struct PoisonIsolation: Invariant {
  var name: String { "poison-isolation" }
  var code: String { "I17" }
  var impact: Impact { .queueStuck }
  var summary: String {
    "A transaction that is refused for good blocks neither purchases nor deliveries."
  }
  var meaning: String {
    """
    While it sits in the queue, the store answers each new purchase of the product with the old \
    one, and an app that works through its queue in order never comes to the good ones behind it.
    """
  }
  var evidence: [String] {
    [
      "flutter/flutter#60763: a pending transaction blocks every purchase",
      "Unity IAP 4.1.3: a receipt that cannot be parsed freezes all purchases",
      "RevenueCat/purchases-ios#2107: too many transactions at launch",
    ]
  }
  var listensTo: [Fact.Kind] { [.returned] }
  var concerns: [Fact.Kind] { [.voided] }

  func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool {
    let transaction = books.transaction(fact.transaction)
    guard transaction.toldFailureIn == books.life(on: fact.device),
      !transaction.isFinishing, !transaction.isFinished
    else { return false }
    return transaction.answered == .refused
      || books.charge(behind: fact.transaction).isRefusedForGood
  }

  func breakAtEnd(_ books: borrowing Books) -> Break? {
    books.firstBreak { charge, books in
      charge.awaitsCredit && charge.isDelivered && !charge.isSeenByBackend
        && books.isOverdue(charge) && books.holdsPoison(charge.deliveredOn)
    }
  }
}
