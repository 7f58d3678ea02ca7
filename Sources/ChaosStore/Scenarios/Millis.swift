/// Spans of time as a scenario file has them: whole milliseconds, or `250ms`, `10s`, `5m`, `24h`, `7d`.
enum Millis {
  /// The milliseconds of a text; nil where it is no span of time.
  static func parse(_ text: some StringProtocol) -> Int64? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int64(digits), let factor = factors[String(text[digits.endIndex...])]
    else { return nil }
    let (millis, overflows) = number.multipliedReportingOverflow(by: factor)
    return overflows ? nil : millis
  }

  private static let factors: [String: Int64] = [
    "": 1, "ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000,
  ]
}

extension JSONNode {
  /// A span of time within these bounds.
  func millis(
    _ range: ClosedRange<Int64> = Limits.times, or alternative: String = ""
  ) throws(ScenarioError) -> Int64 {
    let millis: Int64? =
      switch value {
      case .int(let number): Int64(number)
      case .string(let text): Millis.parse(text)
      case .null, .bool, .number, .list, .object: nil
      }
    guard let millis else {
      throw error(expected: "milliseconds, or a time such as 250ms, 10s, 5m or 24h" + alternative)
    }
    guard range.contains(millis) else {
      throw error(expected: Limits.time(range) + alternative)
    }
    return millis
  }

  /// A range of milliseconds such as `0..200`, or one number for a fixed time.
  func millisRange() throws(ScenarioError) -> ClosedRange<Int64> {
    var bounds: [Int64?] = []
    switch value {
    case .int(let number): bounds = [Int64(number)]
    case .string(let text):
      let sides = text.split(separator: "..", omittingEmptySubsequences: false)
      bounds = sides.map { Millis.parse($0) }
    case .null, .bool, .number, .list, .object: break
    }
    guard (1...2).contains(bounds.count), let least = bounds[0],
      let most = bounds[bounds.count - 1],
      least >= 0, least <= most, most <= Limits.longestDelay
    else {
      throw error(expected: "a range of milliseconds such as 0..200, up to 24h")
    }
    return least...most
  }
}
