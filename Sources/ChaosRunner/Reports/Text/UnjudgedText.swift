import ChaosStore

/// Which rules had nothing to judge and which faults never struck, which a report says before anything else.
enum UnjudgedText {
  /// Of one search.
  static func lines(_ result: ScenarioResult, width: Int) -> [String] {
    lines([result], width: width, indent: "  ")
  }

  /// Of all these campaigns together.
  static func lines(_ results: [ScenarioResult], width: Int, indent: String = "") -> [String] {
    var unjudged = Unjudged()
    for result in results {
      if let search = result.search { unjudged.add(search, of: result.scenario) }
    }
    return unjudged.sentences.flatMap { String.hanging(indent, $0, width: width) }
  }
}
