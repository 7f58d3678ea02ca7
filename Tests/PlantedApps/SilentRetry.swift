import Foundation
import StoreKit

/// The person is told when the goods are there, or only if the first report was answered.
final class SilentRetry<Kind: Planting>: Shop2 {
  private var attempts: [UInt64: Int] = [:]

  override func send(_ transaction: Transaction, _ jws: String) async -> Answer {
    attempts[transaction.id, default: 0] += 1
    return await super.send(transaction, jws)
  }

  override func delivered(_ transaction: Transaction) async {
    if Kind.isPlanted, attempts[transaction.id, default: 0] > 1 { return }
    await super.delivered(transaction)
  }
}
