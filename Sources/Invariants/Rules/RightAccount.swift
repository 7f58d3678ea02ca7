/// Goods go to the owner of the charge.
///
/// The owner is who tapped or, where the terms say so, the last account that restored the purchase.
struct RightAccount: Invariant {
  var name: String { "right-account" }
  var code: String { "I04" }
  var impact: Impact { .wrongAccount }
  var summary: String { "A credit goes to the account that owns the charge." }
  var meaning: String {
    """
    The queue belongs to the store account, the session to whoever is logged in. A credit to "the \
    current user" gives one person's purchase to another when they share a phone.
    """
  }
  var evidence: [String] {
    [
      "hyochan/react-native-iap#1419: a new user sees the purchases of the last one",
      "flutter/flutter#129203: applicationUsername is null after a restart",
      "Cap-go/capacitor-native-purchases 152397c",
    ]
  }
  var listensTo: [Fact.Kind] { [.credited] }

  func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool {
    books.isStranger(fact.account, to: books.charge(behind: fact.transaction))
  }
}
