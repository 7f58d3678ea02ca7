/// A moment of a history, in whole milliseconds since its start.
public struct Instant: Hashable, Comparable, Sendable, BitwiseCopyable {
  public var millis: Int64

  @inlinable public init(millis: Int64) { self.millis = millis }

  public static let start = Instant(millis: 0)
  public static let never = Instant(millis: .max)

  @inlinable public static func < (a: Instant, b: Instant) -> Bool { a.millis < b.millis }
}

/// The index of one kind of thing in a history; `none` where a fact has no such thing.
public protocol Identifier: Hashable, Sendable {
  var raw: UInt32 { get }
  init(_ raw: UInt32)
}

extension Identifier {
  @inlinable public static var none: Self { Self(.max) }
  @inlinable public var isNone: Bool { raw == .max }
  @inlinable public var index: Int { Int(raw) }
  @inlinable public init(index: Int) { self.init(UInt32(truncatingIfNeeded: index)) }
}

/// Something a person wants once, however often they have to tap for it.
public struct IntentID: Identifier, BitwiseCopyable {
  public let raw: UInt32
  @inlinable public init(_ raw: UInt32) { self.raw = raw }
}

/// A transaction of the store: one charge, or the restore of one.
public struct TransactionID: Identifier, BitwiseCopyable {
  public let raw: UInt32
  @inlinable public init(_ raw: UInt32) { self.raw = raw }
}

/// An account of the app, the owner of a balance.
public struct AccountID: Identifier, BitwiseCopyable {
  public let raw: UInt32
  @inlinable public init(_ raw: UInt32) { self.raw = raw }
}

/// An account of the store, the one that pays.
public struct StoreAccountID: Identifier, BitwiseCopyable {
  public let raw: UInt32
  @inlinable public init(_ raw: UInt32) { self.raw = raw }
}

/// A device with one installation of the app.
public struct DeviceID: Identifier, BitwiseCopyable {
  public let raw: UInt32
  @inlinable public init(_ raw: UInt32) { self.raw = raw }
}

/// A product of the catalogue.
public struct ProductID: Identifier, BitwiseCopyable {
  public let raw: UInt32
  @inlinable public init(_ raw: UInt32) { self.raw = raw }
}

/// Where money is real and where it is not.
public enum Environment: UInt8, Sendable, CaseIterable, BitwiseCopyable {
  case production, sandbox
}
