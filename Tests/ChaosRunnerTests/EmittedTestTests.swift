import ChaosStore
import Invariants
import Testing

@testable import ChaosRunner

@Suite struct EmittedTestTests {
  @Test func `An emitted test holds scenario and plan, and asserts what is to become true`() throws
  {
    let output = Kept.bench(["a.json": try Kept.text()]).run(
      "replay", "regressions/a.json", "--emit-test")
    #expect(output.code == 0)
    #expect(
      output.err == """
        The test fails today: hasty-lost breaks no-charge-without-delivery, \
        finish-only-after-credit, conservation. It is the one to see go green.

        """)
    let head = """
      import ChaosStore
      import Testing

      @testable import ChaosRunnerTests

      @Test("hasty-lost: no-charge-without-delivery holds under 'drop verify.request tx1 #1'")
      func hastyLostNoChargeWithoutDeliveryPlan\(try Kept.file().digest)() throws {
        let scenario = try #require(
          ScenarioFile.scenarios(fromJSON: scenarioFile, systems: [AnySystem(HastyShop.self)]).first)
        let plan = try Plan(
          parsing: \"""
            drop verify.request tx1 #1
            \""")
        let record = Simulation(scenario).record(seed: nil, plan: plan)
        let story = Story(record, of: scenario).text
        #expect(!record.outcome.isCutOff, "\\(story)")
        let unasked = Plan(record.unmatched)
        #expect(unasked.size == 0, "the run never asks: \\(unasked)")
        #expect(!record.broken(in: scenario).contains("no-charge-without-delivery"), "\\(story)")
      }

      private let scenarioFile = #\"""

      """
    #expect(output.out.hasPrefix(head))
    let json = Bench.usual[0].json.split(separator: "\n").map { "  \($0)\n" }.joined()
    #expect(output.out == head + json + "  \"\"\"#\n")
  }

  @Test func `An emitted test of a run that holds asserts that everything does`() {
    let output = Bench().run("--scenario", "sound-lost", "--seed", "5", "--emit-test")
    #expect(output.code == 0)
    #expect(output.err == "The test passes today.\n")
    #expect(output.out.contains("\n@Test(\"sound-lost: every invariant holds under seed 0x5\")\n"))
    #expect(output.out.contains("systems: BuiltIn.systems"))
    #expect(output.out.contains("  let plan = Plan()\n"))
    #expect(output.out.contains("record(seed: 0x5, plan: plan)"))
    #expect(output.out.contains("  #expect(record.broken(in: scenario) == [], \"\\(story)\")"))
    #expect(!output.out.contains("unmatched"))
  }

  @Test func `An emitted test fails if its run never asks a decision that is no omission`() throws {
    func emitted(_ plan: String) throws -> EmittedTest {
      let plan = try Plan(parsing: plan)
      let scenario = Kept.scenarios(of: AnySystem(MendedShop.self))[0]
      return try EmittedTest(
        PlanFile(recording: scenario, Origin(plan: plan), expecting: .holds), scenario)
    }
    #expect(try emitted("omit person.step step1, drop verify.request tx1 #1").passes == false)
    #expect(try emitted("drop verify.request tx1 #1").passes)
    let test = try emitted("drop verify.request tx1 #1, drop verify.request tx1 #9")
    #expect(!test.passes)
    #expect(test.broken == "never asks drop verify.request tx1 #9")
    #expect(
      test.source.contains(
        """
          let unasked = Plan(record.unmatched)
          #expect(unasked.size == 0, "the run never asks: \\(unasked)")

        """))
    // A step that an omission names may be gone.
    #expect(try emitted("omit person.step step9, drop verify.request tx1 #1").passes)
  }

  @Test func `An emitted test passes as soon as the system is mended`() throws {
    var bench = Kept.bench(["a.json": try Kept.text()])
    bench.scenarios = Kept.scenarios(of: AnySystem(MendedShop.self))
    let output = bench.run("replay", "regressions/a.json", "--emit-test")
    #expect(output.code == 0)
    #expect(output.err == "The test passes today.\n")
  }

  @Test func `An emitted test keeps quotes, backslashes and number signs as they are`() throws {
    var scenario = Bench.usual[0]
    scenario.about = ##"Says "a\#(b)" and c."##
    scenario.name = #"7"\x"#
    let file = PlanFile(recording: scenario, Origin(plan: Plan()), expecting: .holds)
    let source = try EmittedTest(file, scenario).source
    #expect(source.contains(##"private let scenarioFile = ##"""##))
    #expect(source.hasSuffix("\"\"\"##\n"))
    #expect(source.contains(#"@Test("7\"\\x: every invariant holds in a quiet run")"#))
    #expect(source.contains("func scenario7XHoldsPlan"))
  }

  @Test func `An emitted test has no long plan in its name`() throws {
    let plan = try Plan(
      parsing: (1...20).map { "drop verify.reply tx1 #\($0)" }.joined(separator: ","))
    let file = PlanFile(recording: Bench.usual[4], Origin(plan: plan), expecting: .holds)
    let source = try EmittedTest(file, Bench.usual[4]).source
    #expect(source.contains("holds under a plan of 20 decisions\")"))
    #expect(source.contains("\n      drop verify.reply tx1 #20\n"))
  }

  @Test func `No test is emitted of a stale file, or of a system that no other file can name`()
    throws
  {
    enum HiddenShop: PurchaseSystem {
      typealias Variant = HastyShop.Variant
      typealias App = HastyShop.App
      typealias Backend = HastyShop.Shop
      static let entry = HastyShop.entry
    }
    let stale = Kept.bench(["a.json": try Kept.text { $0.model.hash ^= 1 }])
      .run("replay", "regressions/a.json", "--emit-test")
    #expect(stale.code == 2)
    #expect(stale.out == "")
    var bench = Kept.bench(["a.json": try Kept.text()])
    bench.scenarios = Kept.scenarios(of: AnySystem(HiddenShop.self))
    let hidden = bench.run("replay", "regressions/a.json", "--emit-test")
    #expect(hidden.code == 2)
    #expect(hidden.err.contains("the type of the system 'hasty-shop' cannot be named in another"))
  }

  @Test func `An emitted test needs one run of one scenario`() {
    let many = Bench().run("--emit-test")
    #expect(many.code == 64)
    #expect(
      many.err.hasPrefix("chaos-runner: --emit-test needs one run: give it a --seed or a --plan\n"))
    let several = Bench().run("--emit-test", "--seed", "1")
    #expect(several.code == 64)
    #expect(
      several.err.hasPrefix("chaos-runner: --emit-test needs one --scenario, and 6 are chosen\n"))
    #expect(Bench().run("--emit-test", "--seed", "1", "--format", "json").code == 64)
  }
}
