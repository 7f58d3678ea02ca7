import Foundation
import StoreKit

/// That somebody is buying is written down; what a crash left of it is removed at the launch, or stays.
final class FlagInDefaults<Kind: Planting>: Shop2 {
  required init(device: SimulatedDevice) {
    super.init(device: device)
    if !Kind.isPlanted { UserDefaults.standard.removeObject(forKey: "buying") }
  }

  override func buy(_ productID: String) async -> PurchaseMessage {
    guard UserDefaults.standard.string(forKey: "buying") != productID else {
      return Kind.isPlanted ? .nothing : .pending
    }
    UserDefaults.standard.set(productID, forKey: "buying")
    let message = await super.buy(productID)
    UserDefaults.standard.removeObject(forKey: "buying")
    return message
  }
}
