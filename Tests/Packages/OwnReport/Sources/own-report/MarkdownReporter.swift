import ChaosRunner
import ChaosStore
import Invariants

/// A table for a comment on a pull request: what broke, what that costs, and how to see it again.
struct MarkdownReporter: Reporter {
  let name = "markdown"
  let summary = "a table of what broke, for a comment on a pull request"
  let kinds: Set<CommandResult.Kind> = [.campaign]

  func write(_ result: CommandResult, _ options: ReportOptions, to output: (String) -> Void) {
    guard case .campaign(let campaign) = result else { return }
    output("**\(campaign.verdict.rawValue)**: \(campaign.runs) runs\n\n")
    output("| scenario | broke | cost | to see it again |\n|---|---|---|---|\n")
    for result in campaign.scenarios {
      // What is expected is no news; with one seed everything is.
      for finding in result.findings.byCause
      where !options.isQuiet || finding.standing == .unexpected || campaign.single != nil {
        let command = campaign.commandToReproduce(finding, in: result)
        output(
          "| \(result.scenario.name) | \(finding.title), \(finding.standing.rawValue) "
            + "| \(finding.invariant.impact.title) | `\(command)` |\n")
      }
    }
  }
}
