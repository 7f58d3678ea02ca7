import ChaosStore
import Invariants

/// All results as a table: a row a system and backend, a column a topic, a cell what goes wrong.
struct Matrix {
  struct Row: Hashable {
    var system: String
    var backend: BackendKind
    /// Whether real processes stand in the place of a simulated backend.
    var isReal = false
    /// Empty for the default.
    var variant: String
  }

  /// What the scenarios of one row and topic came to.
  struct Cell: Equatable {
    /// In order of damage.
    var seen: [Impact] = []
    var unexpected: [Impact] = []
    /// Expected, and not seen.
    var unseen: [Impact] = []
    var hasVerdict = true
    /// Whether a scenario never came to what it is about.
    var isVacuous = false

    var isFine: Bool { seen.isEmpty && unseen.isEmpty && hasVerdict && !isVacuous }
    var isRed: Bool { !unexpected.isEmpty || !hasVerdict || isVacuous }

    /// A few letters, such as `L,D`.
    var text: String {
      if !hasVerdict { return "--" }
      if isFine { return "ok" }
      let letters = Set(shown + unseen).sorted().map { impact in
        impact.letter + (unexpected.contains(impact) ? "!" : seen.contains(impact) ? "" : "?")
      }
      return (letters + (isVacuous ? ["vacuous"] : [])).joined(separator: ",")
    }

    /// Where money or goods are off, it goes without saying that the books are.
    var shown: [Impact] {
      guard seen.contains(where: \.isGrave), !unexpected.contains(.booksDiffer) else { return seen }
      return seen.filter { $0 != .booksDiffer }
    }

    fileprivate mutating func add(_ result: ScenarioResult) {
      if result.verdict == .noVerdict { hasVerdict = false }
      if !result.unreached.isEmpty { isVacuous = true }
      let findings = result.findings
      seen = Set(seen + findings.map(\.invariant.impact)).sorted()
      unexpected = Set(
        unexpected
          + findings.filter { $0.standing == .unexpected }.map(\.invariant.impact)
      ).sorted()
      let rules = result.scenario.invariants.filter { rule in
        result.unseen.contains(where: rule.goes(by:))
      }
      unseen = Set(unseen + rules.map(\.impact)).sorted().filter { !seen.contains($0) }
    }
  }

  private(set) var rows: [Row] = []
  private(set) var topics: [Topic] = []
  private var cells: [Row: [Topic: Cell]] = [:]

  /// What is modelled on public reports, each in a world of its own, is left out where there is anything else.
  init(_ results: [ScenarioResult]) {
    let others = results.filter { $0.scenario.report == nil }
    for result in others.isEmpty ? results : others {
      let row = Row(result.scenario)
      let topic = Topic(result.scenario.topic)
      if !rows.contains(row) { rows.append(row) }
      if !topics.contains(topic) { topics.append(topic) }
      cells[row, default: [:]][topic, default: Cell()].add(result)
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

  /// Whether something goes wrong, and all of it is what the scenarios expect or allow.
  var isExpected: Bool {
    let known = rows.flatMap { row in topics.compactMap { self[row, $0] } }
    return known.contains { !$0.seen.isEmpty } && known.allSatisfy(\.unexpected.isEmpty)
  }

  /// The cell of these that costs most, the first of its kind; nil where nothing goes wrong in them.
  func costliest(of rows: [Row], _ topics: [Topic]) -> (row: Row, topic: Topic)? {
    var found: (row: Row, topic: Topic, impact: Impact)?
    for topic in topics {
      for row in rows {
        guard let impact = self[row, topic]?.seen.min() else { continue }
        if impact < found?.impact ?? .other || found == nil { found = (row, topic, impact) }
      }
    }
    return found.map { ($0.row, $0.topic) }
  }
}

extension Matrix.Row {
  init(_ scenario: Scenario) {
    system = scenario.system.entry.name
    backend = scenario.setup.backend
    isReal = scenario.system.isCostly
    variant = scenario.variant == scenario.system.variants.first ? "" : scenario.variant
  }

  /// The system with its variant, as `explain` takes it.
  var design: String { system + (variant.isEmpty ? "" : "/" + variant) }

  /// What its backend is called in a table.
  var backendName: String { isReal ? Self.real : backend.rawValue }

  /// What a backend is called that is somebody's processes.
  static let real = "real"

  /// As `explain` takes it: `receipt-store/naive`, `receipt-store/one-key/naive`.
  var path: String { design + "/" + backendName }
}
