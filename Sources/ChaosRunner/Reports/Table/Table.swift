import ChaosStore
import Invariants

/// The matrix as text, in blocks that are no wider than the terminal, each below its key.
struct Table {
  let matrix: Matrix
  let width: Int
  let style: Style
  /// The columns of the table.
  private(set) var topics: [Topic]
  private(set) var rows: [Matrix.Row]
  /// Topics in which something goes wrong, or all where nothing does.
  let harmful: [Topic]

  init(_ matrix: Matrix, width: Int, style: Style) {
    self.matrix = matrix
    self.width = width
    self.style = style
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

  /// Blocks of columns, each as wide as the terminal lets it be, with the key above.
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
      lines += key(block) + header(block) + body(block)
    }
    return lines
  }

  /// The letters that are used in these columns, and the other marks.
  private func key(_ block: [Topic]) -> [String] {
    let cells = rows.flatMap { row in block.map { matrix[row, $0] } }
    let known = cells.compactMap { $0 }
    let letters = Set(known.flatMap { $0.shown + $0.unseen }).sorted()
    var items = letters.map { "\($0.letter) \($0.title)" }
    if known.contains(where: \.isFine) { items.append("ok nothing breaks") }
    if cells.contains(where: { $0 == nil }) { items.append("blank: not tried") }
    if known.contains(where: { !$0.unseen.isEmpty }) { items.append("? expected, not seen") }
    if known.contains(where: { !$0.unexpected.isEmpty }) { items.append("! not expected") }
    if known.contains(where: \.isVacuous) {
      items.append("vacuous: no run came to what was to be shown")
    }
    if known.contains(where: { !$0.hasVerdict }) { items.append("-- no verdict") }
    var lines: [String] = []
    for item in items {
      if let last = lines.last, last.count + 3 + item.count <= width {
        lines[lines.count - 1] += " · " + item
      } else {
        lines.append(item)
      }
    }
    return lines.map { style($0, .dim) } + [""]
  }

  /// What is not shown because nothing goes wrong there.
  var harmlessLines: [String] {
    let hidden = matrix.topics.filter { !harmful.contains($0) }
    guard !hidden.isEmpty else { return [] }
    return String.hanging(
      "Nothing goes wrong in: ", hidden.map(\.sentence).joined(separator: "; "), width: width)
  }

  private func columnWidth(_ topic: Topic) -> Int {
    let texts = topic.header + [topic.code] + rows.compactMap { matrix[$0, topic]?.text }
    return 2 + (texts.map(\.count).max() ?? 0)
  }

  /// Words above codes; the codes stand on the cells.
  private func header(_ block: [Topic]) -> [String] {
    let height = block.map(\.header.count).max() ?? 0
    let words = (0..<height).map { line in
      block.map { topic in
        // Words stand on the codes, not under the ceiling.
        let index = line - (height - topic.header.count)
        return (index < 0 ? "" : topic.header[index]).padded(to: columnWidth(topic))
      }
    }
    let codes = block.map { $0.code.padded(to: columnWidth($0)) }
    return (words + [codes]).map { columns in
      style(("".padded(to: labelWidth) + columns.joined()).trimmingEnd, .bold)
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
      var text = name.padded(to: systemWidth) + row.backendName.padded(to: backendWidth)
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
    if cell.isRed { return style(cell.text, .redBold) }
    if cell.isFine { return style(cell.text, .green) }
    return style(cell.text, (cell.shown + cell.unseen).min().flatMap(\.color))
  }

  /// A variant stands below its system.
  private func label(_ row: Matrix.Row) -> String {
    row.variant.isEmpty ? row.system : "  /" + row.variant
  }

  private var systemWidth: Int {
    2 + (rows.flatMap { [$0.system.count, label($0).count] }.max() ?? 0)
  }
  private var backendWidth: Int { 2 + (rows.map(\.backendName.count).max() ?? 0) }
  private var labelWidth: Int { systemWidth + backendWidth }
}

extension Impact {
  /// How it stands out on a terminal.
  var color: Style.Color? { self == .moneyLost ? .red : isGrave ? .yellow : nil }
}
