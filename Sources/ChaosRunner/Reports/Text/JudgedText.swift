import ChaosStore
import Invariants

/// In how many runs each invariant had something to judge; of all others nothing is said.
struct JudgedText {
  private let result: ScenarioResult
  private let width: Int

  init(_ result: ScenarioResult, width: Int) {
    self.result = result
    self.width = width
  }

  /// Rules by the number of runs, the usual number first; nothing where no search was made.
  var lines: [String] {
    guard let search = result.search, search.runs > 0 else { return [] }
    var codes: [Int: [String]] = [:]
    for (rule, found) in zip(result.scenario.invariants, search.rules) {
      codes[search.runs - found.idle, default: []].append(rule.code)
    }
    let parts = codes.sorted { $0.key > $1.key }.map { runs, codes in
      "\(codes.joined(separator: " ")) in "
        + (runs == search.runs ? "all" : runs == 0 ? "none" : runs.grouped)
    }
    return String.hanging("  judged ", parts.joined(separator: "; "), width: width)
  }

  /// The rules that had nothing to judge in any run of these campaigns.
  static func neverConcerned(_ results: [ScenarioResult], width: Int) -> [String] {
    var rules: [String: (runs: Int, name: String)] = [:]
    for result in results {
      guard let search = result.search else { continue }
      for (rule, found) in zip(result.scenario.invariants, search.rules) {
        rules[rule.code, default: (0, rule.name)].runs += search.runs - found.idle
      }
    }
    let never = rules.filter { $0.value.runs == 0 }.sorted { $0.key < $1.key }
    guard !never.isEmpty else { return [] }
    return String.hanging(
      "Never judged: ",
      never.map { "\($0.value.name) (\($0.key))" }.joined(separator: ", ")
        + "; no run gave \(never.count == 1 ? "it" : "them") anything to judge", width: width)
  }
}
