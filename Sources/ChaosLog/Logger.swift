import ChaosHost
import Foundation

/// A stand-in for `os.Logger` where there is no `os`: what it is given is part of what the app prints.
///
/// A campaign is a hundred thousand runs, of which nobody reads the logs, and nothing is put together. Where the
/// output of one run is shown, each line stands in it with its category and its level, such as
/// `store error: no such product`.
public struct Logger: Sendable {
  private let category: String?

  /// A logger without a category.
  public init() { category = "" }
  /// A logger of this category; the subsystem is not shown.
  public init(subsystem: String, category: String) { self.category = category }
  /// A logger that writes to this log.
  public init(_ log: OSLog) { category = log.category }

  /// Writes a line at the default level.
  public func log(_ message: OSLogMessage) { log(level: .default, message) }
  /// Writes a line.
  public func log(level: OSLogType, _ message: OSLogMessage) {
    LogOutput.write(level, category, message.text)
  }
  /// Writes a line for whoever looks for a mistake.
  public func trace(_ message: OSLogMessage) { log(level: .debug, message) }
  /// Writes a line for whoever looks for a mistake.
  public func debug(_ message: OSLogMessage) { log(level: .debug, message) }
  /// Writes a line that is helpful and not needed.
  public func info(_ message: OSLogMessage) { log(level: .info, message) }
  /// Writes a line at the default level.
  public func notice(_ message: OSLogMessage) { log(level: .default, message) }
  /// Writes a line about an error.
  public func warning(_ message: OSLogMessage) { log(level: .error, message) }
  /// Writes a line about an error.
  public func error(_ message: OSLogMessage) { log(level: .error, message) }
  /// Writes a line about a mistake in the program.
  public func critical(_ message: OSLogMessage) { log(level: .fault, message) }
  /// Writes a line about a mistake in the program.
  public func fault(_ message: OSLogMessage) { log(level: .fault, message) }
}

/// How much a line matters.
public struct OSLogType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
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

  /// Its name as a line shows it.
  public var description: String {
    switch self {
    case .default: "notice"
    case .info: "info"
    case .debug: "debug"
    case .error: "error"
    case .fault: "fault"
    default: "level \(rawValue)"
    }
  }
}

/// A place for lines to go.
public final class OSLog: Sendable {
  /// The log of what names none.
  public static let `default` = OSLog(subsystem: "", category: "")
  /// A log that writes nothing.
  public static let disabled = OSLog(nil)

  /// Nil for one that writes nothing.
  let category: String?

  private init(_ category: String?) { self.category = category }

  /// A log of this category; the subsystem is not shown.
  public init(subsystem: String, category: String) { self.category = category }

  /// False: nothing shall be computed for it.
  public func isEnabled(type: OSLogType) -> Bool { false }
}

// The name is the operating system's.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The function that came before ``Logger``: it writes a line, with the arguments in the places of the format.
public func os_log(
  _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default,
  type: OSLogType = .default, _ arguments: any CVarArg...
) {
  LogOutput.write(type, log.category, text(of: "\(message)", arguments))
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The same, with the level first.
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {
  LogOutput.write(type, log.category, message.text)
}

/// A format with what stands in braces left out, as in `%{public}@`, and its arguments.
private func text(of format: String, _ arguments: [any CVarArg]) -> String {
  String(format: format.replacing(/%\{[^}]*\}/, with: "%"), arguments: arguments)
}
