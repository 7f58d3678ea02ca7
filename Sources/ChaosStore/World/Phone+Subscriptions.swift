import Invariants

/// What an app without a backend believes of subscriptions, which may be another thing than StoreKit would say.
extension Phone {
  /// verifyReceipt with the shared secret, asked by the app itself: the payments for subscriptions that stand, those
  /// that were cancelled left out, the newest first; nil where it has no receipt, or no network.
  package var latestReceiptInfo: [PaymentTransaction]? {
    guard isAlive, !receipt().isNone, !world.devices[device].isOffline else { return nil }
    return history.filter { $0.expiresMillis != nil && $0.revokedMillis == nil }
  }

  /// The app lets whoever is there use a subscription until then, in milliseconds since the history began.
  package func entitle(_ product: ProductID, until millis: Int64) {
    guard isAlive, !product.isNone, world.knows(product) else { return }
    let account = world.devices[device].storeAccount
    guard let held = world.subscription(inGroupOf: product, of: account) else { return }
    world.entitle(world.subscriptions[held].latest, on: device, until: millis)
  }

  /// An app without a backend has asked StoreKit what it is entitled to, and got this: nobody may use any other
  /// subscription that it had let them use.
  package func showEntitled(_ transactions: [PaymentTransaction]) {
    guard !world.hasBackend else { return }
    endUse { held in
      !transactions.contains { $0.row == held }
        && world.judge.books.subscription(of: held).map { $0.untilMillis > now } ?? false
    }
  }

  /// The app knows of no subscription: nobody may use any that it had let them use.
  package func showUnsubscribed() {
    endUse { world.purchases[world.chargeThatBegan($0)].flags.contains(.credited) }
  }

  /// From now on nobody may use these subscriptions, each told by its last transaction.
  private func endUse(where isOver: (TransactionID) -> Bool) {
    guard isAlive, world.sellsSubscriptions else { return }
    for held in world.heldSubscriptions(device) where isOver(held.transaction.row) {
      world.entitle(held.transaction.row, on: device, until: now)
    }
  }
}
