/// A moment as a scenario file has it: `2026-11-22`, or `2026-11-22T10:15:00Z`, in UTC.
enum Moment {
  /// The seconds since 1970 of a text; nil where it is no moment, or one before 1970 or after 2099.
  static func parse(_ text: String) -> Int64? {
    let digits = Array(text.utf8)
    guard digits.count == 10 || digits.count == 20 else { return nil }
    let pattern = Array("dddd-dd-ddTdd:dd:ddZ".utf8)
    for (digit, expected) in zip(digits, pattern) {
      let fits = expected == UInt8(ascii: "d") ? (48...57).contains(digit) : digit == expected
      guard fits else { return nil }
    }
    func number(_ range: Range<Int>) -> Int64 {
      digits.count < range.upperBound ? 0 : digits[range].reduce(0) { $0 * 10 + Int64($1) - 48 }
    }
    let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
    let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
    guard (1970...2099).contains(year), (1...12).contains(month), day >= 1, hour < 24, minute < 60,
      second < 60
    else { return nil }
    let seconds = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second
    // A day that its month does not have is one of the next month.
    return self.text(seconds).hasPrefix(text.prefix(10)) ? seconds : nil
  }

  /// `2026-11-22T10:15:00Z`.
  static func text(_ seconds: Int64) -> String {
    let (day, rest) = (seconds / 86_400, seconds % 86_400)
    var (year, month) = (Int64(1970), Int64(1))
    while days(year + 1, 1, 1) <= day { year += 1 }
    while month < 12, days(year, month + 1, 1) <= day { month += 1 }
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(year)-\(two(month))-\(two(day - days(year, month, 1) + 1))T\(two(rest / 3600)):"
      + "\(two(rest / 60 % 60)):\(two(rest % 60))Z"
  }

  /// The days from 1 January 1970.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let past = year - 1
    // 477 leap days lie before 1970.
    let leapDays = past / 4 - past / 100 + past / 400 - 477
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let before: [Int64] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
    return (year - 1970) * 365 + leapDays + before[Int(month) - 1] + (isLeap && month > 2 ? 1 : 0)
      + day - 1
  }
}

extension JSONNode {
  /// A moment, in seconds since 1970.
  func moment() throws(ScenarioError) -> Int64 {
    guard case .string(let text) = value, let seconds = Moment.parse(text) else {
      throw error(
        expected: "a date from 1970 to 2099 such as 2026-11-22, or 2026-11-22T10:15:00Z")
    }
    return seconds
  }
}
