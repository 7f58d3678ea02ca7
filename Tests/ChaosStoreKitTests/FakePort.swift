import Foundation
import Invariants

@testable import ChaosStore
@testable import StoreKit

/// A phone of the tests' own: it does what it is told, and writes down what it is asked.
final class FakePort: StorePort, @unchecked Sendable {
  var isAlive = true
  var now: Int64 = 0
  var isProduction = true
  private(set) var log: [String] = []
  /// The call after which the process is dead.
  var diesIn: String?
  /// Whether a request that the app has not kept is answered to nobody.
  var losesRequest = false

  var catalogue = [
    StoreProduct(
      id: "coins.100", displayName: "100 coins", description: "A handful", price: Decimal(99) / 100,
      isConsumable: true),
    StoreProduct(
      id: "no.ads", displayName: "No ads", description: "For ever", price: Decimal(499) / 100,
      isConsumable: false),
  ]
  var unfinished: [StoreTransaction] = []
  var entitlements: [StoreTransaction] = []
  var history: [StoreTransaction] = []
  var receipt: Data?

  private(set) var productLoads: [([StoreProduct]?) -> Void] = []
  private(set) var purchases: [(StorePurchase) -> Void] = []
  private(set) var restores: [(Bool) -> Void] = []
  private(set) var refreshes: [(Bool) -> Void] = []

  private func note(_ text: String) -> Bool {
    guard isAlive else { return false }
    log.append(text)
    if let diesIn, text.hasPrefix(diesIn) { isAlive = false }
    return isAlive
  }

  func loadProducts(_ done: @escaping ([StoreProduct]?) -> Void) {
    if note("load") { productLoads.append(done) }
  }

  func purchase(
    _ productID: String, quantity: Int, token: UUID?, offer: String?,
    _ done: @escaping (StorePurchase) -> Void
  ) {
    let offer = offer.map { " with \($0)" } ?? ""
    if note("purchase \(quantity) \(productID) \(token?.uuidString ?? "-")" + offer) {
      purchases.append(done)
    }
  }

  func addPayment(
    _ productID: String, quantity: Int, username: String?, offer: String?
  ) -> IntentID {
    let offer = offer.map { " with \($0)" } ?? ""
    _ = note("add \(quantity) \(productID) \(username ?? "-")" + offer)
    return .none
  }

  func observe() { _ = note("observe") }
  func unobserve() { _ = note("unobserve") }
  func finish(_ transaction: StoreTransaction) { _ = note("finish \(transaction.id)") }
  func restore(_ done: @escaping (Bool) -> Void) { if note("restore") { restores.append(done) } }
  func receiptFile() -> Data? { note("receipt") ? receipt : nil }
  func refreshReceipt(_ done: @escaping (Bool) -> Void) {
    if note("refresh") { refreshes.append(done) }
  }
  func jws(of transaction: StoreTransaction) -> String {
    isAlive ? "jws.\(transaction.id).fake" : ""
  }
}

// MARK: - What the phone answers

extension FakePort {
  func answerProducts() { productLoads.removeFirst()(catalogue) }
  func answerPurchase(_ transaction: StoreTransaction?) {
    answerPurchase(transaction.map { .bought($0) } ?? .failed)
  }
  func answerPurchase(_ answer: StorePurchase) { purchases.removeFirst()(answer) }
  func answerRestore(_ succeeded: Bool) { restores.removeFirst()(succeeded) }
  func answerRefresh(_ succeeded: Bool) { refreshes.removeFirst()(succeeded) }
}

extension StoreTransaction {
  static func of(
    _ productID: String, id: UInt64, originalID: UInt64? = nil, state: State = .purchased,
    quantity: Int = 1, token: UUID? = nil, username: String? = nil, at millis: Int64 = 0,
    payment: UInt32? = nil, revokedAt revoked: Int64? = nil
  ) -> StoreTransaction {
    StoreTransaction(
      id: id, originalID: originalID ?? id, productID: productID, quantity: quantity, state: state,
      accountToken: token, plainUsername: username, purchaseMillis: millis, isProduction: true,
      underlying: PaymentTransaction(
        id: .none, row: .none, intent: .none,
        original: payment.map { TransactionID($0) } ?? .none, product: .none,
        quantity: UInt32(quantity), state: .purchased, token: .none, isFinished: false,
        chargedMillis: 0, revokedMillis: revoked))
  }
}
