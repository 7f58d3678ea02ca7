import ChaosStore
import Invariants

/// Which column of a table is which field of a fact.
struct ColumnMap {
  /// The fields that a column can be, as the form calls them.
  static let fields = [
    "at", "fact", "transaction", "original", "intent", "account", "storeAccount", "device",
    "product", "quantity", "amount", "verdict", "message", "environment",
  ]

  /// What a fact says nothing without, beside its transaction.
  private static let needed: [Fact.Kind: String] = [
    .granted: "amount", .renewed: "original", .restored: "original", .attributed: "account",
    .tapped: "intent",
  ]

  /// The column of each field.
  private var columns: [(field: String, column: String)] = []
  /// What kind of fact each row is, where no column says so.
  private let kind: Fact.Kind?
  /// What the values of the column `fact` mean.
  private var kinds: [(value: String, kind: Fact.Kind)] = []
  /// Whether moments that are numbers are seconds, and not milliseconds.
  private let countsSeconds: Bool
  /// How many rows there were of each environment that is neither production nor the sandbox.
  private(set) var otherEnvironments: [String: Int] = [:]

  /// Reads `--columns`, `--fact` and `--facts`.
  init(columns text: String?, fact: String?, facts: String?, countsSeconds: Bool) throws(Failure) {
    for pair in try Self.pairs(text ?? "", "columns") {
      guard Self.fields.contains(pair.0) else {
        throw .usage(
          "--columns: '\(pair.0)' is no field of a fact: expected one of "
            + Self.fields.joined(separator: ", "))
      }
      guard !columns.contains(where: { $0.field == pair.0 }) else {
        throw .usage("--columns: '\(pair.0)' is given twice")
      }
      columns.append(pair)
    }
    for field in Self.fields where !columns.contains(where: { $0.field == field }) {
      // What a shop calls 'amount' is money, and here it is a part of a purchase.
      columns.append((field, field == "amount" ? "" : field))
    }
    kind = try fact.map { (name) throws(Failure) in try Self.kind(name, "fact") }
    for (value, name) in try Self.pairs(facts ?? "", "facts") {
      kinds.append((value, try Self.kind(name, "facts")))
    }
    self.countsSeconds = countsSeconds
  }

  private static func pairs(_ text: String, _ option: String) throws(Failure) -> [(String, String)]
  {
    var pairs: [(String, String)] = []
    for part in text.split(separator: ",") {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map(String.init)
      guard sides.count == 2, !sides[0].isEmpty else {
        throw .usage("--\(option): found '\(part)', expected NAME=VALUE, separated by commas")
      }
      pairs.append((sides[0], sides[1]))
    }
    return pairs
  }

  private static func kind(_ name: String, _ option: String) throws(Failure) -> Fact.Kind {
    guard let kind = Fact.Kind.allCases.first(where: { "\($0)" == name }) else {
      throw .usage(
        "--\(option): '\(name)' is no kind of fact: expected one of "
          + FactWords.kindNames.joined(separator: ", "))
    }
    return kind
  }

  /// Where the columns of a table are among those it has; nil for a field that it has no column for.
  ///
  /// A column that was asked for must be there, or be one of the table's at least.
  func places(in header: [String], of table: [String] = []) throws(LineDamage) -> [Int?] {
    var places: [Int?] = []
    for field in Self.fields {
      let column = columns.first { $0.field == field }?.column ?? field
      let place = column.isEmpty ? nil : header.firstIndex(of: column)
      if place == nil, !column.isEmpty, !table.contains(column),
        column != field || field == "transaction"
      {
        throw LineDamage(
          found: "the columns \(header.joined(separator: ", ").clipped)",
          expected: "a column '\(column)' for '\(field)'")
      }
      places.append(place)
    }
    return places
  }

  /// The line of the form that a row amounts to; `values` has nil for NULL.
  mutating func line(_ values: [String?], _ places: [Int?]) throws(LineDamage) -> String {
    var row: [String?] = []
    for place in places {
      guard let place else {
        row.append(nil)
        continue
      }
      guard place < values.count else {
        throw LineDamage(found: values.count.of("value"), expected: "\(place + 1) at least")
      }
      row.append(values[place].flatMap { $0.isEmpty ? nil : $0 })
    }
    guard let moment = row[0] else {
      throw LineDamage(found: "a row without a time", expected: "a column for 'at' with a time")
    }
    // What names none is about none of the store's: a gift, or a correction.
    guard row[2] != nil else {
      throw LineDamage(found: "a row without a transaction", expected: "one of the store's")
    }
    let kind = try self.kind(row[1])
    if let needed = Self.needed[kind], row[Self.fields.firstIndex(of: needed) ?? 0] == nil {
      throw LineDamage(
        found: "'\(kind)' without '\(needed)'",
        expected: "a column for it, which --columns \(needed)=COLUMN names")
    }
    var line = FactText(at: try millis(moment))
    line.add("fact", "\(kind)")
    for (field, value) in zip(Self.fields, row).dropFirst(2) {
      guard let value else { continue }
      switch field {
      case "quantity", "amount":
        // A column with decimals has them for whole numbers as well.
        let whole = value.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let isWhole = whole.count == 1 || whole[1].allSatisfy { $0 == "0" }
        guard isWhole, let number = Int64(whole[0]), 0...4_294_967_294 ~= number else {
          throw LineDamage(
            found: "\(field) '\(value.clipped)'", expected: "a whole number, 0 or more")
        }
        line.add(field, number)
      case "environment":
        let environment = StoreEnvironment(value)
        guard environment.isKnown else {
          throw LineDamage(
            found: "environment '\(value.clipped)'", expected: "production or sandbox")
        }
        environment.count(in: &otherEnvironments)
        line.add(field, environment == .production ? "production" : "sandbox")
      default:
        if Self.isShortened(value) {
          throw LineDamage(found: "\(field) '\(value.clipped)'", expected: Self.allDigits)
        }
        line.add(field, value)
      }
    }
    return line.text
  }

  private static let allDigits =
    "all of its digits: spreadsheet software such as Excel shortened the number, and now two purchases can have the "
    + "same one. Export the file again and convert it before you open it there, or import this column as text"

  /// Whether it is a number as spreadsheet software shortens it, such as `4.8E+14`.
  private static func isShortened(_ value: String) -> Bool {
    value.wholeMatch(of: /[-+]?[0-9]([.,][0-9]+)?[eE]\+[0-9]+/) != nil
  }

  private func kind(_ value: String?) throws(LineDamage) -> Fact.Kind {
    guard let value, kinds.isEmpty == false || kind == nil else {
      if let kind { return kind }
      throw LineDamage(
        found: "a row that does not say what it is",
        expected: "--fact KIND, or a column for 'fact'")
    }
    if let known = kinds.first(where: { $0.value == value })?.kind { return known }
    if let named = Fact.Kind.allCases.first(where: { "\($0)" == value }) { return named }
    throw LineDamage(
      found: "'\(value.clipped)' in the column for 'fact'",
      expected: "a kind of fact, or what --facts says")
  }

  /// Smaller numbers were milliseconds before March 1973, and are seconds.
  private static let leastMillis: Int64 = 100_000_000_000

  /// Milliseconds since 1970.
  private func millis(_ text: String) throws(LineDamage) -> Int64 {
    if !countsSeconds, let number = Int64(text), 0..<Self.leastMillis ~= number {
      throw LineDamage(
        found: "the time '\(text.clipped)'",
        expected: "milliseconds since 1970; --seconds takes numbers for seconds")
    }
    if let number = Int64(text), number >= 0 {
      let (millis, isTooLarge) = number.multipliedReportingOverflow(by: countsSeconds ? 1000 : 1)
      if !isTooLarge, millis <= ISOTime.latest { return millis }
    }
    if let millis = ISOTime.millis(text) { return millis }
    if Self.isShortened(text) {
      throw LineDamage(found: "the time '\(text.clipped)'", expected: Self.allDigits)
    }
    throw LineDamage(
      found: "the time '\(text.clipped)'",
      expected: "one such as 2026-01-31 12:00:00, or milliseconds since 1970")
  }
}
