import Foundation

@testable import StoreKit

/// The products are asked for at each tap. Who pays is who tapped, or who is logged in when they come.
final class BuyerOfResponse<Kind: Planting>: Shop1 {
  private var loads: [ProductLoad] = []

  override func pay(_ productID: String, for account: UUID) {
    let load = ProductLoad { [weak self] isThere in
      guard let self else { return }
      guard isThere else {
        self.take(productID)?.end(.failure)
        return
      }
      self.add(productID, for: Kind.isPlanted ? self.device.account.token : account)
    }
    loads.append(load)
    load.start(productID)
  }

  private func add(_ productID: String, for buyer: UUID) { super.pay(productID, for: buyer) }
}

/// Says whether there is such a product.
@MainActor
private final class ProductLoad: NSObject, SKProductsRequestDelegate {
  private var request: SKProductsRequest?
  private let done: (Bool) -> Void

  init(_ done: @escaping (Bool) -> Void) { self.done = done }

  func start(_ productID: String) {
    let request = SKProductsRequest(productIdentifiers: [productID])
    request.delegate = self
    self.request = request
    request.start()
  }

  nonisolated func productsRequest(
    _ request: SKProductsRequest, didReceive response: SKProductsResponse
  ) {
    MainActor.assumeIsolated { done(!response.products.isEmpty) }
  }

  nonisolated func request(_ request: SKRequest, didFailWithError error: any Error) {
    MainActor.assumeIsolated { done(false) }
  }
}
