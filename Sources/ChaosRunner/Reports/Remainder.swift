import ChaosStore

/// What has no place in the table: faults that were tried on some designs only, and variants.
struct Remainder {
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
      let head = "  " + topic.sentence.padded(to: column - 4)
      for (index, entry) in entries.enumerated() {
        lines += String.hanging(
          (index == 0 ? head : "").padded(to: column), entry, width: table.width)
      }
    }
    return lines.isEmpty ? [] : ["Tried on some designs or variants only"] + lines
  }

  private var column: Int {
    4 + (table.harmful.filter { !entries($0).isEmpty }.map(\.sentence.count).max() ?? 0)
  }

  /// A line for each system and variant, backends side by side.
  private func entries(_ topic: Topic) -> [String] {
    var names: [String] = []
    var cells: [String: [(kind: String, cell: Matrix.Cell)]] = [:]
    for row in matrix.rows where !isInTable(row, topic) {
      guard let cell = matrix[row, topic] else { continue }
      let name = row.system + (row.variant.isEmpty ? "" : " as \(row.variant)")
      if !names.contains(name) { names.append(name) }
      cells[name, default: []].append((row.backend.rawValue, cell))
    }
    return names.map { "\($0): \(text(cells[$0] ?? []))" }
  }

  private func text(_ cells: [(kind: String, cell: Matrix.Cell)]) -> String {
    if let first = cells.first, cells.allSatisfy({ $0.cell == first.cell }) {
      return first.cell.text
    }
    return cells.map { "\($0.cell.text) \($0.kind)" }.joined(separator: ", ")
  }

  private func isInTable(_ row: Matrix.Row, _ topic: Topic) -> Bool {
    table.topics.contains(topic) && table.rows.contains(row)
  }
}
