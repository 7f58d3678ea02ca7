import Foundation
import StoreKit

/// A payment that comes back ends the wait for its product, or the one that has lasted longest.
final class FirstCompletion<Kind: Planting>: Shop1 {
  private var completions: [(product: String, wait: Wait)] = []

  override func isPaying(_ productID: String) -> Bool {
    completions.contains { $0.product == productID } || super.isPaying(productID)
  }

  override func keep(_ wait: Wait, _ productID: String) {
    if Kind.isPlanted { completions.append((productID, wait)) } else { super.keep(wait, productID) }
  }

  override func take(_ productID: String) -> Wait? {
    guard Kind.isPlanted else { return super.take(productID) }
    return completions.isEmpty ? nil : completions.removeFirst().wait
  }

  override func forget(_ wait: Wait, _ productID: String) -> Bool {
    guard let place = completions.firstIndex(where: { $0.wait === wait }) else {
      return super.forget(wait, productID)
    }
    completions.remove(at: place)
    return true
  }
}
