/// "I have it already" is a yes.
struct IdempotentAcknowledgement: Invariant {
  let name = "idempotent-acknowledgement"
  let code = "I20"
  let summary = "A report of a charge that was credited is never refused."
  let meaning = """
    An app asks twice because it never heard the first answer. Told "duplicate, refused", it can \
    neither show the goods nor finish, and asks for ever.
    """
  let evidence = [
    "RevenueCat/purchases-ios#5795: the receipt is posted twice",
    "saleor/apps#2446: the answer was lost after the payment went through",
  ]
  let listensTo: [Fact.Kind] = [.answered]

  func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool {
    guard fact.verdict == .refused else { return false }
    let charge = books.charge(behind: fact.transaction)
    return charge.credits > 0 && !charge.isVoided
  }
}
