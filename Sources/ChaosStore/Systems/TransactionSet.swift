import Invariants

/// A small set of transactions that needs no memory of its own while it is small.
public struct TransactionSet: Sendable {
  private var few = SIMD8<UInt32>(repeating: .max)
  private var count = 0
  private var more: [UInt32] = []

  public init() {}

  public var isEmpty: Bool { count == 0 }

  @inline(__always)
  public func contains(_ transaction: TransactionID) -> Bool {
    if any(few .== SIMD8(repeating: transaction.raw)) { return true }
    return count > 8 && more.contains(transaction.raw)
  }

  /// Adds one; false if it was there.
  @inline(__always) @discardableResult
  public mutating func insert(_ transaction: TransactionID) -> Bool {
    if contains(transaction) { return false }
    if count < 8 { few[count] = transaction.raw } else { more.append(transaction.raw) }
    count += 1
    return true
  }

  /// Removes one, if it is there.
  public mutating func remove(_ transaction: TransactionID) {
    guard contains(transaction) else { return }
    if let index = more.firstIndex(of: transaction.raw) {
      more.remove(at: index)
      count -= 1
      return
    }
    for index in 0..<min(count, 8) where few[index] == transaction.raw {
      let last = min(count, 8) - 1
      few[index] = few[last]
      few[last] = .max
      if let moved = more.popLast() { few[last] = moved }
      count -= 1
      return
    }
  }
}
