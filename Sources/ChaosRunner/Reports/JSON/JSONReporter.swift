import ChaosStore
import Foundation

/// `--format json`: one object for machines.
public struct JSONReporter: Reporter {
  /// What `--format` calls it.
  public let name = "json"
  /// What it writes.
  public let summary = "one object for machines"
  /// Control characters are escaped as JSON has it.
  public let escaping = ReportEscaping.json
  /// Every violation has the plan that it comes down to.
  public let needsPlans = true

  /// The reporter has nothing to be told.
  public init() {}

  /// Writes the object and a line end.
  public func write(_ result: CommandResult, _ options: ReportOptions, to output: (String) -> Void)
  {
    let text =
      switch result {
      case .campaign(let campaign): Self.text(CampaignDocument(campaign))
      case .replay(let replay): Self.text(ReplayedDocument(replay))
      case .regressions(let kept): Self.text(RegressedDocument(kept))
      case .power(let power): Self.text(PowerDocument(power))
      case .determinism(let compared):
        VerificationReport(compared.verification, paste: compared.paste).json
      case .trace(let trace): Self.text(TraceDocument(trace, hasLines: !options.isQuiet))
      }
    output(text + "\n")
  }

  /// An object with its members in order, so that equal reports are equal texts.
  static func text(_ document: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(document), let text = String(data: data, encoding: .utf8)
    else { fatalError("bug: a report that cannot be written as JSON") }
    return text
  }
}
