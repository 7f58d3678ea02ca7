import Invariants

/// What an app has on the disk about its payments: whether one may be under way.
///
/// Where there is none, the app is new on this phone, or the phone has lost it: then a payment may be
/// under way. So a loss costs a prompt, and not a purchase.
package struct PaymentNote {
  private static let key = UInt64.max

  /// Whether something may have been paid for that was not answered for good.
  package private(set) var isOpen = true
  private var isWritten = false

  /// One that says nothing yet.
  package init() {}

  /// The one that is on the disk.
  package init(on phone: Phone) {
    for (key, record) in phone.records where key == Self.key {
      isWritten = true
      isOpen = record.payload != 0
      return
    }
  }

  /// On the disk when it returns, and not only in memory.
  package mutating func write(isOpen: Bool, on phone: Phone) {
    guard !isWritten || isOpen != self.isOpen else { return }
    isWritten = true
    self.isOpen = isOpen
    phone.save(
      StoredRecord(transaction: .none, payload: isOpen ? 1 : 0), key: Self.key, isFlushed: true)
  }
}
