import ChaosStore
import Invariants

/// A row of the table, or one of its cells: which scenarios it is, and what they come to.
struct CellExplanation {
  private let source: ScenarioSource
  private let paste: PasteLine
  private let console: Console

  init(_ source: ScenarioSource, paste: PasteLine, on console: Console) {
    self.source = source
    self.paste = paste
    self.console = console
  }

  /// A row with all its columns; nil where the words name none.
  func text(row written: String) -> String? {
    guard let scenarios = scenarios(inRow: written) else { return nil }
    var blocks = [["\(written)  (a row of the table)"]]
    for topic in topics(of: scenarios) {
      let own = scenarios.filter { Topic($0.topic) == topic }
      blocks.append(
        [topic.sentence]
          + own.flatMap { scenario in
            let expected = scenario.expects.joined(separator: ", ")
            let text = expected.isEmpty ? "nothing must break" : "must break: \(expected)"
            return ["  \(scenario.name)"]
              + String.hanging("    ", text, width: console.width)
          })
    }
    if let scenario = scenarios.first(where: { !$0.expects.isEmpty }) ?? scenarios.first {
      blocks.append([
        "The story of a cell",
        "  " + paste.explain("\(written.shellQuoted) \(Topic(scenario.topic).code.shellQuoted)"),
      ])
    }
    return blocks.asParagraphs
  }

  /// A cell, run again.
  func text(row: String, column: String) throws(Failure) -> String {
    guard let scenarios = scenarios(inRow: row) else {
      let names = source.scenarios.map { Matrix.Row($0) }.flatMap { [$0.system, $0.path] }
      let hint = suggestion(for: row, among: names)
      throw .usage(
        "there is no row '\(row)' in the table"
          + (hint.isEmpty
            ? ": expected a system, with '/' and its variant or backend where it has several"
            : hint))
    }
    let topics = topics(of: scenarios)
    let wanted = Topic(column)
    guard
      let topic = topics.first(where: { $0 == wanted || $0.code == column.lowercased() })
        ?? topics.first(where: { !Set($0.faults).isDisjoint(with: wanted.faults) })
    else {
      throw .usage(
        "'\(row)' was not tried under '\(column)'; it was under "
          + topics.map(\.code).joined(separator: ", "))
    }
    return try text(scenarios.filter { Topic($0.topic) == topic }, row: row, topic)
  }

  // MARK: -

  private func text(
    _ scenarios: [Scenario], row: String, _ topic: Topic
  ) throws(Failure) -> String {
    var campaign = CampaignResult(chosen: scenarios.count, paste: paste)
    let progress = Progress(console)
    let cancellation = Cancellation(console, progress)
    for (index, scenario) in scenarios.enumerated() where !cancellation.isRequested {
      progress.begin(index + 1, of: scenarios.count, scenario.name)
      let runner = ScenarioRunner(scenario, cancellation: cancellation)
      var budget = Budget()
      budget.cancellation = cancellation
      budget.goesOn = { runs in
        progress.show(runs: runs)
        return !cancellation.isRequested
      }
      var result = runner.campaign(Strategies.usual, budget)
      let failures = result.findings.count
      for index in result.findings.indices {
        var shrinker = FailureShrinker(result.findings[index], runner) { runs in
          progress.makesSmall(index + 1, of: failures, runs: runs)
        }
        shrinker.rest()
        result.findings[index] = shrinker.finding
      }
      campaign.scenarios.append(result)
    }
    progress.clear()
    if cancellation.isRequested {
      throw .noVerdict("interrupted before all of \(scenarios.count.of("scenario")) was run")
    }
    var options = ReportOptions()
    options.width = console.width
    options.hasColor = console.hasColor
    let cells = Set(scenarios.map { Matrix.Row($0) })
    let matrix = Matrix(campaign.scenarios)
    let texts = matrix.rows.filter(cells.contains).compactMap { row in
      matrix[row, topic].map { "\(row.path): \($0.text)" }
    }
    var blocks = [["\(row) under \(topic.sentence)"] + texts.map { "  " + $0 }]
    for result in campaign.scenarios {
      blocks.append(SearchText(result, campaign, options).lines)
    }
    let found = campaign.scenarios.flatMap { result in result.findings.map { (result, $0) } }
    if let (result, finding) = found.min(by: {
      $0.1.invariant.impact < $1.1.invariant.impact
    }) {
      blocks.append(["The story of what costs most"])
      blocks.append(StoryText(result, campaign, options).story(of: finding))
    }
    return blocks.asParagraphs
  }

  private func topics(of scenarios: [Scenario]) -> [Topic] { Matrix(scenarios: scenarios).topics }

  /// Those whose row these words are; nil where there are none.
  private func scenarios(inRow written: String) -> [Scenario]? {
    let words = written.lowercased().split(separator: "/").map(String.init)
    guard let system = words.first else { return nil }
    let found = source.scenarios.filter { scenario in
      let row = Matrix.Row(scenario)
      let names = [row.backendName, scenario.variant]
      return row.system == system && words.dropFirst().allSatisfy(names.contains)
        && (row.variant.isEmpty || words.contains(row.variant))
    }
    return found.isEmpty ? nil : found
  }
}

extension Matrix {
  /// Rows and columns of scenarios that were not run.
  fileprivate init(scenarios: [Scenario]) {
    self.init(scenarios.map { ScenarioResult(scenario: $0) })
  }
}
