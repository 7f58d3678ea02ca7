import Invariants

// Records on the phone, which the sound design does not need.
extension MutantShop.App {
  /// Takes up what the last life of the app has written down.
  mutating func takeUpRecords(_ phone: Phone) {
    // What is about no transaction is the note about payments.
    for (_, record) in phone.records where !record.transaction.isNone {
      let transaction = record.transaction
      if defect?.keepsJournal == true, open.insert(transaction) { report(transaction, phone) }
      if defect == .settledBeforeAnswer { settled.insert(transaction) }
      if defect == .inFlightIsSkipped { memory.inFlight.insert(transaction) }
      if defect == .backupIsResent { send(transaction, isMarked: false, phone) }
    }
  }

  func eraseRecord(of transaction: TransactionID, _ phone: Phone) {
    // An answer to what was resent at the launch is nobody's.
    if defect == .backupIsResent, !open.contains(transaction) { return }
    phone.erase(key: key(of: transaction))
    phone.flush()
  }

  /// Where the record of a transaction is kept.
  func key(of transaction: TransactionID) -> UInt64 {
    defect == .oneRecordSlot ? 0 : UInt64(transaction.raw)
  }

  /// Whether the app never ran on this phone before; it writes down that it did.
  func beginsFirstLife(_ phone: Phone) -> Bool {
    let key: UInt64 = 1 << 33
    if phone.records.contains(where: { $0.key == key }) { return false }
    phone.save(StoredRecord(transaction: .none), key: key)
    phone.flush()
    return true
  }
}

extension Defect {
  /// Whether the app keeps a record of each report on the phone.
  var keepsRecords: Bool { self == .settledBeforeAnswer || erasesRecords }

  /// Whether it removes the record again when there is an answer.
  var erasesRecords: Bool {
    self == .inFlightIsSkipped || self == .backupIsResent || keepsJournal
  }

  /// Whether it finishes a transaction as soon as there is a record to report it from.
  var keepsJournal: Bool {
    switch self {
    case .finishWithJournal, .journalNotFlushed, .erasedBeforeSend, .oneRecordSlot,
      .erasedOnAnyAnswer:
      true
    default: false
    }
  }
}
