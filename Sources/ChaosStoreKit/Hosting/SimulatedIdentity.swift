import ChaosStore
import Foundation
import Invariants

/// UUIDs that stand for the simulator's accounts and orders.
enum SimulatedUUID {
  private static func uuid(_ kind: UInt8, _ number: UInt32) -> UUID {
    SimulatedStore.uuid(UInt64(kind) << 56 | UInt64(number))
  }

  static func of(_ account: AccountID) -> UUID { uuid(1, UInt32(account.index)) }

  static func of(_ token: Token) -> UUID? {
    if let account = token.accountNumber { return uuid(1, account) }
    if let order = token.orderNumber { return uuid(2, order) }
    return nil
  }

  /// What the store keeps of a token; none of a UUID that stands for nothing in the simulation.
  static func token(_ uuid: UUID?) -> Token {
    guard let bytes = uuid?.uuid, bytes.0 == 0xc4, bytes.1 == 0xa0, bytes.2 == 0x55 else {
      return .none
    }
    let number =
      UInt32(bytes.12) << 24 | UInt32(bytes.13) << 16 | UInt32(bytes.14) << 8 | UInt32(bytes.15)
    switch bytes.3 {
    case 1: return .account(AccountID(index: Int(number)))
    case 2: return .order(number: number)
    default: return .none
    }
  }

  /// applicationUsername: a UUID is kept by the store, any other text only for a while.
  static func token(username: String?, _ account: AccountID) -> Token {
    guard let username else { return .none }
    if let uuid = UUID(uuidString: username) { return token(uuid) }
    if username.hasPrefix("user"), let number = Int(username.dropFirst(4)), number > 0 {
      return .username(AccountID(index: number - 1))
    }
    return .username(account)
  }

  /// applicationUsername, if it was none of these UUIDs.
  static func plainUsername(_ token: Token) -> String? {
    token.usernameNumber.map { "user\($0 + 1)" }
  }
}

/// The signed form of a transaction, which only the simulated verifier can read.
enum SimulatedJWS {
  /// Transaction identifiers as StoreKit shows them.
  private static let first: UInt64 = 2_000_000_000_000_001

  static func number(_ transaction: TransactionID) -> UInt64 {
    transaction.isNone ? 0 : first + UInt64(transaction.index)
  }

  static func transaction(_ number: UInt64) -> TransactionID {
    // An app can ask about any number.
    guard number >= first, number - first < UInt64(UInt32.max) else { return .none }
    return TransactionID(index: Int(number - first))
  }

  private static let before = "simulated."
  private static let after = ".signature"

  static func text(_ number: UInt64) -> String { before + String(number) + after }

  static func transaction(in text: String) -> TransactionID {
    // Read as bytes, which for a text of the simulation's own costs no look at its characters.
    let digits = text.utf8.dropFirst(before.utf8.count).dropLast(after.utf8.count)
    guard let number = UInt64(String(decoding: digits, as: UTF8.self)),
      text == Self.text(number)
    else { return .none }
    return transaction(number)
  }
}
