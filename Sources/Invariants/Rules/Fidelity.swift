/// What arrives is what was paid for.
struct Fidelity: Invariant {
  var name: String { "fidelity" }
  var code: String { "I19" }
  var impact: Impact { .otherGoods }
  var summary: String { "A credit has the product and the quantity of its charge." }
  var meaning: String {
    """
    A backend that believes the app's product name, or takes the first entry of a receipt, gives a \
    chest for the price of a coin, or one coin for the price of five.
    """
  }
  var evidence: [String] {
    [
      "flutter in_app_purchase_storekit 0.4.10+1: the quantity was always 1",
      "voltrue2/in-app-purchase#38: the first entry is not the purchase",
    ]
  }
  var listensTo: [Fact.Kind] { [.credited] }

  func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool {
    let charge = books.charge(behind: fact.transaction)
    return charge.isCharged
      && (charge.product != fact.product || charge.quantity != fact.quantity)
  }
}
