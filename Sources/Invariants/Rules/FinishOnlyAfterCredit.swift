/// The queue is the only memory of a purchase until the ledger has it.
///
/// What never was a charge, was voided, or was refused for good may be finished at any time. So may what is owned for
/// good by an app without a backend: `Transaction.currentEntitlements` has it all the same, and whether the app ever
/// looks there is asked by another rule.
struct FinishOnlyAfterCredit: Invariant {
  var name: String { "finish-only-after-credit" }
  var code: String { "I03" }
  var impact: Impact { .finishedEarly }
  var summary: String { "A charged transaction is finished only after it was credited." }
  var meaning: String {
    """
    The store keeps an unfinished transaction through crashes, reinstalls and new phones. Finished \
    too early, a consumable is as a rule on no phone any more, and only a complaint brings it back.
    """
  }
  var evidence: [String] {
    [
      "bizz84/SwiftyStoreKit#411: documented to finish before the server knows",
      "RevenueCat/purchases-ios#2243: finished before the receipt was posted",
      "expo/expo#4416: finished on notification; server down, purchase lost",
    ]
  }
  var listensTo: [Fact.Kind] { [.finishing] }

  func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool {
    let charge = books.charge(behind: fact.transaction)
    return charge.isCharged && charge.credits == 0 && !charge.isRefusedForGood
      && (books.terms.hasBackend || !books.terms.isKept(charge.product))
  }
}
