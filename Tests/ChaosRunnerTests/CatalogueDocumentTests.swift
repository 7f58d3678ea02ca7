import ChaosStore
import Foundation
import Invariants
import Testing

@testable import ChaosRunner

@Suite("The catalogue")
struct CatalogueDocumentTests {
  /// Known and not built. Whoever builds one takes it out of here, and says in its row which fault it is.
  private static let notBuilt: [String] = []

  /// A row of a table of `Docs/CATALOGUE.md`.
  private struct Row {
    var code: String
    var about: String
    var how: String
    var evidence: String

    /// What stands between backquotes in the column that says how.
    var names: [String] {
      how.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
  }

  private static func rows() throws -> [Row] {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: root.appending(path: "Docs/CATALOGUE.md"), encoding: .utf8)
      .split(separator: "\n").filter { $0.hasPrefix("| F") || $0.hasPrefix("| I") }
      .map { line in
        let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        try #require(cells.count == 5, "\(line)")
        return Row(code: cells[0], about: cells[1], how: cells[3], evidence: cells[4])
      }
  }

  /// Every code that there is, beside those of ordinary use.
  private static var codes: [String] {
    Fault.allCases.filter { !$0.isUse }.map(\.code) + Catalogue.invariants.map(\.code)
      + SpokenCode.all.map(\.code)
  }

  @Test("The document has a row for every code, in their order, and none for any other")
  func sameCodes() throws {
    let written = try Self.rows().map(\.code)
    #expect(written == written.sorted())
    #expect(written == (Self.codes + Self.notBuilt).sorted())
  }

  @Test("Each row says more than a code: what happens, and where that was seen")
  func full() throws {
    for row in try Self.rows() {
      #expect(row.about.hasSuffix("."), "\(row.code)")
      #expect(row.evidence.count > 5, "\(row.code)")
    }
  }

  @Test("Each row names the fault, the invariant, the step or the command that its code stands for")
  func names() throws {
    for row in try Self.rows() {
      let first = row.names.first ?? ""
      if row.how == "a fault will come" {
        #expect(Self.notBuilt.contains(row.code))
      } else if row.how.hasPrefix("fault ") {
        #expect(Fault(named: first)?.code == row.code, "\(row.code)")
      } else if row.how.hasPrefix("invariant ") {
        #expect(Catalogue.invariant(named: first)?.code == row.code, "\(row.code)")
      } else {
        let ways = try #require(SpokenCode.named(row.code), "\(row.code): \(row.how)").ways
        #expect(ways.map(\.name) == Array(row.names.prefix(ways.count)), "\(row.code)")
      }
    }
  }

  @Test("What is not built is no fault, no invariant, and nothing that a scenario says")
  func notBuiltYet() throws {
    for code in Self.notBuilt {
      #expect(Fault(named: code) == nil, "\(code) is built: say so in its row")
      #expect(!Self.codes.contains(code))
    }
    let coming = try Self.rows().filter { $0.how == "a fault will come" }.map(\.code)
    #expect(coming == Self.notBuilt)
  }

  @Test("A fault that is said to be named alone, or to need a whole store, is and does")
  func remarks() throws {
    for row in try Self.rows() {
      guard let fault = Fault(named: row.code) else { continue }
      #expect(row.how.contains("named alone") == fault.isNamedAlone, "\(row.code)")
      #expect(row.how.contains("hosted apps") == fault.needsHostedApp, "\(row.code)")
      #expect(
        row.how.contains("whole store") == (fault.needsWholeStore && !fault.needsSubscription),
        "\(row.code)")
      #expect(row.how.contains("subscription is sold") == fault.needsSubscription, "\(row.code)")
    }
  }

  @Test("Each system and variant that is named as weak is one of those that come with ChaosStore")
  func weaknesses() throws {
    var seen = 0
    for row in try Self.rows() {
      for name in row.names.dropFirst() where row.how.hasPrefix("fault ") && name != "naive" {
        let words = name.split(separator: "/").map(String.init)
        let system = try #require(
          BuiltIn.systems.first { $0.entry.name == words[0] }, "\(row.code): \(name)")
        #expect(words.count == 1 || system.variants.contains(words[1]), "\(row.code): \(name)")
        seen += 1
      }
    }
    #expect(seen >= 8)
  }

  @Test("What a scenario says itself is a key of a step, or a command, and no other code's")
  func spoken() throws {
    #expect(SpokenCode.all.map(\.code) == ["F20", "F21", "I25"])
    for code in SpokenCode.all {
      #expect(Fault(named: code.code) == nil && Catalogue.invariant(named: code.code) == nil)
      #expect(!code.short.isEmpty && code.about.hasSuffix(".") && !code.evidence.isEmpty)
      for way in code.ways {
        switch way {
        case .step(let key): #expect(Self.takes(key), "\(key)")
        case .command(let name): #expect(Bench().run("help", name).code == 0, "\(name)")
        }
      }
    }
  }

  /// Whether a step of a scenario file takes a key.
  private static func takes(_ key: String) -> Bool {
    let step = key.hasPrefix("buy") ? "\"\(key)\": \"coins\"" : "\"buy\": \"coins\", \"\(key)\": 2"
    let text = """
      {"version": 1, "scenarios": [{"name": "s", "system": "exactly-once", "backend": "idempotent",
        "horizon": "270s", "steps": [{"at": "1s", \(step)}]}]}
      """
    return (try? ScenarioFile.scenarios(fromJSON: text, systems: BuiltIn.systems)) != nil
  }

  @Test("'list' shows every code of the document that is built, and 'explain' knows each")
  func listed() throws {
    let text = Bench().run("list", "faults").out + Bench().run("list", "invariants").out
    let listed = text.split(separator: "\n").compactMap { line in
      line.first == " " ? nil : line.split(separator: " ").first.map(String.init)
    }
    let written = try Self.rows().map(\.code).filter { !Self.notBuilt.contains($0) }
    #expect(listed.filter { !$0.hasPrefix("U") } == written)
    for code in written { #expect(Bench().run("explain", code).code == 0, "\(code)") }
    #expect(Bench().run("explain", "f21").out.contains("  - step buyOutside"))
  }
}
