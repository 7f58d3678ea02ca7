import Invariants

/// Where two recordings of what should be one run part.
package struct Divergence: Equatable, Sendable {
  /// No more decisions than these are shown.
  static let mostDecisions = 8

  /// The event at which they part, from 1; 0 for what comes before the first.
  package var event: Int
  /// What the one run has there; nil where it has nothing more.
  package var one: String?
  /// The other run's line there; nil where it has nothing more.
  package var other: String?
  /// What was decided before it, the latest last; at most eight of them.
  package var decisions: [TraceListing.Line]

  /// Compares line by line; nil if the lines are the same.
  package init?(_ listing: TraceListing, _ lines: [String]) {
    let own = listing.lines
    let count = min(own.count, lines.count)
    let place = (0..<count).first { own[$0].text != lines[$0] } ?? count
    guard place < max(own.count, lines.count) else { return nil }
    one = place < own.count ? own[place].text.condensed : nil
    other = place < lines.count ? lines[place].condensed : nil
    // What only the other run did belongs to the event before.
    let isWithin =
      other.map { line in
        ["decides ", "backend ", "fact "].contains { line.hasPrefix($0) }
      } ?? false
    event = own[..<(isWithin ? place : min(place + 1, own.count))].last?.event ?? 0
    decisions = own[..<place].filter { line in
      if case .decision = line.content { true } else { false }
    }.suffix(Self.mostDecisions)
  }
}

extension Divergence: CustomStringConvertible {
  /// In one sentence.
  package var description: String {
    let nothing = "nothing more"
    let before = decisions.map { line in
      if case .decision(let decision) = line.content { decision.description } else { "" }
    }
    return "they part at event \(event), which is '\(one ?? nothing)' in one run and "
      + "'\(other ?? nothing)' in the other; decided before it: "
      + (before.isEmpty ? "nothing" : before.joined(separator: ", "))
  }
}

extension Record {
  /// Where this and another recording of what should be one run part; nil if they do not.
  package func divergence(from other: Record, of scenario: Scenario) -> Divergence? {
    if handled == other.handled, sayings == other.sayings, facts == other.facts,
      notes == other.notes,
      outcome == other.outcome
    {
      return nil
    }
    return Divergence(
      TraceListing(self, of: scenario), TraceListing(other, of: scenario).lines.map(\.text))
  }
}

extension Outcome {
  /// For a sentence about two runs that differ.
  package var inWords: String {
    "\(events.of("event")) with the trace hash \(TraceListing.text(hash: trace))"
  }
}

extension String {
  /// With one space where there are several, and none around it.
  var condensed: String {
    split(separator: " ").joined(separator: " ")
  }
}
