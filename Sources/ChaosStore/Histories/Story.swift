import Invariants

/// A recorded run as text: what struck, what happened, which rule broke and why it matters.
///
///     print(Story(simulation.record(seed: 0x2a), of: scenario).text)
public struct Story {
  /// What kind of line it is, for a terminal with colours.
  public enum Tone: Sendable {
    /// Ordinary text.
    case plain
    /// The title, and what begins a section.
    case heading
    /// A fault that struck.
    case fault
    /// An invariant that broke, and where.
    case broken
    /// What only helps to read the rest.
    case quiet
  }

  /// One line, as wide as the story.
  public struct Line: Sendable, Equatable {
    /// What it says, without colours and without an end of line.
    public var text: String
    /// What kind of line it is.
    public var tone: Tone

    package init(_ text: String, _ tone: Tone = .plain) {
      self.text = text
      self.tone = tone
    }
  }

  /// The whole of it, from the title on.
  public private(set) var lines: [Line] = []

  private let record: Record
  private let scenario: Scenario
  private var moments: Moments { Moments(scenario.setup) }
  private let width: Int

  /// Tells a record of this scenario, in lines of `width` characters where that is possible.
  ///
  /// `isComplete` shows every line of the timeline; otherwise what repeats itself is left out.
  public init(
    _ record: Record, of scenario: Scenario, width: Int = 100, isComplete: Bool = false
  ) {
    self.record = record
    self.scenario = scenario
    self.width = width
    addTitle()
    addFaults()
    let chart = TimelineChart(
      record: record, scenario: scenario, width: width, isComplete: isComplete)
    lines += [Line(""), Line("What happened", .heading)] + chart.lines
    addBroken()
  }

  /// The lines as one text without colours.
  public var text: String { lines.map(\.text).joined(separator: "\n") + "\n" }

  private mutating func addTitle() {
    let origin =
      switch (record.seed, record.faults.isEmpty) {
      case (let seed?, _): "under seed 0x\(String(seed, radix: 16))"
      case (nil, false): "under a plan, without a seed"
      case (nil, true): isQuiet ? "in a quiet run" : "under a plan of delays alone, without a seed"
      }
    lines.append(Line("\(scenario.name) \(origin): \(countOfBroken)", .heading))
    let variant =
      scenario.variant == scenario.system.variants.first
      ? "" : ", variant \(scenario.variant)"
    add("system: \(scenario.system.entry.name)\(variant), \(scenario.setup.backend) backend")
    if !scenario.about.isEmpty { add("shows: " + scenario.about) }
  }

  /// True if nothing strikes and no message takes longer than it may.
  private var isQuiet: Bool { record.faults.isEmpty && record.full.size == 0 }

  private var countOfBroken: String {
    switch record.violations.count {
    case 0: "every invariant holds"
    case 1: "1 invariant broken"
    case let n: "\(n) invariants broken"
    }
  }

  private mutating func addFaults() {
    lines += [Line(""), Line("Faults that struck", .heading)]
    if record.faults.isEmpty {
      return add(isQuiet ? "none" : "none: messages take longer, within their usual time")
    }
    let strikes = record.timeline.entries.filter { $0.participant == .fault }
    let column = min(48, (strikes.map(\.text.count).max() ?? 0) + 2)
    for strike in strikes {
      let gap = String(repeating: " ", count: max(2, column - strike.text.count))
      lines.append(Line("  " + strike.text + gap + strike.note, .fault))
    }
  }

  private mutating func addBroken() {
    guard !record.violations.isEmpty else { return }
    lines += [Line(""), Line("What it breaks, and why it matters", .heading)]
    for violation in record.violations {
      let rule = scenario.invariants[violation.rule]
      lines.append(
        Line("  ✗ \(rule.name) (\(rule.code)), \(place(of: violation))", .broken))
      add(rule.summary, indent: 4)
      add(rule.meaning, indent: 4)
      if rule.goes(by: AccessGap.rule) { addAccessGaps() }
    }
  }

  /// For how long who had paid was locked out, or who had not was let in.
  private mutating func addAccessGaps() {
    for gap in record.accessGaps {
      guard let name = record.name(of: gap.first) else { continue }
      for sentence in gap.sentences(name) { add(sentence, indent: 4) }
    }
  }

  private func place(of violation: Violation) -> String {
    let standing =
      scenario.expects.contains { scenario.invariants[violation.rule].goes(by: $0) }
      ? "expected here"
      : scenario.allows.contains { scenario.invariants[violation.rule].goes(by: $0) }
        ? "allowed here" : "NOT expected"
    if violation.fact != nil { return "at \(moments.words(violation.at)), \(standing)" }
    let subject = record.subject(of: violation).map { " for \($0)" } ?? ""
    return "at the end\(subject), \(standing)"
  }

  private mutating func add(_ text: String, indent: Int = 2) {
    for line in text.wrapped(to: width - indent) {
      lines.append(Line(String(repeating: " ", count: indent) + line))
    }
  }
}

extension Record {
  /// The purchase or the intent that a rule judged at the end found wrong; nil where it is a sum.
  func subject(of violation: Violation) -> String? {
    guard let found = violation.found else { return nil }
    if let name = name(of: found.transaction) { return name }
    if !found.intent.isNone, found.intent.index < intentNames.count {
      return intentNames[found.intent.index]
    }
    return nil
  }

  /// What a purchase is called; nil for none that a fact was about.
  func name(of transaction: TransactionID) -> String? {
    guard !transaction.isNone, transaction.index < purchaseNames.count else { return nil }
    return purchaseNames[transaction.index]
  }
}

extension String {
  /// The text in lines of at most so many characters, broken between words.
  package func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in split(whereSeparator: \.isWhitespace) {
      if line.isEmpty {
        line = String(word)
      } else if line.count + 1 + word.count <= width {
        line += " " + word
      } else {
        lines.append(line)
        line = String(word)
      }
    }
    lines.append(line)
    return lines
  }
}
