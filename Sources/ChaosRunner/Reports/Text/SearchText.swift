import ChaosStore
import Invariants

/// What `explore` found in one scenario, what it ran, and what that proves.
struct SearchText {
  private let result: ScenarioResult
  private let campaign: CampaignResult
  private let options: ReportOptions
  /// Whether a few invariants are shown, each with one plan.
  private let isShort: Bool
  private var width: Int { options.width }
  private var style: Style { options.style }

  init(
    _ result: ScenarioResult, _ campaign: CampaignResult, _ options: ReportOptions,
    isShort: Bool = false
  ) {
    self.isShort = isShort
    self.result = result
    self.campaign = campaign
    self.options = options
  }

  var lines: [String] {
    let isRed = result.verdict > .notYetSeen
    if options.isQuiet, !isRed { return [] }
    var lines = [
      style("\(result.scenario.name): \(result.verdict.rawValue)", isRed ? .redBold : .bold)
    ]
    lines += UnjudgedText.lines(result, width: width) + ran
    let (shown, rest) = findings
    for finding in shown {
      let standing =
        switch finding.standing {
        case .expected: "expected"
        case .allowed: "allowed"
        case .unexpected: style("NOT EXPECTED", .redBold)
        }
      lines.append(
        style("✗ \(finding.title)", .red) + " broke in \(finding.runs.of("run")), \(standing)"
          + (finding.follows.map { ", with \($0)" } ?? ""))
      lines += ClusterText(finding, result, campaign, options, mostShown: mostPlans).lines
    }
    if !rest.isEmpty {
      lines += String.hanging(
        "  ",
        "\(rest.count.of("more invariant")) broke: "
          + rest.map { "\($0.title) in \($0.runs.grouped)" }.joined(separator: ", "), width: width)
    }
    for name in result.unseen { lines.append("  \(name): expected, not seen by this search") }
    for goal in result.unreached {
      lines.append(style("VACUOUS  no run reached '\(goal.text)'", .redBold))
    }
    lines += RemarksText(result, width: width).lines
    lines += result.doubts.flatMap { String.hanging("NO VERDICT  ", $0, width: width) }
      .map { style($0, .redBold) }
    return lines + proof
  }

  private var mostPlans: Int { isShort ? 1 : options.hasDetails ? .max : 3 }

  /// What is shown: in short the likely cause, and of the others the gravest.
  private var findings: (shown: [Finding], rest: [Finding]) {
    let all = result.findings.byCauseWithConsequences
    guard isShort, all.count > Self.mostShown else { return (all, []) }
    let others = all.indices.dropFirst().sorted {
      (all[$0].invariant.impact, $0) < (all[$1].invariant.impact, $1)
    }
    let shown = [0] + others.prefix(Self.mostShown - 1).sorted()
    return (shown.map { all[$0] }, all.indices.filter { !shown.contains($0) }.map { all[$0] })
  }

  /// How many invariants of a scenario are shown in short.
  private static let mostShown = 3

  private var ran: [String] {
    guard let search = result.search else { return [] }
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
    lines +=
      search.proof?.ran.map { "    ran  \($0.isEmpty ? "the quiet run" : $0.description)" } ?? []
    return lines + JudgedText(result, width: width).lines
  }

  private var proof: [String] {
    guard let search = result.search, result.findings.isEmpty, result.verdict < .noVerdict else {
      return []
    }
    var lines: [String] = []
    if let size = search.holdsUpTo, let proof = search.proof {
      let run = proof.plans.prefix(size + 1).reduce(0, +)
      let skipped = proof.skipped.prefix(size + 1).reduce(0, +)
      lines += String.hanging(
        "  holds  ",
        "\(proof.covered(upTo: size)): \((run + skipped).of("plan")), none breaks an invariant",
        width: width
      ).map { style($0, .green) }
      let gaps = proof.leavesOut(upTo: size, readsClock: search.readsClock)
      lines += String.hanging(
        "  not covered: ", gaps.joined(separator: "; "), width: width)
    }
    if let bound = search.boundOneIn(0) {
      lines.append(
        "  rate   fewer than 1 run in \(bound.grouped) breaks anything, with 95 % confidence")
    }
    return lines
  }
}
