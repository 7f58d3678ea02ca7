import ChaosStore
import Invariants

/// A page to look at, in one file that needs nothing else: what `--report` writes.
public struct HTMLReporter: Reporter {
  /// What it is called.
  public let name = "html"
  /// What it writes.
  public let summary = "a page with a picture of each failure"
  /// Campaigns, and single runs.
  public let kinds: Set<CommandResult.Kind> = [.campaign]
  /// The page has its own.
  public let escaping = ReportEscaping.verbatim
  /// The pictures are of small plans.
  public let needsPlans = true

  /// The reporter has nothing to be told.
  public init() {}

  /// Writes the page.
  public func write(_ result: CommandResult, _ options: ReportOptions, to output: (String) -> Void)
  {
    guard case .campaign(let campaign) = result else { return }
    output(CampaignPage(campaign).text)
  }
}
