import ChaosStore

/// What `power` prints for people: a table, and a line a strategy.
struct PowerText {
  private let result: PowerResult
  private let options: ReportOptions
  private var style: Style { options.style }

  init(_ result: PowerResult, _ options: ReportOptions) {
    self.result = result
    self.options = options
  }

  var text: String {
    var lines: [String] = []
    if !options.isQuiet {
      lines += table + [""]
      lines += [
        "  needs   how many decisions must come together",
        "  runs    until the invariant broke: the median of several starts (plans have one start)",
        "  size    decisions of the shrunk plan, the largest of those starts", "",
      ]
    }
    for name in result.missed {
      lines.append(style("NOT FOUND  \(name): by \(result.judged), within its time", .redBold))
    }
    for drop in result.worse { lines.append(style("WORSE  \(drop)", .redBold)) }
    lines += twins
    for strategy in strategies { lines.append(summary(strategy)) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// What broke without a planted defect, and in how many runs that was looked for.
  private var twins: [String] {
    if result.twins.isEmpty { return [] }
    let alarms = result.falseAlarms
    var lines = alarms.map { twin, alarm in
      let origin =
        alarm.plan.map { $0.decisions.isEmpty ? "without a decision" : "with '\($0)'" }
        ?? "under seed \(SeedText.text(alarm.seed ?? 0))"
      return style(
        "FALSE ALARM  \(twin.name): \(alarm.invariant) \(origin), and nothing is planted", .redBold)
    }
    let runs = result.twins.reduce(0) { $0 + $1.runs }
    let blamed = result.twins.count { !$0.alarms.isEmpty }
    let what = blamed == 0 ? "none" : "\(blamed)"
    lines.append(
      "sound twins: \(what) of \(result.twins.count) blamed in \(runs.of("run"))")
    return lines
  }

  private var strategies: [String] { result.rows.first?.trials.map(\.strategy) ?? [] }

  private func summary(_ strategy: String) -> String {
    let trials = result.rows.compactMap { row in row.trials.first { $0.strategy == strategy } }
    let found = trials.filter(\.isFound)
    var text =
      "\(strategy): \(found.count) of \(trials.count.of("planted defect")) found"
    if !found.isEmpty {
      let soon = found.count { $0.starts.allSatisfy { $0.millis <= 1000 } }
      let slowest = found.flatMap(\.starts).map(\.millis).max() ?? 0
      let size = PowerTrial.median(found.compactMap(\.size))
      text +=
        ", \(soon) within a second, the slowest in \(Self.time(slowest)); "
        + "median size \(size)"
    }
    return text
  }

  private var table: [String] {
    let names = strategies
    let width = 2 + (result.rows.map(\.target.name.count).max() ?? 0)
    let rule = 2 + (result.rows.map(\.target.invariant.count).max() ?? 0)
    var lines = [
      style(
        "planted defect".padded(to: width) + "breaks".padded(to: rule) + "needs"
          + names.map { ("  " + $0).padded(to: 28) }.joined().trimmingEnd, .bold),
      String(repeating: " ", count: width + rule + 5)
        + names.map { _ in "        runs      time  size" }.joined(),
    ]
    for row in result.rows {
      var line = row.target.name.padded(to: width) + row.target.invariant.padded(to: rule)
      line += "\(row.target.coinciding)".leftPadded(to: 5)
      for trial in row.trials {
        let runs = trial.medianRuns.grouped.leftPadded(to: 12)
        let time = Self.time(trial.medianMillis).leftPadded(to: 10)
        let size = trial.size.map { "\($0)" } ?? "\(trial.found)/\(trial.starts.count)"
        line += runs + time + size.leftPadded(to: 6)
      }
      lines.append(line)
    }
    return lines
  }

  static func time(_ millis: Double) -> String {
    if millis < 10 { return "\(Int(millis * 10) / 10).\(Int(millis * 10) % 10) ms" }
    if millis < 1000 { return "\(Int(millis)) ms" }
    return "\(Int(millis / 100) / 10).\(Int(millis / 100) % 10) s"
  }
}
