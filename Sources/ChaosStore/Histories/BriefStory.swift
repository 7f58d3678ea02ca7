import Invariants

/// A recorded run on few lines: the timeline around faults and violations, and why one rule matters.
package struct BriefStory {
  /// The lines, never more than were asked for unless that number is very small.
  package private(set) var lines: [Story.Line]
  /// How many lines of the timeline are missing.
  package private(set) var leftOut: Int

  /// The fewest lines that a timeline is cut to.
  private static let fewestLines = 6

  /// Tells a run that breaks the rule at this position of the scenario's.
  package init(
    _ record: Record, of scenario: Scenario, breaking rule: Int, width: Int, mostLines: Int
  ) {
    let chart = TimelineChart(record: record, scenario: scenario, width: width, isComplete: false)
    let invariant = scenario.invariants[rule]
    let reason =
      [Story.Line("✗ \(invariant.title)", .broken)]
      + [invariant.summary, invariant.meaning].flatMap { text in
        text.wrapped(to: width - 2).map { Story.Line("  " + $0) }
      }
    let others = 2 + reason.count
    let timeline = Self.shortened(
      chart.lines, to: max(Self.fewestLines, mostLines - others), about: invariant.title,
      indent: chart.indent)
    leftOut = timeline.leftOut
    lines =
      [Story.Line("What happened", .heading)] + timeline.lines + [Story.Line("")] + reason
  }

  /// The lines that tell most, in their order, with a line in the place of each gap.
  ///
  /// Violations of one rule come first, then other violations and faults, then what leads to them.
  static func shortened(_ chart: [Story.Line], to most: Int, about rule: String, indent: Int)
    -> (lines: [Story.Line], leftOut: Int)
  {
    guard chart.count > most else { return (chart, 0) }
    let isKept = kept(chart, most, rule)
    var lines: [Story.Line] = []
    var gap = 0
    var leftOut = 0
    for (line, isKept) in zip(chart, isKept) {
      if !isKept {
        gap += 1
        leftOut += 1
        continue
      }
      if gap > 0 { lines.append(mark(gap, indent)) }
      gap = 0
      lines.append(line)
    }
    if gap > 0 { lines.append(mark(gap, indent)) }
    return (lines, leftOut)
  }

  private static func mark(_ gap: Int, _ indent: Int) -> Story.Line {
    Story.Line(
      String(repeating: " ", count: indent) + "  … \(gap.of("line")) left out …", .quiet)
  }

  /// Which lines stay, if those and the gaps between them are to be so many.
  private static func kept(_ chart: [Story.Line], _ most: Int, _ rule: String) -> [Bool] {
    let ranks = ranks(chart, rule)
    var isKept = [Bool](repeating: false, count: chart.count)
    // Lines that are kept, and gaps between them: at first all is one gap.
    var used = 1
    for index in chart.indices.sorted(by: { (ranks[$0], $0) < (ranks[$1], $1) }) {
      let hasBefore = index == 0 || isKept[index - 1]
      let hasAfter = index == chart.count - 1 || isKept[index + 1]
      let cost = hasBefore && hasAfter ? 0 : hasBefore || hasAfter ? 1 : 2
      guard used + cost <= most else { continue }
      isKept[index] = true
      used += cost
    }
    // A gap of one line takes as much room as the line.
    for index in chart.indices.dropFirst().dropLast()
    where !isKept[index] && isKept[index - 1] && isKept[index + 1] {
      isKept[index] = true
    }
    return isKept
  }

  /// How far a line is from the header, from the next line that matters, or from the one before.
  private static func ranks(_ chart: [Story.Line], _ rule: String) -> [Int] {
    var ranks = chart.indices.map { $0 }
    func isKey(_ index: Int) -> Bool { [.fault, .broken].contains(chart[index].tone) }
    var next = chart.count
    for index in chart.indices.reversed() {
      next = isKey(index) ? 0 : next + 1
      ranks[index] = min(ranks[index], next)
    }
    var last = chart.count
    for index in chart.indices {
      last = isKey(index) ? 0 : last + 1
      // What leads to it says more than what comes of it.
      ranks[index] = min(ranks[index], 2 * last)
      if chart[index].tone == .broken, chart[index].text.contains(rule) { ranks[index] = -1 }
    }
    return ranks
  }
}
