import ChaosStore

/// `--format github`: a line for each thing that is wrong, which GitHub's runner shows at the file with the scenarios.
///
/// Source of the form: GitHub, Workflow commands for GitHub Actions.
public struct GitHubReporter: CampaignReporter {
  /// What `--format` calls it.
  public let name = "github"
  /// What it writes.
  public let summary = "annotations for GitHub Actions, a line for what is wrong"
  /// The lines have their own.
  public let escaping = ReportEscaping.verbatim

  /// The reporter has nothing to be told.
  public init() {}

  /// Writes an error for each failure, a warning for each thing that is not known, and a notice with the verdict.
  public func write(_ campaign: CampaignResult, to output: (String) -> Void) {
    var failed = 0
    for one in campaign.cases {
      for problem in one.failures { output(Self.line("error", one, problem, campaign)) }
      for problem in one.doubts { output(Self.line("warning", one, problem, campaign)) }
      if !one.failures.isEmpty || !one.doubts.isEmpty { failed += 1 }
    }
    let all = campaign.cases.count
    let verdict =
      "\((all - failed).grouped) of \(all.grouped) scenarios and kept runs as expected, \(campaign.runs.of("run"))"
    output("::notice title=ChaosStore::\(Self.data(verdict))\n")
  }

  private static func line(
    _ kind: String, _ one: CampaignCase, _ problem: CampaignCase.Problem, _ campaign: CampaignResult
  ) -> String {
    let file = one.group == "regressions" ? one.name : campaign.file
    let place = file.map { "file=\(property($0))," } ?? ""
    let text = problem.text.isEmpty ? problem.title : problem.title + "\n" + problem.text
    return "::\(kind) \(place)title=\(property(one.name))::\(data(text))\n"
  }

  private static func data(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  private static func property(_ text: String) -> String {
    data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
