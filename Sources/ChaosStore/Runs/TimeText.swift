/// Stretches of time as people write them.
package enum TimeText {
  /// A stretch of milliseconds in the unit that leaves at least two of it: `95 s`, `14 min`, `3 h`, `30 days`.
  static func words(_ millis: Int64) -> String {
    switch millis / 1000 {
    case ..<120: "\(millis / 1000) s"
    case ..<7200: "\(millis / 60_000) min"
    case ..<172_800: "\(millis / 3_600_000) h"
    default: "\(millis / 86_400_000) days"
    }
  }

  /// `30s`, `500ms`, `5m`, `2h` or `7d`.
  package static func duration(_ text: String) throws(TextError) -> Duration {
    let units: [(suffix: String, millis: Int64)] = [
      ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000),
      ("d", 86_400_000),
    ]
    guard let unit = units.first(where: { text.hasSuffix($0.suffix) }),
      !text.hasPrefix("+"), let number = UInt32(text.dropLast(unit.suffix.count)), number > 0
    else {
      throw TextError("'\(text)' is no time: expected one such as 30s, 500ms, 5m or 2h")
    }
    return .milliseconds(Int64(number) * unit.millis)
  }
}
