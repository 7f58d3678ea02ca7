import ChaosStore
import ChaosStoreKit
import Foundation

/// A purchase manager as many apps have it: one for the whole process, started at launch.
///
/// Where the process is not new, nothing of it is: it believes that it has started, listens for the
/// launch before, and holds on to that one's device.
@MainActor
final class ShopManager {
  static let shared = ShopManager()

  private var device: SimulatedDevice?
  private var reporting: Set<UInt64> = []
  private var starts = 0

  func start(on device: SimulatedDevice) {
    guard starts == 0 else { return }
    starts += 1
    print("started,", starts)
    self.device = device
    Task.detached { [weak self] in
      for await result in Transaction.updates { _ = await self?.deliver(result) }
    }
    Task {
      for await result in Transaction.unfinished { _ = await deliver(result) }
    }
    Task { await reportReceipt() }
  }

  func buy(_ productID: String) async -> PurchaseMessage {
    guard let device else { return .nothing }
    FileHandle.standardError.write(Data("asked for \(productID)\n".utf8))
    do {
      guard let product = try await Product.products(for: [productID]).first else {
        return .failure
      }
      let account = device.newOrder(for: productID) ?? device.account.token
      device.defaults.set(account.uuidString, forKey: "last-order")
      switch try await product.purchase(options: [.appAccountToken(account)]) {
      case .success(let result): return await deliver(result) ? .success : .pending
      case .userCancelled: return .failure
      case .pending: return .pending
      @unknown default: return .pending
      }
    } catch {
      return .pending
    }
  }

  private func deliver(_ result: VerificationResult<Transaction>) async -> Bool {
    guard case .verified(let transaction) = result, let device,
      reporting.insert(transaction.id).inserted
    else { return false }
    let key = "reporting-\(device.defaults.keys.count)"
    device.defaults.set("\(transaction.id)", forKey: key, about: transaction.id)
    let request = BackendRequest(
      jws: result.jwsRepresentation, transactionID: transaction.id, token: device.account.token,
      productID: transaction.productID, body: Data("order".utf8))
    while !Task.isCancelled {
      if let answer = try? await device.backend.send(request) {
        if answer.isDelivered || answer.outcome == .refused {
          await transaction.finish()
          device.files.write(answer.body, to: "answer", isSynchronous: true)
          device.defaults.removeObject(forKey: key)
          device.show(.success, aboutTransaction: transaction.id)
          return answer.isDelivered
        }
      }
      try? await Task.sleep(for: .seconds(8))
    }
    return false
  }

  private func reportReceipt() async {
    try? await AppStore.sync()
    if let device, let order = device.defaults.string(forKey: "last-order") {
      device.files.write(Data(order.utf8), to: "order-at-launch-\(device.launches)")
    }
    guard let device, let url = Bundle.main.appStoreReceiptURL,
      let receipt = try? Data(contentsOf: url)
    else { return }
    var request = BackendRequest(receipt: receipt, token: device.account.token)
    request.isProbe = true
    _ = try? await device.backend.send(request)
  }
}
