/// The text of a line, which is not made: interpolated values are not looked at.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
  public init(stringLiteral value: String) {}
  public init(stringInterpolation: OSLogInterpolation) {}
}

/// Takes what `os` lets one interpolate.
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
  public init(literalCapacity: Int, interpolationCount: Int) {}
  public mutating func appendLiteral(_ literal: String) {}

  public mutating func appendInterpolation(
    _ value: @autoclosure () -> some Any, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {}

  public mutating func appendInterpolation(
    _ value: @autoclosure () -> some Any, format: OSLogFormat, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {}
}

/// Who may read a value in a log.
public struct OSLogPrivacy: Sendable {
  /// What stands in for a hidden value.
  public enum Mask: Sendable { case hash, none }

  public static let auto = Self()
  public static let `public` = Self()
  public static let `private` = Self()
  public static let sensitive = Self()
  public static func auto(mask: Mask) -> Self { Self() }
  public static func `private`(mask: Mask) -> Self { Self() }
  public static func sensitive(mask: Mask) -> Self { Self() }
}

/// Where a value stands in its column.
public struct OSLogStringAlignment: Sendable {
  public static let none = Self()
  public static func left(columns: @autoclosure () -> Int) -> Self { Self() }
  public static func right(columns: @autoclosure () -> Int) -> Self { Self() }
}

/// How a number or a truth is written.
public struct OSLogFormat: Sendable {
  public static let decimal = Self()
  public static let hex = Self()
  public static let octal = Self()
  public static let fixed = Self()
  public static let truth = Self()
  public static let answer = Self()
  public static func fixed(precision: @autoclosure () -> Int) -> Self { Self() }
}
