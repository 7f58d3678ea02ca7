import Foundation
import Synchronization

/// What could not be ended with its simulated process. It says nothing about a run, and costs time and
/// memory.
enum Leftovers {
  private static let isTold = Mutex(false)

  /// Tells the first of a program on stderr; more of the same would tell nothing more.
  static func tell(_ name: String) {
    let isFirst = isTold.withLock { isTold in
      defer { isTold = true }
      return !isTold
    }
    guard isFirst else { return }
    let text = """
      note: code of a crashed app process could not be ended (\(name), at the last). It goes on although it was \
      cancelled, or waits for what nobody sends. No verdict depends on it, but every such crash takes longer and \
      keeps its memory. In loops, write `while !Task.isCancelled`, or let the `try` of Task.sleep end them.

      """
    FileHandle.standardError.write(Data(text.utf8))
  }
}
