import Invariants

/// Counts to three for each of a few transactions.
struct Tally {
  private var once = TransactionSet()
  private var twice = TransactionSet()

  /// Counts one more and says which it is: 1, 2, or 3 for any later one.
  mutating func count(_ transaction: TransactionID) -> Int {
    if once.insert(transaction) { return 1 }
    return twice.insert(transaction) ? 2 : 3
  }

  /// Whether it was counted more than once.
  func isRepeated(_ transaction: TransactionID) -> Bool { twice.contains(transaction) }
}
