import Foundation
import Testing

/// Holds `Tests/mutants/list` against the sources, so that it goes on fitting them.
@Suite("The list of mutants")
struct MutantListTests {
  private struct Entry {
    var name: String
    var place: String
    var file = ""
    var tests = ""
    var old: [String] = []
    var new: [String] = []

    /// The text to replace, as words.
    var text: String { MutantListTests.words(old.joined(separator: " ")) }
  }

  private static let package = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The lines of the list's files, in order.
  private static func lines() throws -> [(place: String, text: String)] {
    let folder = package.appending(path: "Tests/mutants/list")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    return try names.flatMap { name in
      try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        .split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        .map { (place: "\(name):\($0.offset + 1)", text: String($0.element)) }
    }
  }

  private static func read() throws -> [Entry] {
    var entries: [Entry] = []
    for line in try lines() {
      func value(_ key: String) -> String? {
        guard line.text.hasPrefix(key) else { return nil }
        return line.text.dropFirst(key.count).trimmingCharacters(in: .whitespaces)
      }
      if let name = value("mutant:") {
        entries.append(Entry(name: name, place: line.place))
      } else if !entries.isEmpty {
        let last = entries.count - 1
        if let file = value("in:") { entries[last].file = file }
        if let tests = value("tests:") { entries[last].tests = tests }
        if let text = value("-") { entries[last].old.append(text) }
        if let text = value("+") { entries[last].new.append(text) }
      }
    }
    return entries
  }

  /// Blanks and line ends are as good as any others, so that a line may be broken elsewhere.
  private static func words(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The files below a folder, by path.
  private static func files(in folder: String) throws -> [(path: String, text: String)] {
    let root = package.appending(path: folder)
    guard let walk = FileManager.default.enumerator(atPath: root.path) else { return [] }
    var files: [(path: String, text: String)] = []
    for case let path as String in walk where path.hasSuffix(".swift") {
      let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
      files.append(("\(folder)/\(path)", text))
    }
    return files
  }

  @Test("The text of every mutant is in its file exactly once, and what replaces it is another")
  func everyMutantApplies() throws {
    let sources = try Self.files(in: "Sources").map { (path: $0.path, text: Self.words($0.text)) }
    var wrong: [String] = []
    let entries = try Self.read()
    for entry in entries {
      let found = sources.filter { $0.path.hasSuffix("/" + entry.file) }
      let place = "\(entry.place): '\(entry.name)'"
      guard found.count == 1, !entry.text.isEmpty else {
        wrong.append("\(place): \(found.count) files are called '\(entry.file)'")
        continue
      }
      let count = found[0].text.ranges(of: entry.text).count
      if count != 1 { wrong.append("\(place): its text is \(count) times in \(found[0].path)") }
      if Self.words(entry.new.joined(separator: " ")) == entry.text {
        wrong.append("\(place): changes nothing")
      }
    }
    #expect(wrong == [])
    #expect(entries.count >= 100)
  }

  @Test("Every mutant has a name of its own, and tests that there are")
  func namesAndTests() throws {
    let tests = try Self.files(in: "Tests").map(\.text)
    let entries = try Self.read()
    #expect(Set(entries.map(\.name)).count == entries.count)
    let missing = entries.flatMap { entry in
      entry.tests.split { $0 == "|" || $0 == "/" }.map { (entry, String($0)) }
    }.filter { _, name in
      // A suite by its type, a target by its folder, or the words that a suite is called by.
      !tests.contains { $0.contains(name) }
        && !FileManager.default.fileExists(
          atPath: Self.package.appending(path: "Tests/\(name)").path)
    }
    #expect(missing.map { "\($0.0.place): no test is called '\($0.1)'" } == [])
  }

  @Test("The tests that do not count, as they compare pinned hashes, are there under these names")
  func hashes() throws {
    let line = try #require(Self.lines().first { $0.text.hasPrefix("hashes:") }).text
    let tests = try Self.files(in: "Tests/ChaosStoreTests").map(\.text)
    let missing = line.dropFirst("hashes:".count).split(separator: "|").flatMap {
      $0.split(separator: "/").map { $0.trimmingCharacters(in: .whitespaces) }
    }.filter { name in
      !tests.contains { $0.contains("struct \(name)") || $0.contains("func \(name)(") }
    }
    #expect(missing == [])
  }
}
