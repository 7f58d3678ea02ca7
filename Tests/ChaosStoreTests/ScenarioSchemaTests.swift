import ChaosStore
import Foundation
import Invariants
import TestSupport
import Testing

@Suite("The schema of scenario files")
struct ScenarioSchemaTests {
  private static let path = "Docs/schemas/scenarios.schema.json"

  private static func schema() throws -> JSONSchema {
    try JSONSchema(ScenarioText.file(ofThePackage: path))
  }

  @Test(
    "The schema takes every scenario file of this package",
    arguments: [
      "scenarios.json", "Benchmarks/million.json", "Benchmarks/power.json",
      "Benchmarks/two-purchases.json", "Benchmarks/whole-store.json",
      "Examples/CoinShop/scenarios.json",
      "Examples/CoinShop/one-purchase.json", "Tests/Packages/OwnSystem/scenarios.json",
    ])
  func files(path: String) throws {
    let value = try JSONParser.parse(ScenarioText.file(ofThePackage: path))
    guard value["scenarios"] != nil else { return }
    #expect(try Self.schema().problem(in: value) == nil)
  }

  @Test("The schema takes whatever is written of a scenario")
  func written() throws {
    let schema = try Self.schema()
    var refused: [String] = []
    let scenarios = try ScenarioText.ofThePackage()
    for scenario in scenarios {
      if let problem = schema.problem(in: try JSONParser.parse(scenario.json)) {
        refused.append("\(scenario.name): \(problem)")
      }
    }
    #expect(refused == [])
    #expect(scenarios.count > 200)
  }

  // MARK: - Both refuse the same

  /// What the reader refuses and a schema cannot: the reason, and how the complaint reads.
  private struct Exception {
    var reason: String
    var pattern: String
    var regex: Regex<AnyRegexOutput>

    init(_ reason: String, _ pattern: String) {
      self.reason = reason
      self.pattern = pattern
      guard let regex = try? Regex(pattern) else { fatalError("'\(pattern)' is no pattern") }
      self.regex = regex
    }
  }

  private static func exceptions() -> [Exception] {
    [
      Exception(
        "worlds are named in the file",
        #"\.(world|extends): .* expected (one of |other|base|shop|no world)"#),
      Exception("topics are named in the file", #"\.topic: .* expected lost"#),
      Exception("systems belong to the executable", #"\.system: .* expected one of"#),
      Exception("variants belong to the system", #"\.variant: .* expected one of"#),
      Exception(
        "products are named in the file", #"\.(buy|buyOutside): "#),
      Exception(
        "an account is one of those there are", #"(account|logIn): .* expected (one of )?user1"#),
      Exception("a store account is one of those there are", #"expected (one of )?apple1"#),
      Exception(
        "a device is one of those there are, and named where there are several",
        "expected (one of )?phone1"),
      Exception("names are unique", "expected a name that no other product has"),
      Exception("names are unique", "expected a name that no other scenario has"),
      Exception("times are compared", "expected a time not (after|before)"),
      Exception("times are compared", "from heal to horizon"),
      Exception("times are compared", "needs [0-9]+ms to be judged"),
      Exception("counts are compared", "expected at most as many as the eventLimit"),
      Exception(
        "keys exclude each other where lists have certain elements",
        "expected no arrivals beside steps"),
      Exception("a text is a number with a limit", "expected a time from "),
      Exception("a text is a range with an order", "expected a range of milliseconds"),
      Exception("a range depends on its delay", "expected a range below "),
      Exception("a text is a ratio with a limit", "expected a ratio from 0 to 1"),
      Exception("questions belong to faults", #"\.at\[.* expected "#),
      Exception("a chance of 0 has several forms", "expected a chance above 0 where"),
      Exception(
        "an invariant and a fault have a name and a code", "expected each (invariant|fault) once"),
      Exception("lists are compared", "expected an invariant that is (judged here|not expected)"),
      Exception("goals have a grammar of their own", #"\.sometimes\[.*expected a kind of fact"#),
      Exception(
        "something happens in a scenario, here or in its world",
        "expected at least one step, or arrivals"),
      Exception("a file is there or not", #"\.storekit: .*expected the path of a .storekit file"#),
      Exception(
        "a world may have the one and a scenario the other",
        #"\.storekit: .*expected it only where there are no products \(in "#),
      Exception("environments are compared", "expected one environment for each store account"),
    ]
  }

  /// Files with every key, small enough that each place of them can be changed.
  private static let files: [String] = [
    // A world, a topic and a scenario that take over from each other.
    #"""
    {"version": 1,
     "worlds": {
       "base": {"accounts": 2, "storeAccounts": 2, "products": [{"name": "coins"}], "heal": "20s",
                "horizon": "1m", "steps": [{"at": 5, "device": "phone1", "buy": "coins"}]},
       "other": {"extends": "base", "devices": [{"storeAccount": "apple2", "account": "user2",
                 "environment": "sandbox"}]}},
     "topics": {"lost": {"code": "F41", "world": "other", "about": "It is lost.", "seeds": 5,
       "faults": {"response-lost": {"chance": "1/2", "most": 1}}, "sometimes": ["credited + F41"]}},
     "scenarios": [{"name": "s", "topic": "lost", "system": "two-variants", "retaps": 2}]}
    """#,
    // What happens.
    #"""
    {"version": 1, "scenarios": [{"name": "s", "system": "two-variants", "backend": "idempotent",
      "variant": "repaired", "devices": 2, "accounts": 2,
      "products": [{"name": "coins"}, {"name": "map", "kind": "non-consumable"}],
      "steps": [
        {"at": "5ms", "device": "phone1", "buy": "map", "quantity": 2, "account": "user2"},
        {"at": 6, "device": "phone2", "buyOutside": "coins"},
        {"at": 8, "device": "phone2", "logIn": "user1"}, {"at": 9, "device": "phone1", "do": "quit"}],
      "invariants": ["I01", "no-double-credit", "I03"], "expect": ["I01"], "allow": ["I02"]}]}
    """#,
    // Times, devices, delays and faults.
    #"""
    {"version": 1, "scenarios": [{"name": "s", "system": "two-variants", "about": "", "topic": "x",
      "devices": [{}, {"account": "user1"}], "storeAccounts": 1, "begins": "2026-11-22", "heal": 9,
      "arrivals": {"count": 3, "over": "2s"}, "horizon": "100s", "within": "10s",
      "reopenEvery": "never", "relaunches": false, "policy": "transfer-on-restore",
      "eventLimit": 500, "delays": {"delay verify.reply": "10..20", "delay store.charge": 80},
      "faults": {"mix": "default", "swarm": false, "F40": 1, "app-crash": "1/20",
        "server-error": {"chance": "1/9", "at": ["fail server.commit"]}}, "allow": "*"}]}
    """#,
    // A catalogue from Xcode, and one that is taken instead.
    #"""
    {"version": 1,
     "worlds": {"shop": {"storekit": "Shop.storekit", "steps": [{"at": 5, "buy": "map"}]},
       "other": {"products": [{"name": "coins"}], "horizon": "100s"}},
     "topics": {"lost": {"world": "shop", "retaps": 3}},
     "scenarios": [
       {"name": "s", "topic": "lost", "system": "two-variants", "faults": {"F40": "1/2"}},
       {"name": "t", "world": "other", "topic": "lost", "system": "two-variants",
        "steps": [{"at": 0, "buy": "coins"}]}]}
    """#,
  ]

  @Test(
    "The schema and the reader refuse the same files, but for what a schema cannot say",
    arguments: 0..<4)
  func mutated(index: Int) throws {
    let value = try JSONParser.parse(Self.files[index])
    #expect(ScenarioText.refusal(value.text) == nil)
    let schema = try Self.schema()
    let exceptions = Self.exceptions()
    let mutations = JSONMutation.all(of: value)
    var refused = 0
    for mutation in mutations {
      let problem = schema.problem(in: mutation.value)
      let refusal = ScenarioText.refusal(mutation.value.text)
      if refusal != nil { refused += 1 }
      if let problem, refusal == nil {
        Issue.record("\(mutation.description): only the schema refuses it: \(problem)")
      }
      if let refusal, problem == nil,
        !exceptions.contains(where: { refusal.contains($0.regex) })
      {
        Issue.record("\(mutation.description): only the reader refuses it: \(refusal)")
      }
    }
    #expect(mutations.count > 500)
    #expect(refused > 300)
    #expect(mutations.count - refused > 20)
  }

  @Test("A world, a topic and a scenario have products or a .storekit file, and not both")
  func catalogues() throws {
    let both = #""storekit": "Shop.storekit", "products": [{"name": "coins"}]"#
    let schema = try Self.schema()
    for text in [
      ScenarioText.file(both), ScenarioText.file("", worlds: #""w": {\#(both)}"#),
      ScenarioText.file("").replacing(#""worlds": {}"#, with: #""topics": {"t": {\#(both)}}"#),
    ] {
      #expect(schema.problem(in: try JSONParser.parse(text))?.contains("'not' is not met") == true)
      let one = text.replacing(#", "products": [{"name": "coins"}]"#, with: "")
      #expect(schema.problem(in: try JSONParser.parse(one)) == nil)
      #expect(ScenarioText.refusal(text)?.contains("only where there are no products") == true)
      #expect(ScenarioText.refusal(one) == nil)
    }
  }

  // MARK: - Names

  @Test("The schema names the faults, invariants and questions that there are (RECORD=1 renews it)")
  func names() throws {
    var schema = try ScenarioText.file(ofThePackage: Self.path)
    let sites = Question.allCases.filter { site in
      Fault.allCases.contains { $0.questions.contains(site) }
    }
    let delays = Question.allCases.filter { if case .delay = $0.shape { true } else { false } }
    let lists: [(String, [String])] = [
      ("fault", Fault.allCases.map(\.name) + Fault.allCases.map(\.code)),
      ("invariant", Catalogue.invariants.map(\.name) + Catalogue.invariants.map(\.code)),
      ("site", sites.map(\.name)), ("delay", delays.map(\.name)),
    ]
    for (name, list) in lists { schema = try SchemaText.replacing(name, by: list, in: schema) }
    try SchemaText.expect(schema, at: Self.path)
  }
}

/// Renews the lists of names in a schema.
enum SchemaText {
  /// The text with another list of names as the definition of this name.
  static func replacing(_ name: String, by list: [String], in text: String) throws -> String {
    let head = "    \"\(name)\": {\n      \"enum\": [\n"
    let start = try #require(text.range(of: head)).upperBound
    let end = try #require(text.range(of: "\n      ]", range: start..<text.endIndex)).lowerBound
    var lines = [""]
    for (index, name) in list.enumerated() {
      let quoted = "\"\(name)\"" + (index < list.count - 1 ? "," : "")
      if !lines[lines.count - 1].isEmpty, lines[lines.count - 1].count + quoted.count > 91 {
        lines.append("")
      }
      lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + quoted
    }
    return text.replacingCharacters(
      in: start..<end, with: lines.map { "        " + $0 }.joined(separator: "\n"))
  }

  /// The file says this; with RECORD=1 it is made to, and the test fails all the same.
  static func expect(_ text: String, at path: String) throws {
    let isSame = try ScenarioText.file(ofThePackage: path) == text
    if !isSame, ProcessInfo.processInfo.environment["RECORD"] != nil {
      let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      try text.write(to: root.appending(path: path), atomically: true, encoding: .utf8)
      Issue.record("recorded \(path); run again without RECORD")
      return
    }
    #expect(isSame, "RECORD=1 renews the names in \(path)")
  }
}
