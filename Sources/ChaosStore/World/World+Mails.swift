import Invariants

extension Phone {
  /// How long the store's mail takes at least.
  private static var mailMillis: Int64 { 1000 }

  /// What the person in front of it has been charged for and misses: they have the store's mail with the order
  /// number of each, were not told that it came, and did not find it when they looked at their balance.
  package var missedOrders: [TransactionID] {
    guard isAlive else { return [] }
    world.looksAtStore = true
    var found: [TransactionID] = []
    var row = world.storeAccounts[world.devices[device].storeAccount].first
    while row != .none {
      let purchase = world.purchases[row]
      if purchase.flags.contains(.charged),
        purchase.flags.isDisjoint(with: .failed.union(.restore).union(.voided).union(.refunded)),
        purchase.intent != .none, world.intents[purchase.intent].account == account,
        now - purchase.chargedMillis >= Self.mailMillis, !world.knowsOfGoods(purchase.intent)
      {
        found.append(row)
      }
      row = purchase.next
    }
    return found
  }
}
