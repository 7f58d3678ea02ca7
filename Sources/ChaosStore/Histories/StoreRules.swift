import Invariants

/// Holds the simulated store to the rules of the real one; a break is a bug of this harness.
///
/// It reads facts against the store's tables, in recorded runs.
struct StoreRules {
  private(set) var breaks: [String] = []

  mutating func check(_ fact: Fact, _ handle: WorldHandle) {
    guard !fact.transaction.isNone else { return }
    let row = handle.world.purchases[fact.transaction]
    let name = Subject(key: row.key).name
    switch fact.kind {
    case .charged:
      require(!row.flags.contains(.restore), "R3: the restore \(name) was charged")
      require(row.flags.contains(.charged), "R3: \(name) is charged but not held unfinished")
      require(row.removedAt == .max, "R1: \(name) was finished before it was charged")
    case .delivered:
      require(row.flags.contains(.charged), "R7: \(name) was handed over without a charge")
      let device = handle.world.devices[fact.device]
      require(device.isRunning, "R2: \(name) was handed to an app that does not run")
      require(
        device.storeAccount == row.storeAccount,
        "R1: \(name) was handed to another store account's device")
    case .finished:
      require(row.flags.contains(.charged), "R4: \(name) was finished without a charge")
    case .returned:
      require(
        row.flags.contains(.charged) && !row.flags.contains(.removed)
          || row.flags.contains(.restore),
        "R5: a purchase was answered with \(name), which is finished")
    case .traceable:
      require(row.token.isUUID, "R10: \(name) is traceable without a UUID")
    case .verified:
      let paid = handle.world.purchases[row.original]
      require(
        fact.verdict != .accepted || paid.flags.contains(.charged),
        "R6: \(name) was confirmed without a charge")
    default: break
    }
  }

  private mutating func require(_ holds: Bool, _ text: String) {
    if !holds { breaks.append(text) }
  }
}
