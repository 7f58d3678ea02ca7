/// What was paid for arrives.
///
/// A charge that was voided, or whose app never ran again, is stuck, not lost; so is one that the store
/// keeps until the next launch, while a purchase from elsewhere came in its place: nobody can know of
/// it, see ``Books/Charge/hasStandIn``. Where the terms set a bound, each charge has that much fault-free
/// running time and no more.
struct NoChargeWithoutDelivery: Invariant {
  var name: String { "no-charge-without-delivery" }
  var code: String { "I01" }
  var impact: Impact { .moneyLost }
  var summary: String { "Every charge is credited in the end, or within the time allowed." }
  var meaning: String {
    """
    Somebody paid and got nothing. They write to support, ask the store for their money back and \
    do not buy again; and nobody can tell them when the goods will come.
    """
  }
  var evidence: [String] {
    [
      "bizz84/SwiftyStoreKit#50: charged, and nothing delivered after a crash",
      "bizz84/SwiftyStoreKit#624: unfinished purchases missing at launch",
      "chirag04/react-native-in-app-utils#111",
    ]
  }
  var listensTo: [Fact.Kind] { [.credited] }
  var concerns: [Fact.Kind] { [.charged] }

  func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool {
    guard books.terms.within != nil else { return false }
    let charge = books.charge(behind: fact.transaction)
    return charge.credits == 1 && !charge.isVoided && books.isOverdue(charge)
  }

  func breakAtEnd(_ books: borrowing Books) -> Break? {
    books.firstBreak { charge, books in
      charge.awaitsCredit && books.isOverdue(charge)
    }
  }
}
