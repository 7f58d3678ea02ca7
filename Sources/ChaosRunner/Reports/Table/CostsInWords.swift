import Invariants

/// What goes wrong, in which designs, and under which faults: what a table says, told by what it costs.
struct CostsInWords {
  private let matrix: Matrix

  init(_ matrix: Matrix) { self.matrix = matrix }

  /// What goes wrong, the costliest first.
  var impacts: [Impact] {
    Impact.allCases.filter { impact in matrix.rows.contains { has(impact, $0) } }
  }

  /// The systems in which nothing does.
  var sound: [String] {
    systems.filter { system in
      matrix.rows.filter { $0.system == system }.allSatisfy { row in
        matrix.topics.allSatisfy { matrix[row, $0]?.isFine ?? true }
      }
    }
  }

  /// The designs in which it does, and under which faults.
  func places(of impact: Impact) -> [(name: String, faults: [String])] {
    systems.compactMap { place(impact, $0) }
  }

  /// All of them.
  var systems: [String] {
    var names: [String] = []
    for row in matrix.rows where !names.contains(row.system) { names.append(row.system) }
    return names
  }

  /// Those in which it goes wrong.
  func systems(with impact: Impact) -> [String] {
    systems.filter { system in
      matrix.rows.contains { $0.system == system && has(impact, $0) }
    }
  }

  private func has(_ impact: Impact, _ row: Matrix.Row) -> Bool {
    matrix.topics.contains { matrix[row, $0]?.shown.contains(impact) ?? false }
  }

  /// A system as published; as its variants only where it does it in no other form.
  private func place(_ impact: Impact, _ system: String) -> (name: String, faults: [String])? {
    let all = matrix.rows.filter { $0.system == system }
    let published = all.filter(\.variant.isEmpty)
    let tried = published.contains { has(impact, $0) } ? published : all
    let broken = tried.filter { has(impact, $0) }
    guard let first = broken.first else { return nil }
    // Where all backends do it, or there is one, its name says nothing.
    let backends = Set(tried.filter { $0.variant == first.variant }.map(\.backend))
    let isEverywhere = backends == Set(broken.map(\.backend))
    let name = isEverywhere ? first.design : first.path
    let topics = matrix.topics.filter { topic in
      broken.contains { matrix[$0, topic]?.shown.contains(impact) ?? false }
    }
    let named = topics.filter { $0.name != "mixed" }
    return (name, (named.isEmpty ? topics : named).map(\.short))
  }
}
