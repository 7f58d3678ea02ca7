import ChaosStore
import Invariants

/// What was learned about one scenario.
public struct ScenarioResult: Sendable {
  /// What was run.
  public var scenario: Scenario
  /// How many runs there were.
  public var runs = 0
  /// How many events they had in all.
  public var events = 0
  /// How much time passed in them, in simulated milliseconds.
  public var simulatedMillis: Int64 = 0
  /// How long it took to search, in seconds.
  public var searchSeconds = 0.0
  /// How long it took to make small what was found, in seconds.
  public var shrinkSeconds = 0.0
  /// What broke, in catalogue order.
  public var findings: [Finding] = []
  /// What the search came to; nil for one run that was asked for.
  public var search: Findings?
  /// Expected violations that were not seen.
  public var unseen: [String] = []
  /// Whether the seeds that the scenario asks for, those from 0, were all run.
  public var isFull = false
  /// Whether the budget ended it before that.
  public var isSpent = false
  /// Whether it says something only if it was run to its end.
  public var isProof = false
  /// What was begun or due and not brought to an end, since there was no more time: a few words each.
  public var cutShort: [String] = []
  /// After how many events the only run was ended by an interrupt.
  public var endedAfter: Int?
  /// Why what was seen is not to be believed: bugs of this harness, runs that came out differently.
  public var bugs: [String] = []
  /// The first run that was cut off at the event limit.
  public var cutOff: Origin?
  /// Whether a run was cut off at the event limit.
  public var isCutOff = false
  /// The hash of the only run.
  public var trace: UInt64?
  /// Decisions of the plan that were never asked for.
  public var unmatched: [Decision] = []
  /// Whether it is a default world, made up for a system that no scenario names.
  public var isDefaultWorld = false
  /// Whether a plan was given and nothing in it was asked for.
  public var matchesNothing = false
  /// The only run, written down.
  public var record: Record?

  init(scenario: Scenario, doubt: String? = nil) {
    self.scenario = scenario
    bugs = doubt.map { [$0] } ?? []
  }

  /// Whether it came to what it was to come to.
  public var verdict: Verdict {
    if !bugs.isEmpty || matchesNothing { return .noVerdict }
    if findings.contains(where: { $0.standing == .unexpected }) { return .unexpected }
    if !unseen.isEmpty, isFull { return .missing }
    if !unreached.isEmpty { return .vacuous }
    // Nothing was run, so nothing holds.
    if isSpent, runs == 0 { return .noVerdict }
    if endedAfter != nil || isCutOff || isSpent && (isProof || !unseen.isEmpty) {
      return .noVerdict
    }
    return unseen.isEmpty ? .asExpected : .notYetSeen
  }

  /// Faults of the mix that struck in no run.
  public var neverStruck: [Fault] {
    guard let search else { return [] }
    return scenario.setup.mix.faults.filter { search.coverage[$0] == 0 && !$0.needsHostedApp }
  }

  /// Goals that no run reached of a full campaign, or of a hundred if they take no fault.
  public var unreached: [Goal] {
    guard let search else { return [] }
    return zip(scenario.goals, search.reached)
      .filter { $0.1 == 0 && (isFull || $0.0.isPlain && search.runs >= 100) }.map(\.0)
  }

  /// What may be the reason why nothing happened, or why a run never ended, as far as the app says; of the run
  /// that was cut off, or else of the run without faults.
  var remarks: [String] {
    if let cutOff { return scenario.remarks(of: cutOff) }
    return unreached.isEmpty ? [] : scenario.remarks()
  }

  /// Why there is no verdict.
  public var doubts: [String] {
    var texts = bugs
    if let endedAfter {
      texts.append(
        "the run was interrupted after \(endedAfter.of("event")), so nothing is known of the rest")
    }
    if isSpent, runs == 0 {
      texts.append("there was no time for a single run; give it a longer --budget")
    }
    if isCutOff {
      let origin = cutOff.flatMap { origin in
        origin.seed.map { "seed \(SeedText.text($0))" }
          ?? (origin.plan.isEmpty ? nil : "plan '\(origin.plan)'")
      }
      texts.append(
        "a run was cut off after \(scenario.setup.eventLimit.grouped) events"
          + (origin.map { " (\($0))" } ?? "") + ": the system may do the same "
          + "for ever, or so long a history needs a higher eventLimit")
    }
    if isSpent, !isProof, !unseen.isEmpty {
      texts.append(
        "the budget was spent before \(unseen.joined(separator: ", ")) was seen, which is expected; "
          + "give it a longer --budget")
    }
    if matchesNothing { texts.append("nothing that the plan names was ever asked here") }
    if isProof, isSpent, let proof = search?.proof {
      texts.append(
        "the budget was spent before every plan was run: "
          + "\(proof.plans.map(\.grouped).joined(separator: " + ")) were, by size; "
          + "give it a longer --budget or fewer --faults")
    }
    return texts
  }

  /// Each problem once.
  mutating func note(_ problems: [String]) {
    for text in problems where !bugs.contains(text) { bugs.append(text) }
  }

  /// Each thing that was cut short once.
  mutating func cutShort(_ what: String) {
    if !cutShort.contains(what) { cutShort.append(what) }
  }

  /// Compares what broke with what was to break.
  mutating func judgeExpectations() {
    unseen = scenario.expects.filter { name in
      !findings.contains { $0.invariant.goes(by: name) }
    }
  }
}

extension ScenarioResult {
  /// The first run that broke it, written down: `Story(record, of: scenario).text` tells it.
  ///
  /// Runs it again, which gives the same; that takes memory for a line an event.
  public func record(of finding: Finding) -> Record {
    Simulation(scenario).record(finding.origin)
  }

  /// The smallest plan that is known to break it, or else the first run that did.
  func smallOrigin(of finding: Finding) -> Origin {
    (finding.smallestCluster?.plan ?? finding.plan).map { Origin(plan: $0) } ?? finding.origin
  }

  /// The same, written down.
  func smallRecord(of finding: Finding) -> Record {
    let small = Simulation(scenario).record(smallOrigin(of: finding))
    // Real processes may do something else this time.
    return small.violations.contains { $0.rule == finding.rule } ? small : record(of: finding)
  }

  /// Few decisions that break it without any seed; nil if only the seed is known to do it.
  ///
  /// Runs the scenario to find out, where nobody has done so before.
  public func smallPlan(of finding: Finding) -> Plan? {
    finding.plan ?? ScenarioRunner(scenario).plan(for: finding)
  }
}
