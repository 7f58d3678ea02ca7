import ChaosStore
import Invariants

/// One scenario that needs explaining: its story and the lines that show it again.
struct StoryText {
  private let result: ScenarioResult
  private let campaign: CampaignResult
  private let options: ReportOptions
  private var style: Style { options.style }

  init(_ result: ScenarioResult, _ campaign: CampaignResult, _ options: ReportOptions) {
    self.result = result
    self.campaign = campaign
    self.options = options
  }

  /// For a run that was asked for: the story whatever it came to.
  var single: [String] {
    guard let record = result.record else { return brief }
    return story(record) + (notes.isEmpty ? [] : [""] + notes)
      + reproduction(record, result.findings.byCause.first)
  }

  /// For a campaign: the story of a run that broke what was not to break.
  var full: [String] {
    // A line for each event of a large run is too much.
    guard let headline = told.first,
      result.events / max(1, result.runs) <= ScenarioRunner.mostEventsRecorded
    else { return brief }
    return brief + [""] + story(of: headline)
  }

  /// The first run that broke it, and the lines that show it again.
  func story(of finding: Finding) -> [String] {
    let record = result.record(of: finding)
    return story(record) + reproduction(record, finding)
  }

  /// What is red: the likely cause, then what broke besides.
  var brief: [String] {
    let name = result.scenario.name
    var lines: [String] = []
    for (index, finding) in told.enumerated() {
      let runs =
        campaign.single == nil ? " in \(finding.runs.grouped) of \(result.runs.of("run"))" : ""
      let broke = "\(finding.title) broke\(runs)"
      if index == 0 {
        let standing = finding.standing == .unexpected ? "NOT EXPECTED" : "BROKEN"
        lines.append(style("\(standing)  \(name): \(broke)", .redBold))
      } else {
        lines.append(style("  \(finding.follows == nil ? "also" : "with it"): \(broke)", .red))
        // A campaign's line is that of its small plans; a run that was asked for has one line.
        if campaign.single != nil { continue }
      }
      lines.append("  " + campaign.commandToReproduce(finding, in: result))
      if campaign.single == nil {
        lines += ClusterText(finding, result, campaign, options).lines
      }
    }
    lines += toldElsewhere
    for goal in result.unreached {
      let text = "\(name): no run reached '\(goal.text)', so it has shown nothing"
      lines.append(style("VACUOUS  " + text, .redBold))
    }
    lines += RemarksText(result, width: options.width).lines
    if result.isFull {
      for invariant in result.unseen {
        let text =
          "\(name): \(invariant) was to break in \(result.scenario.seeds.of("run")), and never did"
        lines.append(style("MISSING  " + text, .redBold))
      }
    }
    return lines + notes
  }

  /// What is told of a campaign is what was not expected; of a run that was asked for, all.
  private var told: [Finding] {
    result.findings.byCauseWithConsequences.filter {
      ($0.standing == .unexpected || campaign.single != nil) && $0.sameAs == nil
    }
  }

  /// Whether the story of another world tells all there is to tell here.
  var isToldElsewhere: Bool { told.isEmpty && !toldElsewhere.isEmpty }

  /// What broke here as in another world, which tells it: a line for each such world.
  private var toldElsewhere: [String] {
    let same = result.findings.byCause.filter { $0.sameAs != nil }
    var worlds: [String] = []
    for finding in same {
      if let world = finding.sameAs, !worlds.contains(world) { worlds.append(world) }
    }
    return worlds.enumerated().flatMap { index, world in
      let rules = same.filter { $0.sameAs == world }
        .map { "\($0.title) in \($0.runs.grouped)" }.joined(separator: ", ")
      let head =
        told.isEmpty && index == 0 ? "NOT EXPECTED  \(result.scenario.name): " : "  also, "
      return String.hanging(
        head, "as in \(world): \(rules) of \(result.runs.of("run"))", width: options.width
      ).map { style($0, .redBold) }
    }
  }

  private func story(_ record: Record) -> [String] {
    Story(record, of: result.scenario, width: options.width, isComplete: options.hasDetails)
      .lines.map { style($0) }
  }

  private var notes: [String] {
    var lines = result.doubts.flatMap { doubt in
      String.hanging("NO VERDICT  ", "\(result.scenario.name): \(doubt)", width: options.width)
    }.map { style($0, .redBold) }
    if !result.unmatched.isEmpty {
      if !lines.isEmpty { lines.append("") }
      lines.append(style("Named by the plan and never asked for", .bold))
      lines += result.unmatched.map { "  " + $0.description }
      lines += String.hanging(
        "  ",
        "'list decisions --scenario \(result.scenario.name.shellQuoted)' shows what a quiet run "
          + "asks.", width: options.width)
    }
    return lines
  }

  private func reproduction(_ record: Record, _ finding: Finding?) -> [String] {
    let given = campaign.single?.plan ?? Plan()
    let seed = record.seed ?? finding?.origin.seed
    let origin = seed == nil && given.isEmpty ? finding?.origin.plan ?? Plan() : given
    var lines = ["", style("To see it again, paste", .bold)]
    lines.append("  " + campaign.paste.run(result.scenario, seed: seed, plan: origin))
    guard let finding, let cluster = finding.clusters.first, cluster.plan.size <= 12 else {
      return lines
    }
    let text = ClusterText(finding, result, campaign, options)
    if cluster.certificate.entries.isEmpty {
      lines += text.repeats(cluster).map { "  " + $0 }
    } else {
      lines += ["", style("Of all this \(finding.invariant.name) needs no more than", .bold)]
      lines += text.needs(cluster).map { "  " + $0 }
    }
    if seed != nil || cluster.plan != given {
      lines.append("  " + campaign.commandToRun(cluster.plan, in: result.scenario))
    }
    return lines
  }
}
