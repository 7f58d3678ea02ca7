/// An event of a run, as far as the order of events goes.
struct Handled: Equatable {
  /// When it was handled, in milliseconds.
  var millis: Int64
  /// Its place in the order of scheduling, which decides between events of one millisecond.
  var order: UInt64
  /// How many events had been scheduled by then: those that it brought about come from here on.
  var scheduled: UInt64
  /// An app's own timer, which no question delays.
  var isTimer = false
}

/// What an event waits for that was put into the queue before that came: the end of a phone's delay, with
/// which it comes later.
struct Tie: Equatable {
  /// The event's place in the order of scheduling.
  var order: UInt64
  /// What the delay is of.
  var question: Question
  /// Whose it is.
  var subject: Subject
  /// When it ends, in milliseconds.
  var end: Int64
}
