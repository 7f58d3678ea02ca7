import Foundation

// What the five apps have in common. Nothing in this folder knows that there is a simulator, but for
// the class that stands in for UserDefaults.

/// What an app posts to its backend.
struct ShopRequest {
  /// The transaction that it is about, by which the app finds its answer in a log of its own.
  var subject: UInt64?
  /// The transaction that the backend is told.
  var transactionID: UInt64?
  var receipt: Data?
  /// The number of the order that is to be delivered.
  var order: UUID?
  /// Whom the payment named.
  var username: String?
  var productID: String?
  /// Whether the backend is to enter what the receipt lists, and to deliver nothing.
  var isProbe = false
}

/// An answer that is no answer to the question: HTTP 401, HTTP 500.
struct ShopServerError: Error {}

/// The app's own networking. Throws ``ShopServerError``, or another error if nothing came back.
@MainActor
protocol ShopAPI: AnyObject {
  /// True if the goods are there, false if the backend would not deliver.
  func redeem(_ request: ShopRequest) async throws -> Bool
  /// The same with a callback. The request is on its way when this returns.
  func redeem(_ request: ShopRequest, completion: @escaping (Result<Bool, any Error>) -> Void)
  /// Opens an order before it is paid.
  func newOrder(for productID: String) -> UUID?
}

/// The receipt file as it is now; nil if there is none.
func receiptFile() -> Data? {
  Bundle.main.appStoreReceiptURL.flatMap { try? Data(contentsOf: $0) }
}
