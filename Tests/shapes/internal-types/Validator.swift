import ChaosStore
import StoreKit

/// What the app asks its server goes over the simulated link.
@MainActor
final class LinkedValidator: ReceiptValidating {
  private let device: SimulatedDevice

  init(device: SimulatedDevice) { self.device = device }

  nonisolated func validate(jws: String) async throws -> ValidationResponse {
    let response = try await device.backend.send(BackendRequest(jws: jws))
    if response.outcome == .retry { throw ValidationError.badStatus(503) }
    return ValidationResponse(valid: response.isDelivered, productId: nil)
  }
}
