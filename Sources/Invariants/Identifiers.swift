/// A moment of a history, in whole milliseconds since its start.
public struct Instant: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Milliseconds since the start of the history; negative before it.
  public var millis: Int64

  /// The moment so many milliseconds after the start.
  @inlinable public init(millis: Int64) { self.millis = millis }

  /// The moment at which a history begins.
  public static let start = Instant(millis: 0)
  /// A moment that does not come.
  public static let never = Instant(millis: .max)

  /// Whether one moment is before another.
  @inlinable public static func < (a: Instant, b: Instant) -> Bool { a.millis < b.millis }
}

/// The number of one thing of its kind in a history; `none` where a fact has no such thing.
///
/// Things of a kind are numbered from 0 without gaps, in any order: books keep a record for each
/// number up to the highest. Whoever reads a log keeps a table from its identifiers to these.
public protocol Identifier: Hashable, Sendable {
  /// The number; `UInt32.max` stands for none.
  var raw: UInt32 { get }
  /// The thing with this number; none for `UInt32.max`.
  init(_ raw: UInt32)
}

extension Identifier {
  /// Stands where there is no such thing.
  @inlinable public static var none: Self { Self(.max) }
  /// Whether there is no such thing.
  @inlinable public var isNone: Bool { raw == .max }
  /// The number, as a position in a list; not a position of any list for none.
  @inlinable public var index: Int { Int(raw) }
  /// The thing at this position of a list; none for a position that is negative or too large.
  @inlinable public init(index: Int) { self.init(UInt32(exactly: index) ?? .max) }
}

/// Something a person wants once, however often they have to tap for it.
public struct IntentID: Identifier, BitwiseCopyable {
  /// The number; `UInt32.max` stands for none.
  public let raw: UInt32
  /// The intent with this number.
  @inlinable public init(_ raw: UInt32) { self.raw = raw }
}

/// A transaction of the store: one charge, or the restore of one.
public struct TransactionID: Identifier, BitwiseCopyable {
  /// The number; `UInt32.max` stands for none.
  public let raw: UInt32
  /// The transaction with this number.
  @inlinable public init(_ raw: UInt32) { self.raw = raw }
}

/// An account of the app, the owner of a balance.
public struct AccountID: Identifier, BitwiseCopyable {
  /// The number; `UInt32.max` stands for none.
  public let raw: UInt32
  /// The account with this number.
  @inlinable public init(_ raw: UInt32) { self.raw = raw }
}

/// An account of the store, the one that pays.
public struct StoreAccountID: Identifier, BitwiseCopyable {
  /// The number; `UInt32.max` stands for none.
  public let raw: UInt32
  /// The account of the store with this number.
  @inlinable public init(_ raw: UInt32) { self.raw = raw }
}

/// A device with one installation of the app.
public struct DeviceID: Identifier, BitwiseCopyable {
  /// The number; `UInt32.max` stands for none.
  public let raw: UInt32
  /// The device with this number.
  @inlinable public init(_ raw: UInt32) { self.raw = raw }
}

/// A product of the catalogue.
public struct ProductID: Identifier, BitwiseCopyable {
  /// The number; `UInt32.max` stands for none.
  public let raw: UInt32
  /// The product with this number.
  @inlinable public init(_ raw: UInt32) { self.raw = raw }
}

/// Where money is real and where it is not.
public enum Environment: UInt8, Sendable, CaseIterable, BitwiseCopyable {
  /// The App Store: money is real.
  case production
  /// The store's sandbox, with test accounts: nothing is paid.
  case sandbox
}
