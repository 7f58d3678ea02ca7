import Invariants

/// How the moments of a run are written: in seconds since it began, or in days and the time of day where it
/// lasts for days.
struct Moments {
  /// What is above the moments of a table.
  let title: String
  /// How many characters a moment takes at most.
  let width: Int
  private let areOfDays: Bool

  init(_ setup: Setup) {
    areOfDays = setup.horizonMillis >= 2 * 86_400_000
    title = areOfDays ? "day and time" : "seconds"
    width = areOfDays ? 18 : 12
  }

  /// `3.051`, or `42d 03:00:00.051`.
  func text(_ instant: Instant) -> String {
    let fraction = "." + Self.digits(instant.millis % 1000, 3)
    return stretch(instant.millis / 1000) + fraction
  }

  /// A whole second, with its unit: `60 s`, or `30d 00:00:02`.
  func text(seconds: Int64) -> String { stretch(seconds) + (areOfDays ? "" : " s") }

  /// The same for what is said in a sentence.
  func words(_ instant: Instant) -> String { text(instant) + (areOfDays ? "" : " s") }

  private func stretch(_ seconds: Int64) -> String {
    guard areOfDays else { return String(seconds) }
    let clock = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60]
    return "\(seconds / 86_400)d " + clock.map { Self.digits($0, 2) }.joined(separator: ":")
  }

  private static func digits(_ number: Int64, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}
