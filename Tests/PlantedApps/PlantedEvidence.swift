import ChaosStore
import Foundation
import Invariants
import StoreKit

// Backends that believe what somebody from outside can bring.

/// A sandbox purchase is entered as play money, or as any other.
final class SandboxIsReal<Kind: Planting>: PlantedBackend, @unchecked Sendable {
  override func enter(
    _ purchase: VerifiedPurchase, _ owner: AccountID, _ services: BackendServices
  ) async -> Server.Commit {
    var purchase = purchase
    if Kind.isPlanted { purchase.environment = .production }
    return await services.commit(purchase, to: owner)
  }
}

/// The owner is named by the account token of the purchase, or by the report.
final class OwnerIsNamed<Kind: Planting>: PlantedBackend, @unchecked Sendable {
  override func owner(
    of purchase: VerifiedPurchase, _ request: ReceivedRequest, _ services: BackendServices
  ) -> AccountID {
    let named = services.owner(of: request.token)
    return Kind.isPlanted && !named.isNone ? named : super.owner(of: purchase, request, services)
  }
}

/// The owner of what a receipt lists is looked up, or is who sent the receipt.
final class ReceiptOfSender<Kind: Planting>: PlantedBackend, @unchecked Sendable {
  override func owner(
    of purchase: VerifiedPurchase, _ request: ReceivedRequest, _ services: BackendServices
  ) -> AccountID {
    Kind.isPlanted && request.isReceipt
      ? request.account : super.owner(of: purchase, request, services)
  }
}

/// A receipt is to be one of this app, or genuine.
final class OtherAppAccepted<Kind: Planting>: PlantedBackend, @unchecked Sendable {
  override func isAccepted(_ purchase: VerifiedPurchase) -> Bool {
    Kind.isPlanted && !purchase.isOurs || super.isAccepted(purchase)
  }

  override func enter(
    _ purchase: VerifiedPurchase, _ owner: AccountID, _ services: BackendServices
  ) async -> Server.Commit {
    purchase.isOurs
      ? await services.commit(purchase, to: owner) : await services.credit(purchase, to: owner)
  }
}
