import ChaosStore

/// How often each fault struck at each step of a purchase, as a table.
struct StrikesTable {
  private let counts: StrikeCounts

  init(_ campaign: CampaignResult) { counts = StrikeCounts(campaign.scenarios) }

  var html: String {
    let faults = counts.faults.filter { fault in
      counts.steps.contains { counts[fault, $0] ?? 0 > 0 }
    }
    guard !faults.isEmpty else { return "" }
    var lines = [
      "<section><h2 id=\"strikes\">How often each fault struck, by step of a purchase</h2>",
      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-labelledby=\"strikes\"><table class=\"numbers\">",
      "<thead><tr><th scope=\"col\">fault</th>"
        + counts.steps.map { "<th scope=\"col\">\($0.name.html)</th>" }.joined()
        + "</tr></thead><tbody>",
    ]
    for fault in faults {
      let cells = counts.steps.map { step -> String in
        guard let count = counts[fault, step] else { return "<td></td>" }
        return "<td class=\"heat\(Self.heat(count))\">\(count.grouped)</td>"
      }
      lines.append(
        "<tr><th scope=\"row\">\(fault.code.html) \(fault.name.html)</th>\(cells.joined())</tr>")
    }
    lines.append("</tbody></table></div>")
    lines.append(
      "<p class=\"quiet\">An empty cell: no scenario lets it strike there. 0: it could have, and never did.</p>"
    )
    return lines.joined(separator: "\n") + "</section>"
  }

  /// 0 for never, and one more for each two digits.
  private static func heat(_ count: Int) -> Int {
    count == 0 ? 0 : min(4, 1 + String(count).count / 2)
  }
}
