import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// As much of PostgreSQL's own client library as is needed to put a database back and to look into it. It is loaded
/// where it is wanted.
final class Postgres {
  struct Failed: Error, CustomStringConvertible {
    var description: String
  }

  private typealias Connect = @convention(c) (UnsafePointer<CChar>) -> OpaquePointer?
  private typealias Number = @convention(c) (OpaquePointer) -> Int32
  private typealias Execute = @convention(c) (OpaquePointer, UnsafePointer<CChar>) -> OpaquePointer?
  private typealias Value =
    @convention(c) (OpaquePointer, Int32, Int32) -> UnsafeMutablePointer<CChar>?
  private typealias IsNull = @convention(c) (OpaquePointer, Int32, Int32) -> Int32
  private typealias Message = @convention(c) (OpaquePointer) -> UnsafePointer<CChar>
  private typealias Release = @convention(c) (OpaquePointer) -> Void

  /// The functions of the library.
  private struct Library {
    let connect: Connect
    let status: Number
    let execute: Execute
    let resultStatus: Number
    let rows: Number
    let columns: Number
    let value: Value
    let isNull: IsNull
    let message: Message
    let clear: Release
    let finish: Release

    init() throws(Failed) {
      let names = ["libpq.so.5", "libpq.so", "libpq.dylib"]
      guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first else {
        throw Failed(description: "PostgreSQL's client library is not there: install libpq")
      }
      func function<Function>(_ name: String, as type: Function.Type) throws(Failed) -> Function {
        guard let symbol = dlsym(library, name) else {
          throw Failed(description: "PostgreSQL's client library has no \(name)")
        }
        return unsafeBitCast(symbol, to: type)
      }
      connect = try function("PQconnectdb", as: Connect.self)
      status = try function("PQstatus", as: Number.self)
      execute = try function("PQexec", as: Execute.self)
      resultStatus = try function("PQresultStatus", as: Number.self)
      rows = try function("PQntuples", as: Number.self)
      columns = try function("PQnfields", as: Number.self)
      value = try function("PQgetvalue", as: Value.self)
      isNull = try function("PQgetisnull", as: IsNull.self)
      message = try function("PQerrorMessage", as: Message.self)
      clear = try function("PQclear", as: Release.self)
      finish = try function("PQfinish", as: Release.self)
    }
  }

  private static let library = Result { try Library() }

  private let library: Library
  private let connection: OpaquePointer

  /// Connects to the database of a URL.
  init(_ url: String) throws(Failed) {
    do { library = try Self.library.get() } catch {
      throw Failed(description: "\(error)")
    }
    guard let connection = library.connect(url) else {
      throw Failed(description: "'\(url)' cannot be connected to")
    }
    self.connection = connection
    guard library.status(connection) == 0 else {
      let text = String(cString: library.message(connection))
      library.finish(connection)
      throw Failed(description: "the database cannot be connected to: \(text)")
    }
    try rows("SET client_min_messages = warning")
  }

  /// Makes a copy of the database of a URL, and connects to that.
  convenience init(copyOf url: String, named name: String) throws(Failed) {
    guard var parts = URLComponents(string: url) else {
      throw Failed(description: "'\(url)' is no URL of a database")
    }
    let template = String(parts.path.dropFirst())
    parts.path = "/postgres"
    let maintenance = parts.string ?? url
    try Self.dropOrphans(at: maintenance)
    let server = try Postgres(maintenance)
    try server.rows("CREATE DATABASE \(name) TEMPLATE \"\(template)\"")
    // What it holds need not outlive the server.
    try server.rows("ALTER DATABASE \(name) SET synchronous_commit = off")
    parts.path = "/" + name
    try self.init(parts.string ?? url)
    copy = (name, maintenance)
    try rows("SET lock_timeout = '1s'")
  }

  /// Drops the copies of programs that were killed before they could.
  private static func dropOrphans(at maintenance: String) throws(Failed) {
    let server = try Postgres(maintenance)
    let found = try server.rows(
      "SELECT datname FROM pg_database WHERE datname ~ '^chaos_[0-9]+_[0-9]+$'")
    for name in found.compactMap({ $0.first ?? nil }) {
      let parts = name.split(separator: "_")
      guard parts.count == 3, let program = pid_t(parts[1], radix: 10), kill(program, 0) != 0,
        errno == ESRCH
      else { continue }
      // Another one may be at the same.
      _ = try? server.rows("DROP DATABASE IF EXISTS \(name)")
    }
  }

  /// The copy that this is connected to, and where it can be dropped.
  private var copy: (name: String, maintenance: String)?

  /// Drops the copy.
  func drop() {
    guard let copy, let maintenance = try? Postgres(copy.maintenance) else { return }
    // Alone: no database can be dropped in a transaction.
    _ = try? maintenance.rows("DROP DATABASE IF EXISTS \(copy.name) WITH (FORCE)")
  }

  deinit { library.finish(connection) }

  /// What statements come to: the rows of the last one, as texts; nil for what is null.
  @discardableResult
  func rows(_ text: String) throws(Failed) -> [[String?]] {
    guard let result = library.execute(connection, text) else { throw problem(text) }
    defer { library.clear(result) }
    // 1: a command; 2: rows.
    guard (1...2).contains(library.resultStatus(result)) else { throw problem(text) }
    let columns = library.columns(result)
    return (0..<library.rows(result)).map { row in
      (0..<columns).map { column in
        library.isNull(result, row, column) == 1
          ? nil : library.value(result, row, column).map { String(cString: $0) }
      }
    }
  }

  /// The rows that a query finds, which changes nothing.
  func found(by query: String) throws(Failed) -> [[String?]] {
    try may(write: false)
    return try rows(query)
  }

  private var mayWrite = true

  private func may(write: Bool) throws(Failed) {
    guard write != mayWrite else { return }
    try rows("SET SESSION CHARACTERISTICS AS TRANSACTION READ \(write ? "WRITE" : "ONLY")")
    mayWrite = write
  }

  private func problem(_ text: String) -> Failed {
    Failed(
      description: "the database refuses '\(text)': \(String(cString: library.message(connection)))"
    )
  }

  // MARK: - What it held

  private var tables: [String] = []
  private var filled: [String] = []

  /// Remembers what the tables hold now.
  func keep() throws(Failed) {
    try may(write: true)
    let found = try rows(
      """
      SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'public' ORDER BY 1
      """)
    tables = found.compactMap { $0.first ?? nil }
    try rows("DROP SCHEMA IF EXISTS chaos_kept CASCADE; CREATE SCHEMA chaos_kept")
    filled = []
    for table in tables {
      try rows("CREATE TABLE chaos_kept.\(table) AS TABLE public.\(table)")
      if try rows("SELECT 1 FROM public.\(table) LIMIT 1").isEmpty == false { filled.append(table) }
    }
  }

  /// Makes the tables hold what they held.
  func putBack() throws(Failed) {
    guard !tables.isEmpty else { return }
    try may(write: true)
    let names = tables.map { "public.\($0)" }.joined(separator: ", ")
    var text = "BEGIN; TRUNCATE \(names) RESTART IDENTITY CASCADE;"
    for table in filled { text += " INSERT INTO public.\(table) TABLE chaos_kept.\(table);" }
    try rows(text + " COMMIT")
  }

  /// Whether a process of the database waits for a lock that another holds.
  func waitsForLock(_ process: Int32) throws(Failed) -> Bool {
    // What pg_stat_activity says is behind: somebody who was granted it still shows there as waiting.
    try !rows("SELECT 1 FROM pg_locks WHERE pid = \(process) AND NOT granted LIMIT 1").isEmpty
  }

  /// Whether any of these processes is there.
  func isAny(_ processes: [Int32]) throws(Failed) -> Bool {
    let list = processes.map(String.init).joined(separator: ", ")
    return try !rows("SELECT 1 FROM pg_stat_activity WHERE pid IN (\(list)) LIMIT 1").isEmpty
  }
}
