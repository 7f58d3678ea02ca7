/// Somebody at a desk can find out whose charge it is.
///
/// A purchase whose app never ran again is no exception: that is when it is needed.
struct Traceability: Invariant {
  var name: String { "traceability" }
  var code: String { "I24" }
  var listensTo: [Fact.Kind] { [] }
  var concerns: [Fact.Kind] { [.charged] }
  var impact: Impact { .untraceable }
  var summary: String {
    "Every charge can be traced to its owner from what the backend and the store know."
  }
  var meaning: String {
    """
    When the app never comes back, support has an order number from the store and nothing of its \
    own to match it with, and can neither deliver nor refuse.
    """
  }
  var evidence: [String] {
    [
      "flutter/flutter#129203: applicationUsername is null after a restart",
      "robotmedia/RMStore#201",
      "Apple forum 707677: gone even where it is a UUID",
    ]
  }

  func breakAtEnd(_ books: borrowing Books) -> Break? {
    // Without a backend there is nobody who could trace it, and no account to find.
    guard books.terms.hasBackend else { return nil }
    return books.firstBreak { charge, _ in
      charge.awaitsCredit && !charge.isSeenByBackend && !charge.isAttributed
        && !charge.isTraceable && !charge.neverReachedAnApp
    }
  }
}
