import ChaosStore

/// `--format mermaid`: what happened in a run, as the text of a sequence diagram.
///
/// Of a campaign it is the run of the failure that stands first: what was not expected, or else what costs most.
///
/// Source of the form: Mermaid, Sequence diagrams.
public struct MermaidReporter: CampaignReporter {
  /// What `--format` calls it.
  public let name = "mermaid"
  /// What it writes.
  public let summary = "the run of the first failure as a Mermaid sequence diagram"

  /// The reporter has nothing to be told.
  public init() {}

  /// Writes the diagram.
  public func write(_ campaign: CampaignResult, to output: (String) -> Void) {
    guard let diagram = FailureStories(campaign, mostPictures: 1, mostOutlooks: 0).first?.diagram
    else {
      return output("sequenceDiagram\n  %% nothing broke\n")
    }
    output(diagram.mermaid)
  }
}
