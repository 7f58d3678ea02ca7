import ChaosStore
import Invariants

/// One failure: what broke, the run that shows it, what of that is needed, and from where on it could not be avoided.
struct FailureStory {
  /// Of a longer run the lines before and around the break are shown.
  private static let mostLines = 240

  private let result: ScenarioResult
  private let finding: Finding?
  private let campaign: CampaignResult
  private let number: Int
  private let record: Record
  private var plan: Plan?
  private var needs: [Certificate.Entry] = []
  private var outlook: Outlook?

  /// Runs what the failure comes down to; nil where it is too large to be written down.
  init?(
    _ result: ScenarioResult, _ finding: Finding, _ campaign: CampaignResult, number: Int,
    hasOutlook: Bool
  ) {
    guard result.events / max(1, result.runs) <= ScenarioRunner.mostEventsRecorded else {
      return nil
    }
    self.result = result
    self.finding = finding
    self.campaign = campaign
    self.number = number
    plan = finding.clusters.first?.plan ?? finding.plan
    let simulation = Simulation(result.scenario)
    let isAsked = campaign.single != nil
    record =
      if isAsked, let record = result.record { record } else {
        simulation.record(plan.map { Origin(plan: $0) } ?? finding.origin)
      }
    // A real process would have to be run again for each.
    let isCostly = result.scenario.system.isCostly
    if let certificate = finding.clusters.first?.certificate, !certificate.entries.isEmpty {
      needs = certificate.entries
    } else if let plan, !isCostly {
      needs = plan.decisions.indices.filter { !plan.decisions[$0].question.isOmission }.map {
        index in
        let outcome = simulation.run(plan: plan.without(index))
        return Certificate.Entry(
          decision: plan.decisions[index],
          without: outcome.broken & 1 << UInt64(finding.rule) == 0 ? .holds : .breaks)
      }
    }
    if hasOutlook, !isCostly { outlook = simulation.outlook(of: record, breaking: finding.rule) }
  }

  /// A run that was asked for and broke nothing.
  init(_ record: Record, of result: ScenarioResult, _ campaign: CampaignResult) {
    (self.record, self.result, self.campaign) = (record, result, campaign)
    finding = nil
    number = 1
  }

  private var scenario: Scenario { result.scenario }

  /// Its line among all.
  var line: String {
    guard let finding else { return "" }
    let standing =
      finding.standing == .unexpected
      ? "<b class=\"bad\">not expected</b> " : ""
    let size = plan?.cost ?? "a seed"
    return "<tr><td>\(standing)<a href=\"#failure-\(number)\">\(finding.title.html)</a></td>"
      + "<td>\(scenario.name.html)</td><td>\(finding.runs.grouped)</td><td>\(size.html)</td></tr>"
  }

  /// What happened, to be drawn.
  var diagram: SequenceDiagram {
    SequenceDiagram(
      record, scenario, rows: shownLines, outlook: outlook, title: title, name: "failure-\(number)")
  }

  /// What happened, a fact a line.
  var history: HistoryLines { HistoryLines(record, of: scenario) }

  /// All that is told of it.
  var section: String {
    let diagram = diagram
    // Further pictures are drawn by the script once they come near, so that a page of a hundred is there at once; who has
    // no script has them all.
    let (open, close) = number > 1 ? ("<noscript>", "</noscript>") : ("", "")
    return """
      <section class="failure" id="failure-\(number)">
      <h2>\(title.html)</h2>
      \(meaning)
      \(comesDownTo)
      \(avoidable)
      \(open)
      \(scrubber(diagram))
      <div class="wide picture" tabindex="0" role="region" aria-label="What happened, drawn">
      \(diagram.svg)
      </div>
      <details><summary>The same as a list</summary>
      \(diagram.list)
      </details>
      \(close)
      \(again)
      </section>
      """
  }

  private var title: String {
    guard let finding else { return "\(scenario.name): every invariant holds" }
    return "\(finding.title) breaks in \(scenario.name)"
  }

  private var meaning: String {
    guard let finding else { return scenario.about.tagged("p") }
    let rule = finding.invariant
    var lines = ["<p><b>\(rule.summary.html)</b> \(rule.meaning.html)</p>"]
    let standing =
      switch finding.standing {
      case .unexpected: "Nobody expected it."
      case .expected: "The scenario expects it: \(scenario.about)"
      case .allowed: "The scenario puts up with it: \(scenario.about)"
      }
    let runs =
      campaign.single == nil
      ? " It broke in \(finding.runs.grouped) of \(result.runs.of("run"))." : ""
    lines.append((standing + runs).tagged("p"))
    let others = result.findings.filter { $0.follows == rule.name }
    if !others.isEmpty {
      lines.append("With it: \(others.map(\.title).joined(separator: ", ")).".tagged("p"))
    }
    if let report = scenario.report {
      lines.append("Seen in public: \(report.source): \(report.said)".tagged("p"))
    }
    if !rule.evidence.isEmpty {
      lines.append(
        "<details><summary>Reports of it being broken</summary><ul>"
          + rule.evidence.map { $0.tagged("li") }.joined() + "</ul></details>")
    }
    return lines.joined(separator: "\n")
  }

  private var comesDownTo: String {
    guard let finding else { return "" }
    guard let plan else { return "Only the seed is known to do it.".tagged("p") }
    if plan.size == 0, needs.isEmpty { return "It takes no fault at all.".tagged("p") }
    var lines = ["<p>It comes down to \(plan.size.of("decision")):</p><ul class=\"plan\">"]
    lines += needs.map { entry in
      let fault =
        entry.decision.fault.map {
          " <span class=\"quiet\">\($0.code.html) \($0.entry.short.html)</span>"
        } ?? ""
      return
        "<li><code>\(entry.decision.description.html)</code>\(fault) <i>\(entry.remark.html)</i></li>"
    }
    lines.append("</ul>")
    if let leftOut = plan.leftOut { lines.append(leftOut.tagged("p", "quiet")) }
    if let repeats = finding.clusters.first?.repeats {
      lines.append(
        "Run \(repeats.runs) times it came the same way \(repeats.same.of("time")).".tagged("p"))
    }
    return lines.joined(separator: "\n")
  }

  /// From where on nothing helped.
  private var avoidable: String {
    guard let outlook, let first = outlook.broken.first else { return "" }
    let all = outlook.runs
    let start =
      "Of \(all.grouped) runs that begin as this one and go on as other seeds say, \(first.grouped) break it."
    guard let event = outlook.unavoidableFrom else {
      return (start + " Even after the last event another end is possible.").tagged("p")
    }
    guard event > 0 else {
      return
        "Nothing in this run made it more likely: all \(all.grouped) runs of other seeds break it as well."
        .tagged("p")
    }
    let entry = record.timeline.entries.last { $0.event <= event }
    let place = entry.map { " (\(SequenceDiagram.moment($0, scenario)): \($0.text))" } ?? ""
    return (start + " From event \(event.grouped) on all do\(place): it can no longer be avoided.")
      .tagged("p")
  }

  private func scrubber(_ diagram: SequenceDiagram) -> String {
    let count = diagram.count
    guard count > 0 else { return "" }
    let head = ["purchase", "App Store", "queue", "ledger", "phone"]
    let rows = diagram.last.map { purchase in
      "<tr><th scope=\"row\">\(purchase.name.html)</th>"
        + [purchase.money, purchase.queue, purchase.goods, purchase.phone].map { $0.tagged("td") }
        .joined()
        + "</tr>"
    }
    return """
      <div class="scrub">
      <label for="scrub-\(number)">Step through it</label>
      <input type="range" id="scrub-\(number)" min="0" max="\(count - 1)" value="\(count - 1)"/>
      <output for="scrub-\(number)" aria-live="polite"></output>
      <table class="state"><caption>What is written down where no crash reaches it</caption>
      <thead><tr>\(head.map { "<th scope=\"col\">\($0)</th>" }.joined())</tr></thead>
      <tbody>\(rows.joined())</tbody></table>
      <script type="application/json">\(diagram.changes)</script>
      </div>
      """
  }

  private var again: String {
    guard let finding else { return "" }
    let line =
      campaign.single == nil && plan != nil
      ? campaign.commandToRun(plan ?? Plan(), in: scenario)
      : campaign.commandToReproduce(finding, in: result)
    return "<p>To see it again:</p><pre tabindex=\"0\">\(line.html)</pre>"
  }

  /// The lines of the run that are drawn; nil stands for some that are not.
  private var shownLines: [Timeline.Entry?] {
    let entries = record.timeline.entries
    guard entries.count > Self.mostLines else { return entries }
    let position = finding.flatMap { finding in
      record.violations.first { $0.rule == finding.rule && $0.fact != nil }?.position
    }
    let place = position.flatMap { position in entries.firstIndex { $0.position == position } }
    let last = min(entries.count, (place ?? entries.count - 1) + 40)
    let from = max(20, last - Self.mostLines)
    return Array(entries[..<20]) + (from > 20 ? [nil] : []) + Array(entries[from..<last])
      + (last < entries.count ? [nil] : [])
  }
}
