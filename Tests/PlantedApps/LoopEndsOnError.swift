import Foundation
import StoreKit

/// What is unfinished is reported in a loop, once each time; an error is for the next time, or the end.
final class LoopEndsOnError<Kind: Planting>: Shop2 {
  private struct Undecided: Error {}

  override func lookAround() {
    Task { [weak self] in
      do {
        while true {
          for await result in Transaction.unfinished { try await self?.redeem(result) }
          try await Task.sleep(for: .seconds(15))
        }
      } catch {}
    }
  }

  private func redeem(_ result: VerificationResult<Transaction>) async throws {
    guard await deliver(result) == .undecided else { return }
    if Kind.isPlanted { throw Undecided() }
  }

  override func deliver(_ result: VerificationResult<Transaction>) async -> Answer {
    guard case .verified(let transaction) = result else { return .undecided }
    return await send(transaction, result.jwsRepresentation)
  }
}
