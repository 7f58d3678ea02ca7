import Invariants

/// A timeline drawn with a column for each participant; a text starts in the column of who did it.
struct TimelineChart {
  private(set) var lines: [Story.Line] = []
  /// The width of the margin with its times.
  var indent: Int { moments.width }

  private let record: Record
  private let scenario: Scenario
  private let width: Int
  private let moments: Moments

  /// Where each participant's column begins, after the margin and the time.
  private static let columns: [(participant: Timeline.Participant, title: String, start: Int)] = [
    (.fault, "fault", 2), (.person, "person", 9), (.app, "app", 17), (.store, "App Store", 22),
    (.network, "network", 33), (.backend, "backend", 42), (.apple, "Apple", 51),
  ]

  init(record: Record, scenario: Scenario, width: Int, isComplete: Bool) {
    self.record = record
    self.scenario = scenario
    moments = Moments(scenario.setup)
    self.width = max(width, 72 + moments.width)
    addHeader()
    let entries = record.timeline.entries
    let breaks = Dictionary(
      grouping: record.violations.filter { $0.fact != nil }, by: \.position)
    let healed =
      entries.firstIndex { $0.at.millis >= scenario.setup.healMillis } ?? entries.count
    var index = 0
    while index < entries.count {
      if index == healed { addHeal() }
      let stretch = entries[..<(index < healed ? healed : entries.count)]
      let cycle = isComplete ? nil : Cycle(in: stretch, at: index, marked: breaks)
      let end = index + (cycle?.length ?? 1)
      for entry in entries[index..<end] { add(entry, breaks[entry.position] ?? []) }
      if let cycle {
        let last = entries[end + cycle.length * cycle.repeats - 1].at
        let what = cycle.length == 1 ? "line" : "\(cycle.length) lines"
        addNote("the same \(what) \(cycle.repeats) more times, until \(moments.text(last))")
        index = end + cycle.length * cycle.repeats
      } else {
        index = end
      }
    }
    if healed == entries.count { addHeal() }
    addEnd()
  }

  private mutating func addHeal() {
    addNote("from here on no fault strikes", at: scenario.setup.healMillis)
  }

  private mutating func addHeader() {
    var text = pad("", moments.title)
    for column in Self.columns {
      let gap = moments.width + column.start - text.count
      text += String(repeating: " ", count: gap) + column.title
    }
    lines.append(Story.Line(text, .quiet))
  }

  private mutating func add(_ entry: Timeline.Entry, _ violations: [Violation]) {
    // Several entries can follow one fact; the mark belongs to the fact itself.
    let violations = entry.position > 0 ? violations : []
    let start =
      moments.width + (Self.columns.first { $0.participant == entry.participant }?.start ?? 2)
    let text = entry.note.isEmpty ? entry.text : "\(entry.text): \(entry.note)"
    let tone: Story.Tone =
      !violations.isEmpty ? .broken : entry.participant == .fault ? .fault : .plain
    var margin = pad(violations.isEmpty ? "" : "✗", moments.text(entry.at))
    for piece in text.wrapped(to: max(18, width - start)) {
      lines.append(
        Story.Line(margin + String(repeating: " ", count: start - margin.count) + piece, tone))
      margin = ""
    }
    for violation in violations { addMark(violation, "breaks") }
  }

  private mutating func addMark(_ violation: Violation, _ verb: String) {
    let rule = scenario.invariants[violation.rule]
    let subject = record.subject(of: violation).map { ": \($0)" } ?? ""
    lines.append(
      Story.Line(pad("✗", "") + "  \(verb) \(rule.name) (\(rule.code))\(subject)", .broken))
  }

  private mutating func addNote(_ text: String, at millis: Int64? = nil) {
    let time = millis.map { moments.text(Instant(millis: $0)) } ?? ""
    lines.append(Story.Line(pad("", time) + "  -- \(text) --", .quiet))
  }

  private mutating func addEnd() {
    addNote("the run ends", at: scenario.setup.horizonMillis)
    for violation in record.violations where violation.fact == nil {
      addMark(violation, "what is left breaks")
    }
  }

  private func pad(_ mark: String, _ text: String) -> String {
    mark + text.leftPadded(to: moments.width - mark.count)
  }
}

/// A stretch of a timeline that repeats itself at least twice more, word for word.
private struct Cycle {
  var length: Int
  /// How often it comes again.
  var repeats: Int

  init?(in entries: ArraySlice<Timeline.Entry>, at start: Int, marked: [Int: [Violation]]) {
    for length in 1...16 {
      var repeats = 0
      while Self.matches(entries, start, start + length * (repeats + 1), length, marked) {
        repeats += 1
      }
      if repeats >= 2 {
        self.length = length
        self.repeats = repeats
        return
      }
    }
    return nil
  }

  private static func matches(
    _ entries: ArraySlice<Timeline.Entry>, _ a: Int, _ b: Int, _ length: Int,
    _ marked: [Int: [Violation]]
  ) -> Bool {
    guard b + length <= entries.endIndex else { return false }
    return (0..<length).allSatisfy { offset in
      let one = entries[a + offset]
      let other = entries[b + offset]
      return one.participant == other.participant && one.participant != .fault
        && one.text == other.text
        && (other.position == 0 || marked[other.position] == nil)
    }
  }
}
