import ChaosStore
import Invariants

/// `--format junit`: a test case a scenario, as JUnit's XML has it and most servers read it.
///
/// Source of the form: the schema of Jenkins' xunit plugin, `junit-10.xsd`.
public struct JUnitReporter: CampaignReporter {
  /// What `--format` calls it.
  public let name = "junit"
  /// What it writes.
  public let summary = "JUnit XML, a test case a scenario"
  /// XML has its own.
  public let escaping = ReportEscaping.verbatim

  /// The reporter has nothing to be told.
  public init() {}

  /// Writes the document.
  public func write(_ campaign: CampaignResult, to output: (String) -> Void) {
    let cases = campaign.cases
    var groups: [String] = []
    for one in cases where !groups.contains(one.group) { groups.append(one.group) }
    output("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    output(
      "<testsuites name=\"chaos-runner\"\(Self.counts(cases)) time=\"\(Self.time(campaign.seconds))\">\n"
    )
    for group in groups {
      let own = cases.filter { $0.group == group }
      let seconds = own.reduce(0) { $0 + $1.seconds }
      output(
        "  <testsuite name=\"\(group.html)\"\(Self.counts(own)) skipped=\"\(own.count { $0.isSkipped })\""
          + " time=\"\(Self.time(seconds))\">\n")
      for one in own { output(Self.text(one)) }
      output("  </testsuite>\n")
    }
    output("</testsuites>\n")
  }

  private static func counts(_ cases: [CampaignCase]) -> String {
    " tests=\"\(cases.count)\" failures=\"\(cases.count { !$0.failures.isEmpty })\""
      + " errors=\"\(cases.count { $0.failures.isEmpty && !$0.doubts.isEmpty })\""
  }

  private static func time(_ seconds: Double) -> String {
    let millis = Int((seconds * 1000).rounded())
    return "\(millis / 1000)." + String(millis % 1000).leftPadded(to: 3, with: "0")
  }

  private static func text(_ one: CampaignCase) -> String {
    let head =
      "    <testcase classname=\"\(one.group.html)\" name=\"\(one.name.html)\" time=\"\(time(one.seconds))\""
    // A case has one outcome: what broke comes before what is not known.
    let isFailure = !one.failures.isEmpty
    guard let problem = one.failures.first ?? one.doubts.first else {
      return one.isSkipped
        ? head + ">\n      <skipped message=\"\((one.note ?? "").html)\"/>\n    </testcase>\n"
        : head + "/>\n"
    }
    let all = one.failures + one.doubts
    let type = problem.rule?.name ?? (isFailure ? "missing" : "no-verdict")
    let text = all.map { $0.title + ($0.text.isEmpty ? "" : "\n" + $0.text) }.joined(
      separator: "\n\n")
    let tag = isFailure ? "failure" : "error"
    return head
      + ">\n      <\(tag) message=\"\(problem.title.html)\" type=\"\(type.html)\">\(text.html)</\(tag)>\n"
      + "    </testcase>\n"
  }
}

extension CampaignCase {
  /// Whether nothing is wrong, and too little was run to say more.
  fileprivate var isSkipped: Bool { failures.isEmpty && doubts.isEmpty && note != nil }
}
