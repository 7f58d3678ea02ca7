/// What a scenario, or all of them, came to.
///
/// A violation that was seen stays a violation, whatever else happened, so `unexpected` outranks
/// everything, then a harness that stopped finding what it must find. `noVerdict` outranks only
/// verdicts that would be green. Within one scenario a bug of the harness comes first: what it
/// saw there is not to be believed.
public enum Verdict: String, Comparable, CaseIterable, Sendable {
  /// What was to break broke, and nothing else.
  case asExpected = "as-expected"
  /// The campaign is smaller than the scenario's own, so a violation may still come.
  case notYetSeen = "not-yet-seen"
  /// Nothing can be said: see ``ScenarioResult/doubts``.
  case noVerdict = "no-verdict"
  /// A full campaign that never reached a goal of its scenario: it has shown nothing.
  case vacuous = "vacuous"
  /// A full campaign in which an expected violation never came.
  case missing = "missing-violation"
  /// Something broke that was neither expected nor allowed.
  case unexpected = "unexpected-violation"

  /// The graver one comes last.
  public static func < (a: Verdict, b: Verdict) -> Bool { a.rank < b.rank }

  private var rank: Int {
    switch self {
    case .asExpected: 0
    case .notYetSeen: 1
    case .noVerdict: 2
    case .vacuous: 3
    case .missing: 4
    case .unexpected: 5
    }
  }

  /// What the process ends with where this is all there is to say.
  public var exitCode: ExitCode {
    switch self {
    case .asExpected, .notYetSeen: .asExpected
    case .noVerdict, .vacuous: .noVerdict
    case .missing, .unexpected: .red
    }
  }
}
