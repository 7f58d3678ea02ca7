/// Moments as logs write them, in milliseconds since 1970.
enum ISOTime {
  /// The end of the year 9999: later moments are mistakes.
  static let latest: Int64 = 253_402_300_799_999

  /// `2026-01-31T12:00:00Z`, with a fraction of a second or without, in UTC or with an offset; nil for anything else,
  /// and before 1970.
  static func millis(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard text.count >= 19, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
      text[10] == UInt8(ascii: "T") || text[10] == UInt8(ascii: " "),
      text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
      let century = two(text, 0), let years = two(text, 2), let month = two(text, 5),
      let day = two(text, 8), let hour = two(text, 11), let minute = two(text, 14),
      let second = two(text, 17), 1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60,
      second <= 60
    else { return nil }
    let year = century * 100 + years
    guard day <= length(ofMonth: month, year) else { return nil }
    var millis = ((days(year, month, day) * 24 + hour) * 60 + minute) * 60_000 + second * 1000
    var place = 19
    if place < text.count, text[place] == UInt8(ascii: ".") || text[place] == UInt8(ascii: ",") {
      place += 1
      var unit: Int64 = 100
      let first = place
      while place < text.count, text[place] &- 48 < 10 {
        millis += Int64(text[place] &- 48) * unit
        unit /= 10
        place += 1
      }
      guard place > first else { return nil }
    }
    guard let offset = offset(text, from: place) else { return nil }
    millis -= offset * 60_000
    return 0...latest ~= millis ? millis : nil
  }

  static func millis(_ text: String) -> Int64? {
    var text = text
    return text.withUTF8 { millis($0) }
  }

  /// As UTC, such as `2026-01-31 12:00:00.123`.
  static func text(_ millis: Int64) -> String {
    let day = millis / 86_400_000
    let rest = millis % 86_400_000
    let (year, month, date) = civil(day)
    func padded(_ number: Int64, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(date, 2)) "
      + "\(padded(rest / 3_600_000, 2)):\(padded(rest / 60_000 % 60, 2)):"
      + "\(padded(rest / 1000 % 60, 2)).\(padded(rest % 1000, 3))"
  }

  // MARK: -

  @inline(__always)
  private static func two(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int64? {
    let (tens, ones) = (text[place] &- 48, text[place + 1] &- 48)
    return tens < 10 && ones < 10 ? Int64(tens) * 10 + Int64(ones) : nil
  }

  /// Minutes ahead of UTC: nothing stands for UTC, as databases write it.
  private static func offset(_ text: UnsafeBufferPointer<UInt8>, from place: Int) -> Int64? {
    let count = text.count - place
    guard count > 0 else { return 0 }
    let sign = text[place]
    if sign == UInt8(ascii: "Z") || sign == UInt8(ascii: "z") { return count == 1 ? 0 : nil }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), count >= 3,
      let hours = two(text, place + 1), hours < 24
    else { return nil }
    var minutes: Int64 = 0
    if count > 3 {
      let first = text[place + 3] == UInt8(ascii: ":") ? place + 4 : place + 3
      guard text.count == first + 2, let found = two(text, first), found < 60 else { return nil }
      minutes = found
    }
    return (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -1 : 1)
  }

  private static func length(ofMonth month: Int64, _ year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days since 1970, counted in years that begin in March.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func civil(_ days: Int64) -> (Int64, Int64, Int64) {
    let shifted = days + 719_468
    let era = shifted / 146_097
    let day = shifted - era * 146_097
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    let date = dayOfYear - (153 * month + 2) / 5 + 1
    let number = month < 10 ? month + 3 : month - 9
    return (year + era * 400 + (number <= 2 ? 1 : 0), number, date)
  }
}
