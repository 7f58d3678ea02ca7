/// An outage is not a refusal, and a refusal is not an outage.
struct TransientIsNotPermanent: Invariant {
  var name: String { "transient-is-not-permanent" }
  var code: String { "I16" }
  var impact: Impact { .wrongRefusal }
  var summary: String {
    "Only what was refused for good is refused, and it is not retried for ever."
  }
  var meaning: String {
    """
    A backend that turns a timeout into "no" makes the app throw a good purchase away. An app that \
    turns "no" into "later" sends the same dead receipt for ever.
    """
  }
  var evidence: [String] {
    [
      "apple/app-store-server-library-node#60: 401 where 4040010 is documented",
      "chirag04/react-native-in-app-utils#111: the receipt is empty at first",
      "j3k0/cordova-plugin-purchase#1439",
    ]
  }
  var listensTo: [Fact.Kind] { [.answered, .reported] }

  /// How often a refused transaction may be reported again when no answer is lost any more, however
  /// late: two devices may each have missed the refusal, and each once more while an answer is
  /// under way. More often is no harm as long as answers may still be under way.
  private static let retries: UInt32 = 4

  func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool {
    let charge = books.charge(behind: fact.transaction)
    if fact.kind == .reported {
      let transaction = books.transaction(fact.transaction)
      return charge.isRefusedForGood && transaction.reportsAfterRefusal > Self.retries
        && fact.at.millis - transaction.refusedAt.millis > books.terms.slack
    }
    return fact.verdict == .refused
      && charge.isCharged && charge.credits == 0 && !charge.isRefusedForGood
  }
}
