import ChaosStore

/// What was not done, and why: there was no time, or runs are too large for it to be done unasked.
struct UnfinishedText {
  private let results: [ScenarioResult]
  private let width: Int

  init(_ results: [ScenarioResult], width: Int) {
    self.results = results
    self.width = width
  }

  /// A line for each kind of thing, with the scenarios it is so for.
  func lines(isQuiet: Bool) -> [String] {
    var entries: [(text: String, names: [String])] = []
    func add(_ text: String, _ name: String) {
      if let index = entries.firstIndex(where: { $0.text == text }) {
        entries[index].names.append(name)
      } else {
        entries.append((text, [name]))
      }
    }
    for result in results {
      for text in result.cutShort { add("There was no time for \(text)", result.scenario.name) }
    }
    for result in results where !isQuiet {
      for text in result.search?.leftOut ?? [] { add("Left out: \(text)", result.scenario.name) }
      if let text = result.search?.unattributedText {
        add("Not judged: \(text)", result.scenario.name)
      }
    }
    return entries.flatMap { text, names in
      let rest = names.count > 1 ? " and \((names.count - 1).of("more scenario"))" : ""
      return String.hanging("", "\(text) (\(names[0])\(rest)).", width: width)
    }
  }
}
