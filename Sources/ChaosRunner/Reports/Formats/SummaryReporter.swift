import ChaosStore
import Invariants

/// `--format summary`: Markdown for the page of a job, as GitHub and GitLab show it.
public struct SummaryReporter: CampaignReporter {
  /// What `--format` calls it.
  public let name = "summary"
  /// What it writes.
  public let summary = "Markdown for the page of a CI job"
  /// Markdown has its own.
  public let escaping = ReportEscaping.verbatim

  /// The reporter has nothing to be told.
  public init() {}

  /// Writes the verdict, what is wrong with a line to paste each, and what goes wrong as expected.
  public func write(_ campaign: CampaignResult, to output: (String) -> Void) {
    let cases = campaign.cases
    let wrong = cases.filter { !$0.failures.isEmpty || !$0.doubts.isEmpty }
    let isFine = campaign.exitCode == .asExpected
    output("## ChaosStore: \(isFine ? "as expected" : "not as expected")\n\n")
    output(
      "\(campaign.scenarios.count.of("scenario")), \(campaign.runs.of("run")), \(campaign.events.of("event"))"
        + (campaign.isInterrupted ? ", interrupted" : "") + ".\n")
    for one in wrong {
      output("\n### \(Self.inline(one.name))\n")
      for problem in one.failures + one.doubts {
        output("\n**\(Self.inline(problem.title))**\n")
        if !problem.lines.isEmpty {
          output("\n" + problem.lines.map(Self.inline).joined(separator: " ") + "\n")
        }
        if let command = problem.command { output("\n" + Self.block(command)) }
      }
    }
    let words = CostsInWords(
      Matrix(campaign.scenarios.filter { $0.findings.allSatisfy { $0.standing != .unexpected } }))
    guard campaign.single == nil, !words.impacts.isEmpty else { return }
    output("\n<details><summary>What goes wrong as the scenarios expect</summary>\n\n")
    output("| what | where | under |\n|---|---|---|\n")
    for impact in words.impacts {
      for place in words.places(of: impact) {
        output(
          "| \(Self.inline(impact.title)) | \(Self.inline(place.name)) | "
            + "\(Self.inline(place.faults.joined(separator: ", "))) |\n")
      }
    }
    output("\n</details>\n")
  }

  /// What a text has that Markdown or HTML would take for its own is written out.
  private static func inline(_ text: String) -> String {
    var plain = ""
    for character in text.escapedForTerminal() {
      switch character {
      case "<": plain += "&lt;"
      case ">": plain += "&gt;"
      case "&": plain += "&amp;"
      case "\\", "`", "*", "_", "[", "]", "|", "#", "~": plain += "\\\(character)"
      case "\n": plain += " "
      default: plain.append(character)
      }
    }
    return plain
  }

  /// A block of code, fenced by more backticks than are in it.
  private static func block(_ text: String) -> String {
    var fence = "```"
    while text.contains(fence) { fence += "`" }
    return "\(fence)sh\n\(text.escapedForTerminal())\n\(fence)\n"
  }
}
