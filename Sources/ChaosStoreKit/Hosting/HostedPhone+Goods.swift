import ChaosStore
import Foundation
import Invariants

/// What an app without a backend hands out on the phone.
extension HostedPhone {
  /// Without a backend a non-consumable is where StoreKit shows it to the app.
  func showEntitlement(_ transaction: PaymentTransaction) {
    guard !identity.hasBackend, transaction.revokedMillis == nil, !transaction.id.isNone,
      !identity.product(transaction.product).isConsumable
    else { return }
    handsOut = true
    tell(PhoneCalls.Deliver(transaction: transaction.id, isShownByStore: true))
    if goods.showsEntitlement(transaction.id) { tell(.success, about: transaction.id) }
  }

  /// Something that the app keeps has changed, which may be goods.
  func noteGoods(_ name: String, from old: Data?, to new: Data?) {
    if identity.keepsOutput, !goods.isWatched(name), old != new { otherNames.insert(name) }
    guard let handedOut = goods.handedOut(name, from: old, to: new) else {
      return remark("changed '\(name)' in a way that is no purchase's: it was not counted as goods")
    }
    for transaction in handedOut {
      delivered(transaction)
      if goods.isShown(name) { tell(.success, about: transaction) }
    }
  }

  /// The app was given a transaction; who owns the product by what the screen shows sees that it is there.
  func give(_ transaction: StoreTransaction) {
    if transaction.state == .purchased { bought = transaction.productID }
    if goods.isEmpty { return }
    if transaction.state == .deferred { return goods.wait(for: transaction) }
    goods.give(transaction)
    if transaction.state != .failed, goods.hasShown(transaction.underlying.original) {
      tell(.success, about: transaction.underlying.id)
    }
    if transaction.state != .failed, let name = goods.shownName(of: transaction.productID),
      goods.isThere(name, storage.value(name))
    {
      tell(.success, about: transaction.underlying.id)
    }
  }

  /// The goods of a transaction are on the phone.
  func delivered(_ transaction: TransactionID) {
    guard isAlive else { return }
    guard !identity.hasBackend else {
      return note(
        problem: "the app says that goods are on the device, but its system has a backend, whose "
          + "ledger says what was delivered: leave out one of them (typealias Backend = NoBackend)")
    }
    handsOut = true
    tell(PhoneCalls.Deliver(transaction: transaction, isShownByStore: false))
  }

  /// Says what an app that was given a purchase and handed nothing out has changed instead, once.
  func remarkOnGoods() {
    guard identity.keepsOutput, !identity.hasBackend, let bought, !handsOut else { return }
    self.bought = nil
    func list(_ names: some Collection<String>) -> String {
      let shown = names.map(Self.shown).sorted()
      return shown.prefix(6).joined(separator: ", ")
        + (shown.count > 6 ? " and \(shown.count - 6) more" : "")
    }
    let changed =
      otherNames.isEmpty ? "changed nothing that it keeps" : "changed \(list(otherNames))"
    let watched =
      goods.watched.isEmpty ? "nothing is watched" : "watched is \(list(goods.watched))"
    let text = "was given '\(bought)' and handed nothing out: it \(changed), and \(watched)"
    tell(PhoneCalls.NoteRemark(text: text))
  }

  /// What an app calls something that it keeps.
  private static func shown(_ name: String) -> String {
    if name.hasPrefix(SimulatedDefaults.part) {
      return "the key '\(name.dropFirst(SimulatedDefaults.part.count))'"
    }
    if name.hasPrefix(StoredFile.part) {
      return "the file '\(name.dropFirst(StoredFile.part.count))'"
    }
    let parts = name.split(separator: "\0", maxSplits: 1)
    return parts.count == 2
      ? "the key '\(parts[1])' of '\(parts[0].dropFirst("suite/".count))'" : "'\(name)'"
  }
}
