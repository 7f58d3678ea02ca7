/// Whether work is to end before its end: asked between runs and, within a long run, every so many
/// events, from any thread.
///
/// Once it was answered with yes it is answered with yes for ever. What was under way then has no
/// outcome, and nothing follows from it.
package struct Cancellation: Sendable {
  /// How many events a run handles before it asks again. Most runs are over before they ask at all.
  static let eventsBetween = 4096

  /// Never requested.
  package static let never = Cancellation()

  private let ask: (@Sendable (_ events: Int) -> Bool)?

  private init() { ask = nil }

  /// `isRequested` is told how many events the run under way has had, and 0 between runs.
  package init(_ isRequested: @escaping @Sendable (_ events: Int) -> Bool) { ask = isRequested }

  /// Calls `body` with what is requested when the task is cancelled that it is called from, as one is whose
  /// test has taken longer than its time limit; never where there is no task.
  static func ofTask<Result>(_ body: (Cancellation) throws -> Result) rethrows -> Result {
    try withUnsafeCurrentTask { task in
      guard let task else { return try body(.never) }
      let asked = Asked(task: task)
      return try body(Cancellation { _ in asked.task.isCancelled })
    }
  }

  /// Any thread may ask a task whether it is cancelled, as long as it is there.
  private struct Asked: @unchecked Sendable {
    let task: UnsafeCurrentTask
  }

  /// Whether no more run is to begin.
  package var isRequested: Bool { ask?(0) ?? false }

  /// Whether the run that has had so many events is to end.
  func isRequested(after events: Int) -> Bool { ask?(events) ?? false }
}
