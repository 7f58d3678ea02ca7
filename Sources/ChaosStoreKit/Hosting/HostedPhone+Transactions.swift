import ChaosStore
import Invariants

/// What the simulator hands out, as StoreKit has it.
extension HostedPhone {
  func transaction(_ transaction: PaymentTransaction) -> StoreTransaction {
    let state: StoreTransaction.State =
      switch transaction.state {
      case .purchased: .purchased
      case .failed: .failed
      case .restored: .restored
      case .deferred: .deferred
      }
    let given = StoreTransaction(
      id: SimulatedJWS.number(transaction.id),
      originalID: SimulatedJWS.number(
        transaction.renewalOf.isNone ? transaction.original : transaction.renewalOf),
      productID: identity.product(transaction.product).name, quantity: Int(transaction.quantity),
      state: state, accountToken: SimulatedUUID.of(transaction.token),
      plainUsername: SimulatedUUID.plainUsername(transaction.token),
      purchaseMillis: transaction.chargedMillis,
      isProduction: isProduction, underlying: transaction)
    give(given)
    return given
  }

  func subscription(_ held: HeldSubscription) -> StoreSubscription {
    StoreSubscription(
      status: held.status, originalID: SimulatedJWS.number(held.status.original),
      transaction: transaction(held.transaction),
      renewalProductID: identity.product(held.status.renewalProduct).name)
  }
}
