/// Evidence shows that a purchase was made, not whose it is.
struct NoCrossUserLeak: Invariant {
  var name: String { "no-cross-user-leak" }
  var code: String { "I23" }
  var impact: Impact { .wrongAccount }
  var summary: String { "A purchase is never written down as somebody else's." }
  var meaning: String {
    """
    A receipt lists every purchase of its store account. Booked under whoever is logged in, it \
    shows one person's purchases to another, and the next credit follows the wrong name.
    """
  }
  var evidence: [String] {
    [
      "Cap-go/capacitor-native-purchases 152397c: all transactions, of any account",
      "bizz84/SwiftyStoreKit#362: the receipt is that of who installed the app",
      "hyochan/react-native-iap#1139",
    ]
  }
  var listensTo: [Fact.Kind] { [.attributed] }

  func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool {
    books.isStranger(fact.account, to: books.charge(behind: fact.transaction))
  }
}
