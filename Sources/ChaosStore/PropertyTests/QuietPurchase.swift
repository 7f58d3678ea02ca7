import Invariants

/// The run of a hosted app without any fault, looked at before a campaign begins.
///
/// If no purchase brings goods in it, the cause is nearly always the test package: nobody loads the products, or the
/// package watches the wrong key. Thousands of runs would show no more than this one.
package struct QuietPurchase {
  private let scenario: Scenario
  private let record: Record

  /// Why a campaign in these worlds would show nothing; nil if a purchase brings goods in one of them, or if none is
  /// to.
  ///
  /// A sentence or two each: what is wrong, what was seen, the likely cause, and what the app says of that run.
  package static func doubt(of worlds: [Scenario]) -> [String]? {
    let purchases = worlds.compactMap { QuietPurchase($0) }
    guard purchases.count == worlds.count else { return nil }
    let doubts = purchases.map(\.doubt)
    return doubts.contains(nil) ? nil : doubts.first ?? nil
  }

  /// Nil for a scenario whose quiet run need not bring goods, or cannot say why it brings none.
  private init?(_ scenario: Scenario) {
    guard scenario.system.hostsApp, scenario.expects.isEmpty, scenario.allows.isEmpty,
      scenario.goals.contains(Goal.usual[0]),
      scenario.setup.steps.count + (scenario.setup.arrivals?.count ?? 0) < 1000
    else { return nil }
    self.scenario = scenario
    record = Simulation(scenario).record(seed: nil, listsQuestions: true)
    guard record.problems.isEmpty, !record.outcome.isCutOff, happened(.tapped) else { return nil }
  }

  private func happened(_ kind: Fact.Kind) -> Bool { record.facts.contains { $0.kind == kind } }

  private func wasAsked(_ question: Question) -> Bool {
    record.questions.contains { $0.question == question }
  }

  private func said(_ words: String) -> Bool { record.remarks.contains { $0.contains(words) } }

  /// The products of all facts of a kind, each once.
  private func products(_ kind: Fact.Kind) -> String {
    var names: [String] = []
    for fact in record.facts where fact.kind == kind {
      let name = "'\(scenario.setup.products[fact.product.index].name)'"
      if !names.contains(name) { names.append(name) }
    }
    return names.joined(separator: ", ")
  }

  private var doubt: [String]? {
    if !happened(.charged) {
      return text(
        "no purchase", seen: "A person taps \(products(.tapped)). Nobody is charged.", whyNoCharge)
    }
    if happened(.credited) || happened(.granted) { return nil }
    // With a backend that was asked and credits nothing, the defect may be there.
    if scenario.system.hasBackend, happened(.reported) { return nil }
    let finished =
      happened(.finishing)
      ? "The app finishes the transaction." : "The app never finishes the transaction."
    if !happened(.delivered), said(RemarkWords.noObserver) {
      return text(
        "no goods", seen: "The app buys \(products(.charged)) and hears nothing.",
        "no observer is on the queue when the payment is added. Call "
          + "SKPaymentQueue.default().add(observer) in the adapter's 'init'.")
    }
    return text(
      "no goods", seen: "The app buys \(products(.charged)). \(finished) No goods are seen.",
      scenario.system.hasBackend
        ? "no request reaches the backend. The adapter must send what the app sends, with "
          + "device.backend.send."
        : "the test package does not see your goods. In the adapter, watch each key or file where "
          + "the app keeps them (device.watchBalance, device.watchPurchase), or call "
          + "device.delivered(transaction.id) in the line before the one that saves them.")
  }

  private var whyNoCharge: String {
    if said(RemarkWords.isNotSold) {
      return "the app asks for products that the scenario does not sell."
    }
    if said(RemarkWords.wasNotTapped) {
      return "the app asks to pay for another product than the one that was tapped."
    }
    if wasAsked(.crashBeforePay) {
      return "the app asks to pay, and the store takes no money for it."
    }
    if wasAsked(.crashBeforeProducts) {
      return "the tap does not reach purchase. The app loads its products, but calls neither "
        + "Product.purchase nor SKPaymentQueue.add. Look at 'buy' in the adapter."
    }
    return "the app has no products. It never calls Product.products(for:) and never starts an "
      + "SKProductsRequest. Call what loads them in the adapter's 'init'."
  }

  private func text(_ what: String, seen: String, _ cause: String) -> [String] {
    [
      "a quiet run, with no fault at all, shows \(what). A campaign would show nothing.",
      "Seen: \(seen)", "Likely cause: \(cause)",
    ] + record.remarks.map { "In that run: \($0)." }
  }
}
