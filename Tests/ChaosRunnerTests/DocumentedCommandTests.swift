import ChaosStore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ChaosRunner

@Suite("The lines of the documents")
struct DocumentedCommandTests {
  @Test("Every chaos-runner line of ENVIRONMENT.md, SCENARIOS.md and PLANS.md runs as it stands")
  func lines() throws {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    var run = 0
    for name in ["ENVIRONMENT", "SCENARIOS", "PLANS"] {
      let document = try String(
        contentsOf: root.appending(path: "Docs/\(name).md"), encoding: .utf8)
      for example in MarkdownExample.all(in: document) where example.kind == "sh" {
        for line in example.text.split(separator: "\n") where line.contains("chaos-runner") {
          try check(String(line))
          run += 1
        }
      }
    }
    #expect(run == 2)
  }

  private func check(_ line: String) throws {
    let words = ShellWords.words(of: line)
    let program = try #require(words.firstIndex(of: "chaos-runner"))
    let columns = words[..<program].first { $0.hasPrefix("COLUMNS=") }
    let width = try #require(columns.flatMap { Int($0.dropFirst("COLUMNS=".count)) })
    let out = Mutex("")
    let err = Mutex("")
    let console = Console(
      out: { text in out.withLock { $0 += text } }, err: { text in err.withLock { $0 += text } },
      width: width)
    let code = Runner.run(
      arguments: Array(words[(program + 1)...]),
      in: RunnerEnvironment(systems: BuiltIn.systems), on: console)
    #expect(code == 0, "\(line): \(err.withLock { $0 })")
    let lines = out.withLock { $0 }.split(separator: "\n")
    #expect(!lines.isEmpty)
    #expect(lines.filter { $0.count > width } == [], "\(line)")
  }
}
