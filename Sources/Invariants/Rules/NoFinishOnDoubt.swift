/// An answer that decides nothing is no reason to finish.
///
/// Finishing what nobody ever answered about is the business of finish-only-after-credit.
struct NoFinishOnDoubt: Invariant {
  var name: String { "no-finish-on-doubt" }
  var code: String { "I15" }
  var impact: Impact { .finishedEarly }
  var summary: String { "No charge is finished after an answer that decided nothing." }
  var meaning: String {
    """
    "The verification failed" may mean forged, or that the verifier had a bad minute. Finished on \
    the second meaning, a good purchase is gone for an outage of seconds.
    """
  }
  var evidence: [String] {
    [
      "hyochan/react-native-iap#1704: do not finish what can still succeed",
      "flutter/flutter#53534: told to complete whatever the verification says",
      "Apple forum 7142: do not finish what you cannot validate",
    ]
  }
  var listensTo: [Fact.Kind] { [.finishing] }

  func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool {
    let charge = books.charge(behind: fact.transaction)
    guard charge.isCharged, charge.credits == 0, !charge.isRefusedForGood else { return false }
    let transaction = books.transaction(fact.transaction)
    switch transaction.answered {
    case .inconclusive: return true
    case .none, .refused: return transaction.verified == .inconclusive
    case .accepted: return false
    }
  }
}
