import Invariants

/// Whoever is told of everything that happens in a run; what it does must have no part in the run.
protocol WorldObserver: AnyObject {
  /// The world in which the next run happens.
  func begin(_ handle: WorldHandle)
  /// An event was taken from the queue and is about to be handled.
  func saw(_ event: Event)
  /// A fact has entered the history, and the rules have seen it.
  func saw(_ fact: Fact)
  /// A real process of the backend has said something to somebody.
  func saw(saying words: String)
  /// Whether it wants to know what hosted code prints.
  var keepsOutput: Bool { get }
  /// Hosted code has printed a line; only where that is wanted.
  func saw(_ line: PrintedLine)
  /// Something of which the history does not say why it came to nothing; only where output is wanted.
  func saw(remark: String)
}

extension WorldObserver {
  var keepsOutput: Bool { false }
  func saw(saying words: String) {}
  func saw(_ line: PrintedLine) {}
  func saw(remark: String) {}
}

/// A line that hosted code has printed.
package struct PrintedLine: Sendable, Equatable {
  /// When.
  package let at: Instant
  /// Who: `phone1, launch 2` or `server1`.
  package let place: String
  /// What, without the end of the line.
  package let text: String
}
