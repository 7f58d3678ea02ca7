import Foundation
import StoreKit

/// After a success the queue is tidied up: what is done is finished again, or whatever is there.
final class SiblingsFinished<Kind: Planting>: Shop2 {
  private var done: Set<UInt64> = []

  override func delivered(_ transaction: Transaction) async {
    done.insert(transaction.id)
    await super.delivered(transaction)
    for await result in Transaction.unfinished {
      guard case .verified(let other) = result else { continue }
      if Kind.isPlanted || done.contains(other.id) { await other.finish() }
    }
  }
}
