/// Who has paid for a subscription may use it, and nobody else.
///
/// Both are counted at every moment at which something changes, in time in which an app of the store account
/// runs without faults: an app that opens has as long to find out as people wait for a word, or as the terms
/// allow. Before the heal that is time of an app that was launched well after whatever had struck was over.
struct AccessFollowsPayment: Invariant {
  var name: String { "access-follows-payment" }
  var code: String { "I09" }
  var impact: Impact { .moneyLost }
  var summary: String {
    "A subscription can be used while it is paid for, and not after it was over, refunded or taken back."
  }
  var meaning: String {
    """
    Somebody pays every month and is locked out, or somebody who has their money back goes on using what \
    others pay for. Neither shows on the day of the purchase: it begins with a renewal, an end or a refund \
    while no app runs. An app that runs has half a minute to find out, or as long as `within` says, and a \
    minute more for an answer that was lost.
    """
  }
  var evidence: [String] {
    [
      "RevenueCat/purchases-flutter#323: a refund does not remove the entitlement",
      "Apple forum 751340: no update for a refund while the app is closed",
      "elizaOS/eliza#10920",
    ]
  }
  var listensTo: [Fact.Kind] { [.granted, .renewed, .expired, .refunded] }
  var concerns: [Fact.Kind] { [.granted, .renewed, .expired, .refunded] }

  var lacking: String { "no subscription was sold" }

  func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool {
    guard let subscription = books.subscription(of: fact.transaction) else { return false }
    return isBroken(subscription, books)
  }

  func breakAtEnd(_ books: borrowing Books) -> Break? {
    for place in books.subscriptions.indices where isBroken(books.subscriptions[place], books) {
      return Break(transaction: books.subscriptions[place].latest)
    }
    return nil
  }

  private func isBroken(_ subscription: Books.Subscription, _ books: borrowing Books) -> Bool {
    books.isTooLong(subscription.longestLack) || books.isTooLong(subscription.longestExcess)
  }
}
