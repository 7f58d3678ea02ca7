/// What was delivered is finished some day.
///
/// A voided transaction counts: it is worth nothing, but stays in the queue until it is finished.
struct QueueDrains: Invariant {
  var name: String { "queue-drains" }
  var code: String { "I06" }
  var listensTo: [Fact.Kind] { [] }
  var concerns: [Fact.Kind] { [.delivered] }
  var impact: Impact { .queueStuck }
  var summary: String { "Every paid transaction handed to the app is finished in the end." }
  var meaning: String {
    """
    An unfinished transaction comes back at every launch, is verified again each time, and stands \
    in the way of the next purchase of the same product.
    """
  }
  var evidence: [String] {
    [
      "RevenueCat/purchases-ios#1964: a consumable can be bought only once",
      "expo/expo#13486: some users can never finish",
      "flutter/packages#10521: finish hangs",
    ]
  }

  func breakAtEnd(_ books: borrowing Books) -> Break? {
    books.firstBreak { transaction, books in
      transaction.isDelivered && transaction.isPaid && !transaction.isFinished
        && books.isOverdue(transaction)
    }
  }
}
