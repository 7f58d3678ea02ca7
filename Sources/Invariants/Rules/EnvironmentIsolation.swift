/// Play money buys nothing real.
struct EnvironmentIsolation: Invariant {
  let name = "environment-isolation"
  let code = "I08"
  let summary = "A credit lands in the environment in which the charge was made."
  let meaning = """
    Sandbox purchases cost nothing, and anybody with a test account can make them. A backend that \
    asks the sandbox whenever production says no hands out real goods for them.
    """
  let evidence = [
    "voltrue2/in-app-purchase#185: sandbox and production cannot be told apart",
    "bizz84/SwiftyStoreKit#547: without the fallback, App Review cannot buy",
  ]
  let listensTo: [Fact.Kind] = [.credited]

  func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool {
    let charge = books.charge(behind: fact.transaction)
    return charge.isCharged && charge.environment != fact.environment
  }
}
