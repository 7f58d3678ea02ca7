/// What the screen says is so.
///
/// Of a payment that the store answered with an error, no app can say when it is over. So "pending" is
/// honest for as long as nothing came of it. Saying nothing is another rule's affair: see
/// ``NoEndlessWait``.
struct HonestAnswers: Invariant {
  var name: String { "honest-answers" }
  var code: String { "I14" }
  var impact: Impact { .toldWrong }
  var summary: String {
    "Nobody is told a failure that costs money, or a success that is not there."
  }
  var meaning: String {
    """
    "Failed" makes people pay again, and "done" makes them look for goods that are not there. \
    "Pending" is honest while the outcome is not known.
    """
  }
  var evidence: [String] {
    [
      "openradar 48860805: told failed, finished, and charged",
      "RevenueCat/purchases-unity#1042: an old error answers the next attempt",
    ]
  }
  var listensTo: [Fact.Kind] { [.charged, .told] }
  var concerns: [Fact.Kind] { [.tapped, .told] }

  func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool {
    if fact.kind == .charged { return books.intent(fact.intent).isToldFailure }
    if fact.message == .none || fact.message == .pending { return false }
    let intent = books.intent(fact.intent)
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
      // A renewal is there once the subscription can be used, and so is what a restore has made of one.
      if let subscription = books.subscription(paidBy: bought), !bought.isCharged {
        return subscription.untilMillis <= fact.at.millis
      }
      return bought.credits == 0
        ? !books.isOwned(intent) : isForAnother(bought, fact, books)
    case .failure:
      if !fact.transaction.isNone {
        return charge.isCharged && !charge.isVoided && !charge.wasRefunded
      }
      return intent.standingCharges > 0
    }
  }

  /// Whether somebody else got the goods than who was told that they came. Without a backend nobody has an account.
  private func isForAnother(_ bought: Books.Charge, _ fact: Fact, _ books: borrowing Books) -> Bool
  {
    guard books.terms.hasBackend, !bought.creditedTo.isNone else { return false }
    let transaction = books.transaction(fact.transaction)
    let asked = books.intent(transaction.returnedTo)
    // Who tapped here last and was answered with this transaction takes the word for theirs.
    if asked.isTapped, asked.life == books.life(on: fact.device), !asked.isToldFailure {
      return !asked.account.isNone && asked.account != bought.creditedTo
    }
    let intent = books.intent(fact.intent)
    guard fact.transaction.isNone || transaction.isCharged, !intent.account.isNone else {
      return books.isStranger(bought.creditedTo, to: bought)
    }
    return intent.account != bought.creditedTo
  }
}
