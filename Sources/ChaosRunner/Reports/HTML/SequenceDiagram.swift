import ChaosStore
import Foundation
import Invariants

/// A run as a picture: a lane for each part, an arrow for what goes from one to another, time downwards.
///
/// Faults and what breaks are marked across all lanes. Beside each line stands how likely it was then that the rule
/// would break.
struct SequenceDiagram {
  private static let width = 1000
  private static let firstLane = 130
  private static let lineHeight = 15
  private static let lettersOfLine = 72

  private let record: Record
  private let scenario: Scenario
  private let outlook: Outlook?
  private let title: String
  private let name: String
  private let lanes: [Timeline.Participant]
  private var lines: [Line] = []
  /// What is durable at the end, of each purchase of which anything ever was.
  private(set) var last: [DurableState.Purchase]

  /// One line of the picture.
  private struct Line {
    var entry: Timeline.Entry?
    /// What is said where it is no entry, or beside it.
    var words: [String]
    var broken: [String] = []
    /// What of the durable state is another than at the line before.
    var changes: [(Int, DurableState.Purchase)] = []
    var likelihood: Int?
  }

  /// - Parameters:
  ///   - rows: the lines of the run that are drawn; nil for some that are not.
  ///   - name: what the picture is called within its page.
  init(
    _ record: Record, _ scenario: Scenario, rows: [Timeline.Entry?], outlook: Outlook?,
    title: String,
    name: String
  ) {
    self.record = record
    self.scenario = scenario
    self.outlook = outlook
    self.title = title
    self.name = name
    let taking = Set(
      rows.compactMap { $0 }.flatMap { [$0.participant, $0.from, $0.to].compactMap { $0 } })
    lanes = Timeline.Participant.allCases.filter { $0 != .fault && taking.contains($0) }
    var state = DurableState(of: record)
    last = state.purchases
    var facts = record.facts[...]
    var taken = 0
    let breaks = Dictionary(grouping: record.violations.filter { $0.fact != nil }, by: \.position)
    var isHealed = false
    for row in rows {
      guard let entry = row else {
        lines.append(Line(words: ["some lines are left out here"]))
        continue
      }
      if !isHealed, entry.at.millis >= scenario.setup.healMillis {
        isHealed = true
        lines.append(Line(words: ["from here on no fault strikes"]))
      }
      while taken < entry.position, let fact = facts.popFirst() {
        state.take(fact)
        taken += 1
      }
      let text = entry.note.isEmpty ? entry.text : "\(entry.text): \(entry.note)"
      var line = Line(entry: entry, words: text.wrapped(to: Self.lettersOfLine))
      line.changes = zip(state.purchases, last).enumerated()
        .compactMap { index, pair in pair.0 == pair.1 ? nil : (index, pair.0) }
      last = state.purchases
      if entry.position > 0, let here = breaks[entry.position] {
        line.broken = here.map { "breaks " + scenario.invariants[$0.rule].title }
      }
      if let outlook {
        line.likelihood = outlook.broken[min(entry.event, outlook.broken.count - 1)]
      }
      lines.append(line)
    }
    while let fact = facts.popFirst() { state.take(fact) }
    var end = Line(words: ["the run ends"])
    end.changes = zip(state.purchases, last).enumerated()
      .compactMap { index, pair in pair.0 == pair.1 ? nil : (index, pair.0) }
    last = state.purchases
    end.broken = record.violations.filter { $0.fact == nil }
      .map { "what is left breaks " + scenario.invariants[$0.rule].title }
    lines.append(end)
    leaveOutWhatNeverWas()
  }

  /// Names are given to wishes that come to nothing as well: of those nothing is ever written down.
  private mutating func leaveOutWhatNeverWas() {
    let kept = Set(lines.flatMap { $0.changes.map(\.0) }).sorted()
    let places = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($1, $0) })
    last = kept.map { last[$0] }
    for index in lines.indices {
      lines[index].changes = lines[index].changes.compactMap { place, purchase in
        places[place].map { ($0, purchase) }
      }
    }
  }

  /// How many lines there are.
  var count: Int { lines.count }

  static func moment(_ entry: Timeline.Entry, _ scenario: Scenario) -> String {
    Moments(scenario.setup).words(entry.at)
  }

  // MARK: - As a picture

  private var right: Int { outlook == nil ? Self.width : Self.width - 90 }

  private func place(of lane: Timeline.Participant) -> Int {
    let spacing = (right - Self.firstLane - 60) / max(1, lanes.count - 1)
    return Self.firstLane + (lanes.firstIndex(of: lane) ?? 0) * spacing
  }

  private func height(_ line: Line) -> Int {
    (line.words.count + line.broken.count) * Self.lineHeight + (Self.isArrow(line) ? 12 : 7)
  }

  private static func isArrow(_ line: Line) -> Bool {
    line.entry?.from != nil || line.entry?.to != nil
  }

  var svg: String {
    let top = 34
    let height = lines.reduce(top + 10) { $0 + self.height($1) }
    var text =
      "<svg viewBox=\"0 0 \(Self.width) \(height)\" role=\"img\" aria-labelledby=\"\(name)-title\">"
      + "<title id=\"\(name)-title\">\(title.html); the list below says the same</title>\n"
    for lane in lanes {
      let x = place(of: lane)
      text +=
        "<text class=\"lane\" x=\"\(x)\" y=\"16\">\(lane.title.html)</text>"
        + "<path class=\"life\" d=\"M\(x) 24V\(height)\"/>"
    }
    if outlook != nil {
      text += "<text class=\"lane\" x=\"\(right + 45)\" y=\"16\">breaks in</text>"
    }
    text += "\n"
    var y = top
    for (index, line) in lines.enumerated() {
      text += drawn(line, index, y) + "\n"
      y += self.height(line)
    }
    return text + "</svg>"
  }

  private func drawn(_ line: Line, _ index: Int, _ y: Int) -> String {
    let isFault = line.entry?.participant == .fault
    let kind =
      !line.broken.isEmpty ? " broken" : isFault ? " fault" : line.entry == nil ? " aside" : ""
    var text =
      "<g class=\"row\(kind)\" data-line=\"\(index)\">"
      + "<rect x=\"0\" y=\"\(y)\" width=\"\(Self.width)\" height=\"\(height(line) - 2)\"/>"
    if let entry = line.entry {
      text +=
        "<text class=\"time\" x=\"92\" y=\"\(y + 12)\">\(Moments(scenario.setup).text(entry.at).html)</text>"
    }
    let lane =
      line.entry.map { isFault ? lanes.first ?? .person : $0.participant } ?? lanes.first ?? .person
    let x = place(of: lane)
    let ends = line.entry.flatMap(Self.ends)
    // The words stand on the side where there is room for them.
    let from = min(x, ends.map { min(place(of: $0.0), place(of: $0.1)) } ?? x)
    let to = max(x, ends.map { max(place(of: $0.0), place(of: $0.1)) } ?? x)
    let isLeft = from < Self.width / 2
    let anchor = isLeft ? "" : " text-anchor=\"end\""
    let start = isLeft ? from + 8 : to - 8
    let sign = isFault ? "⚡ " : ""
    for (number, words) in line.words.enumerated() {
      text +=
        "<text x=\"\(start)\" y=\"\(y + 12 + number * Self.lineHeight)\"\(anchor)>"
        + "\((number == 0 ? sign : "").html)\(words.html)</text>"
    }
    let below = y + line.words.count * Self.lineHeight + 4
    if let (one, other) = ends {
      let (a, b) = (place(of: one), place(of: other))
      let tip = b > a ? b - 6 : b + 6
      text +=
        "<path class=\"arrow\" d=\"M\(a) \(below)H\(tip)\"/>"
        + "<path class=\"tip\" d=\"M\(b) \(below)L\(tip) \(below - 4)V\(below + 4)Z\"/>"
    } else if line.entry != nil, !isFault {
      text += "<circle cx=\"\(x)\" cy=\"\(y + 8)\" r=\"3.5\"/>"
    }
    for (number, words) in line.broken.enumerated() {
      let height = y + 12 + (line.words.count + number) * Self.lineHeight + (ends == nil ? 0 : 6)
      text += "<text class=\"mark\" x=\"\(Self.firstLane)\" y=\"\(height)\">✗ \(words.html)</text>"
    }
    if let outlook, let likelihood = line.likelihood {
      let percent = likelihood * 100 / outlook.runs
      text +=
        "<rect class=\"bar\" x=\"\(right + 8)\" y=\"\(y + 3)\" width=\"\(max(1, percent * 38 / 100))\" height=\"9\"/>"
        + "<text class=\"percent\" x=\"\(Self.width - 4)\" y=\"\(y + 12)\">\(percent) %</text>"
    }
    return text + "</g>"
  }

  /// From whom to whom it goes; nil for what somebody does by themselves.
  private static func ends(of entry: Timeline.Entry) -> (
    Timeline.Participant, Timeline.Participant
  )? {
    if let from = entry.from { return (from, entry.participant) }
    return entry.to.map { (entry.participant, $0) }
  }

  // MARK: - As text

  /// The same for whoever does not see the picture.
  var list: String {
    let items = lines.map { line -> String in
      var text = line.words.joined(separator: " ")
      if let entry = line.entry {
        text = "\(Moments(scenario.setup).words(entry.at)), \(entry.participant.title): \(text)"
      }
      return (text + line.broken.map { "; \($0)" }.joined()).tagged(
        "li", line.broken.isEmpty ? "" : "bad")
    }
    return "<ol>\(items.joined(separator: "\n"))</ol>"
  }

  /// The same as the text of a Mermaid diagram.
  var mermaid: String {
    var text = "%% \(title.escapedForTerminal())\nsequenceDiagram\n"
    for lane in lanes { text += "  participant \(lane.rawValue) as \(lane.title)\n" }
    guard let first = lanes.first, let last = lanes.last else { return text }
    let all = first == last ? first.rawValue : "\(first.rawValue),\(last.rawValue)"
    for line in lines {
      let words = Self.escapedForMermaid(line.words.joined(separator: " "))
      if let entry = line.entry, entry.participant != .fault {
        if let (one, other) = Self.ends(of: entry) {
          text += "  \(one.rawValue)->>\(other.rawValue): \(words)\n"
        } else {
          text += "  Note over \(entry.participant.rawValue): \(words)\n"
        }
      } else {
        text += "  Note over \(all): \(line.entry == nil ? "" : "⚡ ")\(words)\n"
      }
      for broken in line.broken {
        text += "  Note over \(all): ✗ \(Self.escapedForMermaid(broken))\n"
      }
    }
    return text
  }

  /// A semicolon ends a line there, and a number sign begins a character's name.
  private static func escapedForMermaid(_ text: String) -> String {
    text.escapedForTerminal().reduce(into: "") { text, character in
      switch character {
      case "#": text += "#35;"
      case ";": text += "#59;"
      case "<": text += "#lt;"
      case ">": text += "#gt;"
      default: text.append(character)
      }
    }
  }

  /// What of the durable state changes at which line, as JSON: `[[line, [[purchase, money, queue, goods, phone], …]], …]`.
  var changes: String {
    let changed = lines.enumerated().filter { !$0.element.changes.isEmpty }.map { index, line in
      let rows = line.changes.map { place, purchase in
        "[\(place),"
          + [purchase.money, purchase.queue, purchase.goods, purchase.phone].map { "\"\($0)\"" }
          .joined(separator: ",") + "]"
      }
      return "[\(index),[\(rows.joined(separator: ","))]]"
    }
    return "[\(changed.joined(separator: ","))]"
  }
}

extension Timeline.Participant {
  /// What its lane is called.
  var title: String {
    switch self {
    case .store: "App Store"
    case .apple: "Apple"
    default: rawValue
    }
  }
}
