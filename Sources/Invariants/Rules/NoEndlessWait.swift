/// An app that stays open says something in time.
///
/// After a tap the app says anything at all, "pending" included, within ``Books/Terms/patience``. Once it has the
/// goods in hand, or knows that they will never come, it says so within the same time and a lost
/// request more. Only fault-free time counts, and a wait ends with the app: a person who opens it again
/// sees what is there. So does a person to whom the app itself hands out the goods, without a backend.
struct NoEndlessWait: Invariant {
  var name: String { "no-endless-wait" }
  var code: String { "I27" }
  var impact: Impact { .leftWaiting }
  var summary: String {
    "A running app answers each tap, and says how it ended, within two minutes by default."
  }
  var meaning: String {
    """
    A spinner without end makes people kill the app or tap again. Nothing is lost by that alone, so \
    every other broken rule weighs more. The key `patience` of a scenario sets the time.
    """
  }
  var evidence: [String] {
    [
      "RevenueCat/purchases-ios#2415: the completion is never called",
      "bizz84/SwiftyStoreKit#358: nothing is called back",
    ]
  }
  var listensTo: [Fact.Kind] { [] }
  var concerns: [Fact.Kind] { [.tapped] }
  var needsTime: Bool { true }
  var lacking: String { "after a tap no app stayed open for the patience of a person" }

  func hadTime(_ books: borrowing Books) -> Bool {
    for position in books.intents.indices
    where books.watched(books.intents[position]) > books.terms.patience { return true }
    return false
  }

  func breakAtEnd(_ books: borrowing Books) -> Break? {
    for position in books.intents.indices
    where books.longestWait(books.intents[position]) > books.terms.patience {
      return Break(intent: IntentID(index: position))
    }
    return nil
  }
}
