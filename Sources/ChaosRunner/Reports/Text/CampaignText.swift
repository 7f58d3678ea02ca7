import ChaosStore
import Invariants

/// What `run` and `explore` print for people.
struct CampaignText {
  /// How many stories of one seed or plan are told without `--details`.
  private static let mostStories = 3

  private let campaign: CampaignResult
  private let options: ReportOptions
  private var width: Int { options.width }
  private var style: Style { options.style }

  init(_ campaign: CampaignResult, _ options: ReportOptions) {
    self.campaign = campaign
    self.options = options
  }

  var text: String {
    let blocks =
      campaign.single != nil
      ? singleBlocks : campaign.strategy == nil ? campaignBlocks : searchBlocks
    return (notes + blocks).asParagraphs
  }

  private var notes: [[String]] { campaign.notes.map { $0.wrappedLines(to: width) } }

  private var campaignBlocks: [[String]] {
    var before: [[String]] = []
    var blocks: [[String]] = []
    if options.isQuiet {
      blocks += StoryText.red(campaign, options).map { $0.story.shortest }
    } else if options.hasDetails {
      blocks += detailBlocks
      blocks += StoryText.red(campaign, options).map(\.story.full)
    } else {
      before.append(UnjudgedText.lines(campaign.scenarios, width: width))
    }
    var after: [[String]] = []
    if !options.isQuiet, options.showsCoverage {
      after.append(CoverageText(campaign.scenarios, style).lines)
    }
    after.append(unfinished)
    let regressions = RegressionsText(campaign.regressions, campaign.paste, options)
    after.append(regressions.troubles)
    let isTold = !options.isQuiet && !campaign.regressions.isEmpty
    after.append(
      (isTold ? regressions.summary : []) + (options.isQuiet ? [] : [totals]) + [verdict] + hints)
    if !options.isQuiet, !options.hasDetails {
      let others = (notes + before + after).filter { !$0.isEmpty }.reduce(0) { $0 + $1.count + 1 }
      blocks += ScreenText(campaign, options).blocks(besides: others)
    }
    return before + blocks + after
  }

  /// The table and the lists.
  private var detailBlocks: [[String]] {
    let matrix = Matrix(campaign.scenarios)
    let table = Table(matrix, width: width, style: style)
    return [
      UnjudgedText.lines(campaign.scenarios, width: width), FindingsText(matrix, options).lines,
      intro, table.lines, wayOn(table),
      OutsideTable(table).lines, table.harmlessLines, publicReports, designs,
      DetailsText(campaign.scenarios, options).lines, neverStruck,
    ]
  }

  /// How many scenarios `explore` shows without `--details`.
  private static let mostShown = 5

  private var searchBlocks: [[String]] {
    let isShort = !options.hasDetails && !options.isQuiet
    let all = campaign.scenarios
    let order = all.enumerated().sorted { a, b in
      let (x, y) = (a.element.verdict, b.element.verdict)
      return x == y ? a.offset < b.offset : x > y
    }.map(\.element)
    let isCut = isShort && all.count > Self.mostShown
    let shown = isCut ? Array(order.prefix(Self.mostShown)) : all
    var blocks = shown.map { result in
      SearchText(result, campaign, options, isShort: isShort).lines
    }
    if isCut {
      blocks.append(["\((all.count - shown.count).of("more scenario")): --details has them."])
    }
    if isShort, let (_, story) = StoryText.red(campaign, options).first, let cause = story.cause {
      blocks.append(story.briefStory(of: cause, mostLines: ScreenText.mostStoryLines))
    }
    if options.showsCoverage { blocks.append(CoverageText(campaign.scenarios, style).lines) }
    return blocks + [unfinished, (options.isQuiet ? [] : [totals]) + [verdict]]
  }

  private var unfinished: [String] {
    UnfinishedText(campaign.scenarios, isInterrupted: campaign.isInterrupted, width: width)
      .lines(isQuiet: options.isQuiet, hasDetails: options.hasDetails)
  }

  /// How to read the table.
  private var intro: [String] {
    let rows = campaign.scenarios.map { Matrix.Row($0.scenario) }
    var backends = BackendKind.allCases.filter { kind in
      rows.contains { $0.backend == kind && !$0.isReal }
    }.map { ($0.rawValue, $0.meaning) }
    if rows.contains(where: \.isReal) {
      backends.append((Matrix.Row.real, "the processes that the backend's file starts"))
    }
    let text =
      "What goes wrong where: a row is a design with its backend, a column is what strikes it, a "
      + "cell is what that does to money and goods."
    return text.wrapped(to: width)
      + backends.flatMap { name, meaning in
        String.hanging("  " + name.padded(to: 12), meaning, width: width)
      }
  }

  /// What is modelled on public reports is in no table.
  private var publicReports: [String] {
    let told = campaign.scenarios.filter { $0.scenario.report != nil }
    let broken = told.filter { !$0.scenario.expects.isEmpty }
    guard let first = broken.first, told.count < campaign.scenarios.count else { return [] }
    let seen = broken.count { $0.verdict == .asExpected }
    let text =
      "Bugs of public reports, modelled here: \(seen.grouped) of \(broken.count.grouped) are seen to break "
      + "what they broke. Where one was reported:"
    return text.wrapped(to: width) + [
      "  " + campaign.paste.explain(first.scenario.name.shellQuoted)
    ]
  }

  /// From a cell to its story.
  private func wayOn(_ table: Table) -> [String] {
    guard let (row, topic) = table.matrix.costliest(of: table.rows, table.topics) else { return [] }
    return "The story of a cell: 'explain' with its row and the code above its column, such as"
      .wrapped(to: width)
      + ["  " + campaign.paste.explain("\(row.path.shellQuoted) \(topic.code.shellQuoted)")]
  }

  private var designs: [String] {
    var entries: [SystemEntry] = []
    for result in campaign.scenarios {
      let entry = result.scenario.system.entry
      if !entries.contains(where: { $0.name == entry.name }) { entries.append(entry) }
    }
    let column = 2 + (entries.map(\.name.count).max() ?? 0)
    return ["Designs"]
      + entries.flatMap { entry in
        String.hanging("  " + entry.name.padded(to: column), entry.summary, width: width)
      }
  }

  private var singleBlocks: [[String]] {
    let results = campaign.scenarios
    let told = results.filter { result in
      !result.findings.isEmpty || !result.doubts.isEmpty || results.count == 1
    }
    var blocks: [[String]] = []
    let most = options.hasDetails ? told.count : Self.mostStories
    for (index, result) in told.enumerated() {
      let story = StoryText(result, campaign, options)
      blocks.append(options.isQuiet ? story.brief : index < most ? story.single : [])
    }
    if !options.isQuiet, told.count > most {
      blocks.append([
        "\((told.count - most).of("more scenario")) broke something or has no verdict; "
          + "--details tells each."
      ])
    }
    if results.count > 1, let first = results.first {
      let unmatched = first.unmatched.filter { decision in
        results.allSatisfy { $0.unmatched.contains(decision) }
      }
      if !unmatched.isEmpty {
        blocks.append(
          [style("Named by the plan and never asked for in any scenario", .bold)]
            + unmatched.map { "  " + $0.description })
      }
    }
    blocks.append(unfinished)
    blocks.append([singleVerdict])
    return blocks
  }

  private var singleVerdict: String {
    let results = campaign.scenarios
    let broken = results.filter { !$0.findings.isEmpty && $0.verdict != .noVerdict }
    let doubtful = results.filter { $0.verdict == .noVerdict }
    var text = "\(broken.count) of \(results.count.of("scenario")) broke something"
    if broken.isEmpty {
      text = "Nothing broke in \(results.count.of("scenario"))"
    }
    if doubtful.count == results.count {
      // Of what was cut off or interrupted nobody knows what it would have broken.
      text = "No verdict on \(results.count.of("scenario"))"
    } else if !doubtful.isEmpty {
      text += "; no verdict on \(doubtful.count)"
    }
    if campaign.isInterrupted { text += "; interrupted, \(notBegun) not run" }
    return style(text + ".", campaign.exitCode == .asExpected ? .green : .redBold)
  }

  private var notBegun: String {
    "\((campaign.chosen - campaign.scenarios.count).grouped) of "
      + campaign.chosen.of("scenario")
  }

  /// A mix that never strikes tests nothing; said only of campaigns that are long enough.
  private var neverStruck: [String] {
    var scenarios: [Fault: [String]] = [:]
    for result in campaign.scenarios where result.isFull {
      for fault in result.neverStruck { scenarios[fault, default: []].append(result.scenario.name) }
    }
    guard !scenarios.isEmpty else { return [] }
    var lines = ["Faults that never struck, though their scenarios allow them"]
    for fault in Fault.allCases {
      guard let names = scenarios[fault] else { continue }
      let head = "  \(fault.code.padded(to: 5))\(fault.name): "
      lines += String.hanging(head, names.joined(separator: ", "), width: width)
    }
    return lines
  }

  private var totals: String {
    let seconds = Int(campaign.seconds * 10)
    return "\(campaign.scenarios.count.of("scenario")), \(campaign.runs.of("run")), "
      + "\(campaign.events.of("event")), \(simulatedTime(campaign.simulatedMillis)), "
      + "\(seconds / 10).\(seconds % 10) s"
  }

  private var verdict: String {
    var counts: [Verdict: Int] = [:]
    for result in campaign.scenarios { counts[result.verdict, default: 0] += 1 }
    let names: [(Verdict, String)] = [
      (.unexpected, "with an unexpected violation"), (.missing, "without an expected violation"),
      (.vacuous, "that showed nothing"),
      (.noVerdict, "without a verdict"),
      (.notYetSeen, "with an expected violation not yet seen, under fewer seeds than it asks for"),
    ]
    let parts = names.compactMap { verdict, text in
      counts[verdict].map { "\($0.of("scenario")) \(text)" }
    }
    let all = campaign.scenarios.count
    let fine = counts[.asExpected] ?? 0
    let kept = campaign.regressions.troubles { $0.of("regression") }
    var text =
      fine == all && kept.isEmpty
      ? campaign.isInterrupted
        ? "Nothing unexpected until then, which is no verdict"
        : "As expected: all of \(all.of("scenario"))"
      : (campaign.exitCode == .asExpected ? "" : "NOT as expected: ")
        + (kept + parts + ["\(fine.grouped) of \(all.of("scenario")) as expected"]).joined(
          separator: "; ")
    if campaign.isInterrupted {
      text = "Interrupted, \(notBegun) not begun. " + text
    }
    let spent = campaign.scenarios.count { $0.isSpent && !$0.isProof }
    if spent > 0, !campaign.isInterrupted {
      text = "The budget was spent before the seeds that \(spent.of("scenario")) asks for. " + text
    }
    return style(text + ".", campaign.exitCode == .asExpected ? .green : .redBold)
  }

  /// What to do next.
  private var hints: [String] {
    guard !options.isQuiet, !options.hasDetails else { return [] }
    let details = "Details: --details prints the table, every scenario and every fault."
    let isDemo = campaign.isOfBuiltInDesigns
    if campaign.exitCode == .asExpected, isDemo {
      return [
        "Next: test your own purchase code. PATH is its folder or one of its files:",
        "  \(campaign.paste.invocation) new PATH", details,
      ]
    }
    guard campaign.scenarios.contains(where: { $0.verdict == .unexpected }) else {
      return [details]
    }
    return ["Next: --save keeps each failure for every later run, --report DIR draws it.", details]
  }
}

extension PasteLine {
  /// What `explain` says of something, already quoted.
  func explain(_ words: String) -> String {
    "\(invocation) explain \(words)" + source.argument
  }
}
