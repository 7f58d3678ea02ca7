import ChaosStore
import Invariants

/// `--format sarif`: what broke, as code scanning reads it.
///
/// Source of the form: OASIS, Static Analysis Results Interchange Format (SARIF) 2.1.0.
public struct SARIFReporter: CampaignReporter {
  /// What `--format` calls it.
  public let name = "sarif"
  /// What it writes.
  public let summary = "SARIF 2.1.0, for code scanning"
  /// Control characters are escaped as JSON has it.
  public let escaping = ReportEscaping.json

  /// The reporter has nothing to be told.
  public init() {}

  /// Writes the log and a line end.
  public func write(_ campaign: CampaignResult, to output: (String) -> Void) {
    output(JSONReporter.text(Log(campaign)) + "\n")
  }

  // Names are those of the standard.
  private struct Log: Encodable {
    var schema = "https://json.schemastore.org/sarif-2.1.0.json"
    var version = "2.1.0"
    var runs: [Run]

    enum CodingKeys: String, CodingKey {
      case schema = "$schema"
      case version, runs
    }

    init(_ campaign: CampaignResult) { runs = [Run(campaign)] }
  }

  private struct Run: Encodable {
    var tool: Tool
    var invocations: [Invocation]
    var results: [Result] = []
    var columnKind = "unicodeCodePoints"

    init(_ campaign: CampaignResult) {
      var rules: [any Invariant] = []
      var notes: [Notification] = []
      for one in campaign.cases {
        for problem in one.failures + one.expected {
          if let rule = problem.rule, !rules.contains(where: { $0.name == rule.name }) {
            rules.append(rule)
          }
          results.append(Result(problem, of: one, campaign))
        }
        notes += one.doubts.map {
          Notification(level: "warning", message: Text("\(one.name): \($0.title)"))
        }
      }
      tool = Tool(driver: Driver(rules: rules.map(Rule.init)))
      invocations = [
        Invocation(
          executionSuccessful: campaign.verdict != .noVerdict && !campaign.isInterrupted,
          exitCode: campaign.exitCode.rawValue, toolExecutionNotifications: notes)
      ]
    }
  }

  private struct Tool: Encodable { var driver: Driver }

  private struct Driver: Encodable {
    var name = "chaos-runner"
    var version = Runner.version
    var rules: [Rule]
  }

  private struct Rule: Encodable {
    var id: String
    var name: String
    var shortDescription: Text
    var fullDescription: Text
    var properties: [String: [String]]

    init(_ rule: any Invariant) {
      id = rule.name
      name = rule.code
      shortDescription = Text(rule.summary)
      fullDescription = Text(rule.meaning)
      properties = ["tags": [rule.impact.rawValue], "evidence": rule.evidence]
    }
  }

  private struct Invocation: Encodable {
    var executionSuccessful: Bool
    var exitCode: Int32
    var toolExecutionNotifications: [Notification]
  }

  private struct Notification: Encodable {
    var level: String
    var message: Text
  }

  private struct Text: Encodable {
    var text: String
    init(_ text: String) { self.text = text }
  }

  private struct Result: Encodable {
    var ruleId: String?
    var level: String
    var message: Text
    var locations: [Location]
    var partialFingerprints: [String: String]
    var suppressions: [Suppression]?

    init(_ problem: CampaignCase.Problem, of one: CampaignCase, _ campaign: CampaignResult) {
      ruleId = problem.rule?.name
      let isExpected = problem.isExpected && campaign.single == nil && problem.rule != nil
      level = isExpected ? "note" : "error"
      message = Text(problem.title + (problem.text.isEmpty ? "" : "\n" + problem.text))
      let file = one.group == "regressions" ? one.name : campaign.file
      locations = [
        Location(
          physicalLocation: file.map { Place(artifactLocation: Artifact(uri: Self.uri($0))) },
          logicalLocations: [Logical(fullyQualifiedName: one.name, kind: "member")])
      ]
      partialFingerprints = ["scenarioAndInvariant/v1": problem.fingerprint]
      if isExpected {
        suppressions = [
          Suppression(
            kind: "external", justification: "The scenario expects it, or puts up with it.")
        ]
      }
    }

    /// A path as a relative or absolute reference.
    private static func uri(_ path: String) -> String {
      let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
      let escaped = path.utf8.reduce(into: "") { text, byte in
        if allowed.contains(byte) {
          text.unicodeScalars.append(Unicode.Scalar(byte))
        } else {
          text += "%" + String(byte, radix: 16, uppercase: true).leftPadded(to: 2, with: "0")
        }
      }
      return path.hasPrefix("/") ? "file://" + escaped : escaped
    }
  }

  private struct Location: Encodable {
    var physicalLocation: Place?
    var logicalLocations: [Logical]
  }

  private struct Place: Encodable { var artifactLocation: Artifact }
  private struct Artifact: Encodable { var uri: String }

  private struct Logical: Encodable {
    var fullyQualifiedName: String
    var kind: String
  }

  private struct Suppression: Encodable {
    var kind: String
    var justification: String
  }
}
