import ChaosStore
import Invariants

/// What the failures of one invariant come down to: a small plan each, and why it is small.
struct ClusterText {
  private let finding: Finding
  private let result: ScenarioResult
  private let campaign: CampaignResult
  private let options: ReportOptions
  private let mostShown: Int

  init(
    _ finding: Finding, _ result: ScenarioResult, _ campaign: CampaignResult,
    _ options: ReportOptions, mostShown: Int = 5
  ) {
    self.finding = finding
    self.result = result
    self.campaign = campaign
    self.options = options
    self.mostShown = mostShown
  }

  var lines: [String] {
    var lines: [String] = []
    // What breaks the cause as well has its story there.
    let clusters = finding.clusters.filter { !$0.follows }
    for cluster in clusters.prefix(mostShown) { lines += self.lines(cluster) }
    let rest = clusters.count - mostShown
    if rest > 0 { lines.append("  and \(rest.of("further plan")) that such runs come down to") }
    return lines + Self.unlooked(finding)
  }

  /// Which failing seeds were not made small, and why.
  static func unlooked(_ finding: Finding) -> [String] {
    let rest = finding.failing.count - finding.lookedAt
    switch finding.cutShort {
    case .interrupted where finding.clusters.isEmpty:
      return ["  it was not made small, because that was interrupted"]
    case .outOfTime where finding.clusters.isEmpty:
      return ["  it was not made small: there was no time"]
    case .interrupted where rest > 0:
      return ["  \(rest.of("more failing seed")) not made small, because that was interrupted"]
    case .outOfTime where rest > 0:
      return ["  \(rest.of("more failing seed")) not made small: there was no time"]
    case nil where rest > 0 && finding.lookedAt > 0:
      return [
        "  \(rest.of("more failing seed")) not made small, as those before took "
          + "\(FailureShrinker.mostRuns.grouped) runs"
      ]
    default: return []
    }
  }

  private func lines(_ cluster: Cluster) -> [String] {
    var head = cluster.plan.cost
    if cluster.seeds > 0 {
      head += ", \(cluster.seeds) of \(finding.lookedAt.of("failing seed")) looked at"
    }
    return ["  comes down to \(head):"] + needs(cluster).map { "    " + $0 }
      + ["    " + campaign.commandToRun(cluster.plan, in: result.scenario)]
  }

  /// Each decision, that it is needed, and what is not.
  func needs(_ cluster: Cluster) -> [String] {
    let entries = cluster.certificate.entries
    let column = 2 + (entries.map(\.decision.description.count).max() ?? 0)
    var lines = entries.map { entry in
      options.style(entry.decision.description.padded(to: column), .yellow)
        + entry.remark
    }
    if let leftOut = cluster.plan.leftOut { lines.append(leftOut) }
    return lines + doubts(cluster) + smaller(cluster) + repeats(cluster)
  }

  /// Why a plan may not be the smallest.
  func doubts(_ cluster: Cluster) -> [String] {
    var lines: [String] = []
    if !cluster.certificate.isWhole {
      lines.append(
        finding.cutShort == .interrupted
          ? "it may not be the smallest: it was not made smaller, because that was interrupted"
          : "it may not be the smallest: there was no time to try all that is smaller")
    }
    if let runs = cluster.certificate.mostRuns {
      lines.append(
        "it may not be the smallest: it was made smaller for \(runs.grouped) runs, and no longer")
    }
    return lines
  }

  /// How often it came the same way; nothing where that need not be asked.
  func repeats(_ cluster: Cluster) -> [String] {
    guard let repeats = cluster.repeats else { return [] }
    guard let difference = repeats.difference else {
      return ["run \(repeats.runs) times it came the same way each time"]
    }
    return [
      "run \(repeats.runs) times it came the same way \(repeats.same.of("time")), and broke it "
        + "\(repeats.breaking.of("time")); otherwise: \(difference)"
    ]
  }

  private func smaller(_ cluster: Cluster) -> [String] {
    switch cluster.certificate.smaller {
    case .noneBreaks(let plans):
      return ["no smaller plan does it: all \(plans.grouped) were run"]
    case .found(let plan, let isSameKind):
      let text = plan.isEmpty ? "the quiet run" : "'\(plan)'"
      return [
        isSameKind
          ? "a smaller plan does it as well: \(text)"
          : "a smaller plan breaks the same invariant in another way: \(text)"
      ]
    case .unknown: return ["whether a smaller plan does it was not found out"]
    case nil: return []
    }
  }
}
