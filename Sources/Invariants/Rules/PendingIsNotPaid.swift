/// Goods are not given for a payment that somebody must still agree to, or that nobody will make.
struct PendingIsNotPaid: Invariant {
  var name: String { "pending-is-not-paid" }
  var code: String { "I22" }
  var impact: Impact { .freeGoods }
  var summary: String {
    "A payment that is pending, declined or cancelled is not credited."
  }
  var meaning: String {
    """
    "Pending" means that a parent has to agree, which takes days, or never happens. Whoever unlocks \
    meanwhile gives goods away, and gives them a second time when the payment is made after all.
    """
  }
  var evidence: [String] {
    [
      "apphud/ApphudSDK 1445891: a pending purchase taken for a bought one",
      "Unity IAP 4.6.0: deferred purchases granted unpaid",
    ]
  }
  var listensTo: [Fact.Kind] { [.credited] }
  var lacking: String { "no payment waited for approval" }
  var concerns: [Fact.Kind] { [.deferred, .declined] }

  func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool {
    !books.charge(behind: fact.transaction).isCharged && books.isUnpaid(fact)
  }
}
