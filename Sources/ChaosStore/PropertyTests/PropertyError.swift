/// Why a check can say nothing about a system.
public struct PropertyError: Error, Equatable, Sendable {
  /// Who has to mend something: the caller, the keeper of plans, or the author of the system.
  public enum Kind: String, Sendable {
    /// A variable of the environment, an argument or the scenario makes no sense.
    case usage
    /// A kept plan no longer fits what it was recorded in.
    case stale
    /// What was asked for was not run, or what was run is not to be believed.
    case noVerdict = "no verdict"
  }

  /// Why there is no verdict.
  public var kind: Kind
  /// What was found, where, what was expected, and what to do.
  public var message: String

  static func usage(_ message: String) -> PropertyError {
    PropertyError(kind: .usage, message: message)
  }

  static func noVerdict(_ message: String) -> PropertyError {
    PropertyError(kind: .noVerdict, message: message)
  }
}

extension PropertyError: CustomStringConvertible {
  /// The message, after the kind where it is no usage error.
  public var description: String {
    switch kind {
    case .usage: message
    case .stale, .noVerdict: "\(kind.rawValue): \(message)"
    }
  }
}
