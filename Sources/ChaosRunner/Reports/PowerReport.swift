import ChaosStore
import Foundation

/// How the planted defects were found, as a table or as JSON.
struct PowerReport {
  private let rows: [PowerCommand.Row]
  private let drops: [String]
  private let ink: Ink

  init(_ rows: [PowerCommand.Row], drops: [String], ink: Ink) {
    self.rows = rows
    self.drops = drops
    self.ink = ink
  }

  /// The strategy that is to find everything: the default one, or the only one that was run.
  private var judged: String {
    let names = rows.first?.trials.map(\.strategy) ?? []
    return names.contains("portfolio") ? "portfolio" : names.first ?? ""
  }

  private func judgedTrials(_ strategy: String) -> [PowerTrial] {
    rows.compactMap { row in row.trials.first { $0.strategy == strategy } }
  }

  /// What the judged strategy did not find from every start.
  var missed: [String] {
    rows.filter { row in row.trials.contains { $0.strategy == judged && !$0.isFound } }
      .map(\.target.name)
  }

  func text(isQuiet: Bool) -> String {
    var lines: [String] = []
    if !isQuiet {
      lines += table + [""]
      lines += [
        "  needs   how many faults must come together",
        "  runs    until the invariant broke: the median of several starts (plans have one start)",
        "  size    decisions of the shrunk plan, the largest of those starts", "",
      ]
    }
    for name in missed {
      lines.append(ink("NOT FOUND  \(name): by \(judged), within its time", .redBold))
    }
    for drop in drops { lines.append(ink("WORSE  \(drop)", .redBold)) }
    for strategy in rows.first?.trials.map(\.strategy) ?? [] { lines.append(summary(strategy)) }
    return lines.joined(separator: "\n") + "\n"
  }

  private func summary(_ strategy: String) -> String {
    let trials = judgedTrials(strategy)
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
    let names = rows.first?.trials.map(\.strategy) ?? []
    let width = 2 + (rows.map(\.target.name.count).max() ?? 0)
    let rule = 2 + (rows.map(\.target.invariant.count).max() ?? 0)
    var lines = [
      ink(
        "planted defect".padded(to: width) + "breaks".padded(to: rule) + "needs"
          + names.map { ("  " + $0).padded(to: 28) }.joined().trimmingEnd, .bold),
      String(repeating: " ", count: width + rule + 5)
        + names.map { _ in "        runs      time  size" }.joined(),
    ]
    for row in rows {
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

  // MARK: - JSON

  var json: String {
    let document = Document(
      version: Runner.version,
      mutants: rows.map { row in
        MutantPart(
          name: row.target.name, about: row.target.about, invariant: row.target.invariant,
          coinciding: row.target.coinciding, strategies: row.trials.map(StrategyPart.init))
      }, missed: missed, worse: drops)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(document), let text = String(data: data, encoding: .utf8)
    else { fatalError("bug: a report that cannot be written as JSON") }
    return text + "\n"
  }

  struct Document: Codable {
    var version: String
    var mutants: [MutantPart]
    var missed: [String]
    var worse: [String]
  }

  struct MutantPart: Codable {
    var name: String
    var about: String
    var invariant: String
    var coinciding: Int
    var strategies: [StrategyPart]
  }

  struct StrategyPart: Codable {
    var name: String
    var starts: Int
    var found: Int
    var medianRuns: Int
    var medianMillis: Double
    var size: Int?
    var plan: String?

    init(_ trial: PowerTrial) {
      name = trial.strategy
      starts = trial.starts.count
      found = trial.found
      medianRuns = trial.medianRuns
      medianMillis = (trial.medianMillis * 1000).rounded() / 1000
      size = trial.size
      plan = trial.starts.compactMap(\.plan).first?.description
    }
  }
}
