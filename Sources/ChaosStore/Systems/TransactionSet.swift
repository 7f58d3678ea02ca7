import Invariants

/// A set of transactions that needs no memory of its own in a small run.
public struct TransactionSet: Sendable {
  /// One bit each for the first 64 transactions of the run.
  private var first: UInt64 = 0
  private var others: [UInt32] = []

  public init() {}

  public var isEmpty: Bool { first == 0 && others.isEmpty }

  @inline(__always)
  public func contains(_ transaction: TransactionID) -> Bool {
    if transaction.raw < 64 { return first >> UInt64(transaction.raw) & 1 == 1 }
    return others.contains(transaction.raw)
  }

  /// Adds one; false if it was there.
  @inline(__always) @discardableResult
  public mutating func insert(_ transaction: TransactionID) -> Bool {
    if contains(transaction) { return false }
    if transaction.raw < 64 {
      first |= 1 << UInt64(transaction.raw)
    } else {
      others.append(transaction.raw)
    }
    return true
  }

  /// Removes one, if it is there.
  public mutating func remove(_ transaction: TransactionID) {
    if transaction.raw < 64 {
      first &= ~(1 << UInt64(transaction.raw))
    } else {
      others.removeAll { $0 == transaction.raw }
    }
  }
}
