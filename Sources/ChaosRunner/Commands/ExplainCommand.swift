import ChaosStore
import Invariants

/// `explain`: what a name or a code means, and how one knows.
struct ExplainCommand {
  private let world: Surroundings
  private let console: Console
  private let options: RunOptions

  init(_ world: Surroundings, _ console: Console, _ options: RunOptions) {
    self.world = world
    self.console = console
    self.options = options
  }

  func text(_ name: String) throws(Failure) -> String {
    if let fault = Fault(named: name) { return page(fault) }
    let lowercased = name.lowercased()
    if let invariant = Catalogue.invariant(named: lowercased) { return page(invariant) }
    if let system = world.systems.first(where: { $0.entry.name == lowercased }) {
      return page(system)
    }
    let scenarios = try ScenarioSource(file: options.file, console: console, world: world).scenarios
    if let scenario = scenarios.first(where: { $0.name == name }) { return page(scenario) }
    let faults = Fault.allCases.flatMap { [$0.name, $0.code] }
    let invariants = Catalogue.invariants.flatMap { [$0.name, $0.code] }
    let systems = world.systems.map(\.entry.name)
    let names = faults + invariants + systems + scenarios.map(\.name)
    let hint = suggestion(for: name, among: names)
    throw .usage(
      "there is no fault, invariant, system or scenario called '\(name)'"
        + (hint.isEmpty ? "; 'list' names them all" : hint))
  }

  private func page(_ fault: Fault) -> String {
    let entry = fault.entry
    return page(
      title: "\(entry.code) \(entry.name): \(entry.short)", kind: "a fault",
      [("", entry.about)],
      lists: [
        ("It strikes at these questions", fault.questions.map(\.name)),
        ("Reports of it", entry.evidence),
      ])
  }

  private func page(_ invariant: any Invariant) -> String {
    page(
      title: "\(invariant.code) \(invariant.name)", kind: "an invariant",
      [("", invariant.summary), ("Why it matters", invariant.meaning)],
      lists: [("Reports of it being broken", invariant.evidence)])
  }

  private func page(_ system: AnySystem) -> String {
    let entry = system.entry
    return page(
      title: entry.name, kind: "a system",
      [("", entry.summary), ("How it works", entry.about), ("Where it comes from", entry.source)],
      lists: [
        ("Variants, the first by default", system.variants.count > 1 ? system.variants : []),
        ("Backends", entry.backends.map { "\($0.rawValue): \($0.meaning)" }),
      ])
  }

  private func page(_ scenario: Scenario) -> String {
    let mix = scenario.setup.mix
    let faults = mix.faults.map { fault in
      let entry = mix.entries[fault]
      let most = entry.map { $0.most == .max ? "" : ", at most \($0.most.grouped) in a run" } ?? ""
      return "\(fault.code) \(fault.name), \(entry?.chance.description ?? "")\(most)"
    }
    return page(
      title: scenario.name, kind: "a scenario",
      [
        ("", scenario.about),
        (
          "System",
          "\(scenario.system.entry.name), variant \(scenario.variant), "
            + "\(scenario.setup.backend.rawValue) backend"
        ), ("Seeds of a full campaign", scenario.seeds.grouped),
      ],
      lists: [
        ("Faults, and their chance at each question", faults),
        ("Must be seen to break", scenario.expects), ("May break", scenario.allows),
      ])
  }

  private func page(
    title: String, kind: String, _ sections: [(String, String)], lists: [(String, [String])]
  ) -> String {
    let width = min(console.width, 100)
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

extension BackendKind {
  var meaning: String {
    switch self {
    case .naive: "does what the published server does, with no memory of earlier reports"
    case .idempotent: "credits each transaction once, committed together with the balance"
    }
  }
}
