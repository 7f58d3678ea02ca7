/// "I have it already" is a yes.
struct IdempotentAcknowledgement: Invariant {
  var name: String { "idempotent-acknowledgement" }
  var code: String { "I20" }
  var impact: Impact { .wrongRefusal }
  var summary: String { "A report of a charge that was credited is never refused." }
  var meaning: String {
    """
    An app asks twice because it never heard the first answer. Told "duplicate, refused", it can \
    neither show the goods nor finish, and asks for ever.
    """
  }
  var evidence: [String] {
    [
      "RevenueCat/purchases-ios#5795: the receipt is posted twice",
      "saleor/apps#2446: the answer was lost after the payment went through",
    ]
  }
  var listensTo: [Fact.Kind] { [.answered] }

  func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool {
    guard fact.verdict == .refused else { return false }
    let charge = books.charge(behind: fact.transaction)
    return charge.credits > 0 && !charge.isVoided && !charge.wasRefunded
  }
}
