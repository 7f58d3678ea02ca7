import Invariants

/// What a phone shows of what its store account holds.
extension World {
  /// Whether the phone knows of what the store account holds: not of what was charged while the phone
  /// had no network, as long as it has none.
  @inline(__always)
  func isKnown(_ row: TransactionID, to device: DeviceID) -> Bool {
    !devices[device].isOffline || purchases[row].chargedAt <= devices[device].offlineAsOf
  }

  /// The receipt file as of now (R6b: a snapshot).
  mutating func writeReceipt(_ device: DeviceID) {
    devices[device].hasReceipt = true
    devices[device].receiptsWritten += 1
    devices[device].receiptAsOf = storeClock
    devices[device].receiptAccount = devices[device].storeAccount
  }

  /// The App Store puts the person's own receipt where another Apple ID's was left (F33).
  mutating func endForeignReceipt(_ device: DeviceID) {
    guard devices[device].hasReceipt,
      devices[device].receiptAccount != devices[device].storeAccount
    else { return }
    writeReceipt(device)
  }

  /// The receipt file of a phone; empty evidence if there is none.
  func receipt(on device: DeviceID) -> Evidence {
    let row = devices[device]
    var evidence = Evidence()
    guard row.hasReceipt else { return evidence }
    evidence.kind = .receipt
    evidence.environment = row.environment
    evidence.storeAccount = row.receiptAccount
    evidence.asOf = row.receiptAsOf
    evidence.edition = row.receiptsWritten
    return evidence
  }

  /// Whether a receipt shows a purchase that stands: R6, a consumable from charge to finish.
  @inline(__always)
  func receipt(asOf: UInt32, shows purchase: PurchaseRow) -> Bool {
    receipt(asOf: asOf, holds: purchase)
      && purchase.flags.isDisjoint(with: .voided.union(.refunded))
  }

  /// The same, or one that was taken back: its entry then has a cancellation date.
  @inline(__always)
  func receipt(asOf: UInt32, holds purchase: PurchaseRow) -> Bool {
    purchase.chargedAt <= asOf
      && (purchase.removedAt > asOf || !purchase.flags.isUsedUp)
      && !purchase.flags.contains(.restore)
  }
}
