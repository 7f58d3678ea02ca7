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
    return story(record) + notes + reproduction(record)
  }

  /// For a campaign: the story of the first seed that broke what was not to break.
  var full: [String] {
    let unexpected = trial.findings.filter { $0.standing == .unexpected }
    guard let seed = unexpected.compactMap(\.seed).min() else { return brief }
    let record = Examiner(trial.scenario).record(seed: seed)
    return brief + [""] + story(record) + reproduction(record)
  }

  /// What is red, a line each.
  var brief: [String] {
    let name = trial.scenario.name
    var lines: [String] = []
    for finding in trial.findings where finding.standing == .unexpected || session.single != nil {
      let standing = finding.standing == .unexpected ? "NOT EXPECTED" : "BROKEN"
      let runs = session.single == nil ? " in \(finding.runs.of("run")) of \(trial.runs.grouped)" : ""
      lines.append(
        ink(
          "\(standing)  \(name): \(finding.invariant.name) (\(finding.invariant.code)) broke\(runs)",
          .redBold))
      lines.append("  " + session.paste.run(trial.scenario, finding))
    }
    if trial.isFull {
      for invariant in trial.unseen {
        let text =
          "\(name): \(invariant) was to break within \(trial.scenario.seeds.of("seed")), and never did"
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
      lines.append("")
      lines.append(ink("Named by the plan and never asked for", .bold))
      lines += trial.unmatched.map { "  " + $0.description }
      lines += String.hanging(
        "  ", "'list decisions --scenario \(trial.scenario.name.shellQuoted)' shows what a quiet run "
          + "asks.", width: width)
    }
    return lines
  }

  private func reproduction(_ record: Record) -> [String] {
    let given: Plan = if case .one(_, let plan) = session.single { plan } else { Plan() }
    var lines = ["", ink("To see it again, paste", .bold)]
    lines.append("  " + session.paste.run(trial.scenario, seed: record.seed, plan: given))
    if let finding = trial.findings.first(where: \.planSuffices), record.seed != nil,
      finding.plan != given, finding.plan.decisions.count <= 12
    {
      lines.append("  " + session.paste.run(trial.scenario, plan: finding.plan))
    }
    return lines
  }
}

extension PasteLine {
  func run(_ scenario: Scenario, _ finding: Finding) -> String {
    run(scenario, seed: finding.seed, plan: finding.given)
  }
}
