import ChaosStore
import Foundation
import Testing

@testable import ChaosRunner

@Suite("Two results side by side")
struct CompareTests {
  /// What `--format json` prints of the bench after a change.
  private static func result(_ change: (inout Bench) -> Void = { _ in }, _ arguments: [String] = [])
    -> String
  {
    var bench = Bench()
    change(&bench)
    return bench.run(["--format", "json"] + arguments).out
  }

  private static func compare(_ before: String, _ after: String, _ arguments: [String] = [])
    -> Bench.Output
  {
    var bench = Bench()
    bench.files["a.json"] = before
    bench.files["b.json"] = after
    return bench.run(["compare", "a.json", "b.json"] + arguments)
  }

  private static let usual = result()

  /// The bench with a scenario that breaks what it was not to break.
  private static let red = result { bench in
    bench.scenarios[2].expects = ["finish-only-after-credit"]
  }

  @Test("The same result is no worse than itself")
  func same() {
    let output = Self.compare(Self.usual, Self.usual)
    #expect(output.code == 0)
    #expect(
      output.out == "No worse: findings: 0 new, 0 still there, 0 resolved; no power lost\n")
  }

  @Test("A finding is new, still there or resolved, as it is in the one, in both or in the other")
  func findings() {
    let new = Self.compare(Self.usual, Self.red)
    #expect(new.code == 1)
    #expect(
      new.out.contains("New: these broke, and did not before\n  hasty-lost-idempotent: no-charge"))
    #expect(new.out.contains("--scenario hasty-lost-idempotent --"))
    let still = Self.compare(Self.red, Self.red)
    #expect(still.code == 0)
    #expect(still.out.contains("Still there\n  hasty-lost-idempotent: no-charge-without-delivery"))
    let resolved = Self.compare(Self.red, Self.usual)
    #expect(resolved.code == 0)
    #expect(
      resolved.out.contains("Resolved: these broke before\n  hasty-lost-idempotent: no-charge"))
  }

  @Test("What the later result does not show any more is lost power")
  func losses() {
    let gone = Self.compare(Self.usual, Self.result { $0.scenarios.removeLast() })
    #expect(gone.code == 1)
    #expect(gone.out.contains("sound-replay: it is not there any more"))
    let fewer = Self.compare(Self.usual, Self.result({ _ in }, ["--seeds", "30"]))
    #expect(fewer.code == 1)
    #expect(fewer.onOneLine.contains("sound-replay: it had 43 runs, and has 33"))
    let calm = Self.result { bench in
      bench.scenarios[0].setup.mix.entries = [:]
      bench.scenarios[0].expects = []
    }
    let unseen = Self.compare(Self.usual, calm)
    #expect(unseen.code == 1)
    #expect(unseen.onOneLine.contains("hasty-lost: request-lost never strikes any more; it struck"))
    #expect(
      unseen.onOneLine.contains("no-charge-without-delivery is to break, or may; it broke in"))
    let added = Self.compare(Self.result { $0.scenarios.removeLast() }, Self.usual)
    #expect(added.code == 0)
    #expect(added.out.contains("Scenarios that are new: sound-replay"))
  }

  @Test("Goals, invariants, proofs and verdicts that are lost are named")
  func otherLosses() throws {
    func change(_ text: String, _ change: (inout [String: Any]) -> Void) throws -> String {
      var root = try #require(
        JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      var scenarios = try #require(root["scenarios"] as? [[String: Any]])
      change(&scenarios[0])
      root["scenarios"] = scenarios
      return String(decoding: try JSONSerialization.data(withJSONObject: root), as: UTF8.self)
    }
    func search(_ name: String, _ value: Any) throws -> String {
      try change(Self.usual) { scenario in
        var search = scenario["search"] as? [String: Any] ?? [:]
        search[name] = value
        scenario["search"] = search
      }
    }
    func lost(_ before: String, _ after: String) -> String { Self.compare(before, after).onOneLine }
    #expect(
      try lost(search("goals", ["credited": 4]), search("goals", ["credited": 0]))
        .contains("hasty-lost: no run reaches 'credited' any more; 4 did"))
    #expect(
      try lost(Self.usual, search("judged", [String: Int]()))
        .contains("hasty-lost: no-double-credit has nothing to judge any more"))
    #expect(
      try lost(Self.usual, search("provenSize", 0))
        .contains("every plan of 1 decisions was run; now that is so up to 0"))
    #expect(
      try lost(Self.usual, change(Self.usual) { $0["verdict"] = "no-verdict" })
        .contains("its verdict was as-expected, and is no-verdict"))
  }

  @Test("A kept run that is not as recorded any more is a finding")
  func kept() throws {
    let text = try Kept.text()
    let holds = try Kept.text { $0.expectation = .holds }
    let before = Self.result { $0.files["regressions/a.json"] = text }
    let after = Self.result { $0.files["regressions/a.json"] = holds }
    let output = Self.compare(before, after)
    #expect(output.code == 1)
    #expect(output.out.contains("regressions/a.json: not as recorded"))
  }

  @Test("For machines it is one object")
  func json() throws {
    let output = Self.compare(Self.usual, Self.red, ["--format", "json"])
    #expect(output.code == 1)
    let root = try #require(
      JSONSerialization.jsonObject(with: Data(output.out.utf8)) as? [String: Any])
    #expect(root["isNoWorse"] as? Bool == false)
    let new = try #require(root["new"] as? [[String: Any]])
    #expect(new.first?["scenario"] as? String == "hasty-lost-idempotent")
    #expect(
      Set(root.keys) == [
        "version", "isNoWorse", "new", "still", "resolved", "lostPower", "newScenarios",
      ])
  }

  @Test("What cannot be compared is refused")
  func refusals() {
    for (text, message) in [
      ("", "b.json: found no JSON that can be read"),
      ("{}", "b.json: found no 'version' in the object"),
      (
        "{\"version\": \"1\", \"verdict\": \"x\", \"scenarios\": [{}]}",
        "found no 'name' in 'scenarios[0]'"
      ),
      (
        "{\"version\": \"1\", \"verdict\": \"x\", \"scenarios\": 5}",
        "'scenarios', expected an array"
      ),
    ] {
      let output = Self.compare(Self.usual, text)
      #expect(output.code == 2)
      #expect(output.err.contains(message), "\(output.err)")
      #expect(output.err.contains("expected what 'run --format json' or --report writes"))
    }
    #expect(Bench().run("compare", "x.json", "y.json").code == 2)
    #expect(Bench().run("compare", "x.json").code == 64)
    #expect(Bench().run("compare", "a", "b", "c").code == 64)
    #expect(Bench().run("compare", "a", "b", "--format", "junit").code == 64)
  }
}
