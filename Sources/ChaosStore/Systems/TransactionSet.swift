import Invariants

/// A set of transactions that needs no memory of its own in a small run.
package struct TransactionSet: Sendable {
  /// One bit each for the first 64 transactions of the run.
  private var first: UInt64 = 0
  private var others: [UInt32] = []

  package init() {}

  package var isEmpty: Bool { first == 0 && others.isEmpty }

  @inline(__always)
  package func contains(_ transaction: TransactionID) -> Bool {
    if transaction.raw < 64 { return first >> UInt64(transaction.raw) & 1 == 1 }
    return others.contains(transaction.raw)
  }

  /// Adds one; false if it was there.
  @inline(__always) @discardableResult
  package mutating func insert(_ transaction: TransactionID) -> Bool {
    if contains(transaction) { return false }
    if transaction.raw < 64 {
      first |= 1 << UInt64(transaction.raw)
    } else {
      others.append(transaction.raw)
    }
    return true
  }

  /// Removes one, if it is there.
  package mutating func remove(_ transaction: TransactionID) {
    if transaction.raw < 64 {
      first &= ~(1 << UInt64(transaction.raw))
    } else {
      others.removeAll { $0 == transaction.raw }
    }
  }
}
