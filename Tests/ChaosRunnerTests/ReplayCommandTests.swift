import ChaosStore
import Invariants
import Testing

@testable import ChaosRunner

@Suite struct ReplayCommandTests {
  private func replay(_ text: String, _ options: String...) -> Bench.Output {
    Kept.bench(["a.json": text]).run(["replay", "regressions/a.json"] + options)
  }

  @Test func `Replaying a plan file tells its story and says that it came out as recorded`() throws
  {
    let output = replay(try Kept.text())
    #expect(output.code == 1)
    #expect(
      output.out.hasPrefix("hasty-lost under a plan, without a seed: 3 invariants broken\n"))
    #expect(output.out.contains("What happened"))
    #expect(
      output.out.hasSuffix(
        """
        \n
        As recorded, by the same history: breaks no-charge-without-delivery, finish-only-after-credit,
        conservation.

        """))
    let holds = try Kept.file("sound-lost", Kept.lost, expecting: .holds)
    let sound = replay(holds.json, "--quiet")
    #expect(sound.code == 0)
    #expect(sound.out == "As recorded, by the same history: breaks nothing.\n")
  }

  @Test func `Replaying a plan file writes a page of that run, and says on it how it came out`()
    throws
  {
    let output = replay(try Kept.text(), "--report", "found")
    #expect(output.code == 1)
    #expect(output.err.contains("a page of it is at found/index.html\n"))
    let page = try #require(output.files["found/index.html"])
    #expect(page.contains("3 invariants broken in this run."))
    #expect(
      page.contains(
        "regressions/a.json: As recorded, by the same history: breaks no-charge-without-delivery"))
    #expect(page.contains("<svg"))
    let stale = replay(try Kept.text { $0.model.hash ^= 1 }, "--report", "found")
    #expect(stale.code == 2)
    #expect(stale.files["found/index.html"]?.contains("NO VERDICT  the scenario has") == true)
    let unknown = replay(try Kept.text { $0.scenario = "hasty-lots" }, "--report", "found")
    #expect(unknown.code == 2)
    #expect(unknown.out.contains("NO VERDICT  there is no scenario 'hasty-lots'"))
    #expect(unknown.err.contains("--report: there is no page of a run that there is no scenario"))
    #expect(unknown.files["found/index.html"] == nil)
    #expect(replay(try Kept.text(), "--report", "found", "--emit-test").code == 64)
  }

  @Test func `Replaying a plan file is red where the outcome is another one`() throws {
    let file = try Kept.file("sound-lost", Kept.lost, expecting: .violates("no-double-credit"))
    let missing = replay(file.json, "--quiet")
    #expect(missing.code == 1)
    #expect(
      missing.out == "NOT AS RECORDED  it was to break no-double-credit, and now breaks nothing.\n")
    let broken = replay(try Kept.text { $0.expectation = .holds })
    #expect(broken.code == 1)
    #expect(
      broken.out.contains("NOT AS RECORDED  it was to break nothing, and now breaks no-charge"))
  }

  @Test func `A stale plan file has no verdict, with the reason and how to go on`() throws {
    let output = replay(try Kept.text { $0.model.hash ^= 1 })
    #expect(output.code == 2)
    #expect(output.out.contains("\nNO VERDICT  the scenario has changed since it was recorded: "))
    #expect(
      output.out.contains(
        """
        To play what still fits, and let the outcome decide, paste
          swift run -c release chaos-runner replay regressions/a.json --best-effort
        To record it anew, delete the file and paste
          swift run -c release chaos-runner --scenario hasty-lost \
        --plan 'drop verify.request tx1 #1' --save

        """))
    let unknown = replay(try Kept.text { $0.scenario = "hasty-lots" })
    #expect(unknown.code == 2)
    #expect(
      unknown.out == "NO VERDICT  there is no scenario 'hasty-lots'; did you mean 'hasty-lost'?\n")
    let unasked = try Kept.file(
      "hasty-lost", "drop verify.request tx1 #1, drop verify.request tx1 #9")
    let output2 = replay(unasked.json, "--quiet")
    #expect(output2.code == 2)
    #expect(
      output2.out == """
        NO VERDICT  'drop verify.request tx1 #9' is never asked
        It was to break no-charge-without-delivery, and now breaks no-charge-without-delivery, \
        finish-only-after-credit, conservation (1 of 2 decisions matched).

        """)
  }

  @Test
  func `The best effort counts what matched, names the rest, and lets the outcome decide`()
    throws
  {
    let file = try Kept.file(
      "hasty-lost", "drop verify.request tx1 #1, drop verify.request tx1 #9")
    let output = replay(file.json, "--best-effort")
    #expect(output.code == 1)
    #expect(
      output.out.contains(
        "\nNamed by the plan and never asked for\n  drop verify.request tx1 #9\n"))
    #expect(output.out.contains("conservation (1 of 2 decisions matched).\n"))
    let stale = replay(try Kept.text { $0.model.hash ^= 1 }, "--best-effort", "--quiet")
    #expect(stale.code == 1)
    let none = try Kept.file("hasty-lost", "drop verify.request tx9", expecting: .holds)
    #expect(replay(none.json, "--best-effort").code == 2)
  }

  @Test func `A replay by another history is no verdict, but to the best effort`() throws {
    var bench = Kept.bench(["a.json": try Kept.text()])
    bench.scenarios = Kept.scenarios(of: AnySystem(TickingShop.self))
    let strict = bench.run("replay", "regressions/a.json", "--quiet")
    #expect(strict.code == 2)
    #expect(strict.out.hasPrefix("NO VERDICT  as recorded it breaks no-charge-without-delivery"))
    let effort = bench.run("replay", "regressions/a.json", "--quiet", "--best-effort")
    #expect(effort.code == 1)
    #expect(effort.out.hasPrefix("As recorded, by another history: breaks no-charge"))
  }

  @Test func `A kept failure no longer breaks anything when the system is mended`() throws {
    var bench = Kept.bench(["a.json": try Kept.text()])
    bench.scenarios = Kept.scenarios(of: AnySystem(MendedShop.self))
    let output = bench.run("replay", "regressions/a.json", "--quiet")
    #expect(
      output.out
        == "NOT AS RECORDED  it was to break no-charge-without-delivery, and now breaks nothing.\n")
  }

  @Test func `A replay of a system that remembers earlier runs has no verdict`() throws {
    let setup = Bench.setup(.naive, [])
    let fickle = Scenario(
      name: "fickle", system: AnySystem(FickleShop.self), setup: setup, invariants: Bench.rules)
    var bench = Kept.bench([
      "a.json": PlanFile(recording: fickle, Origin(plan: Plan()), expecting: .holds).json
    ])
    bench.scenarios = [fickle]
    let output = bench.run("replay", "regressions/a.json", "--quiet")
    #expect(output.code == 2)
    #expect(output.out.hasPrefix("NO VERDICT  it came out differently when it was run again: "))
  }

  @Test(arguments: [
    ("\"version\": 1", "\"version\": 2", "version: found 2, expected 1: it was written by another"),
    (
      "drop verify.request", "drop verify.requst", "plan[0]: 'drop verify.requst' is not a question"
    ),
    ("tx1 #1", "tx1 #0", "plan[0]: '#0' in 'drop verify.request tx1 #0' is no occurrence"),
    ("\"trace\"", "\"trice\"", "trice: found an unknown key"),
    ("{", "", "line 2, column 12: found ':', expected nothing more"),
  ])
  func `A plan file that cannot be read is refused with the place`(
    old: String, new: String, message: String
  ) throws {
    let text = try Kept.text()
    let changed =
      new.isEmpty ? String(text.dropFirst(1)) : text.replacing(old, with: new)
    let output = replay(changed)
    #expect(output.code == 2)
    #expect(output.out == "")
    #expect(output.err.hasPrefix("chaos-runner: regressions/a.json: \(message)"))
  }

  @Test func `A plan file that is not there is refused, and bad usage`() throws {
    let gone = Bench().run("replay", "regressions/b.json")
    #expect(gone.code == 2)
    #expect(gone.err == "chaos-runner: regressions/b.json: there is no such file\n")
    #expect(Bench().run("replay").code == 64)
    #expect(Bench().run("replay", "a", "b").code == 64)
    #expect(Bench().run("replay", "a", "--save").code == 64)
    #expect(Bench().run("--best-effort").code == 64)
  }

  @Test func `A replay can be read by machines`() throws {
    let output = replay(try Kept.text { $0.trace = 15 }, "--format", "json")
    #expect(output.code == 2)
    #expect(output.out.contains("\"standing\" : \"other-history\""))
    #expect(output.out.contains("\"recordedTraceHash\" : \"0x000000000000000f\""))
    #expect(output.out.contains("\"violates\" : \"no-charge-without-delivery\""))
    let stale = replay(try Kept.text { $0.scenario = "gone" }, "--format", "json")
    #expect(stale.code == 2)
    #expect(stale.out.contains("\"there is no scenario 'gone'\""))
  }
}
