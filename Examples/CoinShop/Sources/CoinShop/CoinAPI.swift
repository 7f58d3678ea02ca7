import Foundation

/// What the shop's backend can be asked; the app's own networking conforms to it.
@MainActor
public protocol CoinAPI: AnyObject {
  /// Reports a purchase by StoreKit 2's signed transaction.
  func redeem(transactionID: UInt64, jws: String) async throws -> CoinAnswer
  /// Reports what the receipt file proves, naming the transaction if one is known.
  func redeem(transactionID: UInt64?, receipt: Data) async throws -> CoinAnswer
}

/// What the backend said about a purchase.
public enum CoinAnswer: Sendable {
  /// The coins are there, now or since an earlier report.
  case delivered
  /// Will never be accepted.
  case refused
  /// Undecided: ask again.
  case tryLater
}

/// What the person is shown.
public enum CoinMessage: Sendable {
  case delivered, onItsWay, notBought
}
