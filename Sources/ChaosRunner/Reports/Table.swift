import ChaosStore

/// The matrix as text, in blocks that are no wider than the terminal.
struct Table {
  let matrix: Matrix
  let width: Int
  let ink: Ink
  /// The columns of the table.
  private(set) var topics: [Topic]
  private(set) var rows: [Matrix.Row]
  /// Topics in which something goes wrong, or all where nothing does.
  let harmful: [Topic]

  init(_ matrix: Matrix, width: Int, ink: Ink) {
    self.matrix = matrix
    self.width = width
    self.ink = ink
    let harmless = Set(matrix.harmless)
    let some = matrix.topics.filter { !harmless.contains($0) }
    let harmful = some.isEmpty ? matrix.topics : some
    self.harmful = harmful
    topics = harmful
    rows = matrix.rows.filter { row in harmful.contains { matrix[row, $0] != nil } }
    if labelWidth + topics.map(columnWidth).reduce(0, +) > width { keepToWhatIsComparable() }
  }

  /// Too wide for one block: leaves the topics in which most systems can be compared, and the
  /// systems and variants that were tried under most of them. The rest is listed below.
  private mutating func keepToWhatIsComparable() {
    let usual = rows.filter(\.variant.isEmpty)
    let common = topics.filter { topic in
      topic.isFamous || usual.count { matrix[$0, topic] != nil } * 2 >= usual.count
    }
    let full = rows.filter { row in common.count { matrix[row, $0] != nil } * 2 >= common.count }
    guard !common.isEmpty, !full.isEmpty else { return }
    topics = common
    rows = full
  }

  var lines: [String] {
    var lines: [String] = []
    var rest = topics[...]
    while !rest.isEmpty {
      var block: [Topic] = []
      var used = labelWidth
      while let topic = rest.first, block.isEmpty || used + columnWidth(topic) <= width {
        used += columnWidth(topic)
        block.append(topic)
        rest.removeFirst()
      }
      if !lines.isEmpty { lines.append("") }
      lines += header(block) + body(block)
    }
    return lines
  }

  /// The letters that are used, with their meaning.
  var legend: [String] {
    let cells = matrix.rows.flatMap { row in harmful.compactMap { matrix[row, $0] } }
    let harms = Set(cells.flatMap { $0.shown + $0.unseen }).sorted()
    var lines = harms.flatMap { harm in
      // Coloured after it was wrapped: colours have no width.
      let lines = String.hanging(
        "     \(harm.title.padded(to: 20))", harm.meaning, width: width)
      return ["  \(ink(harm.letter, color(harm)))" + lines[0].dropFirst(3)] + lines.dropFirst()
    }
    var marks = ["ok nothing goes wrong"]
    if topics.contains(where: { topic in rows.contains { matrix[$0, topic] == nil } }) {
      marks.append("empty: not tried")
    }
    if cells.contains(where: { !$0.unexpected.isEmpty }) { marks.append("! not expected") }
    if cells.contains(where: { !$0.unseen.isEmpty }) { marks.append("? expected, not seen") }
    if cells.contains(where: { !$0.hasVerdict }) { marks.append("-- no verdict") }
    lines += String.hanging("  ", marks.joined(separator: "; "), width: width)
    return lines + ["", "Backends"] + backends
  }

  private var backends: [String] {
    BackendKind.allCases.filter { kind in matrix.rows.contains { $0.backend == kind } }.flatMap {
      kind in
      String.hanging("  " + kind.rawValue.padded(to: 12), kind.meaning, width: width)
    }
  }

  /// What is not shown because nothing goes wrong there.
  var harmless: [String] {
    let hidden = matrix.topics.filter { !harmful.contains($0) }
    guard !hidden.isEmpty else { return [] }
    return String.hanging(
      "Nothing goes wrong in: ", hidden.map(\.sentence).joined(separator: "; "), width: width)
  }

  private func columnWidth(_ topic: Topic) -> Int {
    let texts = topic.header + rows.compactMap { matrix[$0, topic]?.text }
    return 2 + (texts.map(\.count).max() ?? 0)
  }

  private func header(_ block: [Topic]) -> [String] {
    let height = block.map(\.header.count).max() ?? 0
    return (0..<height).map { line in
      var text = "".padded(to: labelWidth)
      for topic in block {
        // Words stand on the table, not under the ceiling.
        let index = line - (height - topic.header.count)
        text += (index < 0 ? "" : topic.header[index]).padded(to: columnWidth(topic))
      }
      return ink(text.trimmingEnd, .bold)
    }
  }

  private func body(_ block: [Topic]) -> [String] {
    var lines: [String] = []
    var last: Matrix.Row?
    for row in rows where block.contains(where: { matrix[row, $0] != nil }) {
      if row.system != last?.system { last = nil }
      if last == nil, !row.variant.isEmpty { lines.append(row.system) }
      let name = row.variant == last?.variant ? "" : label(row)
      last = row
      var text = name.padded(to: systemWidth) + row.backend.rawValue.padded(to: backendWidth)
      var pending = 0
      for topic in block {
        let cell = matrix[row, topic]
        let written = cell?.text ?? ""
        if let cell {
          text += String(repeating: " ", count: pending) + colored(cell)
          pending = columnWidth(topic) - written.count
        } else {
          pending += columnWidth(topic)
        }
      }
      lines.append(text)
    }
    return lines
  }

  private func colored(_ cell: Matrix.Cell) -> String {
    if cell.isRed { return ink(cell.text, .redBold) }
    if cell.isFine { return ink(cell.text, .green) }
    return ink(cell.text, (cell.shown + cell.unseen).min().flatMap(color))
  }

  private func color(_ harm: Harm) -> Ink.Color? {
    harm == .lost ? .red : harm.isGrave ? .yellow : nil
  }

  /// A variant stands below its system.
  private func label(_ row: Matrix.Row) -> String {
    row.variant.isEmpty ? row.system : "  as " + row.variant
  }

  private var systemWidth: Int {
    2 + (rows.flatMap { [$0.system.count, label($0).count] }.max() ?? 0)
  }
  private var backendWidth: Int { 2 + (rows.map(\.backend.rawValue.count).max() ?? 0) }
  private var labelWidth: Int { systemWidth + backendWidth }
}
