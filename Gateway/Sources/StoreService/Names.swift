import ChaosStore
import Foundation
import Invariants

/// What the outside calls the things of a store: Apple's kinds of numbers and UUIDs for plain positions.
///
/// All follow from the seed, so that a store that is founded again has the same names.
public final class Names {
  private let seed: UInt64
  /// UUIDs that were given as an appAccountToken and are no account's own, by the number they have in the store.
  private var given: [UUID] = []
  private var numbers: [UUID: UInt32] = [:]
  private var accounts: [UUID: UInt32] = [:]

  /// The names that follow from a seed.
  public init(seed: UInt64) { self.seed = seed }

  /// From now on the UUID of an account is known as its own.
  public func add(account person: Int) { accounts[account(person)] = UInt32(clamping: person) }

  private enum Kind: UInt64 {
    case account = 1
    case notification, test, order
  }

  // MARK: - Numbers

  /// The first transaction identifiers of the two environments.
  private static func base(_ environment: Environment) -> UInt64 {
    environment == .production ? 480_000_000_000_001 : 2_000_000_000_000_001
  }

  /// transactionId.
  static func transaction(_ id: TransactionID, _ environment: Environment) -> String {
    String(base(environment) + UInt64(truncatingIfNeeded: id.raw))
  }

  /// The transaction of an identifier, which need not be one; nil for a text that no identifier looks like.
  static func transaction(_ text: some StringProtocol) -> TransactionID? {
    guard !text.isEmpty, text.utf8.count <= 19, text.utf8.allSatisfy({ 48...57 ~= $0 }),
      let number = UInt64(text, radix: 10)
    else { return nil }
    for environment in Environment.allCases {
      let base = base(environment)
      if number >= base, let position = UInt32(exactly: number - base), position < .max {
        return TransactionID(position)
      }
    }
    return TransactionID.none
  }

  /// webOrderLineItemId, of a subscription.
  static func lineItem(_ id: TransactionID) -> String {
    String(4_000_000_000_001 + UInt64(truncatingIfNeeded: id.raw))
  }

  /// appTransactionId: one for each Apple account.
  static func appTransaction(_ storeAccount: Int) -> String {
    String(704_000_000_000_001 + UInt64(clamping: storeAccount))
  }

  /// orderId, as whoever paid reads it in Apple's e-mail.
  static func order(_ order: OrderID) -> String {
    let text = String(order.number, radix: 36).uppercased()
    return "MQ" + String(repeating: "0", count: 8 - text.count) + text
  }

  /// The order of such a text; nil where it is none.
  static func order(_ text: String) -> OrderID? {
    guard text.hasPrefix("MQ"), text.count == 10, let number = UInt32(text.dropFirst(2), radix: 36)
    else { return nil }
    return OrderID(number: number)
  }

  /// subscriptionGroupIdentifier: by the place of the first product of the group.
  static func group(_ place: Int) -> String { String(21_000_001 + place) }

  // MARK: - UUIDs

  /// The appAccountToken of an account.
  func account(_ person: Int) -> UUID { Self.uuid(seed, .account, UInt32(clamping: person)) }

  /// notificationUUID.
  func notification(_ number: UInt32) -> UUID { Self.uuid(seed, .notification, number) }

  /// testNotificationToken: the UUID, and when it was asked for.
  func test(_ token: TestNotificationToken, at millis: Int64) -> String {
    "\(Self.uuid(seed, .test, token.number).uuidString.lowercased())_\(token.number)_\(millis)"
  }

  /// The token of such a text; nil where it is none.
  func test(_ text: String) -> TestNotificationToken? {
    let parts = text.split(separator: "_")
    guard parts.count == 3, let number = UInt32(parts[1], radix: 10),
      let uuid = UUID(uuidString: "\(parts[0])"),
      uuid == Self.uuid(seed, .test, number)
    else { return nil }
    return TestNotificationToken(number: number)
  }

  /// From this number on the orders are UUIDs that somebody else has thought of.
  private static let firstGiven: UInt32 = 1 << 31

  /// What a UUID is as an appAccountToken.
  func token(_ uuid: UUID) -> Token {
    if let account = accounts[uuid] { return .account(AccountID(account)) }
    if let number = numbers[uuid] { return .order(number: number) }
    let number = Self.firstGiven + UInt32(clamping: given.count)
    numbers[uuid] = number
    given.append(uuid)
    return .order(number: number)
  }

  /// The appAccountToken that a token is; nil for none.
  func uuid(_ token: Token) -> UUID? {
    if let account = token.accountNumber { return self.account(Int(clamping: account)) }
    guard let number = token.orderNumber else { return nil }
    if number >= Self.firstGiven {
      let place = Int(clamping: number - Self.firstGiven)
      return place < given.count ? given[place] : nil
    }
    let uuid = Self.uuid(seed, .order, number)
    numbers[uuid] = number
    return uuid
  }

  /// A UUID of version 4 that is the same each time.
  private static func uuid(_ seed: UInt64, _ kind: Kind, _ number: UInt32) -> UUID {
    let first = mixed(
      seed ^ kind.rawValue << 56 ^ UInt64(truncatingIfNeeded: number) &* 0x9e37_79b9_7f4a_7c15)
    let second = mixed(first ^ 0xd6e8_feb8_6659_fd93)
    var bytes = [UInt8](repeating: 0, count: 16)
    for place in 0..<8 {
      bytes[place] = UInt8(truncatingIfNeeded: first >> UInt64(truncatingIfNeeded: place * 8))
      bytes[place + 8] = UInt8(truncatingIfNeeded: second >> UInt64(truncatingIfNeeded: place * 8))
    }
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    return UUID(
      uuid: (
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8],
        bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
      ))
  }

  /// The finaliser of SplitMix64.
  private static func mixed(_ value: UInt64) -> UInt64 {
    var z = value &+ 0x9e37_79b9_7f4a_7c15
    z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
    return z ^ z >> 31
  }
}
