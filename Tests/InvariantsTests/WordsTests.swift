import Foundation
import Testing

@Suite("Docs/WORDS.md")
struct WordsTests {
  /// Words that only we knew. What they stood for has a word in WORDS.md; a word that leaves the
  /// sources next is added here, and nowhere else.
  private static let retired = [
    "Examiner", "Exhibit", "Harm", "Ink", "Keeper", "Remainder", "Sitting", "Steering",
    "Surroundings",
    "Witness",
    "ears", "how-many-th",
  ]

  @Test("Every word in Docs/WORDS.md is explained once, in one sentence")
  func sentences() throws {
    let rows = try Self.rows
    #expect(rows.count > 60)
    #expect(Set(rows.map(\.word)).count == rows.count)
    for row in rows {
      #expect(row.meaning.hasSuffix("."), "\(row.word)")
      #expect(
        row.meaning.first?.isUppercase == true || row.meaning.first?.isNumber == true, "\(row.word)"
      )
      #expect(!row.meaning.dropLast().contains(". "), "\(row.word)")
      #expect(row.word == row.word.lowercased(), "\(row.word)")
    }
  }

  @Test(
    "The words that a reader must know are in Docs/WORDS.md",
    arguments: [
      "app", "backend", "campaign", "certificate", "cluster", "decision", "device", "event", "fact",
      "fault", "goal", "heal", "history", "horizon", "invariant", "life", "mix", "model",
      "occurrence",
      "plan", "port", "question", "run", "scenario", "seed", "site", "step", "strike", "subject",
      "swarm", "system", "topic", "trace hash", "vacuous", "violation", "world",
    ])
  func present(word: String) throws {
    #expect(try Self.rows.contains { $0.word == word })
  }

  @Test("No word that was given up stands in the sources or in the documents", arguments: retired)
  func givenUp(word: String) throws {
    let regex = try Regex("\\b\(word)\\b")
    var found: [String] = []
    var read = 0
    for file in try Self.texts {
      read += 1
      let lines = try String(contentsOf: file, encoding: .utf8).split(
        separator: "\n", omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated() where line.contains(regex) {
        found.append("\(file.lastPathComponent):\(index + 1): \(line)")
      }
    }
    #expect(found == [])
    #expect(read > 100)
  }
}

// MARK: - Reading

extension WordsTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static var rows: [(word: String, meaning: String)] {
    get throws {
      let text = try String(contentsOf: root.appending(path: "Docs/WORDS.md"), encoding: .utf8)
      return text.split(separator: "\n").compactMap { line in
        let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        guard line.hasPrefix("|"), cells.count == 2, cells[0] != "word", cells[0].first != "-"
        else {
          return nil
        }
        return (cells[0], cells[1])
      }
    }
  }

  /// The sources, and the documents in the root and in Docs.
  private static var texts: [URL] {
    get throws {
      let files = FileManager.default
      let sources = try #require(files.enumerator(atPath: root.appending(path: "Sources").path))
      let paths =
        sources.compactMap { $0 as? String }.map { "Sources/\($0)" }
        + (try files.contentsOfDirectory(atPath: root.path))
        + (try files.contentsOfDirectory(atPath: root.appending(path: "Docs").path)).map {
          "Docs/\($0)"
        }
      return paths.filter { $0.hasSuffix(".swift") || $0.hasSuffix(".md") }
        .map { root.appending(path: $0) }
    }
  }
}
