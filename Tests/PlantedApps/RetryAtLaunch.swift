import Foundation
import StoreKit

/// A report without an answer is repeated after a while, or when the app is opened again.
final class RetryAtLaunch<Kind: Planting>: Shop2 {
  override func report(_ transaction: Transaction, _ jws: String) async -> Answer {
    Kind.isPlanted ? await send(transaction, jws) : await super.report(transaction, jws)
  }
}
