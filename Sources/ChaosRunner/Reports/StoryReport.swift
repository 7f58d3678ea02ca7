import ChaosStore
import Invariants

/// One scenario that needs explaining: its story and the lines that show it again.
struct StoryReport {
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

  /// For a run that was asked for: the story whatever it came to.
  var single: [String] {
    guard let record = trial.record else { return brief }
    return story(record) + (notes.isEmpty ? [] : [""] + notes)
      + reproduction(record, trial.findings.first)
  }

  /// For a campaign: the story of the first seed that broke what was not to break.
  var full: [String] {
    let unexpected = trial.findings.filter { $0.standing == .unexpected }
    guard let first = unexpected.min(by: { $0.origin.seed ?? 0 < $1.origin.seed ?? 0 }) else {
      return brief
    }
    // A line for each event of a large run is too much.
    guard trial.events / max(1, trial.runs) <= Examiner.mostEventsRecorded else { return brief }
    let record = Simulation(trial.scenario).record(
      seed: first.origin.seed, plan: first.origin.plan)
    return brief + [""] + story(record) + reproduction(record, first)
  }

  /// What is red, a line each.
  var brief: [String] {
    let name = trial.scenario.name
    var lines: [String] = []
    for finding in trial.findings where finding.standing == .unexpected || session.single != nil {
      let standing = finding.standing == .unexpected ? "NOT EXPECTED" : "BROKEN"
      let rule = "\(finding.invariant.name) (\(finding.invariant.code))"
      let runs =
        session.single == nil ? " in \(finding.runs.grouped) of \(trial.runs.of("run"))" : ""
      lines.append(ink("\(standing)  \(name): \(rule) broke\(runs)", .redBold))
      lines.append("  " + session.paste.run(trial.scenario, finding))
      if session.single == nil {
        lines += ClusterReport(finding, trial.scenario, session.paste, width: width, ink: ink).lines
      }
    }
    for goal in trial.unreached {
      let text = "\(name): no run reached '\(goal.text)', so it has shown nothing"
      lines.append(ink("VACUOUS  " + text, .redBold))
    }
    if trial.isFull {
      for invariant in trial.unseen {
        let text =
          "\(name): \(invariant) was to break in \(trial.scenario.seeds.of("run")), and never did"
        lines.append(ink("MISSING  " + text, .redBold))
      }
    }
    return lines + notes
  }

  private func story(_ record: Record) -> [String] {
    Story(record, of: trial.scenario, width: width, isComplete: options.hasDetails)
      .lines.map { ink($0) }
  }

  private var notes: [String] {
    var lines = trial.doubts.flatMap { doubt in
      String.hanging("NO VERDICT  ", "\(trial.scenario.name): \(doubt)", width: width)
    }.map { ink($0, .redBold) }
    if !trial.unmatched.isEmpty {
      if !lines.isEmpty { lines.append("") }
      lines.append(ink("Named by the plan and never asked for", .bold))
      lines += trial.unmatched.map { "  " + $0.description }
      lines += String.hanging(
        "  ",
        "'list decisions --scenario \(trial.scenario.name.shellQuoted)' shows what a quiet run "
          + "asks.", width: width)
    }
    return lines
  }

  private func reproduction(_ record: Record, _ finding: Finding?) -> [String] {
    let given: Plan = if case .one(_, let plan) = session.single { plan } else { Plan() }
    let seed = record.seed ?? finding?.origin.seed
    let origin = seed == nil && given.isEmpty ? finding?.origin.plan ?? Plan() : given
    var lines = ["", ink("To see it again, paste", .bold)]
    lines.append("  " + session.paste.run(trial.scenario, seed: seed, plan: origin))
    guard let finding, let cluster = finding.clusters.first, cluster.plan.size <= 12 else {
      return lines
    }
    if !cluster.certificate.entries.isEmpty {
      lines += ["", ink("Of all this \(finding.invariant.name) needs no more than", .bold)]
      lines += ClusterReport(
        finding, trial.scenario, session.paste, width: width, ink: ink
      ).needs(cluster).map { "  " + $0 }
    }
    if seed != nil || cluster.plan != given {
      lines.append("  " + session.paste.run(trial.scenario, plan: cluster.plan))
    }
    return lines
  }
}

extension PasteLine {
  func run(_ scenario: Scenario, _ finding: Finding) -> String {
    run(scenario, seed: finding.origin.seed, plan: finding.origin.plan)
  }
}
