import ChaosHost
import Foundation
import Synchronization

/// What could not be ended with its simulated process. It says nothing about a run, and costs time and
/// memory.
enum Leftovers {
  private static let told = Mutex<Set<HostLeak.Kind>>([])

  /// Tells the first of each kind on stderr; more of the same would tell nothing more.
  static func tell(_ leak: HostLeak) {
    guard told.withLock({ $0.insert(leak.kind).inserted }) else { return }
    let what =
      leak.kind == .goesOn
      ? """
      goes on although it was cancelled. No verdict depends on it, but every such crash takes longer and keeps its \
      memory. In loops, write `while !Task.isCancelled`, or let the `try` of Task.sleep end them.
      """
      : """
      waits for what nobody sends, such as a continuation that nobody resumes. No verdict depends on it, but every \
      such crash keeps its memory.
      """
    let text = "note: code of a crashed app process could not be ended: \(leak.name) \(what)\n"
    FileHandle.standardError.write(Data(text.utf8))
  }
}
