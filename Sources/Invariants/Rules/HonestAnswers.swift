/// What the screen says is so.
///
/// A wait ends with an answer, or with the app.
struct HonestAnswers: Invariant {
  var name: String { "honest-answers" }
  var code: String { "I14" }
  var impact: Impact { .toldWrong }
  var summary: String {
    "Nobody is told a failure that costs money, or a success that is not there."
  }
  var meaning: String {
    """
    "Failed" makes people pay again, "done" makes them look for goods that are not there, and a \
    spinner without end makes them kill the app. "Pending" is honest while it is not known.
    """
  }
  var evidence: [String] {
    [
      "openradar 48860805: told failed, finished, and charged",
      "RevenueCat/purchases-ios#2415: the completion is never called",
      "RevenueCat/purchases-unity#1042: an old error answers the next attempt",
    ]
  }
  var listensTo: [Fact.Kind] { [.charged, .told] }

  func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool {
    let intent = books.intent(fact.intent)
    if fact.kind == .charged { return intent.isToldFailure }
    // Of a tap that may have been answered by what nobody can attribute, only pending is known.
    if fact.transaction.isNone, !fact.product.isNone || books.mayBeAnsweredUnseen(intent) {
      return false
    }
    let charge = books.charge(behind: fact.transaction)
    switch fact.message {
    case .none, .pending: return false
    case .success:
      let bought =
        fact.transaction.isNone ? books.charge(behind: intent.transaction) : charge
      return bought.credits == 0
    case .failure:
      if !fact.transaction.isNone { return charge.isCharged && !charge.isVoided }
      return intent.standingCharges > 0
    }
  }

  func breakAtEnd(_ books: borrowing Books) -> Break? {
    for position in books.intents.indices where books.isWaiting(books.intents[position]) {
      return Break(intent: IntentID(index: position))
    }
    return nil
  }
}
