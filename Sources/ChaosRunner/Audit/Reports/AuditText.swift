import ChaosStore
import Invariants

/// An audit as people read it.
struct AuditText {
  /// So many findings of a rule are told without `--details`.
  private static let fewFindings = 20

  private let result: AuditResult
  private let words: AuditWords
  private let width: Int
  private let style: Style
  private let hasDetails: Bool

  init(_ result: AuditResult, width: Int, style: Style, hasDetails: Bool) {
    (self.result, self.width, self.style, self.hasDetails) = (result, width, style, hasDetails)
    words = AuditWords(result)
  }

  var text: String {
    ([head] + result.broken.map(block) + [histories, sums, judged, damaged, late]).asParagraphs
  }

  private var head: [String] {
    var lines = words.range.wrapped(to: width)
    let verdict = words.verdict
    lines.append(style(verdict.text, verdict.isRed ? .redBold : .bold))
    return lines
  }

  private func block(_ rule: Int) -> [String] {
    let invariant = AuditRules.all[rule].invariant
    var lines = [
      style(invariant.impact.title, .bold) + ": " + invariant.impact.meaning,
      "\(invariant.title): \(words.count(rule))",
    ]
    lines += "  \(invariant.summary)".wrapped(to: width)
    let kept = words.findings(of: rule)
    let shown = hasDetails ? kept[...] : kept.prefix(Self.fewFindings)
    for finding in shown { lines += story(finding) }
    let rest = result.counts[rule] - shown.count
    if rest > 0 {
      let hint = shown.count < kept.count ? "; --details shows \(kept.count.grouped)" : ""
      lines.append("  and \(rest.grouped) more\(hint)")
    }
    return lines
  }

  private func story(_ finding: AuditFinding) -> [String] {
    var lines = ["  " + words.title(finding)]
    let places = finding.evidence.map { words.place($0.place) }
    let column = places.map(\.count).max() ?? 0
    for (evidence, place) in zip(finding.evidence, places) {
      let mark = evidence.isBreak ? style("✗", .red) : " "
      lines.append(
        "  \(mark) \(place.padded(to: column))  \(words.moment(evidence.at, finding))  "
          + evidence.text)
    }
    if finding.more > 0 { lines.append("    and \(finding.more.of("further line"))") }
    return lines
  }

  private var histories: [String] {
    guard !result.histories.isEmpty else { return [] }
    var lines = [style("Histories that are whole", .bold)]
    for history in result.histories {
      lines.append("  \(words.place(history.place))  \(history.name): \(words.outcome(history))")
    }
    return lines
  }

  private var sums: [String] {
    let rows = words.sums
    guard !rows.isEmpty else { return [] }
    let table = [AuditWords.sumTitles] + rows.map(\.cells)
    let widths = AuditWords.sumTitles.indices.map { column in
      table.map { $0[column].count }.max() ?? 0
    }
    var lines = [style("Sums, in units", .bold)]
    for (number, row) in table.enumerated() {
      var line = "  "
      for (column, cell) in row.enumerated() {
        line +=
          column == 0 ? cell.padded(to: widths[0]) : "  " + cell.leftPadded(to: widths[column])
      }
      let isRed = number > 0 && rows[number - 1].isRed
      lines.append(isRed ? style(line, .red) : line)
    }
    return lines
  }

  private var judged: [String] {
    var lines = [style("Judged", .bold)]
    let judged = words.judged
    lines +=
      judged.isEmpty
      ? ["  nothing"] : judged.joined(separator: ", ").wrapped(to: width - 2).map { "  " + $0 }
    let gaps = words.gaps
    if !gaps.isEmpty {
      lines.append(style("Not judged", .bold))
      for (reason, rules) in gaps {
        lines += "\(reason): \(rules.joined(separator: ", "))".wrapped(to: width - 2).map {
          "  " + $0
        }
      }
    }
    for note in words.notes { lines += note.wrapped(to: width - 2).map { "  " + $0 } }
    return lines
  }

  private var damaged: [String] {
    guard result.damaged > 0 else { return [] }
    return [style("Damaged: \(result.damaged.of("line")), left out", .yellow)]
      + list(result.damagedLines, of: result.damaged)
  }

  private var late: [String] {
    guard result.late > 0 else { return [] }
    let title = "Too late: \(result.late.of("fact")), left out; a longer --window takes them in"
    return [style(title, .yellow)] + list(result.lateLines, of: result.late)
  }

  private func list(_ lines: [DamagedLine], of count: Int) -> [String] {
    var texts = lines.flatMap { line in
      "\(words.place(line.place)): found \(line.damage.found), expected \(line.damage.expected)"
        .wrapped(to: width - 4).enumerated().map { ($0.offset == 0 ? "  " : "    ") + $0.element }
    }
    if count > lines.count { texts.append("  and \((count - lines.count).grouped) more") }
    return texts
  }
}
