import ChaosStore

/// A ledger as comma-separated values, whose first line names the columns.
///
/// Source of the form: RFC 4180; a semicolon or a tab separates as well, where the first line has no comma.
struct CSVConversion: Conversion {
  private let map: ColumnMap
  private var lines = JoinedLines(quote: "\"")
  private var places: [Int?]?
  private var separator: Character = ","
  private var count = 0
  private var refusal: LineDamage?

  init(_ map: ColumnMap) { self.map = map }

  mutating func read(_ line: String, _ output: (String) -> Void) throws(LineDamage) {
    guard let row = try lines.joined(with: line), !row.isEmpty else { return }
    guard let places else { return try readHeader(row) }
    if let refusal { throw refusal }
    let values = Self.values(row, separator)
    guard values.count == count else {
      throw LineDamage(found: values.count.of("value"), expected: "\(count), as in the first line")
    }
    output(try map.line(values, places))
  }

  mutating func end(_ output: (String) -> Void) throws(LineDamage) {
    if lines.isUnfinished {
      throw LineDamage(found: "the end of the file", expected: "a closing quotation mark before it")
    }
  }

  private mutating func readHeader(_ row: String) throws(LineDamage) {
    let text = row.hasPrefix("\u{FEFF}") ? String(row.dropFirst()) : row
    if !text.contains(",") {
      separator = text.contains(";") ? ";" : text.contains("\t") ? "\t" : ","
    }
    let header = Self.values(text, separator)
    count = header.count
    places = []
    do { places = try map.places(in: header) } catch {
      refusal = error
      throw error
    }
  }

  /// The values of a row.
  static func values(_ row: String, _ separator: Character) -> [String] {
    var values: [String] = []
    var value = ""
    var isQuoted = false
    var rest = row[...]
    while let character = rest.popFirst() {
      switch character {
      case "\"" where isQuoted && rest.first == "\"":
        value.append("\"")
        rest.removeFirst()
      case "\"": isQuoted.toggle()
      case separator where !isQuoted:
        values.append(value)
        value = ""
      default: value.append(character)
      }
    }
    return values + [value]
  }
}
