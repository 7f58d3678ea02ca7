import ChaosStore
import Invariants

/// One broken invariant of one scenario.
struct Finding {
  enum Standing { case expected, allowed, unexpected }

  /// The position of the invariant among the scenario's.
  var rule: Int
  var invariant: any Invariant
  var standing: Standing
  /// How many runs broke it.
  var runs: Int
  /// The first run that did.
  var origin: Origin
  /// A smallest plan that did, of those that were run.
  var smallest: Plan?
  /// The lowest seeds that did.
  var failing: [UInt64] = []
  /// What they come down to; empty where nobody looked.
  var clusters: [Cluster] = []
  /// How many of the lowest seeds were made small for that.
  var lookedAt = 0
  /// Few decisions that break it without any seed; nil where nobody looked, or only the seed does it.
  var plan: Plan?

  init(_ rule: Int, _ scenario: Scenario, runs: Int, origin: Origin) {
    self.rule = rule
    self.runs = runs
    self.origin = origin
    invariant = scenario.invariants[rule]
    standing = scenario.standing(of: invariant)
  }
}

/// What was learned about one scenario.
struct Trial {
  var scenario: Scenario
  var runs = 0
  var events = 0
  var simulatedMillis: Int64 = 0
  /// How long it took to search, and to make small what was found.
  var searchSeconds = 0.0
  var shrinkSeconds = 0.0
  /// What broke, in catalogue order.
  var findings: [Finding] = []
  /// What the search came to; nil for one run that was asked for.
  var search: Findings?
  /// Expected violations that were not seen.
  var unseen: [String] = []
  /// Whether the seeds that the scenario asks for, those from 0, were all run.
  var isFull = false
  /// Whether the budget ended it before that.
  var isSpent = false
  /// Whether it says something only if it was run to its end.
  var isProof = false
  /// What was begun or due and not brought to an end, since there was no more time: a few words each.
  var cutShort: [String] = []
  /// After how many events the only run was ended by an interrupt.
  var endedAfter: Int?
  /// Why what was seen is not to be believed: bugs of this harness, runs that came out differently.
  var bugs: [String] = []
  /// The first run that was cut off at the event limit.
  var cutOff: Origin?
  var isCutOff = false
  /// The hash of the only run.
  var trace: UInt64?
  /// Decisions of the plan that were never asked for.
  var unmatched: [Decision] = []
  /// Whether a plan was given and nothing in it was asked for.
  var matchesNothing = false
  /// The only run, written down.
  var record: Record?

  var verdict: Verdict {
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
  var neverStruck: [Fault] {
    guard let search else { return [] }
    return scenario.setup.mix.faults.filter { search.coverage[$0] == 0 && !$0.needsHostedApp }
  }

  /// Goals that no run reached of a full campaign, or of a hundred if they take no fault.
  var unreached: [Goal] {
    guard let search else { return [] }
    return zip(scenario.goals, search.reached)
      .filter { $0.1 == 0 && (isFull || $0.0.isPlain && search.runs >= 100) }.map(\.0)
  }

  /// Why there is no verdict.
  var doubts: [String] {
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
          + (origin.map { " (\($0))" } ?? "") + ": the system may do the same for ever")
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

  mutating func judgeExpectations() {
    unseen = scenario.expects.filter { name in
      !findings.contains { $0.invariant.goes(by: name) }
    }
  }
}

extension Scenario {
  func standing(of invariant: any Invariant) -> Finding.Standing {
    if expects.contains(where: invariant.goes(by:)) { return .expected }
    return allows.contains(where: invariant.goes(by:)) ? .allowed : .unexpected
  }
}
