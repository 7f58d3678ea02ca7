/// The sums agree, in production and in the sandbox.
///
/// Only the sum is judged: a loss and a double credit of as many units cancel here, and are the
/// business of the rules about single charges. What still has time, or whose app never ran again,
/// is not missing yet.
struct Conservation: Invariant {
  var name: String { "conservation" }
  var code: String { "I11" }
  var listensTo: [Fact.Kind] { [] }
  var concerns: [Fact.Kind] { [.charged] }
  var impact: Impact { .booksDiffer }
  var summary: String { "In the end, units credited equal units charged, less what was voided." }
  var meaning: String {
    """
    It is the audit that needs no insight into any single purchase: if the ledger and the store's \
    report differ, goods were lost or made, even where every step looked right.
    """
  }
  var evidence: [String] {
    [
      "hrk4649/godot_ios_plugin_iap#17: 150,000 coins instead of 75,000",
      "elizaOS/eliza#10920: a refund left the credits where they were",
    ]
  }

  func breakAtEnd(_ books: borrowing Books) -> Break? {
    var (production, sandbox) = books.owed
    for position in books.charges.indices {
      let charge = books.charges[position]
      guard let units = books.unitsInTheirTime(charge) else { continue }
      switch charge.environment {
      case .production: production -= units
      case .sandbox: sandbox -= units
      }
    }
    return production == 0 && sandbox == 0 ? nil : Break()
  }
}
