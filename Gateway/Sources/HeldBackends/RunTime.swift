/// How long a run has taken on this machine's clock, and what was last waited for.
struct RunTime {
  /// How long it may take.
  let limit: Duration
  private var begun = ContinuousClock.now
  /// What was last waited for, such as `the backend to be quiet after POST /purchases`.
  var awaited = "the backend to start"

  init(limit: Duration) { self.limit = limit }

  /// Whether it has taken longer.
  var isOver: Bool { ContinuousClock.now - begun > limit }

  /// So much of it does not count.
  mutating func leaveOut(_ duration: Duration) { begun += duration }

  /// Why a run that took longer has no verdict.
  var complaint: String {
    "the run took longer than \(limit.components.seconds) seconds of real time, and was ended; last waited for: "
      + "\(awaited) (\"runLimit\" in the backend's file sets the limit)"
  }
}
