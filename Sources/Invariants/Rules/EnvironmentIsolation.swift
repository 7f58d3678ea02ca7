/// Play money buys nothing real.
struct EnvironmentIsolation: Invariant {
  var name: String { "environment-isolation" }
  var code: String { "I08" }
  var impact: Impact { .freeGoods }
  var summary: String { "A credit lands in the environment in which the charge was made." }
  var meaning: String {
    """
    Sandbox purchases cost nothing, and anybody with a test account can make them. A backend that \
    asks the sandbox whenever production says no hands out real goods for them.
    """
  }
  var evidence: [String] {
    [
      "voltrue2/in-app-purchase#185: sandbox and production cannot be told apart",
      "bizz84/SwiftyStoreKit#547: without the fallback, App Review cannot buy",
    ]
  }
  var listensTo: [Fact.Kind] { [.credited] }

  func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool {
    let charge = books.charge(behind: fact.transaction)
    return charge.isCharged && charge.environment != fact.environment
  }
}
