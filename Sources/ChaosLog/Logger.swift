/// A stand-in for `os.Logger` where there is no `os`: it takes every line and writes none.
///
/// A campaign is a hundred thousand runs; nobody reads their logs. What a run did is in its trace.
public struct Logger: Sendable {
  /// A logger that writes nothing.
  public init() {}
  /// The same; the names mean nothing.
  public init(subsystem: String, category: String) {}
  /// The same; the log means nothing.
  public init(_ log: OSLog) {}

  /// Writes nothing.
  public func log(_ message: OSLogMessage) {}
  /// Writes nothing, at any level.
  public func log(level: OSLogType, _ message: OSLogMessage) {}
  /// Writes nothing.
  public func trace(_ message: OSLogMessage) {}
  /// Writes nothing.
  public func debug(_ message: OSLogMessage) {}
  /// Writes nothing.
  public func info(_ message: OSLogMessage) {}
  /// Writes nothing.
  public func notice(_ message: OSLogMessage) {}
  /// Writes nothing.
  public func warning(_ message: OSLogMessage) {}
  /// Writes nothing.
  public func error(_ message: OSLogMessage) {}
  /// Writes nothing.
  public func critical(_ message: OSLogMessage) {}
  /// Writes nothing.
  public func fault(_ message: OSLogMessage) {}
}

/// How much a line matters.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
  /// The system's number for it.
  public let rawValue: UInt8
  /// A level by its number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// A level by its number.
  public init(_ rawValue: UInt8) { self.rawValue = rawValue }

  /// Neither more nor less than others.
  public static let `default` = Self(rawValue: 0)
  /// Helpful, not needed.
  public static let info = Self(rawValue: 1)
  /// Only for whoever looks for a mistake.
  public static let debug = Self(rawValue: 2)
  /// Something went wrong.
  public static let error = Self(rawValue: 16)
  /// The program itself is wrong.
  public static let fault = Self(rawValue: 17)
}

/// A place for lines to go; all are the same here.
public final class OSLog: Sendable {
  /// The log of what names none.
  public static let `default` = OSLog(subsystem: "", category: "")
  /// A log that takes nothing; here all are so.
  public static let disabled = OSLog(subsystem: "", category: "")

  /// A log; the names mean nothing.
  public init(subsystem: String, category: String) {}

  /// False: nothing is written at any level.
  public func isEnabled(type: OSLogType) -> Bool { false }
}

// The name is the operating system's.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The function that came before ``Logger``: it takes a line and writes none.
public func os_log(
  _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default,
  type: OSLogType = .default, _ arguments: any CVarArg...
) {}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The same, with the level first.
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {}
