import ChaosStore
import Invariants

/// What `explore` found in one scenario, what it ran, and what that proves.
struct SearchReport {
  private let trial: Trial
  private let session: Session
  private let width: Int
  private let ink: Ink
  private let options: RunOptions

  init(_ trial: Trial, _ session: Session, width: Int, ink: Ink, options: RunOptions) {
    self.trial = trial
    self.session = session
    self.width = width
    self.ink = ink
    self.options = options
  }

  var lines: [String] {
    let isRed = trial.verdict > .notYetSeen
    if options.isQuiet, !isRed { return [] }
    var lines = [
      ink("\(trial.scenario.name): \(trial.verdict.rawValue)", isRed ? .redBold : .bold)
    ]
    lines += ran
    for finding in trial.findings {
      let name = "\(finding.invariant.name) (\(finding.invariant.code))"
      let standing =
        switch finding.standing {
        case .expected: "expected"
        case .allowed: "allowed"
        case .unexpected: ink("NOT EXPECTED", .redBold)
        }
      lines.append(
        ink("✗ \(name)", .red) + " broke in \(finding.runs.of("run")), \(standing)")
      lines +=
        ClusterReport(
          finding, trial.scenario, session.paste, width: width, ink: ink,
          mostShown: options.hasDetails ? .max : 3
        ).lines
    }
    for name in trial.unseen { lines.append("  \(name): expected, not seen by this search") }
    for goal in trial.unreached {
      lines.append(ink("VACUOUS  no run reached '\(goal.text)'", .redBold))
    }
    lines += trial.doubts.flatMap { String.hanging("NO VERDICT  ", $0, width: width) }
      .map { ink($0, .redBold) }
    return lines + proof
  }

  private var ran: [String] {
    guard let search = trial.search else { return [] }
    var lines: [String] = []
    if let proof = search.proof {
      let sizes = proof.plans.map(\.grouped).joined(separator: " + ")
      lines += String.hanging(
        "  plans  ", "\(sizes) run, by number of decisions from 0", width: width)
      let skipped = proof.skipped.reduce(0, +)
      if skipped > 0 {
        lines += String.hanging(
          "         ", "\(skipped.grouped) skipped: \(Findings.Proof.reason)", width: width)
      }
    }
    if search.randomRuns > 0 { lines.append("  seeds  \(search.randomRuns.grouped) run") }
    return lines
  }

  private var proof: [String] {
    guard let search = trial.search, trial.findings.isEmpty, trial.verdict < .noVerdict else {
      return []
    }
    var lines: [String] = []
    if let size = search.holdsUpTo, let proof = search.proof {
      let run = proof.plans.prefix(size + 1).reduce(0, +)
      let skipped = proof.skipped.prefix(size + 1).reduce(0, +)
      lines += String.hanging(
        "  holds  ",
        "proved for every plan of up to \(size.of("decision")) that the mix allows: "
          + "\((run + skipped).of("plan")), none breaks an invariant", width: width
      ).map { ink($0, .green) }
    }
    if let bound = search.boundOneIn(0) {
      lines.append(
        "  rate   fewer than 1 run in \(bound.grouped) breaks anything, with 95 % confidence")
    }
    return lines
  }
}
