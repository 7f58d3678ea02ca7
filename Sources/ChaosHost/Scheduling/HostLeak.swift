/// Something that left the simulation, came into it from outside, or could not be ended.
///
/// A run with a leak may come out differently another time, unless it is of the kind `notEnded` or `goesOn`.
package struct HostLeak: Sendable, Hashable, CustomStringConvertible {
  /// What has happened.
  package enum Kind: String, Sendable, Hashable {
    /// A job was resumed by a thread that simulates nothing. The next entry of the host runs it.
    case foreignThread = "resumed by a foreign thread"
    /// A job was resumed when its process, or its host, was gone. It is not run.
    case afterTheEnd = "resumed after its process had ended"
    /// A task was there still when its process had been ended, as it waits for something that nobody sends. Its
    /// memory is not freed, and nothing else comes of it: it is never run again.
    case notEnded = "could not be ended"
    /// Code went on although its process had ended and its task was cancelled. The same becomes of it.
    case goesOn = "goes on after the end"
    /// Jobs went on making each other ready. The next entry goes on with them.
    case neverRests = "never comes to rest"
    /// A call would have blocked the only thread there is. It returned as if its time were over, if it
    /// had a limit or is one of Dispatch's.
    case blocks = "would block the thread"
    /// A call went to the platform itself: real files, threads, connections or time.
    case escaped = "escaped to the platform"
  }

  /// What has happened.
  package let kind: Kind
  /// The number of the process it belongs to, if that is known.
  package let process: Int?
  /// The task's or the function's name, as far as the program has one.
  package let name: String
  /// Nanoseconds of virtual time when it was noticed.
  package let time: UInt64
  /// What the code uses instead, as far as there is something.
  package internal(set) var instead: String?

  /// One line: process, name, what has happened, and what to do about it.
  package var description: String {
    let process = process.map { "process \($0)" } ?? "unknown process"
    return "\(process): \(name) \(kind.rawValue)\(instead.map { ": use \($0)" } ?? "")"
  }
}
