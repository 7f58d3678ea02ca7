import Foundation

/// What the shop's backend can be asked; the app's own networking conforms to it.
@MainActor
public protocol CoinAPI: AnyObject {
  /// Reports a purchase by its identifier, with StoreKit 2's signed transaction where there is one.
  func redeem(transactionID: UInt64, jws: String?) async throws -> CoinAnswer
  /// Says that something has become of a subscription: the backend asks Apple what, and nothing is bought.
  func refresh(transactionID: UInt64, jws: String) async throws -> CoinAnswer
  /// Has everything delivered that a receipt file lists.
  func redeem(receipt: Data) async throws -> CoinAnswer
}

/// What the app keeps on the phone, such as in a file.
public protocol CoinMemory: AnyObject {
  /// Whether every payment was answered for good: false as long as nothing was kept. It is on the disk when
  /// setting it returns.
  var isSettled: Bool { get set }
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
