import Foundation
import StoreKit

/// Who delivers what is being reported waits for that report: one of the transaction, or of the product.
final class JoinedByProduct<Kind: Planting>: Shop2 {
  private var open: [String: Task<Answer, Never>] = [:]

  override func deliver(_ result: VerificationResult<Transaction>) async -> Answer {
    guard case .verified(let transaction) = result else { return .undecided }
    let key = Kind.isPlanted ? transaction.productID : "\(transaction.id)"
    if let report = open[key] {
      let answer = await report.value
      if answer != .undecided { await transaction.finish() }
      return answer
    }
    let jws = result.jwsRepresentation
    let report = Task { await self.report(transaction, jws) }
    open[key] = report
    let answer = await report.value
    open[key] = nil
    return answer
  }
}
