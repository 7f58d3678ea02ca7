import Foundation
import Invariants
import Testing

@Suite("A rule and the books it is lent")
struct BorrowedBooksTests {
  /// What a rule might try, a line each, and whether it compiles in another package.
  private static let attempts: [(code: String, isAllowed: Bool)] = [
    ("books.terms.within = 1", false),
    ("books.terms = Books.Terms()", false),
    ("books.now = .start", false),
    ("books.owed.production = 0", false),
    ("books.charges[0].credits = 0", false),
    ("books.charges[0] = books.charges[1]", false),
    ("books.charges.removeAll()", false),
    ("books.intents[0].charges = 0", false),
    ("books.enter(fact)", false),
    ("books.clear()", false),
    ("books.close(at: fact.at)", false),
    ("books.reserve(purchases: 1)", false),
    ("_ = books.terms.within", true),
    ("_ = books.owed.production + Int64(books.charges.count)", true),
    ("_ = books.charges[0].credits + books.intents[0].charges", true),
    ("_ = books.charge(behind: fact.transaction).isCharged", true),
    ("_ = books.firstBreak { charge, books in books.isOverdue(charge) }", true),
  ]

  @Test("A rule in any package can read its books, and a rule that writes to them does not compile")
  func readOnly() throws {
    let head = """
      import Invariants
      struct Greedy: Invariant {
        let name = "greedy", code = "X01", summary = "A rule.", meaning = "It is greedy."
        let listensTo: [Fact.Kind] = [.charged]
        func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool {

      """
    let body = Self.attempts.map { "    \($0.code)\n" }.joined()
    let errors = try compilerErrors(in: head + body + "    return false\n  }\n}\n")
    let first = head.split(separator: "\n").count + 1
    let refused = Self.attempts.indices.filter { errors.contains($0 + first) }
    #expect(refused == Self.attempts.indices.filter { !Self.attempts[$0].isAllowed })
    // Whatever else is wrong is wrong with the file.
    #expect(errors.count == refused.count)
  }

  @Test("Nothing in this module can be written to through a borrow, by a rule of its own either")
  func readOnlyWithin() throws {
    let folder = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Sources/Invariants")
    let files = try #require(FileManager.default.enumerator(atPath: folder.path))
    var (writers, owners, read) = ([String](), [String](), 0)
    for case let path as String in files where path.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      read += 1
      // Such a setter would let a borrower change what a pointer leads to.
      if text.contains("nonmutating") { writers.append(path) }
      let pointers = text.matches(of: #/(\w* ?)(let|var) \w+: UnsafeMutable/#)
      if pointers.contains(where: { !$0.output.1.hasSuffix("private ") }) { owners.append(path) }
    }
    #expect(writers == [])
    #expect(owners == [])
    #expect(read > 20)
  }

  @Test("A rule gives the same verdict alone as in the company of all others")
  func company() throws {
    for history in JudgeTests.histories {
      let together = history.judged(by: Catalogue.invariants).violations
      for (position, rule) in Catalogue.invariants.enumerated() {
        let alone = history.judged(by: [rule]).violations
        let same = together.filter { $0.rule == position }
        #expect(alone.map(\.fact) == same.map(\.fact), "\(rule.name)")
        #expect(alone.map(\.found) == same.map(\.found), "\(rule.name)")
        #expect(alone.map(\.at) == same.map(\.at), "\(rule.name)")
      }
    }
  }
}

// MARK: - Compiling

extension BorrowedBooksTests {
  /// The lines that the compiler refuses of a file in somebody else's package.
  private func compilerErrors(in source: String) throws -> Set<Int> {
    let modules = try #require(Self.modules, "found no module built beside these tests")
    let file = FileManager.default.temporaryDirectory
      .appending(path: "greedy-\(ProcessInfo.processInfo.processIdentifier)-\(UUID()).swift")
    try Data(source.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }

    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = [
      "swiftc", "-typecheck", "-swift-version", "6", "-package-name", "elsewhere", "-I",
      modules.path,
      file.path,
    ]
    let output = Pipe()
    compiler.standardError = output
    compiler.standardOutput = FileHandle.nullDevice
    try compiler.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    compiler.waitUntilExit()

    let places = text.matches(of: #/\.swift:(\d+):\d+: error: /#)
    let lines = Set(places.compactMap { Int($0.output.1) })
    #expect((compiler.terminationStatus == 0) == lines.isEmpty, "\(text)")
    return lines
  }

  /// The folder with the compiled modules, beside the tests that are running.
  private static var modules: URL? {
    for argument in CommandLine.arguments where argument.contains(".xctest") {
      var folder = URL(fileURLWithPath: argument)
      while folder.path.count > 1 {
        folder.deleteLastPathComponent()
        let modules = folder.appending(path: "Modules")
        let module = modules.appending(path: "Invariants.swiftmodule")
        if FileManager.default.fileExists(atPath: module.path) { return modules }
      }
    }
    return nil
  }
}
