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
    let blocks =
      session.single != nil ? singleBlocks : session.strategy == nil ? campaignBlocks : searchBlocks
    return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
      .joined(separator: "\n\n") + "\n"
  }

  private var campaignBlocks: [[String]] {
    var blocks: [[String]] = []
    if !options.isQuiet {
      let matrix = Matrix(session.trials)
      let table = Table(matrix, width: width, ink: ink)
      let intro =
        "What goes wrong where: a row is a design with its backend, a column is what strikes it, "
        + "a cell is what that does to money and goods."
      blocks.append(intro.wrapped(to: width))
      blocks += [table.lines, table.legend, designs, Remainder(table).lines, table.harmless]
      blocks.append(Balance(matrix, width: width).lines)
      if options.hasDetails { blocks.append(DetailsReport(session.trials, ink: ink).lines) }
      if options.showsCoverage { blocks.append(CoverageReport(session.trials, ink: ink).lines) }
      blocks.append(neverStruck)
    }
    blocks += red
    blocks.append(unfinished)
    let regressions = RegressionReport(
      session.regressions, session.paste, width: width, ink: ink)
    blocks.append(regressions.troubles)
    let isTold = !options.isQuiet && !session.regressions.isEmpty
    blocks.append(
      (isTold ? regressions.summary : []) + (options.isQuiet ? [] : [totals]) + [verdict] + hints)
    return blocks
  }

  private var searchBlocks: [[String]] {
    var blocks = session.trials.map {
      SearchReport($0, session, width: width, ink: ink, options: options).lines
    }
    if options.showsCoverage { blocks.append(CoverageReport(session.trials, ink: ink).lines) }
    return blocks + [unfinished, (options.isQuiet ? [] : [totals]) + [verdict]]
  }

  private var unfinished: [String] {
    Unfinished(session.trials, width: width).lines(isQuiet: options.isQuiet)
  }

  private var designs: [String] {
    var entries: [SystemEntry] = []
    for trial in session.trials {
      let entry = trial.scenario.system.entry
      if !entries.contains(where: { $0.name == entry.name }) { entries.append(entry) }
    }
    let column = 2 + (entries.map(\.name.count).max() ?? 0)
    return ["Designs"]
      + entries.flatMap { entry in
        String.hanging("  " + entry.name.padded(to: column), entry.summary, width: width)
      }
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
    if session.trials.count > 1, let first = session.trials.first {
      let unmatched = first.unmatched.filter { decision in
        session.trials.allSatisfy { $0.unmatched.contains(decision) }
      }
      if !unmatched.isEmpty {
        blocks.append(
          [ink("Named by the plan and never asked for in any scenario", .bold)]
            + unmatched.map { "  " + $0.description })
      }
    }
    blocks.append(unfinished)
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
    if doubtful.count == session.trials.count {
      // Of what was cut off or interrupted nobody knows what it would have broken.
      text = "No verdict on \(session.trials.count.of("scenario"))"
    } else if !doubtful.isEmpty {
      text += "; no verdict on \(doubtful.count)"
    }
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
      let head = "  \(fault.code.padded(to: 5))\(fault.name): "
      if options.hasDetails {
        lines += String.hanging(head, names.joined(separator: ", "), width: width)
      } else {
        let rest = names.count > 1 ? " and \(names.count - 1) more" : ""
        lines.append(head + names[0] + rest)
      }
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
      (.vacuous, "that showed nothing"),
      (.noVerdict, "without a verdict"),
      (.notYetSeen, "with an expected violation not yet seen, under fewer seeds than it asks for"),
    ]
    let parts = names.compactMap { verdict, text in
      counts[verdict].map { "\($0.of("scenario")) \(text)" }
    }
    let all = session.trials.count
    let fine = counts[.asExpected] ?? 0
    let kept = session.regressions.troubles { $0.of("regression") }
    var text =
      fine == all && kept.isEmpty
      ? "As expected: all of \(all.of("scenario"))"
      : (session.exitCode == .asExpected ? "" : "NOT as expected: ")
        + (kept + parts + ["\(fine.grouped) of \(all.of("scenario")) as expected"]).joined(
          separator: "; ")
    if session.isInterrupted {
      text = "Interrupted, \(missingTrials) not begun. " + text
    }
    let spent = session.trials.count { $0.isSpent && !$0.isProof }
    if spent > 0, !session.isInterrupted {
      text = "The budget was spent before the seeds that \(spent.of("scenario")) asks for. " + text
    }
    return ink(text + ".", session.exitCode == .asExpected ? .green : .redBold)
  }

  private var mostGrave: (Trial, Finding)? {
    session.trials.flatMap { trial in trial.findings.map { (trial, $0) } }
      .min { Harm($0.1.invariant) < Harm($1.1.invariant) }
  }

  /// How to see more.
  private var hints: [String] {
    guard !options.isQuiet, !options.hasDetails,
      let (trial, finding) = mostGrave
    else { return [] }
    return [
      "More: --details for counts and first seeds; the story of one run:",
      "  " + session.paste.run(trial.scenario, finding),
    ]
  }
}
