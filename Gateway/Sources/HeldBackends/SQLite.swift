import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// As much of SQLite's own library as is needed to put a file back and to look into it. It is loaded where it is
/// wanted, so that whoever has no SQLite backend needs none.
final class SQLite {
  struct Failed: Error, CustomStringConvertible {
    var description: String
  }

  private typealias Handle = OpaquePointer
  private typealias Open =
    @convention(c) (
      UnsafePointer<CChar>, UnsafeMutablePointer<Handle?>, Int32, UnsafePointer<CChar>?
    ) ->
    Int32
  private typealias Prepare =
    @convention(c) (
      Handle, UnsafePointer<CChar>, Int32, UnsafeMutablePointer<Handle?>,
      UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) -> Int32
  private typealias OnHandle = @convention(c) (Handle) -> Int32
  private typealias Text = @convention(c) (Handle, Int32) -> UnsafePointer<UInt8>?
  private typealias Message = @convention(c) (Handle) -> UnsafePointer<CChar>
  private typealias Backup =
    @convention(c) (Handle, UnsafePointer<CChar>, Handle, UnsafePointer<CChar>) -> Handle?
  private typealias Number = @convention(c) (Handle, Int32) -> Int32

  /// The functions of the library.
  private struct Library {
    let open: Open
    let prepare: Prepare
    let step: OnHandle
    let reset: OnHandle
    let finalize: OnHandle
    let columns: OnHandle
    let changesNothing: OnHandle
    let text: Text
    let message: Message
    let close: OnHandle
    let wait: Number
    let beginBackup: Backup
    let stepBackup: Number
    let endBackup: OnHandle

    init() throws(Failed) {
      let names = ["libsqlite3.so.0", "libsqlite3.so", "libsqlite3.dylib"]
      guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first else {
        throw Failed(description: "SQLite's library is not there: install libsqlite3")
      }
      func function<Function>(_ name: String, as type: Function.Type) throws(Failed) -> Function {
        guard let symbol = dlsym(library, name) else {
          throw Failed(description: "SQLite's library has no \(name)")
        }
        return unsafeBitCast(symbol, to: type)
      }
      open = try function("sqlite3_open_v2", as: Open.self)
      prepare = try function("sqlite3_prepare_v2", as: Prepare.self)
      step = try function("sqlite3_step", as: OnHandle.self)
      reset = try function("sqlite3_reset", as: OnHandle.self)
      finalize = try function("sqlite3_finalize", as: OnHandle.self)
      columns = try function("sqlite3_column_count", as: OnHandle.self)
      changesNothing = try function("sqlite3_stmt_readonly", as: OnHandle.self)
      text = try function("sqlite3_column_text", as: Text.self)
      message = try function("sqlite3_errmsg", as: Message.self)
      close = try function("sqlite3_close_v2", as: OnHandle.self)
      wait = try function("sqlite3_busy_timeout", as: Number.self)
      beginBackup = try function("sqlite3_backup_init", as: Backup.self)
      stepBackup = try function("sqlite3_backup_step", as: Number.self)
      endBackup = try function("sqlite3_backup_finish", as: OnHandle.self)
    }
  }

  private static let library = Result { try Library() }

  private let library: Library
  private let file: OpaquePointer
  private var query: (text: String, statement: OpaquePointer)?

  /// Opens a file, which is made where there is none.
  init(_ path: String) throws(Failed) {
    do { library = try Self.library.get() } catch {
      throw Failed(description: "\(error)")
    }
    var handle: OpaquePointer?
    // Read and write, create.
    let code = library.open(path, &handle, 0x2 | 0x4, nil)
    guard code == 0, let handle else {
      throw Failed(description: "'\(path)' cannot be opened as an SQLite file (\(code))")
    }
    file = handle
    _ = library.wait(file, 2000)
  }

  deinit {
    if let query { _ = library.finalize(query.statement) }
    _ = library.close(file)
  }

  /// Makes this file what another one is.
  func become(_ other: SQLite) throws(Failed) {
    // A statement that is still open would keep the file as it was.
    if let query { _ = library.reset(query.statement) }
    guard let backup = library.beginBackup(file, "main", other.file, "main") else {
      throw problem("cannot be put back")
    }
    let code = library.stepBackup(backup, -1)
    _ = library.endBackup(backup)
    // 101: done.
    guard code == 101 else { throw problem("cannot be put back (\(code))") }
  }

  /// The rows that a query finds, as texts; nil for what is null.
  func rows(_ text: String) throws(Failed) -> [[String?]] {
    if query?.text != text {
      if let query { _ = library.finalize(query.statement) }
      query = nil
      var statement: OpaquePointer?
      guard library.prepare(file, text, -1, &statement, nil) == 0, let statement else {
        throw problem("cannot be asked '\(text)'")
      }
      guard library.changesNothing(statement) != 0, library.columns(statement) > 0 else {
        _ = library.finalize(statement)
        throw Failed(description: "found '\(text)', expected a query, which changes nothing")
      }
      query = (text, statement)
    }
    guard let statement = query?.statement else { return [] }
    defer { _ = library.reset(statement) }
    var rows: [[String?]] = []
    while true {
      // 100: a row; 101: done.
      let code = library.step(statement)
      if code == 101 { return rows }
      guard code == 100 else { throw problem("cannot be read (\(code))") }
      rows.append(
        (0..<library.columns(statement)).map { column in
          library.text(statement, column).map { String(cString: $0) }
        })
    }
  }

  private func problem(_ what: String) -> Failed {
    Failed(description: "the SQLite file \(what): \(String(cString: library.message(file)))")
  }
}
