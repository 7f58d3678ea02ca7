import ChaosStore
import Invariants

/// In words, the costliest first: what goes wrong, in which designs, and under which faults.
struct FindingsText {
  private let matrix: Matrix
  private let options: ReportOptions
  private var words: CostsInWords { CostsInWords(matrix) }

  init(_ matrix: Matrix, _ options: ReportOptions) {
    self.matrix = matrix
    self.options = options
  }

  var lines: [String] {
    let (impacts, sound) = (words.impacts, words.sound)
    var lines: [String] = []
    if !impacts.isEmpty {
      lines.append(options.style("What goes wrong, the costliest first", .bold))
      if matrix.isExpected {
        lines.append("All of it is what the scenarios expect of these designs.")
      }
      for (index, impact) in impacts.enumerated() {
        // Those that are told in one line stand together.
        if index == 0 || isLong(impact) || isLong(impacts[index - 1]) { lines.append("") }
        lines += self.lines(impact)
      }
    }
    if !sound.isEmpty {
      if !lines.isEmpty { lines.append("") }
      lines += String.hanging(
        "Nothing breaks in: ", sound.joined(separator: ", "), width: options.width)
    }
    return lines
  }

  /// What costs money or goods says where and when; the rest says where.
  private func lines(_ impact: Impact) -> [String] {
    let head = String.hanging(
      "\(impact.letter)  ", "\(impact.title): \(impact.meaning)", width: options.width)
    let places = words.places(of: impact)
    var lines = head.map { options.style($0, impact.color) }
    guard isLong(impact) else {
      return lines
        + String.hanging("   ", places.map(\.name).joined(separator: ", "), width: options.width)
    }
    let column = 2 + (places.map(\.name.count).max() ?? 0)
    for place in places {
      let start = "   " + place.name.padded(to: column)
      if options.hasDetails {
        lines += String.hanging(
          start, place.faults.joined(separator: ", "), width: options.width)
      } else {
        lines.append(start + Self.oneLine(place.faults, width: options.width - start.count))
      }
    }
    return lines
  }

  private func isLong(_ impact: Impact) -> Bool { impact.isGrave || options.hasDetails }

  /// As many as fit on a line, and how many more there are.
  private static func oneLine(_ faults: [String], width: Int) -> String {
    for count in (1...max(1, faults.count)).reversed() {
      let rest = faults.count - count
      let text =
        faults.prefix(count).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
      if text.count <= width || count == 1 { return text }
    }
    return ""
  }
}
