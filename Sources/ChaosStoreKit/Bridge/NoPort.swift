import ChaosStore
import Foundation
import Invariants

/// The port of code that runs in no process: it answers with nothing.
final class NoPort: StorePort {
  var isAlive: Bool { false }
  var now: Int64 { 0 }
  var catalogue: [StoreProduct] { [] }

  func loadProducts(_ done: @escaping ([StoreProduct]?) -> Void) {}
  func purchase(
    _ productID: String, quantity: Int, token: UUID?, offer: String?,
    _ done: @escaping (StorePurchase) -> Void
  ) {}
  func addPayment(
    _ productID: String, quantity: Int, username: String?, offer: String?
  ) -> IntentID { .none }

  func observe() {}
  func unobserve() {}

  func finish(_ transaction: StoreTransaction) {}
  func restore(_ done: @escaping (Bool) -> Void) {}
  var unfinished: [StoreTransaction] { [] }
  var entitlements: [StoreTransaction] { [] }
  var history: [StoreTransaction] { [] }

  func receiptFile() -> Data? { nil }
  func refreshReceipt(_ done: @escaping (Bool) -> Void) {}
  func jws(of transaction: StoreTransaction) -> String { "" }
}
