import Foundation
import Invariants
import TestSupport
import Testing

@testable import ChaosStore

@Suite("The documents about files and variables")
struct ScenarioDocumentTests {
  private static func document(_ name: String) throws -> String {
    try ScenarioText.file(ofThePackage: "Docs/\(name).md")
  }

  private static func examples(_ name: String) throws -> [MarkdownExample] {
    MarkdownExample.all(in: try document(name))
  }

  /// The complaint about a text, as the terminal would show it; nil where there is none.
  private static func complaint(_ read: () throws -> Void) -> String? {
    do {
      try read()
      return nil
    } catch { return "\(error)" }
  }

  // MARK: - SCENARIOS.md

  /// A whole file of what an example shows; nil where it is no example of a scenario.
  private static func file(of example: MarkdownExample) -> String? {
    let rest = #""name": "s", "system": "exactly-once", "backend": "idempotent""#
    let steps = #""steps": [{"at": "1s", "device": "phone1", "buy": "coins"}]"#
    switch example.kind {
    case "json file": return example.text
    case "json refused": return #"{"version": 1, "scenarios": [\#(example.text)]}"#
    case "json keys":
      let keys = example.text.dropFirst(example.text.hasPrefix("{") ? 1 : 0)
      let happening = example.text.contains(#""steps""#) ? "" : ", \(steps)"
      return #"{"version": 1, "scenarios": [{\#(rest)\#(happening), \#(keys)]}"#
    default: return nil
    }
  }

  @Test("SCENARIOS.md shows scenarios that are read and run, and refusals as they come")
  func scenarios() throws {
    let examples = try Self.examples("SCENARIOS")
    var read = 0
    for (index, example) in examples.enumerated() {
      guard let file = Self.file(of: example) else {
        #expect(["text"].contains(example.kind), "line \(example.line)")
        continue
      }
      let complaint = Self.complaint {
        let scenarios = try ScenarioFile.scenarios(fromJSON: file, systems: BuiltIn.systems) {
          $0 == "Shop.storekit" ? StoreKitSample.file() : nil
        }
        for scenario in scenarios {
          #expect(!Simulation(scenario).run(seed: 1).isCutOff)
        }
      }
      if example.kind == "json refused" {
        #expect(complaint.map { $0 + "\n" } == examples[index + 1].text, "line \(example.line)")
      } else {
        #expect(complaint == nil, "line \(example.line)")
      }
      read += 1
    }
    #expect(read >= 8)
  }

  @Test("SCENARIOS.md has every key that the schema has, every kind of fact and every delay")
  func keys() throws {
    let document = try Self.document("SCENARIOS")
    let schema = try JSONParser.parse(
      ScenarioText.file(ofThePackage: "Docs/schemas/scenarios.schema.json"))
    var keys = (schema["properties"]?.members ?? []).map(\.key)
    for name in ["world", "topic", "scenario", "device", "product", "arrivals"] {
      let properties = try #require(schema["$defs"]?[name]?["properties"]?.members)
      keys += properties.map(\.key)
    }
    #expect(keys.count > 40)
    let delays = Question.allCases.filter { if case .delay = $0.shape { true } else { false } }
    let told = keys + Fact.Kind.allCases.map { "\($0)" } + delays.map(\.name)
    let missing = told.filter { !document.contains("`\($0)`") && !document.contains("\"\($0)\"") }
    #expect(missing == [])
  }

  @Test("SCENARIOS.md gives the limits that are kept")
  func limits() throws {
    let document = try Self.document("SCENARIOS")
    let limits = [
      Limits.accounts.upperBound, Limits.seeds.upperBound, Limits.events.upperBound,
      Limits.arrivals.upperBound, Limits.goals.upperBound, Limits.strikes.upperBound,
      Limits.entriesOfFile, Int(Limits.longest),
    ]
    #expect(limits.map(\.grouped).filter { !document.contains($0) } == [])
    #expect(document.contains("at most \(JSONParser.deepest) deep"))
    #expect(document.contains("up to \(Limits.hurriedSteps) where"))
    #expect(document.contains("0 to \(Limits.retaps.upperBound)"))
    #expect(document.contains("1 to \(Limits.quantity.upperBound)"))
    let usual = Setup()
    #expect(document.contains("`\(usual.healMillis / 1000)s`"))
    #expect(document.contains("`\(usual.horizonMillis / 1000)s`"))
    #expect(document.contains("| \(usual.eventLimit) |"))
  }

  // MARK: - PLANS.md

  @Test("PLANS.md shows plans that are read and written the same, and refusals as they come")
  func plans() throws {
    let examples = try Self.examples("PLANS")
    var read = 0
    for (index, example) in examples.enumerated() {
      switch example.kind {
      case "plan":
        let plan = try Plan(parsing: example.text)
        #expect(try Plan(parsing: plan.description) == plan, "line \(example.line)")
        #expect(plan.size > 0)
      case "plan refused":
        let complaint = Self.complaint { _ = try Plan(parsing: example.text) }
        #expect(complaint.map { $0 + "\n" } == examples[index + 1].text, "line \(example.line)")
      case "json plan": #expect(try Plan(json: example.text).size == 3)
      case "json planfile": #expect(try PlanFile(json: example.text).json == example.text)
      default:
        #expect(["text", "ebnf"].contains(example.kind), "line \(example.line)")
        continue
      }
      read += 1
    }
    #expect(read >= 6)
  }

  @Test("PLANS.md names the verbs that there are, and the keys of a plan file")
  func verbs() throws {
    let document = try Self.document("PLANS")
    let start = try #require(document.range(of: "The verbs are")).upperBound
    let end = try #require(document.range(of: ".\n", range: start..<document.endIndex)).lowerBound
    let told = document[start..<end].split { !$0.isLetter }.map(String.init).filter { $0 != "and" }
    let verbs = Set(Question.allCases.map { String($0.name.prefix { $0 != " " }) })
    #expect(told == verbs.sorted())
    let schema = try JSONParser.parse(
      ScenarioText.file(ofThePackage: "Docs/schemas/plan.schema.json"))
    let keys = try #require(schema["properties"]?.members?.map(\.key))
    #expect(keys.filter { !document.contains("| `\($0)` |") } == [])
  }

  @Test("PLANS.md's grammar has the bounds that are kept: each is read, and the next is not")
  func bounds() throws {
    let question = "drop verify.reply "
    for subject in [
      "tx1", "tx2147483647", "tx1/a15", "tx1/2", "tx1/256", "tx1/r4095", "tx1/a1/2/r1", "phone1",
      "step2147483647", "attacker", "attacker/256", "tx1 #1000000000",
    ] {
      #expect(throws: Never.self) { try Decision(parsing: question + subject) }
    }
    for subject in [
      "tx0", "tx01", "tx2147483648", "tx1/a16", "tx1/1", "tx1/257", "tx1/r4096", "tx1/r0",
      "tx1/2/a1", "phone1/2", "attacker/1", "attacker/257", "tx1 #0", "tx1 #1000000001",
    ] {
      #expect(throws: PlanError.self, "\(subject)") { try Decision(parsing: question + subject) }
    }
    #expect(throws: Never.self) { try Decision(parsing: "delay verify.reply tx1 = 86400000") }
    #expect(throws: PlanError.self) { try Decision(parsing: "delay verify.reply tx1 = 86400001") }
  }

  // MARK: - ENVIRONMENT.md

  @Test("ENVIRONMENT.md shows lines for property tests that are understood, and has every variable")
  func environment() throws {
    let document = try Self.document("ENVIRONMENT")
    var understood = 0
    for example in try Self.examples("ENVIRONMENT") where example.text.contains("swift test") {
      for line in example.text.split(separator: "\n") {
        let words = ShellWords.words(of: String(line))
        let command = try #require(words.firstIndex(of: "swift"))
        var environment: [String: String] = [:]
        for word in words[..<command] {
          let sides = word.split(separator: "=", maxSplits: 1).map(String.init)
          environment[sides[0]] = sides[1]
        }
        #expect(try CheckEnvironment(environment) != CheckEnvironment(), "\(line)")
        understood += 1
      }
    }
    #expect(understood == 5)
    #expect(
      CheckEnvironment.Variable.allCases.filter { !document.contains("| `\($0.rawValue)` |") } == []
    )
  }
}
