import ChaosStore
import Invariants

/// What `run` prints without `--details`: one screen, what is red or else what goes wrong as expected.
struct ScreenText {
  /// The most lines, as long as names and terminals are of usual width.
  static let mostLines = 40
  /// The most lines of a story.
  static let mostStoryLines = 25
  /// The fewest that say anything.
  private static let fewestStoryLines = 14
  /// How many failures are told; how many more there are is said.
  private static let mostTold = 3

  private let campaign: CampaignResult
  private let options: ReportOptions
  private var width: Int { options.width }
  private var style: Style { options.style }

  init(_ campaign: CampaignResult, _ options: ReportOptions) {
    self.campaign = campaign
    self.options = options
  }

  /// The screen, if what stands around these blocks takes so many lines.
  func blocks(besides others: Int) -> [[String]] {
    let red = StoryText.red(campaign, options)
    return red.isEmpty ? expected : unexpected(red, besides: others)
  }

  // MARK: - As expected

  private var expected: [[String]] {
    let matrix = Matrix(campaign.scenarios)
    let words = CostsInWords(matrix)
    let impacts = words.impacts
    var blocks: [[String]] = []
    if !impacts.isEmpty {
      let intro =
        campaign.isOfBuiltInDesigns
        ? "These demo designs are broken on purpose: every failure below is expected."
        : matrix.isExpected ? "The scenarios expect every failure below." : ""
      blocks.append(
        [style("What goes wrong, the gravest first", .bold)] + (intro.isEmpty ? [] : [intro]))
      blocks += impacts.prefix(Self.mostTold).map { failure($0, words) }
      let rest = impacts.dropFirst(Self.mostTold).map(\.title)
      if !rest.isEmpty {
        blocks.append(
          "\(rest.count.of("more kind")) of failure: \(rest.joined(separator: ", "))."
            .wrapped(to: width))
      }
    }
    return blocks + [holds(words)]
  }

  /// What it costs and how many designs do it, with the line that shows it in one.
  private func failure(_ impact: Impact, _ words: CostsInWords) -> [String] {
    let designs = words.systems(with: impact).count
    let title = impact.title.prefix(1).uppercased() + impact.title.dropFirst()
    let sentence =
      "\(title) in \(designs.grouped) of \(words.systems.count.of("design")): \(impact.meaning)."
    var lines = sentence.wrapped(to: width).map { style($0, impact.color) }
    guard let (result, finding) = example(of: impact) else { return lines }
    let topic = Topic(result.scenario.topic).sentence
    lines += String.hanging(
      "  ", "For example \(Matrix.Row(result.scenario).path) if \(topic):", width: width)
    return lines + ["  " + campaign.paste.run(result.scenario, example: finding, of: result)]
  }

  /// A failure that one decision shows, under a fault that every shop meets, if there is one.
  private func example(of impact: Impact) -> (ScenarioResult, Finding)? {
    let found = campaign.scenarios.filter { $0.scenario.report == nil }.flatMap { result in
      result.findings.filter { $0.invariant.impact == impact }.map { (result, $0) }
    }
    func rank(_ result: ScenarioResult, _ finding: Finding) -> (Int, Int, Int) {
      let isUsual = Matrix.Row(result.scenario).variant.isEmpty
      return (
        isUsual ? 0 : 1, finding.smallest?.size == 1 ? 0 : 1, Topic(result.scenario.topic).rank
      )
    }
    return found.enumerated().min { a, b in
      let (x, y) = (rank(a.element.0, a.element.1), rank(b.element.0, b.element.1))
      return x == y ? a.offset < b.offset : x < y
    }?.element
  }

  private func holds(_ words: CostsInWords) -> [String] {
    let sound = words.sound
    guard !sound.isEmpty else { return [] }
    let results = campaign.scenarios.filter { result in
      sound.contains(result.scenario.system.entry.name) && result.scenario.report == nil
    }
    let runs = results.reduce(0) { $0 + $1.runs }
    return
      "Nothing breaks in \(sound.joined(separator: ", ")): \(results.count.of("scenario")), \(runs.of("run"))."
      .wrapped(to: width).map { style($0, .green) }
  }

  // MARK: - Not as expected

  private func unexpected(
    _ red: [(result: ScenarioResult, story: StoryText)], besides others: Int
  ) -> [[String]] {
    guard let first = red.first else { return [] }
    let next = red.dropFirst().prefix(Self.mostTold - 1).filter { !$0.story.isToldElsewhere }
    var findings = first.story.short(mostCauses: Self.mostTold - next.count)
    for (_, story) in next { findings += story.shortest }
    let rest = red.dropFirst(1 + next.count)
    if !rest.isEmpty {
      let same = rest.count { $0.story.isToldElsewhere }
      let note = same == 0 ? "" : ", \(same.grouped) of them by what is told above"
      findings.append(
        "\(rest.count.of("more scenario")) not as expected\(note); --details has them.")
    }
    guard let cause = first.story.cause else { return [findings] }
    let room = Self.mostLines - others - findings.count - 2
    let most = min(Self.mostStoryLines, max(Self.fewestStoryLines, room))
    return [findings, first.story.briefStory(of: cause, mostLines: most)]
  }
}

extension StoryText {
  /// What is not as it should be, the gravest first; what another world tells comes last.
  static func red(_ campaign: CampaignResult, _ options: ReportOptions)
    -> [(result: ScenarioResult, story: StoryText)]
  {
    let stories = campaign.scenarios.map { (result: $0, story: StoryText($0, campaign, options)) }
    return stories.enumerated().sorted { a, b in
      let (x, y) = (a.element.result.verdict, b.element.result.verdict)
      if x != y { return x > y }
      let (isSameX, isSameY) = (a.element.story.isToldElsewhere, b.element.story.isToldElsewhere)
      return isSameX == isSameY ? a.offset < b.offset : isSameY
    }.map(\.element).filter { $0.result.verdict > .notYetSeen }
  }
}

extension CampaignResult {
  /// Whether all of it is about designs that come with ChaosStore.
  var isOfBuiltInDesigns: Bool {
    let builtIn = Set(BuiltIn.systems.map(\.typeName))
    return scenarios.allSatisfy { builtIn.contains($0.scenario.system.typeName) }
  }
}

extension PasteLine {
  /// The line that shows a failure by few decisions, or else by the first run that broke it.
  fileprivate func run(
    _ scenario: Scenario, example finding: Finding, of result: ScenarioResult
  ) -> String {
    let plan = finding.smallest ?? finding.plan
    return plan.map { run(scenario, plan: $0) } ?? run(scenario, finding)
  }
}
