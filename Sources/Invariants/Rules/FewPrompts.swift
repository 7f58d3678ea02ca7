/// The phone does not ask for the password a third time, unless the person has tapped something since.
///
/// A tap on "buy" or "restore" explains a prompt. Prompts before the heal are not counted. There an app
/// may die between the prompt and the note that it has asked, what it notes may be lost, and people
/// refuse, while only a fresh receipt lists what StoreKit 1 does not call back: no design could both ask
/// twice at most and deliver. Nor can one do with no prompt at all.
struct FewPrompts: Invariant {
  var name: String { "few-prompts" }
  var code: String { "I26" }
  var impact: Impact { .askedAgain }
  var summary: String {
    "Nobody is asked for their password three times without a tap of theirs in between."
  }
  var meaning: String {
    """
    A sheet that asks for a password out of the blue looks like theft. People refuse, and think worse \
    of the app each time; those who review apps reject it. Refreshing the receipt asks for it, and so \
    does a restore.
    """
  }
  var evidence: [String] {
    [
      "bizz84/SwiftyStoreKit#406: \"Sign In to iTunes Store\" at every launch",
      "bizz84/SwiftyStoreKit#489: rejected for asking again and again",
      "Apple, AppStore.sync(): only in response to an explicit action of the user",
    ]
  }
  var listensTo: [Fact.Kind] { [.asked] }

  func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool {
    books.prompts(on: fact.device) > 2
  }
}
