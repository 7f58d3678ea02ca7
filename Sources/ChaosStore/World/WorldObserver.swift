import Invariants

/// Whoever is told of everything that happens in a run; what it does must have no part in the run.
protocol WorldObserver: AnyObject {
  /// The world in which the next run happens.
  func begin(_ handle: WorldHandle)
  /// An event was taken from the queue and is about to be handled.
  func saw(_ event: Event)
  /// A fact has entered the history, and the rules have seen it.
  func saw(_ fact: Fact)
}
