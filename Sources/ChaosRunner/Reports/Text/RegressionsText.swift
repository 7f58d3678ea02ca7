import ChaosStore

/// What `regress` prints for people, and what `run` says about the kept plan files.
struct RegressionsText {
  private let regressions: Regressions
  private let paste: PasteLine
  private let options: ReportOptions
  private var width: Int { options.width }
  private var style: Style { options.style }

  init(_ regressions: Regressions, _ paste: PasteLine, _ options: ReportOptions) {
    self.regressions = regressions
    self.paste = paste
    self.options = options
  }

  init(_ result: RegressionsResult, _ options: ReportOptions) {
    self.init(result.regressions, result.paste, options)
  }

  /// All of it, for `regress`.
  var text: String {
    let color: Style.Color =
      regressions.verdict.exitCode == .asExpected ? .green : .redBold
    return [
      options.isQuiet ? [] : list, troubles,
      [style(regressions.summary + ".", color)] + (options.isQuiet ? [] : [survival]),
    ].asParagraphs
  }

  /// How many there are of each, and which have another history than the recorded one.
  var summary: [String] {
    let others = regressions.byOtherHistory.map(\.path)
    return [regressions.summary + "."]
      + (others.isEmpty
        ? []
        : String.hanging(
          "  by another history: ", others.joined(separator: ", "), width: width))
  }

  /// What is not as it was, each with a line to paste.
  var troubles: [String] {
    (regressions.different + regressions.noLongerMatch).flatMap { regression in
      let text: [String]
      if regression.standing == .different, let replay = regression.replay {
        text = String.hanging(
          "NOT AS RECORDED  ",
          "\(regression.path): \(replay.file.scenario) \(replay.wasTo), and now \(replay.cameTo)",
          width: width)
      } else {
        text = regression.doubts.flatMap { doubt in
          String.hanging("NO VERDICT  ", "\(regression.path): \(doubt)", width: width)
        }
      }
      return text.map { style($0, .redBold) } + ["  " + paste.replay(regression.path)]
    }
  }

  /// A line for each file that came out as recorded.
  private var list: [String] {
    let kept = regressions.all.filter(\.isAsRecorded)
    let rows = kept.compactMap { regression -> (outcome: String, text: String)? in
      guard let replay = regression.replay else { return nil }
      let history = regression.standing == .otherHistory ? ", by another history" : ""
      switch replay.file.expectation {
      case .violates(let name): return ("still fails\(history)", "\(regression.path): \(name)")
      case .holds: return ("holds\(history)", regression.path)
      }
    }
    let column = 2 + (rows.map(\.outcome.count).max() ?? 0)
    return rows.map { $0.outcome.padded(to: column) + $0.text }
  }

  /// How much of what was kept still means what it meant.
  private var survival: String {
    let all = regressions.all
    let same = all.count { $0.standing == .sameHistory }
    let asRecorded = all.count(where: \.isAsRecorded)
    return "Seed survival: \(asRecorded.grouped) of \(all.count.grouped) as recorded, "
      + "\(same.grouped) of them by the same history."
  }
}
