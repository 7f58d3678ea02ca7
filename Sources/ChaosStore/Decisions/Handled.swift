/// An event of a run, as far as the order of events goes.
struct Handled: Equatable {
  /// When it was handled, in milliseconds.
  var millis: Int64
  /// Its place in the order of scheduling, which decides between events of one millisecond.
  var order: UInt64
  /// How many events had been scheduled by then: those that it brought about come from here on.
  var scheduled: UInt64
}
