import ChaosStore

/// What has no place in the table: faults that were tried on some designs only, and variants.
struct OutsideTable {
  private let table: Table
  private let matrix: Matrix

  init(_ table: Table) {
    self.table = table
    matrix = table.matrix
  }

  var lines: [String] {
    var lines: [String] = []
    for topic in table.harmful {
      let entries = entries(topic)
      if entries.isEmpty { continue }
      lines.append("  " + topic.sentence)
      let column = 6 + (entries.map(\.name.count).max() ?? 0)
      for entry in entries {
        lines += String.hanging(
          ("    " + entry.name).padded(to: column), entry.text, width: table.width)
      }
    }
    return lines.isEmpty ? [] : ["Tried on some designs or variants only"] + lines
  }

  /// A line for each design, backends side by side.
  private func entries(_ topic: Topic) -> [(name: String, text: String)] {
    var names: [String] = []
    var cells: [String: [(backend: String, cell: Matrix.Cell)]] = [:]
    for row in matrix.rows where !isInTable(row, topic) {
      guard let cell = matrix[row, topic] else { continue }
      if !names.contains(row.design) { names.append(row.design) }
      cells[row.design, default: []].append((row.backendName, cell))
    }
    return names.map { ($0, text(cells[$0] ?? [])) }
  }

  private func text(_ cells: [(backend: String, cell: Matrix.Cell)]) -> String {
    if let first = cells.first, cells.allSatisfy({ $0.cell == first.cell }) {
      return first.cell.text
    }
    return cells.map { "\($0.cell.text) \($0.backend)" }.joined(separator: "; ")
  }

  private func isInTable(_ row: Matrix.Row, _ topic: Topic) -> Bool {
    table.topics.contains(topic) && table.rows.contains(row)
  }
}
