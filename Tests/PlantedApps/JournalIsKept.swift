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
      answer = await ask(BackendRequest(jws: jws, token: device.account.token))
      if answer == .undecided { try? await Task.sleep(for: .seconds(8)) }
    }
    if !Kind.isPlanted { device.defaults.removeObject(forKey: key) }
    return answer
  }

  override func report(_ transaction: Transaction, _ jws: String) async -> Answer {
    let key = "unsent/\(transaction.id)"
    if let resend = resends[key] {
      return await settle(transaction, await resend.value)
    }
    device.defaults.set(jws, forKey: key, about: transaction.id)
    let answer = await super.report(transaction, jws)
    if answer != .undecided { device.defaults.removeObject(forKey: key) }
    return answer
  }
}
