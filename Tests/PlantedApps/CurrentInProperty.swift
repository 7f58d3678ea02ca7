import Foundation

import StoreKit

/// An answer finishes the transaction that it is about, or the one that was reported last.
final class CurrentInProperty<Kind: Planting>: Shop2 {
  private var current: Transaction?

  override func send(_ transaction: Transaction, _ jws: String) async -> Answer {
    current = transaction
    let request = BackendRequest(
      jws: jws, transactionID: transaction.id, token: device.account.token)
    let outcome = (try? await device.backend.send(request))?.outcome
    let answered = Kind.isPlanted ? current ?? transaction : transaction
    switch outcome {
    case .delivered, .alreadyDelivered:
      await answered.finish()
      await delivered(transaction)
      return .delivered
    case .refused:
      await answered.finish()
      return .refused
    default: return .undecided
    }
  }
}
