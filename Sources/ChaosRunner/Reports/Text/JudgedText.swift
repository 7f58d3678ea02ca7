import ChaosStore
import Invariants

/// In how many runs each invariant had something to judge. ``UnjudgedText`` has those that never had.
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
    let parts = codes.filter { $0.key > 0 }.sorted { $0.key > $1.key }.map { runs, codes in
      "\(codes.joined(separator: " ")) in " + (runs == search.runs ? "all" : runs.grouped)
    }
    return String.hanging("  judged ", parts.joined(separator: "; "), width: width)
  }
}
