import ChaosHost
import Foundation
import Synchronization

/// What could not be ended with its simulated process. It says nothing about a run, and costs time and
/// memory: an app that leaves much goes on in operating system processes of its own, which take it along.
enum Leftovers {
  private struct Known {
    var kinds: Set<HostLeak.Kind> = []
    /// How many each app has left in this process; only looked up.
    var counts: [HostedName: Int] = [:]
  }

  private static let known = Mutex(Known())
  private static let isCounted = Atomic(false)

  /// Some ten kilobytes each.
  static let most = 5000

  /// Whether any app has left anything.
  static var isAny: Bool { isCounted.load(ordering: .relaxed) }

  /// Whether an app has left so many that it is to go on elsewhere.
  static func areTooMany(of app: HostedName) -> Bool {
    known.withLock { $0.counts[app, default: 0] >= most }
  }

  /// Tells the first of each kind on stderr; more of the same would tell nothing more.
  static func tell(_ leak: HostLeak) {
    guard known.withLock({ $0.kinds.insert(leak.kind).inserted }) else { return }
    say("code of a crashed app process could not be ended: \(leak.name) \(what(leak))")
  }

  /// Counts one of an app that can go on elsewhere, and tells it where it does.
  static func count(of app: HostedName) {
    isCounted.store(true, ordering: .relaxed)
    let count = known.withLock { known in
      known.counts[app, default: 0] += 1
      return known.counts[app, default: 0]
    }
    guard count == most else { return }
    say(
      "\(app.system) goes on in operating system processes of its own, as \(most) pieces of code are left here that "
        + "could not be ended. A run was tried there first and had the same history. Memory grows no "
        + "further.")
  }

  private static func what(_ leak: HostLeak) -> String {
    leak.kind == .goesOn
      ? """
      goes on although it was cancelled. No verdict depends on it, but every such crash takes longer and keeps its \
      memory. In loops, write `while !Task.isCancelled`, or let the `try` of Task.sleep end them.
      """
      : """
      waits for what nobody sends, such as a continuation that nobody resumes. No verdict depends on it, but every \
      such crash keeps its memory.
      """
  }

  private static func say(_ text: String) {
    FileHandle.standardError.write(Data("note: \(text)\n".utf8))
  }
}
