import ChaosStore
import Invariants

/// A scenario, or a plan that was kept, as tools for tests know one: it passes, fails, or came to no end.
struct CampaignCase {
  /// Something that a person is to look at.
  struct Problem {
    /// The invariant that broke; nil where it is none.
    var rule: (any Invariant)?
    /// What is wrong, in a line.
    var title: String
    /// More of it, in lines.
    var lines: [String]
    /// The line that shows it again; nil where there is none.
    var command: String?
    /// What stays the same where the same thing is found again.
    var fingerprint: String
    /// Whether it was to break, or may.
    var isExpected = false

    /// The lines, and the one to paste.
    var text: String {
      (lines + (command.map { ["To see it again, paste", "  " + $0] } ?? [])).joined(
        separator: "\n")
    }
  }

  /// What it belongs to, such as `receipt-store/naive`, or `regressions`.
  var group: String
  /// What it is called.
  var name: String
  /// In real seconds.
  var seconds: Double
  /// What is wrong with the code under test.
  var failures: [Problem] = []
  /// Why nothing can be said.
  var doubts: [Problem] = []
  /// What broke as it was to.
  var expected: [Problem] = []
  /// Why it says less than it might; nil where it does not.
  var note: String?
}

extension CampaignResult {
  /// The scenarios in order, then the plans that were kept.
  var cases: [CampaignCase] {
    scenarios.map { CampaignCase($0, self) } + regressions.all.map { CampaignCase($0, self) }
  }

  /// The file with the scenarios, as it was named; nil for those that are built in.
  var file: String? { paste.source.path }
}

extension CampaignCase {
  init(_ result: ScenarioResult, _ campaign: CampaignResult) {
    let scenario = result.scenario
    group = Matrix.Row(scenario).path
    name = scenario.name
    seconds = result.searchSeconds + result.shrinkSeconds
    for finding in result.findings.byCauseWithConsequences {
      let problem = Problem(finding, result, campaign)
      if finding.standing == .unexpected || campaign.single != nil {
        failures.append(problem)
      } else {
        expected.append(problem)
      }
    }
    if result.isFull {
      for invariant in result.unseen {
        failures.append(
          Problem(
            "\(invariant) was to break in \(scenario.seeds.of("run")), and never did",
            fingerprint: "\(scenario.name) never \(invariant)"))
      }
    } else if !result.unseen.isEmpty {
      note =
        "\(result.unseen.joined(separator: ", ")) not yet seen, under fewer seeds than it asks for"
    }
    doubts += result.unreached.map {
      Problem(
        "no run reached '\($0.text)', so it has shown nothing",
        fingerprint: "\(scenario.name) unreached \($0.text)")
    }
    doubts += result.doubts.map {
      Problem("no verdict: \($0)", fingerprint: "\(scenario.name) doubt")
    }
  }

  init(_ regression: Regression, _ campaign: CampaignResult) {
    group = "regressions"
    name = regression.path
    seconds = 0
    let command = campaign.paste.replay(regression.path)
    let print = regression.path
    switch regression.verdict {
    case .unexpected:
      failures = [Problem("what held breaks", fingerprint: print, command: command)]
    case .missing:
      failures = [
        Problem("what was kept as broken comes out otherwise", fingerprint: print, command: command)
      ]
    case .noVerdict:
      doubts = regression.doubts.map {
        Problem("no verdict: \($0)", fingerprint: print, command: command)
      }
    case .asExpected, .notYetSeen, .vacuous: break
    }
  }
}

extension CampaignCase.Problem {
  init(_ title: String, fingerprint: String, command: String? = nil) {
    self.init(title: title, lines: [], command: command, fingerprint: fingerprint)
  }

  init(_ finding: Finding, _ result: ScenarioResult, _ campaign: CampaignResult) {
    rule = finding.invariant
    isExpected = finding.standing != .unexpected
    let runs =
      campaign.single == nil ? " in \(finding.runs.grouped) of \(result.runs.of("run"))" : ""
    title = "\(finding.title) broke\(runs)"
    lines = [finding.invariant.summary, finding.invariant.meaning]
    if let cause = finding.follows { lines.append("It follows from \(cause).") }
    if let world = finding.sameAs { lines.append("As in \(world).") }
    let plan = finding.clusters.first?.plan ?? finding.plan
    if let plan {
      lines.append(
        "It takes \(plan.cost)" + (plan.isEmpty ? "." : ": \(plan)"))
      command = campaign.single == nil ? campaign.commandToRun(plan, in: result.scenario) : nil
    }
    command = command ?? campaign.commandToReproduce(finding, in: result)
    fingerprint = "\(result.scenario.name) \(finding.invariant.name)"
  }
}
