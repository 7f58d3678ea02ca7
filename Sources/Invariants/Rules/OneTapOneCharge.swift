/// A person pays once for what they want once.
///
/// A second tap after a failure is the same intent. A charge that was voided does not count.
struct OneTapOneCharge: Invariant {
  var name: String { "one-tap-one-charge" }
  var code: String { "I13" }
  var impact: Impact { .paidTwice }
  var summary: String { "One intent is charged at most once." }
  var meaning: String {
    """
    Told that it failed, people try again. If the first attempt was charged after all, they paid \
    twice for one thing, and a refund is the best that can still happen.
    """
  }
  var evidence: [String] {
    [
      "MKSG-MugunthKumar/MKStoreKit#132: a double tap buys twice",
      "j3k0/cordova-plugin-purchase#1298: \"it did double charge the consumer\"",
      "mullvad/mullvadvpn-app 1a6193d839: no purchases while the backend is down",
    ]
  }
  var listensTo: [Fact.Kind] { [.charged] }

  func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool {
    books.intent(fact.intent).standingCharges > 1
  }
}
