import Invariants

/// How the moments of a run are written: in seconds since it began, or in days and the time of day where it
/// lasts for days.
package struct Moments {
  /// What is above the moments of a table.
  let title: String
  /// How many characters a moment takes at most.
  let width: Int
  private let areOfDays: Bool

  package init(_ setup: Setup) {
    areOfDays = setup.horizonMillis >= 2 * 86_400_000
    title = areOfDays ? "day and time" : "seconds"
    width = areOfDays ? 18 : 12
  }

  /// `3.051`, or `42d 03:00:00.051`.
  package func text(_ instant: Instant) -> String {
    areOfDays
      ? Self.day(instant.millis / 1000) + "." + Self.digits(instant.millis % 1000, 3)
      : instant.seconds
  }

  /// A whole second, with its unit: `60 s`, or `30d 00:00:02`.
  func text(seconds: Int64) -> String { areOfDays ? Self.day(seconds) : "\(seconds) s" }

  /// The same for what is said in a sentence.
  package func words(_ instant: Instant) -> String { text(instant) + (areOfDays ? "" : " s") }

  private static func day(_ seconds: Int64) -> String {
    let clock = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60]
    return "\(seconds / 86_400)d " + clock.map { digits($0, 2) }.joined(separator: ":")
  }

  fileprivate static func digits(_ number: Int64, _ count: Int) -> String {
    String(number).leftPadded(to: count, with: "0")
  }
}

extension Instant {
  /// Seconds with three digits after the point.
  package var seconds: String { "\(millis / 1000)." + Moments.digits(millis % 1000, 3) }
}
