/// What is known of a purchase is not overwritten by what was so before.
struct NewsInOrder: Invariant {
  var name: String { "news-in-order" }
  var code: String { "I12" }
  var impact: Impact { .moneyLost }
  var summary: String {
    "What the ledger has right stays so until something happens at the store: old news changes nothing."
  }
  var meaning: String {
    """
    Notifications come late, twice and in another order. A backend that does what each says ends with the one \
    that came last, and not with what happened last: access is gone that was renewed, or is back after a refund.
    """
  }
  var evidence: [String] {
    [
      "Apple, App Store Server Notifications: of several about one transaction the latest signedDate counts",
      "Apple forum 716641: notifications come again although they were answered",
      "saleor/apps#2446: a refund is handled again after its answer was lost",
    ]
  }
  var listensTo: [Fact.Kind] { [.reversed, .regranted, .granted] }
  var lacking: String { "no goods were taken back, and no access to a subscription was given" }

  func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool {
    if fact.kind == .granted {
      return books.subscription(of: fact.transaction)?.isOutdated ?? false
    }
    return books.charge(behind: fact.transaction).isOutdated
  }
}
