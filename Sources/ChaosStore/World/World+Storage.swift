import Invariants

/// What an app keeps on its device, and what of it reaches the disk.
extension World {
  /// Keeps a record in memory; it reaches the disk at the next flush, or at once.
  mutating func save(
    _ record: StoredRecord, key: UInt64, device: DeviceID, isFlushed: Bool = false
  ) {
    var row = devices[device].firstRecord
    while row != .none {
      if records[row].device == device, records[row].key == key, records[row].isLive {
        records[row].isLive = false
        if records[row].record.transaction != record.transaction {
          tell(.recordLost, records[row].record.transaction, device)
        }
      }
      row = records[row].next
    }
    var added = RecordRow(
      device: device, key: key, record: record, next: devices[device].firstRecord)
    added.neverReachesDisk = decisions.strikes(
      .loseWrite, who(about: record.transaction, device: device))
    devices[device].firstRecord = records.append(added)
    tell(.saved, record.transaction, device)
    if isFlushed { flush(device) } else { planFlush(device) }
  }

  mutating func erase(key: UInt64, device: DeviceID) {
    var row = devices[device].firstRecord
    while row != .none {
      if records[row].key == key, records[row].isLive {
        records[row].isLive = false
        tell(.erased, records[row].record.transaction, device)
      }
      row = records[row].next
    }
    planFlush(device)
  }

  mutating func planFlush(_ device: DeviceID) {
    guard !devices[device].isFlushing else { return }
    devices[device].isFlushing = true
    let delay = decisions.delay(.delayFlush, who(device: device))
    schedule(.flush(device, life: devices[device].life), after: delay)
  }

  /// What is in memory is on the disk; the backup keeps the last state that held anything.
  mutating func flush(_ device: DeviceID) {
    devices[device].isFlushing = false
    var row = devices[device].firstRecord
    var holdsAny = false
    var isComplete = true
    while row != .none {
      isComplete = isComplete && !records[row].neverReachesDisk
      records[row].isDurable = records[row].isLive && !records[row].neverReachesDisk
      holdsAny = holdsAny || records[row].isDurable
      row = records[row].next
    }
    if !goods.isEmpty { flushGoods(device, isComplete: isComplete) }
    guard holdsAny else { return }
    row = devices[device].firstRecord
    while row != .none {
      records[row].isInBackup = records[row].isDurable
      row = records[row].next
    }
  }

  /// The process ends: only the disk remains.
  mutating func dropUnwritten(_ device: DeviceID) {
    devices[device].isFlushing = false
    var row = devices[device].firstRecord
    var isDamaged = false
    while row != .none {
      if records[row].isDurable, records[row].isLive,
        decisions.strikes(
          .corruptRecord, who(about: records[row].record.transaction, device: device))
      {
        records[row].isDurable = false
        isDamaged = true
      }
      isDamaged = isDamaged || records[row].neverReachesDisk
      if records[row].isLive, !records[row].isDurable {
        tell(.recordLost, records[row].record.transaction, device)
      } else if !records[row].isLive, records[row].isDurable {
        tell(.saved, records[row].record.transaction, device)
      }
      records[row].isLive = records[row].isDurable
      row = records[row].next
    }
    guard !goods.isEmpty else { return }
    dropUnwrittenGoods(device)
    // Which record has the goods only the app knows.
    if isDamaged { wipeGoods(device) }
  }

  /// The app was deleted: its records are gone, a backup is not.
  mutating func wipeStorage(_ device: DeviceID) {
    var row = devices[device].firstRecord
    while row != .none {
      if records[row].isLive { tell(.recordLost, records[row].record.transaction, device) }
      records[row].isLive = false
      records[row].isDurable = false
      row = records[row].next
    }
    if !goods.isEmpty { wipeGoods(device) }
  }

  /// Old records are back, and newer ones gone. The app itself is installed anew, and with it come no
  /// purchases in a receipt, as after ``reinstall(_:)``.
  mutating func restoreBackup(_ device: DeviceID) {
    beginInstallation(device)
    var row = devices[device].firstRecord
    while row != .none {
      let isBack = records[row].isInBackup
      if isBack != records[row].isLive {
        tell(isBack ? .saved : .recordLost, records[row].record.transaction, device)
      }
      records[row].isLive = isBack
      records[row].isDurable = isBack
      row = records[row].next
    }
    if !goods.isEmpty { restoreGoods(device) }
  }

  private mutating func tell(_ kind: Fact.Kind, _ transaction: TransactionID, _ device: DeviceID) {
    guard !transaction.isNone else { return }
    var fact = fact(kind)
    fact.transaction = transaction
    fact.device = device
    emit(fact)
  }
}
