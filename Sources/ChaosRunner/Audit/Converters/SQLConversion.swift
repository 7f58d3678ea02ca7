import ChaosStore

/// One table of a dump in SQL, as `sqlite3 .dump` and `pg_dump` write it: INSERT statements, and COPY blocks.
///
/// Sources of the form: SQLite, the .dump command; PostgreSQL, pg_dump and COPY, text format.
struct SQLConversion: Conversion {
  private var map: ColumnMap
  private let table: String
  private var statements = SQLStatements()
  /// The columns that CREATE TABLE has named.
  private var columns: [String] = []
  /// Those of them that are not worked out from others.
  private var stored: [String] = []
  /// In a COPY block of the table: where its columns are. In another's: none of them.
  private var copied: [Int?]?
  private var isInCopy = false
  /// Whether the table was met at all.
  private(set) var hasTable = false

  init(_ map: ColumnMap, table: String) { (self.map, self.table) = (map, table) }

  var otherEnvironments: [String: Int] { map.otherEnvironments }

  mutating func read(_ line: String, _ output: (String) -> Void) throws(LineDamage) {
    if isInCopy { return try readCopied(line, output) }
    if !statements.isUnfinished {
      let head = line.drop { $0 == " " }.prefix(12).uppercased()
      guard head.hasPrefix("INSERT ") || head.hasPrefix("COPY ") || head.hasPrefix("CREATE TABLE")
      else { return }
    }
    guard let statement = try statements.statement(with: line) else { return }
    var tokens = SQLTokens(statement)
    switch tokens.word() {
    case "CREATE": try readColumns(&tokens)
    case "COPY": try beginCopy(&tokens)
    case "INSERT": try readInsert(&tokens, output)
    default: break
    }
  }

  mutating func end(_ output: (String) -> Void) throws(LineDamage) {
    if statements.isUnfinished || isInCopy {
      throw LineDamage(found: "the end of the file", expected: "the end of a statement before it")
    }
    if !hasTable {
      throw LineDamage(found: "no rows of a table '\(table)'", expected: "INSERT or COPY of it")
    }
  }

  /// Whether the table that comes next is the one that was asked for, with its schema or without.
  private func isTable(_ tokens: inout SQLTokens) -> Bool {
    guard var name = tokens.name() else { return false }
    var full = name
    while tokens.takes(".") {
      guard let next = tokens.name() else { return false }
      name = next
      full += "." + next
    }
    return name == table || full == table
  }

  private mutating func readColumns(_ tokens: inout SQLTokens) throws(LineDamage) {
    guard tokens.word() == "TABLE" else { return }
    if tokens.peek() == "IF" { for _ in 0..<3 { _ = tokens.word() } }
    guard isTable(&tokens), tokens.takes("(") else { return }
    (columns, stored) = ([], [])
    repeat {
      guard let name = tokens.name() else { break }
      let isConstraint =
        !tokens.wasQuoted
        && ["CONSTRAINT", "PRIMARY", "UNIQUE", "FOREIGN", "CHECK", "EXCLUDE", "LIKE"]
          .contains(name.uppercased())
      let definition = tokens.skipToComma().uppercased()
      if isConstraint { continue }
      columns.append(name)
      let isWorkedOut = definition.contains(/\bAS\s*\(/) && !definition.contains("AS IDENTITY")
      if !isWorkedOut { stored.append(name) }
    } while tokens.takes(",")
  }

  private mutating func beginCopy(_ tokens: inout SQLTokens) throws(LineDamage) {
    isInCopy = true
    copied = nil
    guard isTable(&tokens) else { return }
    hasTable = true
    copied = try map.places(in: tokens.names() ?? stored, of: columns)
  }

  private mutating func readCopied(_ line: String, _ output: (String) -> Void) throws(LineDamage) {
    if line == "\\." {
      isInCopy = false
      return
    }
    guard let copied else { return }
    let values = line.split(separator: "\t", omittingEmptySubsequences: false).map(Self.copiedValue)
    output(try map.line(values, copied))
  }

  /// `\N` is NULL, and a backslash stands before what could not stand for itself.
  private static func copiedValue(_ text: Substring) -> String? {
    if text == "\\N" { return nil }
    guard text.contains("\\") else { return String(text) }
    var value = ""
    var rest = text
    while let character = rest.popFirst() {
      guard character == "\\", let sign = rest.popFirst() else {
        value.append(character)
        continue
      }
      switch sign {
      case "n": value.append("\n")
      case "t": value.append("\t")
      case "r": value.append("\r")
      case "b": value.append("\u{8}")
      case "f": value.append("\u{C}")
      case "v": value.append("\u{B}")
      default: value.append(sign)
      }
    }
    return value
  }

  private mutating func readInsert(
    _ tokens: inout SQLTokens, _ output: (String) -> Void
  ) throws(LineDamage) {
    while let word = tokens.word(), word != "INTO" {}
    guard isTable(&tokens) else { return }
    hasTable = true
    let named = tokens.names()
    guard !(named ?? columns).isEmpty else {
      throw LineDamage(
        found: "INSERT without names of columns", expected: "CREATE TABLE \(table) before it")
    }
    var places = try map.places(in: named ?? columns, of: columns)
    // A dump leaves out what is worked out from others, or says DEFAULT.
    let short = named == nil ? try map.places(in: stored, of: columns) : places
    while let word = tokens.word(), word != "VALUES" {}
    var first: LineDamage?
    repeat {
      guard tokens.takes("(") else {
        throw LineDamage(found: "'\(tokens.rest.clipped)'", expected: "'('")
      }
      var values: [String?] = []
      var problem: LineDamage?
      repeat {
        do throws(LineDamage) { values.append(try tokens.value()) } catch {
          // Another column's value may be anything.
          if places.contains(values.count) || short.contains(values.count) {
            problem = problem ?? error
          }
          values.append(nil)
        }
      } while tokens.takes(",")
      guard tokens.takes(")") else {
        throw LineDamage(found: "'\(tokens.rest.clipped)'", expected: "')'")
      }
      do throws(LineDamage) {
        if let problem { throw problem }
        if named == nil, values.count == stored.count { places = short }
        output(try map.line(values, places))
      } catch { first = first ?? error }
    } while tokens.takes(",")
    if let first { throw first }
  }
}
