import ChaosStore
import Invariants

/// An audit as a page in one file that needs nothing else.
struct AuditPage {
  /// So many findings of a rule are on the page; a longer one would be slow to open.
  private static let mostFindings = 200

  private let result: AuditResult
  private let words: AuditWords

  init(_ result: AuditResult) {
    self.result = result
    words = AuditWords(result)
  }

  var text: String {
    PageFrame(
      title: "Audit: \(words.verdict.text)", head: head,
      sections: result.broken.map(section) + [sums, histories, judged, lines],
      cause: "The same files and options"
    ).text
  }

  private var head: String {
    """
    <header>
    <h1>Audit of \(result.files.joined(separator: ", ").html)</h1>
    <p class="verdict \(words.verdict.isRed ? "red" : "fine")">\(words.verdict.text.html)</p>
    <p>\(words.range.html)</p>
    </header>
    """
  }

  private func section(_ rule: Int) -> String {
    let invariant = AuditRules.all[rule].invariant
    let shown = words.findings(of: rule).prefix(Self.mostFindings)
    let rows = shown.map { finding in
      let evidence = finding.evidence.map { evidence in
        let line =
          "\(words.place(evidence.place)) \(words.moment(evidence.at, finding)) \(evidence.text)"
        return "<li\(evidence.isBreak ? " class=\"bad\"" : "")>\(line.html)</li>"
      }
      let more = finding.more > 0 ? "<li>and \(finding.more.of("further line"))</li>" : ""
      return "<tr><td>\(words.title(finding).html)</td>"
        + "<td><ul>\(evidence.joined())\(more)</ul></td></tr>"
    }
    let rest = result.counts[rule] - shown.count
    return """
      <section><h2>\(invariant.title.html): \(words.count(rule).html)</h2>
      <p><b>\(invariant.impact.title.html)</b>: \(invariant.impact.meaning.html). \
      \(invariant.summary.html) \(invariant.meaning.html)</p>
      \(table(["purchase", "lines"], rows, label: invariant.title, isNumbers: false))
      \(rest > 0 ? "<p class=\"quiet\">and \(rest.grouped) more</p>" : "")</section>
      """
  }

  private var sums: String {
    let rows = words.sums.map { row in
      let cells = row.cells.dropFirst().enumerated().map { column, cell in
        let isBad = row.isRed && column == row.cells.count - 2
        return "<td\(isBad ? " class=\"bad\"" : "")>\(cell.html)</td>"
      }
      return "<tr><th scope=\"row\">\(row.cells[0].html)</th>\(cells.joined())</tr>"
    }
    guard !rows.isEmpty else { return "" }
    return "<section><h2>Sums, in units</h2>"
      + table(AuditWords.sumTitles, rows, label: "Sums, in units", isNumbers: true) + "</section>"
  }

  private var histories: String {
    guard !result.histories.isEmpty else { return "" }
    let items = result.histories.map { history in
      "\(words.place(history.place)) \(history.name): \(words.outcome(history))".tagged("li")
    }
    return "<section><h2>Histories that are whole</h2><ul>\(items.joined())</ul></section>"
  }

  private var judged: String {
    let gaps = words.gaps.map {
      "\($0.reason): \($0.rules.joined(separator: ", "))".tagged("li")
    }
    return """
      <section><h2>Judged</h2><p>\(words.judged.joined(separator: ", ").html)</p>
      <h3>Not judged</h3><ul>\(gaps.joined())</ul>\(words.notes.map { $0.tagged("p") }.joined())</section>
      """
  }

  private var lines: String {
    var text = ""
    for (title, count, shown) in [
      ("Damaged lines, left out", result.damaged, result.damagedLines),
      ("Facts that came too late, left out", result.late, result.lateLines),
    ] where count > 0 {
      let items = shown.map { line in
        "\(words.place(line.place)): found \(line.damage.found), expected \(line.damage.expected)"
          .tagged("li")
      }
      let more = count > shown.count ? "<li>and \((count - shown.count).grouped) more</li>" : ""
      text +=
        "<section><h2>\(title): \(count.grouped)</h2><ul>\(items.joined())\(more)</ul></section>"
    }
    return text
  }

  private func table(_ titles: [String], _ rows: [String], label: String, isNumbers: Bool)
    -> String
  {
    "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"\(label.html)\">"
      + "<table class=\"\(isNumbers ? "numbers" : "list")\"><thead><tr>"
      + titles.map { "<th scope=\"col\">\($0.html)</th>" }.joined()
      + "</tr></thead><tbody>\(rows.joined())</tbody></table></div>"
  }
}
