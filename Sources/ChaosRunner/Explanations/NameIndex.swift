import ChaosStore
import Invariants

/// Everything that has a name, to be looked through for a word.
struct NameIndex {
  private struct Entry {
    var kind: String
    /// What `explain` takes.
    var name: String
    var about: String
    /// Where the word may be, besides the name.
    var words = ""
  }

  /// How many of a kind are shown.
  private static let mostShown = 8

  private let entries: [Entry]

  init(_ systems: [AnySystem], _ scenarios: [Scenario]) {
    let faults = Fault.allCases.map { fault in
      Entry(
        kind: "Faults", name: fault.code, about: "\(fault.name): \(fault.entry.short)",
        words: Topic(fault.code).short)
    }
    let invariants = Catalogue.invariants.map {
      Entry(kind: "Invariants", name: $0.code, about: "\($0.name): \($0.summary)")
    }
    let spoken = SpokenCode.all.map {
      Entry(kind: "What a scenario says itself", name: $0.code, about: "\($0.spoken): \($0.short)")
    }
    let impacts = Impact.allCases.map {
      Entry(kind: "Letters of the table", name: $0.letter, about: "\($0.title): \($0.meaning)")
    }
    let systems = systems.map {
      Entry(kind: "Systems", name: $0.entry.name, about: $0.entry.summary)
    }
    let scenarios = scenarios.map {
      Entry(
        kind: "Scenarios", name: $0.name, about: $0.report?.source ?? "",
        words: $0.report?.said ?? "")
    }
    entries = faults + invariants + spoken + impacts + systems + scenarios
  }

  /// All names and codes, for a suggestion.
  var names: [String] {
    entries.map(\.name) + Fault.allCases.map(\.name) + Catalogue.invariants.map(\.name)
  }

  /// What has the word in it; nil where nothing does.
  func text(of word: String, width: Int) -> String? {
    let wanted = word.lowercased()
    guard wanted.count > 1 else { return nil }
    let found = entries.filter { entry in
      [entry.name, entry.about, entry.words].contains { $0.lowercased().contains(wanted) }
    }
    guard !found.isEmpty else { return nil }
    var blocks = [["'\(word)' stands in these; 'explain' with one of the names says more"]]
    var kinds: [String] = []
    for entry in found where !kinds.contains(entry.kind) { kinds.append(entry.kind) }
    for kind in kinds {
      let entries = found.filter { $0.kind == kind }
      let shown = entries.prefix(Self.mostShown)
      let column = 4 + (shown.map(\.name.count).max() ?? 0)
      var lines = [kind]
      for entry in shown {
        lines += String.hanging(("  " + entry.name).padded(to: column), entry.about, width: width)
          .map(\.trimmingEnd)
      }
      let rest = entries.count - shown.count
      if rest > 0 { lines.append("  and \(rest.grouped) more") }
      blocks.append(lines)
    }
    return blocks.asParagraphs
  }
}
