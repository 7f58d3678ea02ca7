/// Goods are given for money only.
struct NoCreditWithoutCharge: Invariant {
  var name: String { "no-credit-without-charge" }
  var code: String { "I05" }
  var impact: Impact { .freeGoods }
  var summary: String { "Every credit stands on a charge that is not known to be voided." }
  var meaning: String {
    """
    Forged receipts, receipts of other apps and pending purchases all look like evidence. Whoever \
    credits what they claim gives goods away, and word of it spreads.
    """
  }
  var evidence: [String] {
    [
      "bakerframework/baker#113: one receipt of another app used by most subscribers",
      "voltrue2/in-app-purchase#38: 200 forged purchases in ten minutes",
      "apphud/ApphudSDK 1445891: a pending purchase taken for a bought one",
    ]
  }
  var listensTo: [Fact.Kind] { [.credited] }

  func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool {
    let charge = books.charge(behind: fact.transaction)
    return !charge.isCharged || charge.isKnownToBeVoided
  }
}
