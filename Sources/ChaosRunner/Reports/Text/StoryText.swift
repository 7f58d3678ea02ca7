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
    guard let cause, isRecorded else { return brief }
    return brief + [""] + story(of: cause)
  }

  /// A small run that breaks it, and the lines that show it again.
  func story(of finding: Finding) -> [String] {
    let record = result.smallRecord(of: finding)
    return story(record) + reproduction(record, finding)
  }

  /// The same in at most so many lines; of a run with very many events only the line to paste.
  func briefStory(of finding: Finding, mostLines: Int) -> [String] {
    func paste(_ leftOut: Int, _ origin: Origin) -> [String] {
      let rest = leftOut == 0 ? "" : " with the \(leftOut.of("line")) left out"
      return [style("To see it again\(rest), paste", .bold), "  " + command(origin)]
    }
    guard isRecorded else { return paste(0, result.smallOrigin(of: finding)) }
    let record = result.smallRecord(of: finding)
    // Below it stand a blank line and the line to paste with its heading.
    let story = BriefStory(
      record, of: result.scenario, breaking: finding.rule, width: options.width,
      mostLines: mostLines - 3)
    return story.lines.map { style($0) } + [""] + paste(story.leftOut, record.origin)
  }

  /// What is red: the likely cause, then what broke besides, with all that they come down to.
  var brief: [String] {
    var lines: [String] = []
    for (index, finding) in told.enumerated() {
      if index == 0 {
        lines.append(headline(finding))
      } else {
        lines.append(
          style("  \(finding.follows == nil ? "also" : "with it"): \(broke(finding))", .red))
        // A campaign's line is that of its small plans; a run that was asked for has one line.
        if campaign.single != nil { continue }
      }
      lines.append("  " + campaign.commandToReproduce(finding, in: result))
      if campaign.single == nil {
        lines += ClusterText(finding, result, campaign, options).lines
      }
    }
    return lines + toldElsewhere + otherTroubles
  }

  /// What is red, in short: the likely cause and the least that it takes, up to so many other causes, the
  /// gravest first, and what broke besides.
  func short(mostCauses: Int = 1) -> [String] {
    guard let first = told.first else { return toldElsewhere + otherTroubles }
    var lines = [headline(first)]
    if let cluster = first.smallestCluster {
      let text = ClusterText(first, result, campaign, options)
      let plan = cluster.certificate.entries.map(\.decision.description).joined(separator: ", ")
      lines += String.hanging(
        "  Smallest plan: ", cluster.plan.size == 0 ? "no fault at all" : plan,
        width: options.width)
      lines += (text.doubts(cluster) + text.repeats(cluster)).map { "  " + $0 }
    }
    lines += ClusterText.unlooked(first)
    let causes = told.dropFirst()
      .filter { $0.follows == nil && $0.invariant.impact != .booksDiffer }.enumerated()
      .sorted {
        ($0.element.invariant.impact, $0.offset) < ($1.element.invariant.impact, $1.offset)
      }
      .map(\.element).prefix(mostCauses - 1)
    for finding in causes {
      lines.append(style("  also: \(broke(finding))", .red))
      lines.append("  " + command(result.smallOrigin(of: finding)))
    }
    let others = told.dropFirst().filter { other in !causes.contains { $0.rule == other.rule } }
    if !others.isEmpty {
      let names = others.prefix(Self.mostNamed).map { "\($0.title) in \($0.runs.grouped)" }
      let rest = others.count > Self.mostNamed ? " and \(others.count - Self.mostNamed) more" : ""
      lines += String.hanging(
        "  Also broken: ", names.joined(separator: ", ") + rest, width: options.width)
    }
    return lines + otherTroubles
  }

  /// The same in two lines: what broke, and the line to paste.
  var shortest: [String] {
    guard let first = told.first else { return short() }
    return [headline(first), "  " + command(result.smallOrigin(of: first))]
  }

  /// What its story is told of; nil where nothing broke that is told here.
  var cause: Finding? { told.first }

  /// How many further invariants are named in short.
  private static let mostNamed = 3

  private func broke(_ finding: Finding) -> String {
    let runs =
      campaign.single == nil ? " in \(finding.runs.grouped) of \(result.runs.of("run"))" : ""
    return "\(finding.title) broke\(runs)"
  }

  private func headline(_ finding: Finding) -> String {
    let standing = finding.standing == .unexpected ? "NOT EXPECTED" : "BROKEN"
    return style("\(standing)  \(result.scenario.name): \(broke(finding))", .redBold)
  }

  /// What else is not as it should be: goals that were not reached, what never broke, doubts.
  private var otherTroubles: [String] {
    let name = result.scenario.name
    var lines: [String] = []
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

  /// A line for each event of a large run is too much.
  private var isRecorded: Bool {
    result.events / max(1, result.runs) <= ScenarioRunner.mostEventsRecorded
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

  /// The line that shows a run again.
  private func command(_ origin: Origin) -> String {
    campaign.paste.run(result.scenario, seed: origin.seed, plan: origin.plan)
  }

  /// The lines that show it again: of a run that was asked for, then of the small plan.
  private func reproduction(_ record: Record, _ finding: Finding?) -> [String] {
    var lines = ["", style("To see it again, paste", .bold)]
    guard let single = campaign.single else {
      guard let finding else { return [] }
      lines.append("  " + command(record.origin))
      guard record.seed == nil, finding.origin.seed != nil else { return lines }
      return lines + [
        "or, for all that happens under seed \(SeedText.text(finding.origin.seed ?? 0))",
        "  " + campaign.commandToReproduce(finding, in: result),
      ]
    }
    lines.append("  " + command(record.origin))
    guard let finding, let cluster = finding.smallestCluster, cluster.plan.size <= 12 else {
      return lines
    }
    let text = ClusterText(finding, result, campaign, options)
    if cluster.certificate.entries.isEmpty {
      lines += text.repeats(cluster).map { "  " + $0 }
    } else {
      lines += ["", style("Of all this \(finding.invariant.name) needs no more than", .bold)]
      lines += text.needs(cluster).map { "  " + $0 }
    }
    if record.seed != nil || cluster.plan != single.plan {
      lines.append("  " + campaign.commandToRun(cluster.plan, in: result.scenario))
    }
    return lines
  }
}
