/// A restore adds nothing to what was credited already.
///
/// A restore brings a new transaction for an old charge. Its report may be the first that a backend hears of
/// the charge, and then it is credited as any other. What was credited before is not credited once more for it:
/// neither the restored charge, nor another that the same report shows.
struct RestoreNeutrality: Invariant {
  var name: String { "restore-neutrality" }
  var code: String { "I21" }
  var impact: Impact { .deliveredTwice }
  var summary: String { "A restore credits nothing that was credited before." }
  var meaning: String {
    """
    "Restore purchases" is a button that anybody may press as often as they like. Where it brings coins, \
    pressing it is a way to earn them; and what is owned once is handed to every account that presses it.
    """
  }
  var evidence: [String] {
    [
      "Unity IAP 5.0.2: purchases are fetched again after they were confirmed",
      "Unity IAP 4.12.1-pre.3: restored purchases are processed once more",
      "Apple forum 821622: AppStore.sync brings finished transactions back",
    ]
  }
  var listensTo: [Fact.Kind] { [.credited] }
  var concerns: [Fact.Kind] { [.restored] }

  func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool {
    books.charge(behind: fact.transaction).credits > 1 && books.isForRestore(fact)
  }
}
