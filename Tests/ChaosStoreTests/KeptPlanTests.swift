import Foundation
import Testing

@testable import ChaosStore

@Suite("A plan that is kept beside a test")
struct KeptPlanTests {
  /// A test's source file, in a folder of its own.
  private final class Bench {
    let folder = FileManager.default.temporaryDirectory.appending(path: "kept-\(UUID())")
    var source: String { folder.appending(path: "ShopTests.swift").path }
    var kept: URL { folder.appending(path: "ShopTests.regressions") }

    init(_ text: String = "@Test func sellsOnce() throws {}") throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try text.write(toFile: source, atomically: true, encoding: .utf8)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The names of the files that are kept.
    var files: [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: kept.path))?.sorted() ?? []
    }

    @discardableResult
    func check(
      _ scenario: Scenario, _ environment: [String: String] = [:], saves: Bool = false,
      function: String = "sellsOnce()"
    ) throws -> Findings {
      let place = TestPlace(
        filePath: source, fileID: "ShopTests/ShopTests.swift", function: function, line: 1)
      return try Check(
        scenario, seeds: 0..<200, environment: CheckEnvironment(environment), place: place,
        saves: saves
      ).run()
    }

    func failure(
      _ scenario: Scenario, _ environment: [String: String] = [:], saves: Bool = false
    ) throws -> PropertyFailure {
      try #require(
        #expect(throws: PropertyFailure.self) {
          try check(scenario, environment, saves: saves)
        })
    }

    func error(_ scenario: Scenario) throws -> PropertyError {
      try #require(#expect(throws: PropertyError.self) { try check(scenario) })
    }
  }

  private func forgetful() throws -> Scenario {
    try PropertyTest.scenario(for: ForgetfulShop.self, faults: [.responseLost])
  }

  private func mended() throws -> Scenario {
    try PropertyTest.scenario(for: MendedShop.self, faults: [.responseLost])
  }

  @Test("A failing plan is kept beside its test when asked for, and not otherwise")
  func saved() throws {
    let bench = try Bench()
    #expect(try bench.failure(forgetful()).file == nil)
    #expect(bench.files == [])
    let failure = try bench.failure(forgetful(), saves: true)
    let name = try #require(bench.files.first)
    #expect(bench.files.count == 1)
    #expect(
      name.wholeMatch(of: /sellsOnce\.forgetful-shop\.no-double-credit\.[0-9a-f]{8}\.json/) != nil)
    #expect(failure.file == "ShopTests.regressions/\(name)")
    #expect(
      "\(failure)".hasSuffix(
        "\n\nKept in ShopTests.regressions/\(name), which every run replays first."))
    let file = try PlanFile(
      json: String(contentsOf: bench.kept.appending(path: name), encoding: .utf8))
    #expect(file.plan == failure.plan)
    #expect(file.seed == nil)
    #expect(Replay(file, among: [try forgetful()]).standing == .sameHistory)
  }

  @Test("A failing plan is kept where CHAOS_SAVE=1 says so, of one run as well")
  func savedByVariable() throws {
    let bench = try Bench()
    _ = try bench.failure(
      forgetful(), ["CHAOS_SAVE": "1", "CHAOS_PLAN": "drop verify.reply tx1 #1"])
    #expect(bench.files.count == 1)
  }

  @Test("A kept plan is replayed first, and the failure names its file")
  func replayed() throws {
    let bench = try Bench()
    let first = try bench.failure(forgetful(), saves: true)
    let again = try bench.failure(forgetful())
    #expect(again.file == first.file)
    #expect(again.plan == first.plan)
    let path = try #require(first.file)
    #expect(
      "\(again)".hasPrefix(
        "forgetful-shop: no-double-credit (I02) still breaks under the plan kept in \(path) ("))
    #expect("\(again)".hasSuffix("Delete \(path) to go on without it."))
  }

  @Test("A kept plan is not replayed where one run is asked for")
  func single() throws {
    let bench = try Bench()
    _ = try bench.failure(forgetful(), saves: true)
    #expect(try bench.check(forgetful(), ["CHAOS_PLAN": "[]"]).runs == 1)
  }

  @Test("A kept plan passes once the system is mended, and what it broke may be allowed")
  func mendedSystem() throws {
    let bench = try Bench()
    _ = try bench.failure(forgetful(), saves: true)
    #expect(try bench.check(mended()).randomRuns == 200)
    var lenient = try forgetful()
    lenient.allows = ["no-double-credit", "right-account", "conservation"]
    try bench.check(lenient)
  }

  @Test("A kept plan is stale, with the reason and the remedy, where its scenario has changed")
  func stale() throws {
    let bench = try Bench()
    _ = try bench.failure(forgetful(), saves: true)
    var scenario = try mended()
    scenario.setup.horizonMillis += 1000
    let error = try bench.error(scenario)
    #expect(error.kind == .stale)
    let name = try #require(bench.files.first)
    #expect("\(error)".hasPrefix("stale: ShopTests.regressions/\(name): the scenario has changed"))
    #expect("\(error)".contains("\n  Its plan is: drop verify.reply tx1 #1"))
    #expect("\(error)".contains("Delete the file; if the failure is still there, CHAOS_SAVE=1"))
  }

  @Test("A kept plan is replayed under a new name of its scenario, by the test it belongs to")
  func renamedScenario() throws {
    let bench = try Bench("func sellsOnce() {}; func `sells another`() {}")
    _ = try bench.failure(forgetful(), saves: true)
    var renamed = try forgetful()
    renamed.name = "corner-shop"
    #expect(try bench.failure(renamed).file != nil)
    let place = TestPlace(
      filePath: bench.source, fileID: "ShopTests/ShopTests.swift", function: "sells another()",
      line: 1)
    #expect(try KeptPlans(place: place).entries(for: forgetful()).isEmpty)
  }

  @Test("A kept plan is stale where the test is gone that would replay it")
  func orphan() throws {
    let bench = try Bench("func sellsOnce() {}; func `sells twice`() {}")
    _ = try bench.failure(forgetful(), saves: true)
    let name = try #require(bench.files.first)
    for (function, isFound) in [("sells-twice", true), ("sellsNever", false)] {
      let moved = bench.kept.appending(path: name.replacing("sellsOnce", with: function))
      try FileManager.default.moveItem(at: bench.kept.appending(path: bench.files[0]), to: moved)
      if isFound {
        try bench.check(mended())
      } else {
        let error = try bench.error(mended())
        #expect(error.kind == .stale)
        #expect(
          "\(error)".contains("belongs to a test 'sellsNever', and ShopTests.swift has no such"))
      }
    }
  }

  @Test("A kept file that is no plan file is named, with what is wrong with it")
  func unreadable() throws {
    let bench = try Bench()
    try FileManager.default.createDirectory(at: bench.kept, withIntermediateDirectories: true)
    try "{\"version\": 1}".write(
      to: bench.kept.appending(path: "sellsOnce.mine.json"), atomically: true, encoding: .utf8)
    let error = try bench.error(mended())
    #expect(error.kind == .noVerdict)
    #expect("\(error)".contains("ShopTests.regressions/sellsOnce.mine.json: "), "\(error)")
  }

  @Test("A kept plan may say that nothing breaks, and then nothing may")
  func holds() throws {
    let bench = try Bench()
    let plan = try Plan(parsing: "drop verify.reply tx1 #1")
    let file = PlanFile(recording: try mended(), Origin(plan: plan), expecting: .holds)
    try FileManager.default.createDirectory(at: bench.kept, withIntermediateDirectories: true)
    try file.json.write(
      to: bench.kept.appending(path: "sellsOnce.\(file.fileName)"), atomically: true,
      encoding: .utf8)
    try bench.check(mended())
    let failure = try bench.failure(forgetful())
    #expect("\(failure)".contains("no-double-credit (I02) breaks under the plan kept in "))
  }

  @Test("A failure whose plan cannot be written is told all the same, and why it was not kept")
  func unwritable() throws {
    let bench = try Bench()
    try "a file where the folder belongs".write(to: bench.kept, atomically: true, encoding: .utf8)
    // What stands there can be listed no more than it can be written into.
    let place = TestPlace(
      filePath: bench.source, fileID: "ShopTests/ShopTests.swift", function: "sellsOnce()", line: 1)
    let check = Check(
      try forgetful(), seeds: 0..<200,
      environment: try CheckEnvironment(["CHAOS_PLAN": "drop verify.reply tx1 #1"]), place: place,
      saves: true)
    let failure = try #require(#expect(throws: PropertyFailure.self) { try check.run() })
    #expect(failure.file == nil)
    #expect("\(failure)".contains("\n\nThe plan could not be kept in \(bench.kept.path): "))
  }

  /// Puts a text into the folder of what is kept.
  private func keep(_ text: String, as name: String, in bench: Bench) throws {
    try FileManager.default.createDirectory(at: bench.kept, withIntermediateDirectories: true)
    try text.write(to: bench.kept.appending(path: name), atomically: true, encoding: .utf8)
  }

  private func file(
    of scenario: Scenario, breaking rule: String = "no-double-credit"
  ) throws -> PlanFile {
    PlanFile(
      recording: scenario, Origin(plan: try Plan(parsing: "drop verify.reply tx1 #1")),
      expecting: .violates(rule))
  }

  @Test("A kept plan of another scenario of the same test is left alone")
  func otherScenario() throws {
    let bench = try Bench()
    var other = try forgetful()
    other.name = "other-shop"
    other.setup.horizonMillis += 1000
    try keep(file(of: other).json, as: "sellsOnce.other.json", in: bench)
    try bench.check(mended())
    #expect(try bench.failure(other).file == "ShopTests.regressions/sellsOnce.other.json")
  }

  @Test("A kept plan of another name and this model is left alone where its rule is not judged")
  func notJudged() throws {
    let bench = try Bench()
    var other = try file(of: forgetful(), breaking: "never-heard-of")
    other.scenario = "other-shop"
    try keep(other.json, as: "sellsOnce.other.json", in: bench)
    try bench.check(mended())
    other.scenario = "forgetful-shop"
    try keep(other.json, as: "sellsOnce.other.json", in: bench)
    let error = try bench.error(mended())
    #expect(error.kind == .stale)
    #expect("\(error)".contains("the scenario does not judge 'never-heard-of'"))
  }

  @Test("A kept file is a test's if its name begins with the whole of the test's, and it is JSON")
  func names() throws {
    let bench = try Bench("func sellsOnce() {}; func sellsOnceMore() {}")
    for name in ["sellsOnceMore.a.json", ".sellsOnce.a.json", "sellsOnce.a.txt", "README.md"] {
      try keep("no plan file", as: name, in: bench)
    }
    try bench.check(mended())
    try keep("no plan file", as: "sellsOnce.a.json", in: bench)
    #expect(try bench.error(mended()).kind == .noVerdict)
  }

  @Test("Of several kept plans that fail the first by name is told")
  func firstByName() throws {
    let bench = try Bench()
    let text = try file(of: forgetful()).json
    for name in ["d", "b", "a", "c"] { try keep(text, as: "sellsOnce.\(name).json", in: bench) }
    #expect(try bench.failure(forgetful()).file == "ShopTests.regressions/sellsOnce.a.json")
  }

  @Test("Nothing is said of a test that is gone where the source of the tests cannot be read")
  func noSource() throws {
    let bench = try Bench()
    try keep(file(of: forgetful()).json, as: "sellsNever.a.json", in: bench)
    #expect(try bench.error(mended()).kind == .stale)
    try FileManager.default.removeItem(atPath: bench.source)
    try bench.check(mended())
  }

  @Test("What a kept plan was to break is told before what else it does, and it is not kept again")
  func expectedFirst() throws {
    let bench = try Bench()
    let kept = try file(of: forgetful(), breaking: "conservation")
    try keep(kept.json, as: "sellsOnce.a.json", in: bench)
    let failure = try bench.failure(forgetful(), saves: true)
    #expect(failure.kind == .violation("conservation"))
    #expect("\(failure)".contains(" still breaks under the plan kept in "))
    #expect(bench.files == ["sellsOnce.a.json"])
    var lenient = try forgetful()
    lenient.allows = ["conservation"]
    let other = try bench.failure(lenient)
    #expect(other.kind == .violation("no-double-credit"))
    #expect("\(other)".contains("no-double-credit (I02) breaks under the plan kept in "))
  }
}
