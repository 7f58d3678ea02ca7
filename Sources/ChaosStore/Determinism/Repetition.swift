import Invariants

/// A run that is not to be trusted, run again until two of its runs differ.
package struct Repetition {
  /// How often it is run again: what a thread or a clock does need not show the first time.
  package static let mostRuns = 8

  /// What was noted in it, if anything was.
  package private(set) var problems: [Problem]

  private let origin: Origin
  /// How two runs of it differ; nil if no two do.
  private var difference: Difference?
  /// How many runs were compared with the first.
  private var runs = 0
  /// Whether what was noted is from one of these runs.
  private var isSeenAgain = false
  /// The event in which the first leak was noticed, and the one before it.
  private var noticed: String?
  private var before: String?

  /// `noted` is what an earlier run came to know; what is noted now counts for more.
  package init(
    of scenario: Scenario, _ origin: Origin, noted: [Problem] = [],
    cancellation: Cancellation = .never
  ) {
    problems = noted
    self.origin = origin
    // What the app does wrong says nothing about the run.
    if !noted.isEmpty, leak == nil { return }
    let first = Observation(origin, in: Simulation(scenario, cancellation: cancellation))
    see(first, scenario)
    // A run that is too large to be written down is compared once.
    let most = first.record == nil ? 1 : Self.mostRuns
    while runs < most, difference == nil, !first.isInterrupted {
      let other = Observation(origin, in: Simulation(scenario, cancellation: cancellation))
      if other.isInterrupted { return }
      runs += 1
      see(other, scenario)
      difference = first.difference(from: other, of: scenario)
    }
  }

  private mutating func see(_ observation: Observation, _ scenario: Scenario) {
    if !observation.problems.isEmpty, !isSeenAgain {
      isSeenAgain = true
      problems = observation.problems
    }
    guard let record = observation.record, noticed == nil, before == nil, let leak,
      record.problems.contains(leak)
    else { return }
    let events = TraceListing(record, of: scenario).lines.filter(\.isEvent)
    noticed = events.first { $0.event == leak.event }?.text.condensed
    before = events.last { $0.event < leak.event }?.text.condensed
  }

  /// The first thing that left the simulation.
  private var leak: Problem? { problems.first { $0.kind == .leak } }

  /// Whether two runs differ, or something left the simulation.
  package var isNondeterministic: Bool { difference != nil || leak != nil }

  /// What is wrong with it, in a sentence; nil where nothing is.
  package var text: String? {
    if let leak {
      let others = problems.count { $0.kind == .leak } - 1
      return "\(origin) is nondeterministic: \(leak)"
        + (noticed.map { ", which is '\($0)'" } ?? "")
        + (others > 0 ? ", and \(others.grouped) more" : "") + "; \(comparison)"
    }
    // Where it shows nowhere but in a problem that one of the two had, that is what there is to say.
    if let difference, difference.divergence != nil || problems.isEmpty {
      return "\(origin) came out differently when it was run again: \(difference)"
    }
    return problems.first.map { "\(origin): \($0)" }
  }

  /// For a run that came out differently among others, and by itself no more.
  package var onceDifferent: String {
    "\(origin) came out differently when it was run a second time among others, and the same in "
      + "\((runs + 1).of("run")) by itself"
  }

  private var comparison: String {
    if let difference { return "run again it came out differently: \(difference)" }
    let again = isSeenAgain ? "" : " and without that"
    return
      "run \(runs.of("more time")) it came out the same\(again); "
      + (before.map { "the last event before that is '\($0)'" } ?? "no event came before that")
  }
}

extension TraceListing.Line {
  fileprivate var isEvent: Bool {
    if case .event = content { true } else { false }
  }
}
