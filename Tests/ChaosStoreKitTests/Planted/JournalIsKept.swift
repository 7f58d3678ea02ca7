import ChaosStore
import Foundation

@testable import StoreKit

/// What is being reported is written down and sent again at a launch. An answer removes it: any one, or
/// one to a report that is not such a repeat.
final class JournalIsKept<Kind: Planting>: Shop2 {
  required init(device: SimulatedDevice) {
    super.init(device: device)
    for key in device.defaults.keys where key.hasPrefix("unsent/") {
      Task { await resend(key) }
    }
  }

  private func resend(_ key: String) async {
    guard let jws = device.defaults.string(forKey: key) else { return }
    while !Task.isCancelled {
      let request = BackendRequest(jws: jws, token: device.account.token)
      let answer = try? await device.backend.send(request)
      if answer?.isDelivered == true || answer?.outcome == .refused { break }
      try? await Task.sleep(for: .seconds(8))
    }
    if !Kind.isPlanted { device.defaults.removeObject(forKey: key) }
  }

  override func report(_ transaction: Transaction, _ jws: String) async -> Answer {
    let key = "unsent/\(transaction.id)"
    device.defaults.set(jws, forKey: key, about: transaction.id)
    let answer = await super.report(transaction, jws)
    if answer != .undecided { device.defaults.removeObject(forKey: key) }
    return answer
  }
}
