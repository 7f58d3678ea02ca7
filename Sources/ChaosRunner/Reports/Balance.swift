import ChaosStore

/// In sentences: which systems lose money or give goods away twice, and under what.
struct Balance {
  private let matrix: Matrix
  private let width: Int

  init(_ matrix: Matrix, width: Int) {
    self.matrix = matrix
    self.width = width
  }

  var lines: [String] {
    var lines: [String] = []
    for (harm, title) in [
      (Harm.lost, "Money is lost (L) when"),
      (.twice, "Goods are delivered twice (D) when"),
    ] where systems.contains(where: { has(harm, $0) }) {
      if !lines.isEmpty { lines.append("") }
      lines.append(title)
      for system in systems where has(harm, system) {
        lines += String.hanging(
          "  " + system.padded(to: nameWidth), sentence(harm, system), width: width)
      }
    }
    let sound = systems.filter { !has(.lost, $0) && !has(.twice, $0) }
    if !sound.isEmpty, !lines.isEmpty {
      lines.append("")
      lines += String.hanging("Neither happens to: ", sound.joined(separator: ", "), width: width)
    }
    return lines
  }

  private var systems: [String] {
    var names: [String] = []
    for row in matrix.rows where !names.contains(row.system) { names.append(row.system) }
    return names
  }

  private var nameWidth: Int { 2 + (systems.map(\.count).max() ?? 0) }

  /// As published; variants are in the table.
  private func rows(_ system: String) -> [Matrix.Row] {
    matrix.rows.filter { $0.system == system && $0.variant.isEmpty }
  }

  private func has(_ harm: Harm, _ system: String) -> Bool {
    rows(system).contains { row in
      matrix.topics.contains { matrix[row, $0]?.seen.contains(harm) ?? false }
    }
  }

  private func sentence(_ harm: Harm, _ system: String) -> String {
    var parts: [String] = []
    for topic in matrix.topics where topic.name != "mixed" {
      let tried = rows(system).filter { matrix[$0, topic] != nil }
      let broken = tried.filter { matrix[$0, topic]?.seen.contains(harm) ?? false }
      if !broken.isEmpty { parts.append(topic.short) }
    }
    let kinds = Set(
      rows(system).filter { row in
        matrix.topics.contains { matrix[row, $0]?.seen.contains(harm) ?? false }
      }.map(\.backend))
    let tried = Set(rows(system).map(\.backend))
    let suffix = kinds == tried ? "" : " (\(kinds.map(\.rawValue).sorted().joined()) backend only)"
    return (parts.isEmpty ? "all faults mixed" : parts.joined(separator: ", ")) + suffix
  }
}
