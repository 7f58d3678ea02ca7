import Foundation
import StoreKit

/// What was handled is written down to be finished at once when it comes again: each transaction, or the
/// date of the newest.
final class NewestInDefaults<Kind: Planting>: Shop2 {
  /// What is reported in this life.
  private var reported: Set<UInt64> = []

  private func isHandled(_ transaction: Transaction) -> Bool {
    guard Kind.isPlanted else {
      let handled = UserDefaults.standard.stringArray(forKey: "handled") ?? []
      return handled.contains("\(transaction.id)")
    }
    let newest = UserDefaults.standard.double(forKey: "newest")
    return transaction.purchaseDate.timeIntervalSince1970 <= newest
  }

  private func note(_ transaction: Transaction) {
    let handled = UserDefaults.standard.stringArray(forKey: "handled") ?? []
    UserDefaults.standard.set(handled + ["\(transaction.id)"], forKey: "handled")
    let newest = UserDefaults.standard.double(forKey: "newest")
    let date = transaction.purchaseDate.timeIntervalSince1970
    UserDefaults.standard.set(max(newest, date), forKey: "newest")
  }

  override func deliver(_ result: VerificationResult<Transaction>) async -> Answer {
    if case .verified(let transaction) = result, !reported.contains(transaction.id),
      isHandled(transaction)
    {
      await transaction.finish()
      return .undecided
    }
    return await super.deliver(result)
  }

  override func report(_ transaction: Transaction, _ jws: String) async -> Answer {
    reported.insert(transaction.id)
    let answer = await super.report(transaction, jws)
    if answer != .undecided { note(transaction) }
    return answer
  }
}
