import Foundation
import StoreKit

/// What was handled is written down to be finished at once when it comes again: after the answer, or
/// before the report.
final class HandledInDefaults<Kind: Planting>: Shop2 {
  private var handled: [String] {
    get { UserDefaults.standard.stringArray(forKey: "handled") ?? [] }
    set { UserDefaults.standard.set(newValue, forKey: "handled") }
  }

  override func deliver(_ result: VerificationResult<Transaction>) async -> Answer {
    if case .verified(let transaction) = result, handled.contains("\(transaction.id)"),
      !reported.contains(transaction.id)
    {
      await transaction.finish()
      return .undecided
    }
    return await super.deliver(result)
  }

  /// What is being reported in this life.
  private var reported: Set<UInt64> = []

  override func report(_ transaction: Transaction, _ jws: String) async -> Answer {
    reported.insert(transaction.id)
    if Kind.isPlanted { handled.append("\(transaction.id)") }
    let answer = await super.report(transaction, jws)
    if !Kind.isPlanted, answer != .undecided { handled.append("\(transaction.id)") }
    return answer
  }
}
