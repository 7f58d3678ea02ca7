import Invariants

/// A recorded run line by line, for comparing it with another: a machine's with a second machine's.
///
/// A line for each event, with the trace hash up to it; below it what was decided and what
/// happened during it. Two runs are the same exactly where their lines are.
public struct TraceListing: Sendable {
  /// One line.
  public struct Line: Equatable, Sendable {
    /// What a line says.
    public enum Content: Equatable, Sendable {
      /// What the kernel handled, whom it is about, and the numbers that went into the hash.
      case event(kind: String, about: String, trace: UInt64, numbers: String)
      /// A decision that was not quiet.
      case decision(Decision)
      /// What a real process of the backend has said.
      case saying(String)
      /// What happened to money or goods.
      case fact(String)
      /// What the run came to.
      case end(String)
    }

    /// The event it belongs to, from 1; 0 before the first, one more than there are at the end.
    public var event: Int
    /// When, in virtual time.
    public var at: Instant
    /// What it says.
    public var content: Content
  }

  /// Which run it is, in the first line.
  public let title: String
  /// A line for each event, decision and fact, and one for the end.
  public private(set) var lines: [Line] = []

  private let record: Record
  private let scenario: Scenario

  /// Lists a record of this scenario.
  package init(_ record: Record, of scenario: Scenario) {
    self.record = record
    self.scenario = scenario
    let origin = record.seed.map { "seed 0x" + String($0, radix: 16) } ?? "a plan"
    title = "trace of \(scenario.name) under \(origin)"
    var notes = record.notes[...]
    addContents(of: 0, at: .start, facts: 0, &notes)
    for (index, handled) in record.handled.enumerated() {
      let at = Instant(millis: handled.event.millis)
      lines.append(Line(event: index + 1, at: at, content: Self.content(handled)))
      addContents(of: index + 1, at: at, facts: handled.facts, &notes)
    }
    lines.append(
      Line(
        event: record.handled.count + 1, at: Instant(millis: record.outcome.endMillis),
        content: .end(end)))
  }

  /// The title and all lines, as text.
  public var text: String {
    ([title] + lines.map(\.text)).joined(separator: "\n") + "\n"
  }

  /// The lines under a title, in a text that may hold several listings; nil if it is not there.
  package static func lines(under title: String, in text: String) -> [String]? {
    let all = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let start = all.firstIndex(where: { $0 == title }) else { return nil }
    return all[(start + 1)...].prefix { !$0.isEmpty }.map(String.init)
  }

  /// A trace hash as people read it.
  package static func text(hash: UInt64) -> String {
    "0x" + hash.hexDigits
  }

  private mutating func addContents(
    of event: Int, at: Instant, facts first: Int, _ notes: inout ArraySlice<Script.Noted>
  ) {
    while let noted = notes.first, noted.event == event {
      notes.removeFirst()
      lines.append(Line(event: event, at: at, content: .decision(noted.decision)))
    }
    for saying in record.sayings where saying.event == event {
      lines.append(Line(event: event, at: at, content: .saying(saying.words.condensed)))
    }
    let handled = record.handled
    let end = event < handled.count ? handled[event].facts : record.facts.count
    for fact in record.facts[first..<end] {
      lines.append(Line(event: event, at: at, content: .fact(text(fact))))
    }
  }

  private static func content(_ handled: Recorder.Handled) -> Line.Content {
    let event = handled.event
    let about = event.kind == .serverStart ? "server\(event.subject + 1)" : handled.about?.name
    let row = event.subject == .max ? "-" : "\(event.subject)"
    return .event(
      kind: "\(event.kind)", about: about ?? "", trace: handled.trace,
      numbers: "row \(row) tag \(event.tag) life \(event.life) "
        + "detail 0x\(String(event.detail, radix: 16))")
  }

  /// Every field that is in the hash, as far as the fact has it.
  private func text(_ fact: Fact) -> String {
    var parts: [String] = []
    func add(_ id: some Identifier, _ text: (Int) -> String) {
      if !id.isNone { parts.append(text(id.index)) }
    }
    add(fact.transaction) { "transaction " + name($0, in: record.purchaseNames) }
    add(fact.original) { "of " + name($0, in: record.purchaseNames) }
    add(fact.intent) { "wish " + name($0, in: record.intentNames) }
    add(fact.account) { $0 < scenario.setup.accounts ? "user\($0 + 1)" : "attacker" }
    add(fact.storeAccount) { "store account \($0 + 1)" }
    add(fact.device) { "phone\($0 + 1)" }
    add(fact.product) { index in
      let products = scenario.setup.products
      return index < products.count ? products[index].name : "product \(index)"
    }
    if fact.quantity > 0 { parts.append("quantity \(fact.quantity)") }
    if fact.amount > 0 {
      parts.append(fact.kind == .granted ? "until \(fact.amount) s" : "\(fact.amount)/1000")
    }
    if fact.verdict != .none { parts.append("\(fact.verdict)") }
    if fact.message != .none { parts.append("\(fact.message)") }
    if fact.environment != .production { parts.append("\(fact.environment)") }
    return "\(fact.kind)" + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
  }

  private func name(_ index: Int, in names: [String]) -> String {
    index < names.count ? names[index] : "number \(index + 1)"
  }

  private var end: String {
    let outcome = record.outcome
    let broken = scenario.invariants.indices.filter { outcome.broken >> UInt64($0) & 1 == 1 }
      .map { scenario.invariants[$0].name }
    return "\(outcome.events) events, \(record.facts.count) facts, "
      + "trace \(Self.text(hash: outcome.trace)), "
      + (outcome.isAbandoned ? "abandoned, " : outcome.isCutOff ? "cut off, " : "")
      + (broken.isEmpty ? "breaks nothing" : "breaks " + broken.joined(separator: ", "))
  }
}

extension TraceListing.Line {
  /// The line as it is printed.
  public var text: String {
    let margin = String(repeating: " ", count: 23)
    // Of days the milliseconds are wider than their column.
    let moment = " " + "\(at.millis)".leftPadded(to: 10) + " ms  "
    let head = "\(event)".leftPadded(to: 7) + moment
    return switch content {
    case .event(let kind, let about, let trace, let numbers):
      head + kind.padded(to: 16) + about.padded(to: 14)
        + TraceListing.text(hash: trace) + "  " + numbers
    case .decision(let decision): margin + "decides " + decision.description
    case .saying(let words): margin + "backend " + words
    case .fact(let fact): margin + "fact " + fact
    case .end(let end): "    end" + moment + end
    }
  }
}
