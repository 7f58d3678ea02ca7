import Foundation
import StoreKit

/// What is unfinished is looked through every half a minute, or when the app is launched.
final class LookAtLaunch<Kind: Planting>: Shop2 {
  override func lookAround() {
    guard Kind.isPlanted else { return super.lookAround() }
    Task { [weak self] in
      for await result in Transaction.unfinished { _ = await self?.deliver(result) }
    }
  }
}
