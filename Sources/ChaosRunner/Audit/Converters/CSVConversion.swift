import ChaosStore

/// A ledger as comma-separated values, whose first line names the columns.
///
/// Source of the form: RFC 4180; a semicolon or a tab separates as well, where the first line has no comma.
struct CSVConversion: Conversion {
  private var map: ColumnMap
  private var rows = CSVRows()
  private var places: [Int?]?
  private var count = 0
  private var refusal: LineDamage?

  init(_ map: ColumnMap) { self.map = map }

  var otherEnvironments: [String: Int] { map.otherEnvironments }

  mutating func read(_ line: String, _ output: (String) -> Void) throws(LineDamage) {
    if places == nil, !rows.isOpen, !line.contains(",") {
      rows.separator = UInt8(ascii: line.contains(";") ? ";" : line.contains("\t") ? "\t" : ",")
    }
    if line.isEmpty, !rows.isOpen { return rows.skip() }
    guard let values = try rows.row(with: line) else { return }
    guard let places else { return try readHeader(values) }
    if let refusal { throw refusal }
    guard values.count == count else {
      throw LineDamage(found: values.count.of("value"), expected: "\(count), as in the first line")
    }
    output(try map.line(values, places))
  }

  mutating func end(_ output: (String) -> Void) throws(LineDamage) {
    if let damage = rows.unclosed { throw damage }
  }

  private mutating func readHeader(_ header: [String]) throws(LineDamage) {
    count = header.count
    places = []
    do { places = try map.places(in: header.map(\.trimmed)) } catch {
      refusal = error
      throw error
    }
  }
}

/// The rows of comma-separated values: a text in quotation marks may go on over several lines.
struct CSVRows {
  /// No row is that long: a quotation mark that nothing closes takes so many lines with it and no more.
  static let mostLines = 1000

  var separator = UInt8(ascii: ",")
  /// Whether a text in quotation marks has begun that has not ended.
  private(set) var isOpen = false
  private var values: [String] = []
  private var value: [UInt8] = []
  private var number = 0
  private var openedAt = 0

  /// A line that is none of a row's.
  mutating func skip() { number += 1 }

  /// The row that ends with this line; nil where more of it must come.
  mutating func row(with line: String) throws(LineDamage) -> [String]? {
    number += 1
    var wasQuoted = isOpen
    var isBehind = false
    if isOpen { value.append(UInt8(ascii: "\n")) }
    var rest = line.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\"") where isOpen:
        if rest.first == byte {
          rest.removeFirst()
          value.append(byte)
        } else {
          isOpen = false
          isBehind = true
        }
      // Anywhere else it is a sign like others.
      case UInt8(ascii: "\"") where value.isEmpty && !wasQuoted:
        (isOpen, wasQuoted, openedAt) = (true, true, number)
      case separator where !isOpen:
        close()
        (wasQuoted, isBehind) = (false, false)
      case _ where isBehind:
        defer { (value, values) = ([], []) }
        throw LineDamage(
          found: "text behind a closing quotation mark, in a row that begins in line \(openedAt)",
          expected: "a separator; \((number - openedAt + 1).of("line")) left out")
      default: value.append(byte)
      }
    }
    if !isOpen {
      close()
      defer { values = [] }
      return values
    }
    if number - openedAt + 1 >= Self.mostLines, let damage = unclosed {
      (isOpen, value, values) = (false, [], [])
      throw damage
    }
    return nil
  }

  /// What is wrong where nothing more comes.
  var unclosed: LineDamage? {
    guard isOpen else { return nil }
    let lines = number - openedAt + 1
    return LineDamage(
      found: "a quotation mark in line \(openedAt) that nothing closes",
      expected:
        "another one; \(lines.of("line")) from there on \(lines == 1 ? "is" : "are") left out")
  }

  private mutating func close() {
    values.append(String(decoding: value, as: UTF8.self))
    value = []
  }
}
