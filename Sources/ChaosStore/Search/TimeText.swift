/// Stretches of time as people write them.
package enum TimeText {
  /// `30s`, `500ms`, `5m` or `2h`.
  package static func duration(_ text: String) throws(TextError) -> Duration {
    let units: [(suffix: String, millis: Int64)] = [
      ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000),
    ]
    guard let unit = units.first(where: { text.hasSuffix($0.suffix) }),
      !text.hasPrefix("+"), let number = UInt32(text.dropLast(unit.suffix.count)), number > 0
    else {
      throw TextError("'\(text)' is no time: expected one such as 30s, 500ms, 5m or 2h")
    }
    return .milliseconds(Int64(number) * unit.millis)
  }
}
