import ChaosStore
import Foundation
import Invariants
import StoreSignatures

/// What an app has of a transaction, and sends its backend.
extension StoreDesk {
  /// What an app says of a transaction.
  public struct Said {
    /// transactionId.
    public var id: String
    /// originalTransactionId.
    public var original: String
    /// productId.
    public var product: String
    /// The JWS.
    public var signed: String
  }

  /// What an app says of a transaction; nil where there is none.
  public func said(of transaction: TransactionID) throws -> Said? {
    guard let charge = books.charge(transaction),
      let payload = payload(charge.purchase, signedMillis: books.now)
    else { return nil }
    return Said(
      id: payload.transactionId, original: payload.originalTransactionId,
      product: payload.productId, signed: try sign(payload))
  }

  /// What somebody says who has invented a transaction, and signed it with a chain of their own.
  public func invented(_ product: String, by forger: StoreSigner) throws -> Said {
    let id = Names.transaction(TransactionID(99_999_999), .production)
    let payload = TransactionPayload(
      transactionId: id, originalTransactionId: id, bundleId: app.bundle, productId: product,
      purchaseDate: now, originalPurchaseDate: now, quantity: 1, type: "Consumable",
      inAppOwnershipType: "PURCHASED", signedDate: now, environment: "Production",
      storefront: "USA", storefrontId: "143441", transactionReason: "PURCHASE", currency: "USD",
      price: 990)
    return Said(
      id: id, original: id, product: product,
      signed: try forger.sign(try JSON.encoder.encode(payload)))
  }

  /// The transaction of an identifier: none for an empty text; nil for one that Apple would call nothing by.
  public static func transaction(called text: String) -> TransactionID? {
    guard !text.isEmpty else { return TransactionID.none }
    return Names.transaction(text).flatMap { $0.isNone ? nil : $0 }
  }
}

extension Names {
  /// A token's UUID as text; nil for none.
  public func text(of token: Token) -> String? { uuid(token)?.uuidString.lowercased() }

  /// The account of a name: `user1`, `1`, or its appAccountToken; nil where it is nobody's.
  public func account(called text: String) -> Int? {
    let digits = text.hasPrefix("user") ? text.dropFirst(4) : text[...]
    if let number = Int(digits, radix: 10), number > 0 { return number - 1 }
    guard let uuid = UUID(uuidString: text) else { return nil }
    return token(uuid).accountNumber.map { Int(clamping: $0) }
  }
}
