/// One charge is credited once.
struct NoDoubleCredit: Invariant {
  var name: String { "no-double-credit" }
  var code: String { "I02" }
  var impact: Impact { .deliveredTwice }
  var summary: String { "One charge is credited at most once." }
  var meaning: String {
    """
    A transaction can reach the backend any number of times: a lost answer, a second callback, a \
    replay from the sandbox. Each time it is credited again the shop gives goods away.
    """
  }
  var evidence: [String] {
    [
      "hrk4649/godot_ios_plugin_iap#17: 150,000 coins instead of 75,000",
      "j3k0/cordova-plugin-purchase#1298", "Apple forum 816320",
    ]
  }
  var listensTo: [Fact.Kind] { [.credited] }

  func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool {
    books.charge(behind: fact.transaction).credits > 1
  }
}
