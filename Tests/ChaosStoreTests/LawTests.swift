import Foundation
import Testing

/// Reads the sources and refuses what the outcome of a run must not depend on.
@Suite("The sources")
struct LawTests {
  /// Where everything belongs to a run.
  private static let runs =
    ["Kernel", "Decisions", "World", "Runs", "Systems", "Mutants", "Histories"]
    .map { "Sources/ChaosStore/\($0)/" } + ["Sources/Invariants/"]

  @Test(
    "A run uses no clock, no random number, no floating point, no thread and no Foundation",
    arguments: [
      #"\bimport Foundation"#, #"\bDate\("#, #"\bUUID\("#, #"\bContinuousClock"#,
      #"\bSuspendingClock"#, #"\.random\b"#, #"\.shuffled\b"#, #"RandomNumberGenerator"#,
      #"\bHasher\b"#, #"\bhashValue\b"#, #"\bObjectIdentifier\b"#, #"\bDouble\b"#, #"\bFloat\d*\b"#,
      #"\bTask( |\.|\()"#, #"\basync\b"#, #"\bawait\b"#, #"\bThread\b"#, #"\bDispatchQueue"#,
      #"\bAtomic<"#, #"\bMutex<"#, #"\bgetenv\b"#, #"\bProcessInfo\b"#,
    ])
  func forbidden(pattern: String) throws {
    let regex = try Regex(pattern)
    let found = try Self.files(in: Self.runs).flatMap { file in
      file.code.filter { $0.text.contains(regex) }.map(file.place)
    }
    #expect(found == [])
  }

  /// Dictionaries and sets whose order nobody asks for, and why that is so.
  private static let unordered = [
    Exception(
      "Decisions/Fault.swift", "private static let byName: [String: Fault] = {",
      "looked up by name, never gone through"),
    Exception(
      "Decisions/Fault.swift", "var names: [String: Fault] = [:]",
      "filled in the order of the catalogue, looked up by name"),
    Exception(
      "Decisions/FaultMix.swift", "public var entries: [Fault: Entry] = [:]",
      "looked up fault by fault, in the order of the catalogue"),
    Exception(
      "Decisions/FaultMix.swift", "public var delays: [Question: ClosedRange<Int64>] = [:]",
      "looked up question by question, in the order of the catalogue"),
    Exception(
      "Runs/JudgingCheck.swift", "var names = Set<String>()",
      "asked whether a name was there before, in a scenario that is not run yet"),
    Exception(
      "Runs/SetupCheck.swift", "var names = Set<String>()",
      "asked whether a name was there before, in a scenario that is not run yet"),
    Exception(
      "Runs/SetupCheck.swift", "var known = Set<Int>()",
      "asked whether an account is in a family already, in a scenario that is not run yet"),
    Exception(
      "World/DurableTables.swift", "private var places: [Place: Int] = [:]",
      "looked up by table and key; rows are gone through in the order of their insertion"),
    Exception(
      "Histories/TimelineChart.swift", "",
      "draws a run that is over, and looks up what broke at which entry"),
  ]

  @Test("A run keeps nothing in a dictionary or a set, but for a list of exceptions")
  func unordered() throws {
    let regex = try Regex(
      #"\[\s*[A-Z][\w.]*\s*:\s*[A-Z\[(]|\[:\]|\bDictionary\b|\bSet[<(]|: Set\b"#
    )
    let found = try Self.files(in: Self.runs).flatMap { file in
      file.code.filter { line in
        line.text.contains(regex) && !Self.unordered.contains { $0.excuses(file.path, line.text) }
      }.map(file.place)
    }
    #expect(found == [])
  }

  @Test("No exception is made for a dictionary that is gone")
  func exceptions() throws {
    let files = try Self.files(in: Self.runs)
    let unused = Self.unordered.filter { exception in
      files.contains { file in
        file.path.hasSuffix(exception.file)
          && !file.code.contains { exception.excuses(file.path, $0.text) }
      }
    }
    #expect(unused.map(\.code) == [])
    #expect(Self.unordered.allSatisfy { !$0.reason.isEmpty })
  }

  @Test("Files import only what lies above: rules nothing, a run the rules, the engine no terminal")
  func imports() throws {
    let allowed: [(folder: String, modules: [String])] =
      [("Sources/Invariants/", [])] + Self.runs.dropLast().map { ($0, ["Invariants"]) } + [
        ("Sources/ChaosStore/", ["Dispatch", "Foundation", "Invariants", "Synchronization"]),
        ("Sources/ChaosSources/", []),
        (
          "Sources/ChaosRunner/",
          ["ChaosSources", "ChaosStore", "Foundation", "Invariants", "Synchronization"]
        ),
        (
          "Sources/ChaosHost/",
          ["Dispatch", "Foundation", "Runtime", "Synchronization", "_Concurrency"]
        ),
        (
          "Sources/ChaosStoreKit/",
          ["ChaosHost", "ChaosStore", "Foundation", "Invariants", "Synchronization"]
        ),
        // The stand-ins for queues and for a lock stand on the real ones.
        ("Sources/ChaosCombine/", ["Dispatch", "Foundation"]),
        ("Sources/ChaosLog/", ["ChaosHost", "Foundation"]),
      ]
    for (folder, modules) in allowed {
      let found = try Self.files(in: [folder]).flatMap { file in
        file.code.filter { line in
          line.text.hasPrefix("import ")
            && !modules.contains(String(line.text.dropFirst("import ".count)))
        }.map(file.place)
      }
      // Platform modules that stand between `#if` and `#endif` in the terminal's own files.
      let platforms = ["Glibc", "Musl", "Darwin", "Dispatch"]
      let rest = found.filter { place in
        !(folder == "Sources/ChaosRunner/" && platforms.contains { place.hasSuffix($0) })
      }
      #expect(rest == [], "\(folder)")
    }
  }

  @Test("Wherever something is left to do, the source says why")
  func unfinished() throws {
    let regex = try Regex(#"\b(TODO|FIXME|XXX|HACK)\b(?!.*\b(because|until|when)\b)"#)
    let found = try Self.files(in: ["Sources/", "Tests/"])
      .filter { !$0.path.hasSuffix("LawTests.swift") }
      .flatMap { file in file.lines.filter { $0.text.contains(regex) }.map(file.place) }
    #expect(found == [])
  }

  @Test("Source files have fewer than 500 lines, but for the copy of scenarios.json")
  func lengths() throws {
    let long = try Self.files(in: ["Sources/", "Tests/"])
      .filter { $0.lines.count >= 500 && !$0.path.hasSuffix("/BuiltInScenarios.swift") }
    #expect(long.map { "\($0.path): \($0.lines.count) lines" } == [])
  }

  @Test("Sources and documents name no path of the machine they were written on")
  func machines() throws {
    let regex = try Regex(#"(^|[^\w.])/(work|tmp|root|home|Users)/|\bshared/"#)
    let found = try Self.files(in: ["", ".ci/", "Benchmarks/", "Docs/", "Examples/", "Sources/"])
      .filter { !$0.path.hasSuffix("/BuiltInScenarios.swift") }
      .flatMap { file in file.lines.filter { $0.text.contains(regex) }.map(file.place) }
    #expect(found == [])
  }

  @Test("The sources were found, so that no law holds for want of anything to read")
  func reading() throws {
    for folder in Self.runs {
      #expect(try !Self.files(in: [folder]).isEmpty, "\(folder)")
    }
    #expect(try Self.files(in: ["Sources/"]).count > 60)
    #expect(Source.code(in: #"let a = "b" // Double"#) == #"let a = "b" "#)
    #expect(Source.code(in: #"let a = "https://b" // Double"#) == #"let a = "https://b" "#)
    #expect(Source.code(in: "/// Double") == "")
  }
}

// MARK: - Reading

extension LawTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static let kinds = ["swift", "md", "json", "yml", "sh", "cpp", "py", ""]

  /// The readable files of these folders, in the order of their paths; "" is the root by itself.
  private static func files(in folders: [String]) throws -> [Source] {
    var paths: [String] = []
    for folder in folders {
      let url = root.appending(path: folder)
      guard FileManager.default.fileExists(atPath: url.path) else { continue }
      if folder.isEmpty {
        paths += try FileManager.default.contentsOfDirectory(atPath: url.path)
          .filter { $0.hasSuffix(".md") || $0 == "Package.swift" }
      } else if let walk = FileManager.default.enumerator(atPath: url.path) {
        for case let path as String in walk where !path.contains(".build") {
          paths.append(folder + path)
        }
      }
    }
    return try paths.sorted().compactMap { path in
      let url = root.appending(path: path)
      var isDirectory: ObjCBool = false
      guard kinds.contains(url.pathExtension),
        FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory),
        !isDirectory.boolValue
      else { return nil }
      return Source(path: path, text: try String(contentsOf: url, encoding: .utf8))
    }
  }
}

/// One file, by its path in the package.
private struct Source {
  struct Line {
    var number: Int
    var text: String
  }

  let path: String
  let lines: [Line]

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .map { Line(number: $0.offset + 1, text: String($0.element)) }
  }

  /// The lines without their comments.
  /// A document has none.
  var code: [Line] {
    guard path.hasSuffix(".swift") else { return [] }
    return lines.map { Line(number: $0.number, text: Self.code(in: $0.text)) }
  }

  func place(_ line: Line) -> String {
    "\(path):\(line.number): \(line.text.trimmingCharacters(in: .whitespaces))"
  }

  static func code(in line: String) -> String {
    var isQuoted = false
    var previous: Character = " "
    for index in line.indices {
      let character = line[index]
      if character == "\"", previous != "\\" { isQuoted.toggle() }
      if character == "/", previous == "/", !isQuoted {
        return String(line[..<line.index(before: index)])
      }
      previous = character
    }
    return line
  }
}

/// A dictionary or a set that may stay, and why.
private struct Exception {
  /// The end of the file's path.
  var file: String
  /// The line, or nothing for the whole file.
  var code: String
  var reason: String

  init(_ file: String, _ code: String, _ reason: String) {
    self.file = file
    self.code = code
    self.reason = reason
  }

  func excuses(_ path: String, _ line: String) -> Bool {
    path.hasSuffix(file) && (code.isEmpty || line.trimmingCharacters(in: .whitespaces) == code)
  }
}
