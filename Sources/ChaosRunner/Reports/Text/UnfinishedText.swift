import ChaosStore

/// What was not done or not looked at, and why: there was no time, or runs are too large for it to be done
/// unasked, or a backend left no room for it.
struct UnfinishedText {
  private let results: [ScenarioResult]
  private let isInterrupted: Bool
  private let width: Int

  init(_ results: [ScenarioResult], isInterrupted: Bool, width: Int) {
    self.results = results
    self.isInterrupted = isInterrupted
    self.width = width
  }

  /// What backends used together, in how many runs, and in which scenario first.
  private var stepsAsOne: [(uses: String, runs: Int, name: String)] {
    var steps: [(uses: String, runs: Int, name: String)] = []
    for result in results {
      guard let search = result.search, !search.stepsAsOne.isEmpty else { continue }
      let uses = search.stepsAsOne.names.joined(separator: ", ")
      if let index = steps.firstIndex(where: { $0.uses == uses }) {
        steps[index].runs += search.runsAsOne
      } else {
        steps.append((uses, search.runsAsOne, result.scenario.name))
      }
    }
    return steps
  }

  /// A line for each kind of thing, with the scenarios it is so for.
  func lines(isQuiet: Bool, hasDetails: Bool) -> [String] {
    var entries: [(text: String, names: [String])] = []
    func add(_ text: String, _ name: String) {
      if let index = entries.firstIndex(where: { $0.text == text }) {
        entries[index].names.append(name)
      } else {
        entries.append((text, [name]))
      }
    }
    for (index, result) in results.enumerated() {
      // What is interrupted ends with the scenario that it was at.
      let isInterrupted = isInterrupted && index == results.count - 1
      for text in result.cutShort {
        add(
          isInterrupted ? "Interrupted: \(text)" : "There was no time for \(text)",
          result.scenario.name)
      }
    }
    for result in results where !isQuiet {
      for text in result.search?.leftOut ?? [] { add("Left out: \(text)", result.scenario.name) }
      if let text = result.search?.unattributedText {
        add("Not judged: \(text)", result.scenario.name)
      }
    }
    let lines = entries.flatMap { text, names in
      let rest = names.count > 1 ? " and \((names.count - 1).of("more scenario"))" : ""
      return String.hanging("", "\(text) (\(names[0])\(rest)).", width: width)
    }
    guard hasDetails, !stepsAsOne.isEmpty else { return lines }
    let steps = stepsAsOne.map { "\($0.uses) in \($0.runs.of("run")) (\($0.name))" }
    return lines
      + String.hanging(
        "",
        "Steps of the backend that ran as one, so that no other request could come between (`pause` lets "
          + "one): \(steps.joined(separator: "; ")).", width: width)
  }
}
