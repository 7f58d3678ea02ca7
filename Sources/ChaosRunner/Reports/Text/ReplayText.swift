import ChaosStore

/// What `replay` prints: the story, and how the run stands to what was recorded.
struct ReplayText {
  private let replay: Replay
  private let path: String
  private let paste: PasteLine
  private let options: ReportOptions
  private var width: Int { options.width }
  private var style: Style { options.style }

  init(_ result: ReplayResult, _ options: ReportOptions) {
    replay = result.replay
    path = result.regression.path
    paste = result.paste
    self.options = options
  }

  var text: String {
    ((options.isQuiet ? [] : [story, unmatched, hints]) + [closing]).asParagraphs
  }

  /// How it stands to what was recorded, on one line.
  var standing: String { closing.joined(separator: " ") }

  private var story: [String] {
    guard let scenario = replay.scenario, let record = replay.record else { return [] }
    return Story(record, of: scenario, width: width, isComplete: options.hasDetails)
      .lines.map { style($0) }
  }

  private var unmatched: [String] {
    guard !replay.unmatched.isEmpty else { return [] }
    return [style("Named by the plan and never asked for", .bold)]
      + replay.unmatched.map { "  " + $0.description }
  }

  /// What can be done about a file that says nothing any more.
  private var hints: [String] {
    guard let scenario = replay.scenario,
      replay.standing == .stale || replay.standing == .otherHistory && !replay.isBestEffort
    else { return [] }
    var lines: [String] = []
    if !replay.isBestEffort {
      lines += [
        style("To play what still fits, and let the outcome decide, paste", .bold),
        "  " + paste.replay(path) + " --best-effort",
      ]
    }
    return lines + [
      style("To record it anew, delete the file and paste", .bold),
      "  " + paste.run(scenario, seed: replay.file.seed, plan: replay.file.plan) + " --save",
    ]
  }

  private var closing: [String] {
    let match = replay.file.plan.isEmpty || !replay.isBestEffort ? "" : " (\(replay.match))"
    switch replay.standing {
    case .sameHistory:
      return verdict("As recorded, by the same history: \(replay.cameTo)\(match).")
    case .otherHistory where replay.isBestEffort:
      return verdict("As recorded, by another history: \(replay.cameTo)\(match).")
    case .otherHistory:
      return red(
        "NO VERDICT  ",
        "as recorded it \(replay.cameTo), but by another history: the system or the simulator has "
          + "changed since.")
    case .different:
      return red("NOT AS RECORDED  ", "it \(replay.wasTo), and now \(replay.cameTo)\(match).")
    case .stale:
      var lines = replay.doubts.flatMap { red("NO VERDICT  ", $0) }
      if replay.outcome != nil {
        lines.append("It \(replay.wasTo), and now \(replay.cameTo) (\(replay.match)).")
      }
      return lines
    }
  }

  private func verdict(_ text: String) -> [String] {
    text.wrapped(to: width).map { style($0, replay.broken.isEmpty ? .green : .redBold) }
  }

  private func red(_ head: String, _ text: String) -> [String] {
    String.hanging(head, text, width: width).map { style($0, .redBold) }
  }
}

extension Replay {
  /// What the run comes to, in words that follow its name.
  var cameTo: String { "breaks " + (broken.isEmpty ? "nothing" : broken.joined(separator: ", ")) }

  /// What it was recorded to come to, in words that follow its name.
  var wasTo: String {
    switch file.expectation {
    case .violates(let name): "was to break \(name)"
    case .holds: "was to break nothing"
    }
  }
}

extension PlanFile.Expectation {
  var text: String {
    switch self {
    case .violates(let name): "breaks \(name)"
    case .holds: "holds every invariant"
    }
  }
}
