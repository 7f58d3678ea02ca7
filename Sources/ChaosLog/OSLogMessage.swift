import ChaosHost

/// The text of a line. It is put together only where somebody reads what the app prints.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
  let text: String

  /// A text without values.
  public init(stringLiteral value: String) { text = value }
  /// A text with values.
  public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

/// Takes what `os` lets one interpolate.
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
  private(set) var text = ""
  private let isRead: Bool

  /// Called by the compiler; room is made for nothing.
  public init(literalCapacity: Int, interpolationCount: Int) { isRead = LogOutput.isRead }

  /// Called by the compiler.
  public mutating func appendLiteral(_ literal: String) { if isRead { text += literal } }

  /// Called by the compiler. The value is computed always, so that nothing depends on who reads it; it is shown
  /// whatever its privacy is.
  public mutating func appendInterpolation(
    _ value: @autoclosure () -> some Any, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {
    let value = value()
    if isRead { text += String(describing: value) }
  }

  /// The same, for a value with a format, which is not looked at.
  public mutating func appendInterpolation(
    _ value: @autoclosure () -> some Any, format: OSLogFormat, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {
    let value = value()
    if isRead { text += String(describing: value) }
  }
}

/// Where lines go: to what the simulated process prints.
enum LogOutput {
  /// Whether anybody reads it.
  static var isRead: Bool { Host.current?.process?.keepsOutput ?? false }

  /// Writes a line; none where the category is nil.
  static func write(_ type: OSLogType, _ category: String?, _ text: @autoclosure () -> String) {
    guard let category, let process = Host.current?.process, process.keepsOutput else { return }
    process.printLine([category, "\(type):", text()].filter { !$0.isEmpty }.joined(separator: " "))
  }
}

/// Who may read a value in a log.
public struct OSLogPrivacy: Sendable {
  /// What stands in for a hidden value.
  public enum Mask: Sendable {
    /// A hash, so that equal values look equal.
    case hash
    /// Nothing.
    case none
  }

  /// Hidden or not, as the system thinks fit.
  public static let auto = Self()
  /// Everybody may.
  public static let `public` = Self()
  /// Nobody who reads the log from outside.
  public static let `private` = Self()
  /// Nobody.
  public static let sensitive = Self()
  /// As ``auto``, with a mask.
  public static func auto(mask: Mask) -> Self { Self() }
  /// As `private`, with a mask.
  public static func `private`(mask: Mask) -> Self { Self() }
  /// As ``sensitive``, with a mask.
  public static func sensitive(mask: Mask) -> Self { Self() }
}

/// Where a value stands in its column.
public struct OSLogStringAlignment: Sendable {
  /// Where it falls.
  public static let none = Self()
  /// To the left of that many columns, which are not counted.
  public static func left(columns: @autoclosure () -> Int) -> Self { Self() }
  /// To the right of that many columns, which are not counted.
  public static func right(columns: @autoclosure () -> Int) -> Self { Self() }
}

/// How a number or a truth is written.
public struct OSLogFormat: Sendable {
  /// To the base of ten.
  public static let decimal = Self()
  /// To the base of sixteen.
  public static let hex = Self()
  /// To the base of eight.
  public static let octal = Self()
  /// With a fixed number of decimals.
  public static let fixed = Self()
  /// As true or false.
  public static let truth = Self()
  /// As yes or no.
  public static let answer = Self()
  /// With this many decimals, which are not counted.
  public static func fixed(precision: @autoclosure () -> Int) -> Self { Self() }
}
