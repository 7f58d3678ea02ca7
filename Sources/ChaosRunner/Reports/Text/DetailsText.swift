import ChaosStore
import Invariants

/// `--details`: every scenario with what it expects and what broke.
struct DetailsText {
  private let results: [ScenarioResult]
  private let style: Style
  private let width: Int

  init(_ results: [ScenarioResult], _ options: ReportOptions) {
    self.results = results
    style = options.style
    width = options.width
  }

  var lines: [String] { results.flatMap(lines) }

  private func lines(_ result: ScenarioResult) -> [String] {
    let color: Style.Color? = result.verdict > .notYetSeen ? .redBold : nil
    var lines = [
      style("\(result.scenario.name): \(result.verdict.rawValue)", color ?? .bold)
        + ", \(result.runs.of("run")), \(result.events.of("event"))"
    ]
    let column = 2 + (result.findings.map(\.invariant.name.count).max() ?? 0)
    for finding in result.findings {
      let seed = finding.origin.seed.map { ", first under seed \(SeedText.text($0))" } ?? ""
      lines.append(
        "  \(finding.invariant.code)  \(finding.invariant.name.padded(to: column))"
          + "\(word(finding.standing)), in \(finding.runs.of("run"))\(seed)")
    }
    for name in result.unseen { lines.append("  ---  \(name): expected, not seen") }
    if result.findings.isEmpty, let bound = result.search?.boundOneIn(0) {
      lines.append("  fewer than 1 run in \(bound.grouped) breaks anything, with 95 % confidence")
    }
    return lines + JudgedText(result, width: width).lines
  }

  private func word(_ standing: Finding.Standing) -> String {
    switch standing {
    case .expected: "expected"
    case .allowed: "allowed"
    case .unexpected: style("NOT EXPECTED", .redBold)
    }
  }
}
