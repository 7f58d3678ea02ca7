import Foundation
import StoreKit

/// Who buys is asked at the tap, or at the launch.
final class AccountOfLaunch<Kind: Planting>: Shop1 {
  private let accountOfLaunch: UUID

  required init(device: SimulatedDevice) {
    accountOfLaunch = device.account.token
    super.init(device: device)
  }

  override func pay(_ productID: String, for account: UUID) {
    super.pay(productID, for: Kind.isPlanted ? accountOfLaunch : account)
  }
}
