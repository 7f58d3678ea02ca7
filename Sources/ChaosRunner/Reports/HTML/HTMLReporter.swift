import ChaosStore
import Invariants

/// A page to look at, in one file that needs nothing else: what `--report` writes.
public struct HTMLReporter: CampaignReporter {
  /// What it is called.
  public let name = "html"
  /// What it writes.
  public let summary = "a page with a picture of each failure"
  /// The page has its own.
  public let escaping = ReportEscaping.verbatim

  /// The reporter has nothing to be told.
  public init() {}

  /// Writes the page.
  public func write(_ campaign: CampaignResult, to output: (String) -> Void) {
    output(CampaignPage(campaign).text)
  }
}
