import ChaosStore
import Invariants

/// All there is to say about one thing that has a name or a code.
struct ExplanationPage {
  /// How many names of a long list are shown.
  private static let mostNames = 8

  let width: Int

  /// Of an invariant, a letter of the table, or what a scenario says itself; nil for any other name.
  func catalogue(_ name: String) -> String? {
    if let invariant = Catalogue.invariant(named: name.lowercased()) { return text(of: invariant) }
    let impact = Impact.allCases.first {
      $0.letter == name.uppercased() || $0.rawValue == name || $0.title == name
    }
    return impact.map(text) ?? SpokenCode.named(name).map(text)
  }

  func text(of fault: Fault, in scenarios: [Scenario]) -> String {
    let entry = fault.entry
    let tried = scenarios.filter { Topic($0.topic).faults.contains(fault) }
    return page(
      title: "\(entry.code) \(entry.name): \(entry.short)", kind: "a fault",
      [("", entry.about)],
      lists: [
        ("It strikes at these questions", fault.questions.map(\.name)),
        ("Scenarios about it", Self.short(tried)), ("Reports of it", entry.evidence),
      ])
  }

  private func text(of invariant: any Invariant) -> String {
    let impact = invariant.impact
    return page(
      title: "\(invariant.code) \(invariant.name)", kind: "an invariant",
      [
        ("", invariant.summary), ("Why it matters", invariant.meaning),
        ("In the table", "\(impact.letter) \(impact.title): \(impact.meaning)"),
      ],
      lists: [("Reports of it being broken", invariant.evidence)])
  }

  private func text(of code: SpokenCode) -> String {
    page(
      title: "\(code.code): \(code.short)", kind: "a code that something else says",
      [("", code.about)],
      lists: [("What says it", code.ways.map(\.text)), ("Reports of it", code.evidence)])
  }

  private func text(of impact: Impact) -> String {
    let rules = Catalogue.invariants.filter { $0.impact == impact }
    return page(
      title: "\(impact.letter) \(impact.title)", kind: "a letter of the table",
      [("", impact.meaning)],
      lists: [
        ("It stands for these invariants", rules.map { "\($0.code) \($0.name): \($0.summary)" })
      ])
  }

  func text(of system: AnySystem, in scenarios: [Scenario]) -> String {
    let entry = system.entry
    let own = scenarios.filter { $0.system.entry.name == entry.name }
    return page(
      title: entry.name, kind: "a system",
      [("", entry.summary), ("How it works", entry.about), ("Where it comes from", entry.source)],
      lists: [
        ("Variants, the first by default", system.variants.count > 1 ? system.variants : []),
        ("Backends", entry.backends.map { "\($0.rawValue): \($0.meaning)" }),
        ("Scenarios", Self.short(own)),
      ])
  }

  func text(of scenario: Scenario) -> String {
    let mix = scenario.setup.mix
    let faults = mix.faults.map { fault in
      let entry = mix.entries[fault]
      let most = entry.map { $0.most == .max ? "" : ", at most \($0.most.grouped) in a run" } ?? ""
      return "\(fault.code) \(fault.name), \(entry?.chance.description ?? "")\(most)"
    }
    let topic = Topic(scenario.topic)
    let isOfReport = scenario.report != nil
    return page(
      title: scenario.name, kind: "a scenario",
      [
        ("", scenario.about),
        ("Seen in public", scenario.report.map { "\($0.source): \($0.said)" } ?? ""),
        (
          "System",
          "\(scenario.system.entry.name), variant \(scenario.variant), "
            + "\(Matrix.Row(scenario).backendName) backend"
        ),
        ("Its cell of the table", isOfReport ? "" : "\(Matrix.Row(scenario).path) \(topic.code)"),
        ("Seeds of a full campaign", scenario.seeds.grouped),
      ],
      lists: [
        ("Faults, and their chance at each question", faults),
        ("Must be seen to break", scenario.expects), ("May break", scenario.allows),
      ])
  }

  private static func short(_ scenarios: [Scenario]) -> [String] {
    let rest = scenarios.count - mostNames
    return scenarios.prefix(mostNames).map(\.name)
      + (rest > 0 ? ["and \(rest.grouped) more, which 'list scenarios' names"] : [])
  }

  private func page(
    title: String, kind: String, _ sections: [(String, String)], lists: [(String, [String])]
  ) -> String {
    var lines = ["\(title)  (\(kind))"]
    for (title, text) in sections where !text.isEmpty {
      lines.append("")
      if !title.isEmpty { lines.append(title) }
      for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
        lines += String(paragraph).wrapped(to: width - 2).map { "  " + $0 }
      }
    }
    for (title, items) in lists where !items.isEmpty {
      lines += ["", title]
      for item in items { lines += String.hanging("  - ", item, width: width) }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
