/// What a scenario, or all of them, came to.
///
/// A violation that was seen stays a violation, whatever else happened, so `unexpected` outranks
/// everything, then a harness that stopped finding what it must find. `noVerdict` outranks only
/// verdicts that would be green. Within one scenario a bug of the harness comes first: what it
/// saw there is not to be believed.
enum Verdict: String, Comparable, CaseIterable {
  case asExpected = "as-expected"
  /// The campaign is smaller than the scenario's own, so a violation may still come.
  case notYetSeen = "not-yet-seen"
  case noVerdict = "no-verdict"
  /// A full campaign that never reached a goal of its scenario: it has shown nothing.
  case vacuous = "vacuous"
  case missing = "missing-violation"
  case unexpected = "unexpected-violation"

  static func < (a: Verdict, b: Verdict) -> Bool { a.rank < b.rank }

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

  var exitCode: ExitCode {
    switch self {
    case .asExpected, .notYetSeen: .asExpected
    case .noVerdict, .vacuous: .noVerdict
    case .missing, .unexpected: .red
    }
  }
}
