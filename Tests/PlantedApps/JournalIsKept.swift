import ChaosStore
import Foundation

import StoreKit

/// What is being reported is written down and sent again at a launch. An answer removes it: any one, or
/// one to a report that is not such a repeat.
final class JournalIsKept<Kind: Planting>: Shop2 {
  /// What is sent again, by transaction; kept when it is over, for what is called back then is not news.
  private var resends: [String: Task<Answer, Never>] = [:]

  required init(device: SimulatedDevice) {
    super.init(device: device)
    for key in device.defaults.keys where key.hasPrefix("unsent/") {
      resends[key] = Task { await resend(key) }
    }
  }

  private func resend(_ key: String) async -> Answer {
    guard let jws = device.defaults.string(forKey: key) else { return .undecided }
    var answer = Answer.undecided
    while answer == .undecided, !Task.isCancelled {
      let request = BackendRequest(jws: jws, token: device.account.token)
      switch (try? await device.backend.send(request))?.outcome {
      case .delivered, .alreadyDelivered: answer = .delivered
      case .refused: answer = .refused
      default: try? await Task.sleep(for: .seconds(8))
      }
    }
    if !Kind.isPlanted { device.defaults.removeObject(forKey: key) }
    return answer
  }

  override func report(_ transaction: Transaction, _ jws: String) async -> Answer {
    let key = "unsent/\(transaction.id)"
    if let resend = resends[key] {
      let answer = await resend.value
      if answer != .undecided { await transaction.finish() }
      if answer == .delivered { await delivered(transaction) }
      return answer
    }
    device.defaults.set(jws, forKey: key, about: transaction.id)
    let answer = await super.report(transaction, jws)
    if answer != .undecided { device.defaults.removeObject(forKey: key) }
    return answer
  }
}
