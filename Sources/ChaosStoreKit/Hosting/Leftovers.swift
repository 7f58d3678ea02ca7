import Foundation
import Synchronization

/// What could not be ended with its simulated process. It says nothing about a run, and costs memory.
enum Leftovers {
  private struct Told {
    var names: Set<String> = []
    var count = 0
  }

  private static let told = Mutex(Told())

  /// How many there were in all runs of this program.
  static var count: Int { told.withLock { $0.count } }

  /// Counts it; the first of each name is told on stderr.
  static func tell(_ name: String) {
    let isNew = told.withLock { told in
      told.count += 1
      return told.names.insert(name).inserted
    }
    guard isNew else { return }
    let text = """
      note: \(name) could not be ended when its app process crashed: it waits for what nobody sends, or \
      goes on after it was cancelled. Its memory stays; verdicts do not depend on it.

      """
    FileHandle.standardError.write(Data(text.utf8))
  }
}
