import ChaosStore
import Invariants

/// What is told of failures with a picture each: those that were not expected first, then what costs most.
struct FailureStories {
  /// So many have a picture; a page with more of them would be slow to open.
  static let mostPictures = 100
  /// Of so many it is found out from where on they could not be avoided, which takes thousands of runs each.
  static let mostOutlooks = 12

  private let campaign: CampaignResult
  private var stories: [FailureStory] = []
  /// How many failures have no picture, as there are too many.
  private var leftOut = 0

  init(
    _ campaign: CampaignResult, mostPictures: Int = Self.mostPictures,
    mostOutlooks: Int = Self.mostOutlooks
  ) {
    self.campaign = campaign
    let chosen = Self.chosen(campaign)
    leftOut = max(0, chosen.count - mostPictures)
    for (place, (result, finding)) in chosen.prefix(mostPictures).enumerated() {
      if let story = FailureStory(
        result, finding, campaign, number: place + 1, hasOutlook: place < mostOutlooks)
      {
        stories.append(story)
      }
    }
    if campaign.single != nil, stories.isEmpty, let result = campaign.scenarios.first,
      let record = result.record
    {
      stories = [FailureStory(record, of: result, campaign)]
    }
  }

  /// All causes of what was not expected, and of the rest what costs most in each scenario.
  private static func chosen(_ campaign: CampaignResult) -> [(ScenarioResult, Finding)] {
    var red: [(ScenarioResult, Finding)] = []
    var others: [(ScenarioResult, Finding)] = []
    for result in campaign.scenarios {
      let causes = result.findings.byCause.filter { $0.follows == nil && $0.sameAs == nil }
      let unexpected = causes.filter { $0.standing == .unexpected || campaign.single != nil }
      red += unexpected.map { (result, $0) }
      if unexpected.isEmpty,
        let worst = causes.min(by: { $0.invariant.impact < $1.invariant.impact })
      {
        others.append((result, worst))
      }
    }
    let byCost: ((ScenarioResult, Finding), (ScenarioResult, Finding)) -> Bool = {
      $0.1.invariant.impact < $1.1.invariant.impact
    }
    return red.stablySorted(by: byCost) + others.stablySorted(by: byCost)
  }

  /// A line for each, which leads there.
  var contents: String {
    guard campaign.single == nil, !stories.isEmpty else { return "" }
    var lines = [
      "<section><h2>Failures, one by one</h2>",
      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Failures, one by one\">"
        + "<table class=\"list\"><thead><tr><th scope=\"col\">what breaks</th><th scope=\"col\">where</th>"
        + "<th scope=\"col\">runs</th><th scope=\"col\">comes down to</th></tr></thead><tbody>",
    ]
    lines += stories.map(\.line)
    lines.append("</tbody></table></div>")
    if leftOut > 0 {
      lines.append(
        "<p class=\"quiet\">\(leftOut.of("further scenario")) in which something is expected to break: no picture here, "
          + "as the page would be too large; choose fewer with --scenario.</p>")
    }
    return lines.joined(separator: "\n") + "</section>"
  }

  /// The one that stands first.
  var first: FailureStory? { stories.first }

  var sections: [String] { stories.map(\.section) }
}

extension Array {
  /// In order, and what is equal as it was.
  fileprivate func stablySorted(by isBefore: (Element, Element) -> Bool) -> [Element] {
    enumerated().sorted { a, b in
      isBefore(a.element, b.element)
        || !isBefore(b.element, a.element) && a.offset < b.offset
    }.map(\.element)
  }
}
