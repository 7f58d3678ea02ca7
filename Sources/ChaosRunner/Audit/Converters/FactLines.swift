/// Lines of facts, which are written in the order of time: a history is not kept in it, and a ledger may be the other way
/// round.
struct FactLines {
  private var bytes: [UInt8] = []
  private var lines: [(at: Int64, start: Int, end: Int)] = []

  var count: Int { lines.count }

  /// Adds a line that ``FactText`` has written, which begins with its time.
  mutating func add(_ line: String) {
    let start = bytes.count
    bytes += line.utf8
    let digits = bytes[start...].drop { !(48...57).contains($0) }.prefix { (48...57).contains($0) }
    lines.append((Int64(String(decoding: digits, as: UTF8.self)) ?? 0, start, bytes.count))
  }

  /// Writes all of them, those of one moment in the order in which they came.
  func writeInOrder(_ output: (String) -> Void) {
    var text = ""
    for line in lines.sorted(by: { ($0.at, $0.start) < ($1.at, $1.start) }) {
      text += String(decoding: bytes[line.start..<line.end], as: UTF8.self) + "\n"
      if text.utf8.count > 1 << 16 {
        output(text)
        text = ""
      }
    }
    if !text.isEmpty { output(text) }
  }
}
