/// How long a subscription is paid for at a time.
public struct Period: Sendable, Hashable {
  /// What is counted.
  public enum Unit: String, Sendable, CaseIterable {
    /// A day of 24 hours.
    case day = "D"
    /// Seven days.
    case week = "W"
    /// A month of the calendar.
    case month = "M"
    /// Twelve months.
    case year = "Y"
  }

  /// What is counted.
  public var unit: Unit
  /// How many of them; at least 1.
  public var count: Int

  /// So many days, weeks, months or years.
  public init(_ count: Int, _ unit: Unit) {
    self.count = count
    self.unit = unit
  }

  /// Reads what ``description`` writes, such as `P1M`; nil where the text is nothing else.
  public init?(parsing text: String) {
    guard text.first == "P", let last = text.last, let unit = Unit(rawValue: String(last)),
      let count = Int(text.dropFirst().dropLast()), (1...999).contains(count)
    else { return nil }
    self.init(count, unit)
    if description != text { return nil }
  }

  /// The end of the `number`-th period from a moment, in seconds since 1970 as that is.
  ///
  /// Months are those of the calendar, in UTC: what begins on the 31st ends on the last day of a shorter
  /// month, and on the 31st again in a longer one.
  func end(of number: Int, from seconds: Int64) -> Int64 {
    let count = Int64(self.count * number)
    return switch unit {
    case .day: seconds + count * Self.day
    case .week: seconds + count * 7 * Self.day
    case .month: Self.adding(months: count, to: seconds)
    case .year: Self.adding(months: count * 12, to: seconds)
    }
  }

  /// How long it takes in the sandbox, in milliseconds.
  ///
  /// Source: Apple, Testing In-App Purchases with sandbox: a week takes 3 minutes, one month 5, two 10,
  /// three 15, six 30, and a year an hour.
  var sandboxMillis: Int64 {
    let days = Int64(count) * (unit == .day ? 1 : unit == .week ? 7 : unit == .month ? 30 : 365)
    let minutes: Int64 =
      switch days {
      case ...6: 2
      case ...29: 3
      case ...59: 5
      case ...89: 10
      case ...179: 15
      case ...364: 30
      default: 60
      }
    return minutes * 60_000
  }

  private static let day: Int64 = 86_400

  private static func adding(months: Int64, to seconds: Int64) -> Int64 {
    let (days, rest) = (seconds.floor(day), seconds - seconds.floor(day) * day)
    var (year, month, dayOfMonth) = date(ofDay: days)
    let total = year * 12 + month - 1 + months
    year = total.floor(12)
    month = total - year * 12 + 1
    dayOfMonth = min(dayOfMonth, length(ofMonth: month, year))
    return Self.days(year, month, dayOfMonth) * day + rest
  }

  private static func length(ofMonth month: Int64, _ year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days since 1970 of a date in the Gregorian calendar. Years are counted from March, so that a leap day
  /// is the last of its year.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month > 2 ? year : year - 1
    let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return year * 365 + year.floor(4) - year.floor(100) + year.floor(400) + ofYear - 719_468
  }

  private static func date(ofDay days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    // The average year has 365.2425 days, so this is the year or one beside it.
    var year = ((days + 719_468) * 400).floor(146_097)
    if Self.days(year, 3, 1) > days { year -= 1 }
    if Self.days(year + 1, 3, 1) <= days { year += 1 }
    let ofYear = days - Self.days(year, 3, 1)
    let month = (5 * ofYear + 2) / 153
    let day = ofYear - (153 * month + 2) / 5 + 1
    return month < 10 ? (year, month + 3, day) : (year + 1, month - 9, day)
  }
}

extension Period: CustomStringConvertible {
  /// As ISO 8601 and Xcode's `.storekit` files have it, such as `P1M`.
  public var description: String { "P\(count)\(unit.rawValue)" }
}

extension Int64 {
  /// Divided and rounded down.
  fileprivate func floor(_ divisor: Int64) -> Int64 {
    self / divisor - (self % divisor < 0 ? 1 : 0)
  }
}
