/// What the store could not tell a backend is found out all the same.
///
/// The store stops to send six and a half days after something has happened, and in the sandbox at once. Whoever
/// asks for what it could not deliver has seven days, as for any refund.
struct NoLostNotification: Invariant {
  var name: String { "no-lost-notification" }
  var code: String { "I10" }
  var impact: Impact { .freeGoods }
  var summary: String {
    "A refund, or its reversal, of which no notification arrived is found out all the same."
  }
  var meaning: String {
    """
    Of most refunds nobody hears but the backend, and only by a notification. One that is down, moved or \
    misconfigured for a week never hears of those of that week unless it asks the store for what it has missed.
    """
  }
  var evidence: [String] {
    [
      "Apple forum 691286: of the refund of a consumable only a notification tells",
      "apple/app-store-server-library-node#209: retried notifications cannot be tested",
    ]
  }
  var listensTo: [Fact.Kind] { [] }
  var concerns: [Fact.Kind] { [.givenUp] }

  var needsTime: Bool { true }
  var lacking: String { "no notification of a refund was lost 7 days before the end" }

  func hadTime(_ books: borrowing Books) -> Bool {
    books.firstBreak { charge, books in charge.isNewsLost && books.hadTimeToSettle(charge) } != nil
  }

  func breakAtEnd(_ books: borrowing Books) -> Break? {
    books.firstBreak { charge, books in
      charge.isNewsLost && books.isUnsettledTooLong(charge)
    }
  }
}
