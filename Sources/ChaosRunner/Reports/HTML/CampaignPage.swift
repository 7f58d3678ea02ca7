import ChaosStore
import Foundation
import Invariants

/// The page of a campaign or of a single run: what goes wrong, where, and how.
struct CampaignPage {
  private let campaign: CampaignResult
  private let stories: FailureStories

  init(_ campaign: CampaignResult) {
    self.campaign = campaign
    stories = FailureStories(campaign)
  }

  var text: String {
    PageFrame(
      title: title, head: head, sections: sections, cause: "The same scenarios, seeds and options",
      hasScript: true
    ).text
  }

  private var title: String {
    if let result = single { return "\(result.scenario.name): one run" }
    return campaign.scenarios.count == 1
      ? campaign.scenarios[0].scenario.name : "\(campaign.scenarios.count.grouped) scenarios"
  }

  private var single: ScenarioResult? { campaign.single == nil ? nil : campaign.scenarios.first }

  private var isRed: Bool { campaign.exitCode != .asExpected }

  private var head: String {
    let figures =
      "\(campaign.scenarios.count.of("scenario")), \(campaign.runs.of("run")), "
      + "\(campaign.events.of("event"))"
    let notes = campaign.notes.map { $0.tagged("p", "note") }.joined(separator: "\n")
    return """
      <header>
      <h1>\(title.html)</h1>
      <p class="verdict \(isRed ? "red" : "fine")">\(verdict.html)</p>
      <p class="quiet">\(figures.html)</p>
      \(notes)
      </header>
      """
  }

  private var verdict: String {
    if campaign.isInterrupted {
      return "Interrupted: what stands here is what was found until then."
    }
    if let single {
      let broken = single.findings.count
      return broken == 0
        ? "Every invariant holds in this run." : "\(broken.of("invariant")) broken in this run."
    }
    let fine = campaign.scenarios.count { $0.verdict == .asExpected }
    let all = campaign.scenarios.count
    return isRed
      ? "Not as expected: \(fine.grouped) of \(all.of("scenario")) as expected."
      : fine == all
        ? "As expected: all of \(all.of("scenario"))."
        : "\(fine.grouped) of \(all.of("scenario")) as expected; the others ran too little to say."
  }

  private var sections: [String] {
    var sections: [String] = []
    if single == nil {
      let matrix = Matrix(campaign.scenarios)
      sections += [
        costs(matrix), doubts, stories.contents, table(matrix), StrikesTable(campaign).html,
      ]
    } else {
      sections += [doubts, stories.contents]
    }
    return (sections + stories.sections).filter { !$0.isEmpty }
  }

  /// In words, what costs most first.
  private func costs(_ matrix: Matrix) -> String {
    let words = CostsInWords(matrix)
    guard !words.impacts.isEmpty else { return "" }
    var lines = ["<section><h2>What goes wrong, the costliest first</h2>"]
    if matrix.isExpected {
      lines.append("<p>All of it is what the scenarios expect of these designs.</p>")
    }
    lines.append("<dl class=\"costs\">")
    for impact in words.impacts {
      lines.append(
        "<dt><b class=\"letter\">\(impact.letter.html)</b> \(impact.title.html): "
          + "\(impact.meaning.html)</dt>")
      for place in words.places(of: impact) {
        lines.append(
          "<dd><b>\(place.name.html)</b> \(place.faults.joined(separator: ", ").html)</dd>")
      }
    }
    lines.append("</dl>")
    if !words.sound.isEmpty {
      lines.append("<p>Nothing breaks in: \(words.sound.joined(separator: ", ").html)</p>")
    }
    return lines.joined(separator: "\n") + "</section>"
  }

  /// Why there is no verdict on some, and what was to be seen and was not.
  private var doubts: String {
    var lines = campaign.cases.flatMap { one in
      (one.doubts + one.failures.filter { $0.rule == nil }).map { "\(one.name): \($0.title)" }
    }
    lines += campaign.scenarios.flatMap { result in
      result.unmatched.map {
        "\(result.scenario.name): named by the plan and never asked for: \($0)"
      }
    }
    guard !lines.isEmpty else { return "" }
    return "<section><h2>What is not known</h2><ul>"
      + lines.map { $0.tagged("li") }.joined(separator: "\n") + "</ul></section>"
  }

  /// A row a design with its backend, a column what strikes it.
  private func table(_ matrix: Matrix) -> String {
    let harmless = matrix.harmless
    let topics = matrix.topics.filter { !harmless.contains($0) }
    guard !topics.isEmpty else { return "" }
    var lines = [
      "<section><h2 id=\"table\">What goes wrong where</h2>",
      "<p>A row is a design with its backend, a column is what strikes it, a cell is what that does to money "
        + "and goods.</p>",
      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-labelledby=\"table\"><table>",
      "<thead><tr><th scope=\"col\">design/backend</th>"
        + topics.map { topic in
          "<th scope=\"col\"><span>\(topic.header.joined(separator: " ").html)</span> "
            + "<code>\(topic.code.html)</code></th>"
        }.joined() + "</tr></thead><tbody>",
    ]
    for row in matrix.rows {
      let cells = topics.map { topic -> String in
        guard let cell = matrix[row, topic] else { return "<td></td>" }
        let name = cell.isRed ? "bad" : cell.isFine ? "ok" : "seen"
        let words = cell.shown.map(\.title).joined(separator: ", ")
        return
          "<td class=\"\(name)\"\(words.isEmpty ? "" : " title=\"\(words.html)\"")>\(cell.text.html)</td>"
      }
      lines.append("<tr><th scope=\"row\">\(row.path.html)</th>\(cells.joined())</tr>")
    }
    lines.append("</tbody></table></div>")
    let letters = Impact.allCases.filter { impact in
      matrix.rows.contains { row in
        topics.contains { matrix[row, $0]?.shown.contains(impact) ?? false }
      }
    }
    lines.append(
      "<p class=\"quiet\">"
        + letters.map { "<b>\($0.letter.html)</b> \($0.title.html)" }.joined(separator: ", ")
        + "; ! not expected, ? expected and not seen.</p>")
    if !harmless.isEmpty {
      lines.append(
        "<p class=\"quiet\">Nothing at all goes wrong under: "
          + "\(harmless.map(\.short).joined(separator: ", ").html).</p>")
    }
    return lines.joined(separator: "\n") + "</section>"
  }
}
