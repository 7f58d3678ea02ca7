/// What a run asked, and what it handled.
struct Listing {
  /// What it followed.
  var plan: Plan
  var outcome: Outcome
  var askings: [Asking]
  var events: [Handled]
  /// What events wait for.
  var ties: [Tie] = []
  /// What each event has to do with others.
  var footprints: [Footprint]
  /// Equal for runs in which the same happened in the same order, but for events that touch nothing in
  /// common, and whenever it was.
  var course: UInt64
}
