import Foundation

/// Where output goes and what the terminal can do.
struct Console: Sendable {
  /// Data: standard output.
  var out: @Sendable (String) -> Void
  /// Progress and notes: standard error.
  var err: @Sendable (String) -> Void
  /// Columns of text.
  var width = 100
  var hasColor = false
  var showsProgress = false
  var isInterrupted: @Sendable () -> Bool = { false }
  /// The content of a file; nil if there is none. Throws where it cannot be read as text.
  var read: @Sendable (String) throws -> String? = { try Self.contents(of: $0) }
  /// The names of what is in a folder; nil if there is none. Throws where it cannot be listed.
  var list: @Sendable (String) throws -> [String]? = { try Self.names(in: $0) }
  /// Writes a text to a path, and makes the folder where there is none. Throws where it cannot.
  var write: @Sendable (_ text: String, _ path: String) throws -> Void = {
    try Self.store($0, at: $1)
  }

  /// The console of this process.
  static var process: Console {
    let environment = ProcessInfo.processInfo.environment
    let isDumb = environment["TERM"] == "dumb"
    let hasColor = isatty(1) == 1 && !isDumb && (environment["NO_COLOR"] ?? "").isEmpty
    return Console(
      out: { FileHandle.standardOutput.write(Data($0.utf8)) },
      err: { FileHandle.standardError.write(Data($0.utf8)) },
      width: width(environment: environment), hasColor: hasColor,
      showsProgress: isatty(2) == 1 && !isDumb, isInterrupted: { Interruption.hasCome })
  }

  /// What COLUMNS says, else what the terminal says, else 100; at least 80.
  private static func width(environment: [String: String]) -> Int {
    if let columns = environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 {
      return min(max(columns, 80), 200)
    }
    var size = winsize()
    guard isatty(1) == 1, ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return 100
    }
    return min(max(Int(size.ws_col), 80), 200)
  }

  private static func contents(of path: String) throws -> String? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  private static func names(in folder: String) throws -> [String]? {
    guard FileManager.default.fileExists(atPath: folder) else { return nil }
    return try FileManager.default.contentsOfDirectory(atPath: folder)
  }

  private static func store(_ text: String, at path: String) throws {
    let file = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file, options: .atomic)
  }
}
