/// On which phones an app ended its own process at one launch after the other.
///
/// Such an app would be started again for as long as the run goes on, and show nothing.
struct LaunchDeaths {
  /// After so many in a row it is not started on that phone again.
  static let most = 3

  /// How many there were last, by number of the phone; only looked up.
  private var inARow: [Int: Int] = [:]

  func mayStart(_ phone: Int) -> Bool { inARow[phone, default: 0] < Self.most }

  /// Counts one more; false if that was the last.
  mutating func died(_ phone: Int) -> Bool {
    inARow[phone, default: 0] += 1
    return mayStart(phone)
  }

  /// What the simulation ends is no death of its own either.
  mutating func survived(_ phone: Int) { inARow[phone] = nil }
}
