import ChaosStore
import Foundation

/// `convert`: what a shop keeps anyway, as the facts that `audit` reads.
struct ConvertCommand: Command {
  /// What can be converted.
  enum Kind: String, CaseIterable {
    case notifications, transactions, csv, sql

    var about: String {
      switch self {
      case .notifications: "App Store Server Notifications V2, a payload a line, decoded or signed"
      case .transactions: "histories of transactions, a transaction a line, decoded or signed"
      case .csv: "a ledger as comma-separated values; its first line names the columns"
      case .sql: "one --table of a dump of sqlite3 or pg_dump, as text"
      }
    }
  }

  static let name = "convert"
  static let summary = "turn notifications, transactions, a ledger or a dump into facts for 'audit'"
  static let discussion = """
    Prints a fact a line, in the order of time. Rows that are damaged are counted, the first ten are shown \
    on standard error, and they are left out. \
    Signatures are not checked: of a signed payload the middle part is decoded, and that is all. \
    Docs/AUDIT.md says what becomes of which field.
    """
  static let columns = Option(
    "columns", "LIST",
    "which column is which field, such as account=user_id,transaction=txn; with nothing behind the = "
      + "the field has none")
  static let fact = Option(
    "fact", "KIND", "what each row is, such as credited, where no column says so")
  static let facts = Option(
    "facts", "LIST", "what the values of the column for 'fact' mean, such as credit=credited")
  static let table = Option("table", "NAME", "the table of a dump, with its schema or without")
  static let seconds = Option("seconds", "times that are numbers are seconds, not milliseconds")
  static let options = [columns, fact, facts, table, seconds]
  static let exitCodes = [
    ExitCodeMeaning(.asExpected, "it was converted, but for rows that are damaged"),
    ExitCodeMeaning(.noVerdict, "a file cannot be read, or nothing came of it"),
  ]
  static let examples = [
    Example("convert notifications notifications.jsonl", "what the store told"),
    Example(
      "convert csv ledger.csv --fact credited --columns transaction=txn,account=user",
      "what the ledger credited"),
  ]

  static func operands(in environment: RunnerEnvironment) -> [Operand] {
    [
      Operand(
        name: "KIND", isRequired: true, about: "one of",
        choices: Kind.allCases.map { ($0.rawValue, $0.about) }),
      Operand(name: "FILE...", isRequired: true, about: "what to convert; - is standard input"),
    ]
  }

  private let kind: Kind
  private let paths: [String]
  private let map: ColumnMap
  private let table: String

  init(parsing words: Words, in environment: RunnerEnvironment) throws(Failure) {
    let all = Kind.allCases.map(\.rawValue)
    guard let word = words.operands.first else {
      throw .usage("'convert' needs to know what: \(all.joined(separator: ", "))")
    }
    guard let kind = Kind(rawValue: word) else {
      let hint = suggestion(for: word, among: all)
      throw .usage(
        "'convert' knows no '\(word)'"
          + (hint.isEmpty ? "; it converts \(all.joined(separator: ", "))" : hint))
    }
    self.kind = kind
    paths = Array(words.operands.dropFirst())
    guard !paths.isEmpty else { throw .usage("'convert \(word)' needs a file, or -") }
    let own = ["columns", "fact", "facts", "seconds"].filter(words.has)
    if kind == .notifications || kind == .transactions,
      let option = (own + (words.has("table") ? ["table"] : [])).first
    {
      throw .usage("--\(option) means nothing to 'convert \(word)', which knows its fields")
    }
    guard (kind == .sql) == words.has("table") else {
      throw .usage(
        kind == .sql
          ? "'convert sql' needs the --table that it is to read"
          : "--table means nothing to 'convert \(word)'")
    }
    map = try ColumnMap(
      columns: words.first("columns"), fact: words.first("fact"), facts: words.first("facts"),
      countsSeconds: words.has("seconds"))
    table = words.first("table") ?? ""
  }

  private var conversion: any Conversion {
    switch kind {
    case .notifications: NotificationConversion()
    case .transactions: TransactionConversion()
    case .csv: CSVConversion(map)
    case .sql: SQLConversion(map, table: table)
    }
  }

  func run(in environment: RunnerEnvironment, on console: Console) throws(Failure) -> ExitCode {
    var damaged = 0
    var facts = FactLines()
    for path in paths {
      let reader = try LineReader(path: path)
      var conversion = conversion
      func output(_ line: String) { facts.add(line) }
      func note(_ damage: LineDamage) {
        damaged += 1
        if damaged > AuditResult.mostShown { return }
        console.err(
          "\(path):\(reader.number): found \(damage.found), expected \(damage.expected)\n")
      }
      while let line = reader.next() {
        do throws(LineDamage) {
          guard !line.isTooLong else {
            throw LineDamage(
              found: "a line of more than \(LineReader.longestLine) bytes",
              expected: "a shorter one")
          }
          let bytes = UnsafeBufferPointer(start: line.start, count: line.count)
          guard let line = String(validating: bytes, as: UTF8.self) else {
            throw LineDamage(found: "bytes that are no UTF-8", expected: "text")
          }
          try conversion.read(line, output)
        } catch { note(error) }
        if reader.number & 0xfff == 0, console.isInterrupted() { throw .noVerdict("interrupted") }
      }
      do throws(LineDamage) { try conversion.end(output) } catch { note(error) }
      for (name, count) in conversion.otherEnvironments.sorted(by: { $0.key < $1.key }) {
        console.err(
          "\(path): the environment '\(name)' is not production: \(count.of("record")) of it written as sandbox\n"
        )
      }
      if let failure = reader.failure { throw .noVerdict("\(path): \(failure)") }
    }
    facts.writeInOrder { console.out(json: $0) }
    if damaged > 0 {
      console.err("\(damaged.of("damaged row")) left out; \(facts.count.of("fact")) written.\n")
    }
    guard facts.count > 0 else {
      throw .noVerdict("nothing came of it: there is no fact in what was read")
    }
    return .asExpected
  }
}
