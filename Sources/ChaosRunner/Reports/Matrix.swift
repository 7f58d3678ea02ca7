import ChaosStore

/// All trials as a table: a row a system and backend, a column a topic, a cell what goes wrong.
struct Matrix {
  struct Row: Hashable {
    var system: String
    var backend: BackendKind
    /// Empty for the default.
    var variant: String
  }

  /// What the scenarios of one row and topic came to.
  struct Cell: Equatable {
    /// In order of damage.
    var seen: [Harm] = []
    var unexpected: [Harm] = []
    /// Expected, and not seen.
    var unseen: [Harm] = []
    var hasVerdict = true

    var isFine: Bool { seen.isEmpty && unseen.isEmpty && hasVerdict }
    var isRed: Bool { !unexpected.isEmpty || !hasVerdict }

    /// A few letters.
    var text: String {
      if !hasVerdict { return "--" }
      if isFine { return "ok" }
      let letters = Set(shown + unseen).sorted()
      return letters.map { harm in
        harm.letter + (unexpected.contains(harm) ? "!" : seen.contains(harm) ? "" : "?")
      }.joined()
    }

    /// Where money or goods are off, it goes without saying that the books are.
    var shown: [Harm] {
      guard seen.contains(where: \.isGrave), !unexpected.contains(.books) else { return seen }
      return seen.filter { $0 != .books }
    }

    fileprivate mutating func add(_ trial: Trial) {
      if trial.verdict == .noVerdict { hasVerdict = false }
      seen = Set(seen + trial.findings.map { Harm($0.invariant) }).sorted()
      unexpected = Set(
        unexpected
          + trial.findings.filter { $0.standing == .unexpected }.map { Harm($0.invariant) }
      ).sorted()
      let names = trial.unseen
      let rules = trial.scenario.invariants.filter { rule in names.contains(where: rule.goes(by:)) }
      unseen = Set(unseen + rules.map { Harm($0) }).sorted().filter { !seen.contains($0) }
    }
  }

  private(set) var rows: [Row] = []
  private(set) var topics: [Topic] = []
  private var cells: [Row: [Topic: Cell]] = [:]

  init(_ trials: [Trial]) {
    for trial in trials {
      let row = Row(trial.scenario)
      let topic = Topic(trial.scenario.topic)
      if !rows.contains(row) { rows.append(row) }
      if !topics.contains(topic) { topics.append(topic) }
      cells[row, default: [:]][topic, default: Cell()].add(trial)
    }
    // A stable order: systems as they come, with their backends and variants together.
    let systems = rows.map(\.system)
    rows = rows.enumerated().sorted { a, b in
      let (x, y) = (a.element, b.element)
      if x.system != y.system {
        return systems.firstIndex(of: x.system)! < systems.firstIndex(of: y.system)!
      }
      if x.variant != y.variant { return x.variant < y.variant }
      return a.offset < b.offset
    }.map(\.element)
    topics = topics.enumerated()
      .sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(\.element)
  }

  subscript(row: Row, topic: Topic) -> Cell? { cells[row]?[topic] }

  /// Topics under which nothing at all goes wrong.
  var harmless: [Topic] {
    topics.filter { topic in rows.allSatisfy { self[$0, topic]?.isFine ?? true } }
  }
}

extension Matrix.Row {
  init(_ scenario: Scenario) {
    system = scenario.system.entry.name
    backend = scenario.setup.backend
    variant = scenario.variant == scenario.system.variants.first ? "" : scenario.variant
  }
}
