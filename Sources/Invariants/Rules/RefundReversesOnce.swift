/// Goods go back when the money does, once.
///
/// Whoever gives back what was bought for it has seven days, as the store itself goes on telling a backend of a
/// refund for six and a half.
struct RefundReversesOnce: Invariant {
  var name: String { "refund-reverses-once" }
  var code: String { "I07" }
  var impact: Impact { .freeGoods }
  var summary: String {
    "A refund takes back what was credited, once and in its proportion, and its reversal gives it again."
  }
  var meaning: String {
    """
    The store gives money back without asking anybody. A ledger that never hears of it leaves the goods with \
    who has their money; one that counts the news instead of the refund takes goods that were paid for.
    """
  }
  var evidence: [String] {
    [
      "RevenueCat/purchases-flutter#323: a refund does not remove the credits",
      "elizaOS/eliza#10920: the balance is clamped at 0, and what is missing written down",
      "PrestaShopCorp/ps_checkout#331: a refund is notified twice",
    ]
  }
  var listensTo: [Fact.Kind] { [.reversed, .regranted] }
  var concerns: [Fact.Kind] { [.refunded, .reversed, .regranted] }

  var needsTime: Bool { true }
  var lacking: String { "nothing was refunded 7 days before the end" }

  func hadTime(_ books: borrowing Books) -> Bool {
    books.firstBreak { charge, books in
      charge.takenBack != 0 || charge.wasRefunded && books.hadTimeToSettle(charge)
    } != nil
  }

  func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool {
    let charge = books.charge(behind: fact.transaction)
    // What is to be treated as never made may go back as a whole.
    let most = charge.isVoided ? 1000 : Int32(charge.mostRefunded)
    return charge.takenBack < 0 || charge.takenBack > most
      || charge.takenBack > 0 && charge.credits == 0
  }

  func breakAtEnd(_ books: borrowing Books) -> Break? {
    books.firstBreak { charge, books in books.isUnsettledTooLong(charge) }
  }
}
