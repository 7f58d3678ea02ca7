import Foundation

/// Where output goes and what the terminal can do.
///
/// Everything that is printed passes here, so that nothing but what this program means to say
/// reaches a terminal: see ``String/escapedForTerminal(hasColor:)``.
struct Console: Sendable {
  private let print: @Sendable (String) -> Void
  private let note: @Sendable (String) -> Void
  /// Columns of text.
  var width: Int
  var hasColor: Bool
  var showsProgress: Bool
  /// How long a line of progress stands at least.
  var progressInterval = Duration.milliseconds(200)
  var isInterrupted: @Sendable () -> Bool
  /// The content of a file; nil if there is none. Throws ``TextFile/Unreadable``.
  var read: @Sendable (String) throws -> String?
  /// The names of what is in a folder; nil if there is none. Throws ``TextFile/Unreadable``.
  var list: @Sendable (String) throws -> [String]?
  /// Writes a text to a path, and makes the folder where there is none. Throws where it cannot.
  var write: @Sendable (_ text: String, _ path: String) throws -> Void

  /// `out` takes data for standard output, `err` progress and notes for standard error.
  init(
    out: @escaping @Sendable (String) -> Void, err: @escaping @Sendable (String) -> Void,
    width: Int = 100, hasColor: Bool = false, showsProgress: Bool = false,
    isInterrupted: @escaping @Sendable () -> Bool = { false },
    read: @escaping @Sendable (String) throws -> String? = { try TextFile.contents(of: $0) },
    list: @escaping @Sendable (String) throws -> [String]? = { try TextFile.names(in: $0) },
    write: @escaping @Sendable (_ text: String, _ path: String) throws -> Void = {
      try Self.store($0, at: $1)
    }
  ) {
    print = out
    note = err
    self.width = width
    self.hasColor = hasColor
    self.showsProgress = showsProgress
    self.isInterrupted = isInterrupted
    self.read = read
    self.list = list
    self.write = write
  }

  /// The console of this process.
  static func process(of program: String) -> Console {
    let environment = ProcessInfo.processInfo.environment
    let isDumb = environment["TERM"] == "dumb"
    let hasColor = isatty(1) == 1 && !isDumb && (environment["NO_COLOR"] ?? "").isEmpty
    return Console(
      out: { StandardStream.output.write($0, for: program) },
      err: { StandardStream.error.write($0, for: program) },
      width: width(environment: environment), hasColor: hasColor,
      showsProgress: isatty(2) == 1 && !isDumb, isInterrupted: { Interruption.hasCome })
  }

  // MARK: - Printing

  /// Prints text for people.
  func out(_ text: String) { print(text.escapedForTerminal(hasColor: hasColor)) }

  /// Prints one JSON document.
  func out(json text: String) { print(text.escapedAsJSON) }

  /// Prints what is to be kept as it is, such as the source of a test.
  func out(verbatim text: String) { print(text) }

  /// Prints a note.
  func err(_ text: String) { note(text.escapedForTerminal()) }

  /// Writes a line of standard error over the one before; an empty one takes it away.
  func rewriteLine(_ line: String) {
    note("\r\u{1B}[2K" + String(line.escapedForTerminal().prefix(width - 1)))
  }

  // MARK: -

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

  private static func store(_ text: String, at path: String) throws {
    let file = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file, options: .atomic)
  }
}
