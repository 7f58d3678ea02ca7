import ChaosStore
import Invariants

/// `--details`: every scenario with what it expects and what broke.
struct DetailsReport {
  private let trials: [Trial]
  private let ink: Ink

  init(_ trials: [Trial], ink: Ink) {
    self.trials = trials
    self.ink = ink
  }

  var lines: [String] { trials.flatMap(lines) }

  private func lines(_ trial: Trial) -> [String] {
    let color: Ink.Color? = trial.verdict > .notYetSeen ? .redBold : nil
    var lines = [
      ink("\(trial.scenario.name): \(trial.verdict.rawValue)", color ?? .bold)
        + ", \(trial.runs.of("run")), \(trial.events.of("event"))"
    ]
    let width = 2 + (trial.findings.map(\.invariant.name.count).max() ?? 0)
    for finding in trial.findings {
      let seed = finding.origin.seed.map { ", first under seed \(SeedText.text($0))" } ?? ""
      lines.append(
        "  \(finding.invariant.code)  \(finding.invariant.name.padded(to: width))"
          + "\(word(finding.standing)), in \(finding.runs.of("run"))\(seed)")
    }
    for name in trial.unseen { lines.append("  ---  \(name): expected, not seen") }
    if trial.findings.isEmpty, let bound = trial.search?.boundOneIn(0) {
      lines.append("  fewer than 1 run in \(bound.grouped) breaks anything, with 95 % confidence")
    }
    return lines
  }

  private func word(_ standing: Finding.Standing) -> String {
    switch standing {
    case .expected: "expected"
    case .allowed: "allowed"
    case .unexpected: ink("NOT EXPECTED", .redBold)
    }
  }
}
