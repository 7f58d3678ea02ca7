import ChaosStore

extension [[String]] {
  /// Blocks of lines with a blank line between them, as one text.
  var asParagraphs: String {
    filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }
}

extension String {
  /// Wrapped, with a first part and lines below it that begin where its text began.
  static func hanging(_ head: String, _ text: String, width: Int) -> [String] {
    let indent = String(repeating: " ", count: head.count)
    return text.wrapped(to: Swift.max(20, width - head.count)).enumerated()
      .map { ($0.offset == 0 ? head : indent) + $0.element }
  }

  /// Each of its lines wrapped, but for those that are set in: lines to paste stay whole.
  func wrappedLines(to width: Int) -> [String] {
    split(separator: "\n").flatMap { line in
      line.hasPrefix("  ") ? [String(line)] : String(line).wrapped(to: width)
    }
  }

  /// Without spaces at the end.
  var trimmingEnd: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  /// Whether a pattern with `*` and `?` matches all of it.
  func matches(glob pattern: String) -> Bool {
    Self.matches(Array(self)[...], Array(pattern)[...])
  }

  private static func matches(_ text: ArraySlice<Character>, _ pattern: ArraySlice<Character>)
    -> Bool
  {
    // The last star and what it has taken so far: enough, as stars never need to be revisited.
    var text = text
    var pattern = pattern
    var retry: (text: ArraySlice<Character>, pattern: ArraySlice<Character>)?
    while true {
      if pattern.first == "*" {
        pattern = pattern.dropFirst()
        retry = (text, pattern)
      } else if let wanted = pattern.first, let found = text.first,
        wanted == "?" || wanted == found
      {
        pattern = pattern.dropFirst()
        text = text.dropFirst()
      } else if pattern.isEmpty, text.isEmpty {
        return true
      } else if let last = retry, !last.text.isEmpty {
        text = last.text.dropFirst()
        pattern = last.pattern
        retry = (text, pattern)
      } else {
        return false
      }
    }
  }
}

/// A stretch of simulated time as a person says it.
func simulatedTime(_ millis: Int64) -> String {
  let units: [(name: String, millis: Int64)] = [
    ("year", 31_557_600_000), ("day", 86_400_000), ("hour", 3_600_000), ("minute", 60_000),
    ("second", 1000),
  ]
  let unit = units.first { millis >= $0.millis } ?? units[units.count - 1]
  // Ten times the most there can be is more than can be counted.
  let tenths = millis / unit.millis * 10 + millis % unit.millis * 10 / unit.millis
  let number = tenths >= 1000 ? (tenths / 10).grouped : "\(tenths / 10).\(tenths % 10)"
  return "\(number) simulated \(unit.name)s"
}
