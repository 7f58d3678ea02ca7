import ChaosStore

/// What `run` prints for people.
struct TextReport {
  private let session: Session
  private let width: Int
  private let ink: Ink
  private let options: RunOptions
  /// How many stories are told in full; the others get a line.
  private let mostStories = 3

  init(_ session: Session, width: Int, ink: Ink, options: RunOptions) {
    self.session = session
    self.width = width
    self.ink = ink
    self.options = options
  }

  var text: String {
    let blocks = session.single == nil ? campaignBlocks : singleBlocks
    return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
      .joined(separator: "\n\n") + "\n"
  }

  private var campaignBlocks: [[String]] {
    var blocks: [[String]] = []
    if !options.isQuiet {
      let matrix = Matrix(session.trials)
      let table = Table(matrix, width: width, ink: ink)
      blocks += [table.lines, table.legend, table.harmless, Balance(matrix, width: width).lines]
      if options.hasDetails { blocks.append(DetailsReport(session.trials, ink: ink).lines) }
      blocks.append(neverStruck)
    }
    blocks += red
    blocks.append((options.isQuiet ? [] : [totals]) + [verdict] + hints)
    return blocks
  }

  private var singleBlocks: [[String]] {
    let told = session.trials.filter { trial in
      !trial.findings.isEmpty || !trial.doubts.isEmpty || session.trials.count == 1
    }
    var blocks: [[String]] = []
    for trial in told {
      let story = StoryReport(trial, session, width: width, ink: ink, options: options)
      blocks.append(options.isQuiet ? story.brief : story.single)
    }
    blocks.append([singleVerdict])
    return blocks
  }

  private var singleVerdict: String {
    let broken = session.trials.filter { !$0.findings.isEmpty && $0.verdict != .noVerdict }
    let doubtful = session.trials.filter { $0.verdict == .noVerdict }
    var text = "\(broken.count) of \(session.trials.count.of("scenario")) broke something"
    if broken.isEmpty {
      text = "Nothing broke in \(session.trials.count.of("scenario"))"
    }
    if !doubtful.isEmpty { text += "; no verdict on \(doubtful.count)" }
    if session.isInterrupted { text += "; interrupted, \(missingTrials) not run" }
    return ink(text + ".", session.exitCode == .asExpected ? .green : .redBold)
  }

  private var missingTrials: String {
    "\((session.chosen - session.trials.count).grouped) of \(session.chosen.of("scenario"))"
  }

  /// What is not as it should be: stories, then a line for each of the rest.
  private var red: [[String]] {
    var blocks: [[String]] = []
    var told = 0
    for trial in session.trials.sorted(by: { $0.verdict > $1.verdict })
    where trial.verdict > .notYetSeen {
      let story = StoryReport(trial, session, width: width, ink: ink, options: options)
      let isLong = trial.verdict == .unexpected && !options.isQuiet
      blocks.append(isLong && (told < mostStories || options.hasDetails) ? story.full : story.brief)
      if isLong { told += 1 }
    }
    return blocks
  }

  /// A mix that never strikes tests nothing; said only of campaigns that are long enough.
  private var neverStruck: [String] {
    var scenarios: [Fault: [String]] = [:]
    for trial in session.trials where trial.isFull {
      for fault in trial.neverStruck { scenarios[fault, default: []].append(trial.scenario.name) }
    }
    guard !scenarios.isEmpty else { return [] }
    var lines = ["Faults that never struck, though their scenarios allow them"]
    for fault in Fault.allCases {
      guard let names = scenarios[fault] else { continue }
      let shown = names.prefix(3).joined(separator: ", ")
      let rest = names.count > 3 ? " and \(names.count - 3) more" : ""
      lines += String.hanging(
        "  \(fault.code.padded(to: 5))\(fault.name): ", "in \(shown)\(rest)", width: width)
    }
    return lines
  }

  private var totals: String {
    let seconds = Int(session.seconds * 10)
    return "\(session.trials.count.of("scenario")), \(session.runs.of("run")), "
      + "\(session.events.of("event")), \(simulatedTime(session.simulatedMillis)), "
      + "\(seconds / 10).\(seconds % 10) s"
  }

  private var verdict: String {
    var counts: [Verdict: Int] = [:]
    for trial in session.trials { counts[trial.verdict, default: 0] += 1 }
    let names: [(Verdict, String)] = [
      (.unexpected, "with an unexpected violation"), (.missing, "without an expected violation"),
      (.noVerdict, "without a verdict"),
      (.notYetSeen, "with an expected violation not yet seen (fewer seeds than the scenario asks for)"),
    ]
    let parts = names.compactMap { verdict, text in
      counts[verdict].map { "\($0.of("scenario")) \(text)" }
    }
    let fine = counts[.asExpected] ?? 0
    var text = "As expected: \(fine) of \(session.trials.count.of("scenario"))"
    if !parts.isEmpty { text += "; " + parts.joined(separator: "; ") }
    if session.isInterrupted {
      text += "; interrupted, so \(missingTrials) were not begun"
    }
    return ink(text + ".", session.exitCode == .asExpected ? .green : .redBold)
  }

  /// How to see more.
  private var hints: [String] {
    guard !options.isQuiet, !options.hasDetails,
      let trial = session.trials.first(where: { !$0.findings.isEmpty }),
      let finding = trial.findings.first, let seed = finding.seed
    else { return [] }
    return [
      "Counts and first seeds: --details. The story of one: "
        + session.paste.program + " --scenario \(trial.scenario.name.shellQuoted)"
        + session.paste.source.argument + " --seed \(SeedText.text(seed))"
    ]
  }
}
