import Foundation
import StoreKit

/// An answer finishes the transaction that it is about, or the one that was reported last.
final class CurrentInProperty<Kind: Planting>: Shop2 {
  private var current: Transaction?

  override func send(_ transaction: Transaction, _ jws: String) async -> Answer {
    current = transaction
    return await super.send(transaction, jws)
  }

  override func finish(_ transaction: Transaction) async {
    await super.finish(Kind.isPlanted ? current ?? transaction : transaction)
  }
}
